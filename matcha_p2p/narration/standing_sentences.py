"""The sentences that say who the other player is; no name may hold words of theirs."""

from typing import Final

from matcha_p2p.language import Sentence

KNOWN: Final = Sentence('"{name}", as on {day}.')
RENAMED: Final = Sentence('"{name}" is "{known_as}", as on {day}.')
NEW: Final = Sentence('Somebody new who says "{name}".')
KEYLESS: Final = Sentence('Somebody who says "{name}" and shows no key.')
OTHER_KEY: Final = Sentence(
    'This is NOT the "{known_as}" you know: another key. If "{known_as}" has begun anew, '
    "they can tell you so elsewhere."
)
MISSING_KEY: Final = Sentence(
    'This may NOT be the "{known_as}" you know, who has a key: this one shows none.'
)
OWN_KEY: Final = Sentence(
    '"{name}" has the same key as you: one of these homes is a copy of the other.'
)

SENTENCES: Final = KNOWN, RENAMED, NEW, KEYLESS, OTHER_KEY, MISSING_KEY, OWN_KEY
