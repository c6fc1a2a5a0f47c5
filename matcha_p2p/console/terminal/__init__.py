"""The terminal: cells, looks, keys, and the thread in which prompt_toolkit runs."""
