"""The board of a game, from its file: squares, areas, orders, and start values."""
