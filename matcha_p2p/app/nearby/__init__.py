"""A game on one network without an invite: a guest knocks at a table, and is let in."""
