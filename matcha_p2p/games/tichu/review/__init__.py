"""Judged games of Tichu, and games for other programs."""
