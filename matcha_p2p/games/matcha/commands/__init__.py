"""What the commands do in Matcha, where that is of this game."""
