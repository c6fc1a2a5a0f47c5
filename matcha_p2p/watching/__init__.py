"""A game that others watch while it is played: the host's gallery, and a watcher's visit."""
