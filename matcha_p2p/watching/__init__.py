"""A game that others watch while it is played: the host's watch_host, and a watcher's visit."""
