"""Bots by name, and bots against bots: the arena and the demo."""
