"""A game in which cards change hands, in a folder as ``matcha_p2p.games`` finds games."""
