"""Kashi-ichi in sentences, facts and typed commands."""
