"""A verified game of Kashi-ichi for other programs."""
