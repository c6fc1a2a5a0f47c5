"""A live game: one seat's copy, its journal, the line to the peer, and what is told of it."""
