"""Bytes between two machines: frames, the encrypted channel, the invite, dial and listen."""
