"""Friends, who have played before: the list of friends, and a game with a friend by a call."""
