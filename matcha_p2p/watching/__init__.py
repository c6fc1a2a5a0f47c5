"""Watching a game while it is played: the host's watch_host, and a watcher's watch_client."""
