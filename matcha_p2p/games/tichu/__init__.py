"""Tichu, for two teams of two."""
