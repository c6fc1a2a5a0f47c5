"""The questions of the menu, full screen or line by line."""
