"""``python -m matcha_p2p``: the same as ``matcha``."""

from matcha_p2p.cli import main

main()
