"""Tichu in words: its cards, its seats, and all that happens in a game."""
