"""A game of Tichu to look at again."""
