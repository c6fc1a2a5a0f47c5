"""The connection to the peer: over many links, made anew when one is lost."""
