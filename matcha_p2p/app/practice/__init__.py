"""A person alone: a game against a bot, and the tutorial."""
