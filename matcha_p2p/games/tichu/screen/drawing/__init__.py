"""Scenes of Tichu as lines of styled text."""
