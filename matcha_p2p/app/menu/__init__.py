"""``matcha`` without a command: the first run, the menu and its questions."""
