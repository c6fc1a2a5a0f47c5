"""The events of a game in sentences for people and in facts for programs."""
