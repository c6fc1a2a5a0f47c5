"""The terminal itself: cells, looks, keys, and the thread in which prompt_toolkit runs."""
