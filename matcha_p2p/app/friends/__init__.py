"""People who have met: their list, and a game with one who calls or is called."""
