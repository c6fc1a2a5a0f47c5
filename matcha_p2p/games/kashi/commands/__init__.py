"""The bodies of commands for Kashi-ichi alone."""
