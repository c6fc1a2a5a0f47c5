"""Kashi-ichi: sweets for three guests, on a market of squares, for three or four seats."""
