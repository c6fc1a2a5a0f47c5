"""The replay of a game of Kashi-ichi."""
