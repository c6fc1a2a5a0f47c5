"""What is read after a game, of any game: the end, an analysis, and a replay."""
