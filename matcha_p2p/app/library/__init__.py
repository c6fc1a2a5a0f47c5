"""Stored and unfinished games: list, verify, export and replay."""
