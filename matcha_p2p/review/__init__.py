"""Transcripts: verified, compared, exported, or summed up."""
