"""A live game: one seat's copy, its journal, the connection to the peer, and its news."""
