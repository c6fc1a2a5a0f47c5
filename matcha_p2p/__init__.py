"""Card games for two to four, peer to peer: no server, no dealer, no trust."""

__version__ = "0.1.0"
