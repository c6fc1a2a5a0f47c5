"""Tichu on a full screen."""
