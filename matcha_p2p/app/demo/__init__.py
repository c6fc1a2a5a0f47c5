"""The demo: two bots play in two processes, and a third process verifies the game."""
