"""A finished game to look at."""
