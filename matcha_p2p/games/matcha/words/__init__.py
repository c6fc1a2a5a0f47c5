"""Matcha in words: its cards, its table, and all that happens in a game."""
