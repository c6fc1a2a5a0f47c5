"""Two programs find each other before a game: neighbours on a network, and friends."""
