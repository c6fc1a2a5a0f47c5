"""Scenes of Kashi-ichi drawn in the cells of a terminal."""
