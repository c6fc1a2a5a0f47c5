"""How two programs find each other before a game: on one network, and friends again."""
