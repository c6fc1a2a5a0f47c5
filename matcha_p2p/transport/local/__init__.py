"""Facts about this machine: addresses, networks, firewall."""
