"""Matcha for two, peer to peer: no server, no dealer, no trust."""
