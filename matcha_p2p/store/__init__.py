"""What lies on a player's disk besides journals: the home, the games, the settings."""
