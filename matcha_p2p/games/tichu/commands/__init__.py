"""The bodies of commands that are special to Tichu."""
