"""Matcha, for two: David Harding's bluffing game, in the editions of 2015 and 2020."""
