"""Bots of any game: their interface, bots that are programs, and the bot of any move."""
