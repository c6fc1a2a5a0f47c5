"""What this machine knows of itself: its addresses, its networks, its firewall."""
