"""A person at a full screen, in Kashi-ichi."""
