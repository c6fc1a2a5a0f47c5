"""Watching a game while it is played: the watcher's side, and the host's."""
