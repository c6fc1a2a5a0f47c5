"""Signed entries and records of any game: forks, the file, its verification, comparison."""
