"""A live game: one seat's copy, the journal, the connection to the peer, and the news."""
