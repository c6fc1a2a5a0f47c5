"""Bots and learners of other programs: the engine protocol, and OpenSpiel."""
