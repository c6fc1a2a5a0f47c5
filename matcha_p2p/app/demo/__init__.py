"""Two bots in two processes, and a third that judges them."""
