"""Kashi-ichi at a table: what is signed and told, and what a seat knows."""
