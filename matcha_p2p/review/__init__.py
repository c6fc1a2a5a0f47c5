"""Finished games of any kind: their summaries, and their pages of HTML."""
