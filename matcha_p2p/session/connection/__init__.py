"""The connection to the peer, over many links."""
