"""Games that are over, or lie still: list, verify, export and replay them."""
