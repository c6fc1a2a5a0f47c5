"""The signed chain of a game, the records beside it, and the file that holds both."""
