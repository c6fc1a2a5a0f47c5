"""The file of a finished game."""
