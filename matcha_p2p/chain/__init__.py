"""Signed entries and records of any game: forks, the file, verification, comparison."""
