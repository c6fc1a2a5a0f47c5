"""What a session keeps on disk: the journal of a game, and marks that outlast it."""
