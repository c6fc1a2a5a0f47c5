"""A player's files besides journals: the home folder, the library of games, the settings."""
