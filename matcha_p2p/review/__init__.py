"""A finished game: judged, told move by move, or only looked at."""
