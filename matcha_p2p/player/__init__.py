"""One seat with its secrets: the only package that holds any."""
