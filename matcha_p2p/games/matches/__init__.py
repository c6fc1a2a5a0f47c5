"""Many games: matches, ratings, and whole games in memory."""
