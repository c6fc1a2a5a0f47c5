"""Codes that people paste: the invite, the answer to it, and their letters."""
