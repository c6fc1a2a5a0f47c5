"""A game with somebody else: host, join, resume, claim, and the seat that plays."""
