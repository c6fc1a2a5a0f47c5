"""The sentences about who a player is; no name may contain the words about other players."""

from typing import Final

from matcha_p2p.language import Sentence

KNOWN: Final = Sentence('"{name}", as on {day}.')
RENAMED: Final = Sentence('"{name}" is "{known_as}", as on {day}.')
NEW: Final = Sentence('A new player, self-named "{name}".')
KEYLESS: Final = Sentence('A player without a key: "{name}".')
OTHER_KEY: Final = Sentence(
    'This is NOT the "{known_as}" you know: the key differs. If "{known_as}" has a new key, '
    "ask them by another way."
)
MISSING_KEY: Final = Sentence(
    'This may NOT be the "{known_as}" you know: "{known_as}" has a key, and this player '
    "shows none."
)
OWN_KEY: Final = Sentence('"{name}" has the same key as you: one home is a copy of the other.')
YOUR_NAME: Final = Sentence('Your name here is "{name}".')

SENTENCES: Final = KNOWN, RENAMED, NEW, KEYLESS, OTHER_KEY, MISSING_KEY, OWN_KEY
