"""Tools that compute the data files of bots. Nothing here runs in a game."""
