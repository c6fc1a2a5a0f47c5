"""Bytes of no game in particular: their canonical encoding, entries, records, and talk."""
