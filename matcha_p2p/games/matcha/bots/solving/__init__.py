"""The computations of the strong bots: a search of rounds 1 and 2, a solution of round 3."""
