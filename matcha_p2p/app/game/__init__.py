"""A game with a peer: the seat's front end, the games after the first, resume, claim."""
