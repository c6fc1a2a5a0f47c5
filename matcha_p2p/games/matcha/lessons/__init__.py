"""The rules to read, and the tutorial to play."""
