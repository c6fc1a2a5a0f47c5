"""Codes that people paste: the invite, the answer code, and the letters of codes."""
