"""Bytes common to all games: the canonical encoding, entries, records, and talk."""
