"""A player's files besides journals: the home folder, the list of games, the settings."""
