"""The session's files: the journal of a game, and the marks of all journals."""
