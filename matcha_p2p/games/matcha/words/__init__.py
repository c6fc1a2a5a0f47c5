"""Matcha in words: its cards, its table, and all events of a game."""
