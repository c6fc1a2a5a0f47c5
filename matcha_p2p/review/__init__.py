"""Verified transcripts of Matcha: exported, drawn, analysed, or summed up."""
