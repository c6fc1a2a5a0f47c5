"""One person plays: a game against a bot, and the tutorial."""
