"""A game with a peer: the seat that plays it, the games after it, resume, claim."""
