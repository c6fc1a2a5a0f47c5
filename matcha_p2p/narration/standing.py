"""Says who a player is: by this home's records, or at this table."""

from typing import Final

from matcha_p2p.narration import standing_sentences as sentences
from matcha_p2p.narration.news import Recognised, Recognition, Renamed

_SENTENCES: Final = {
    Recognition.KNOWN: sentences.KNOWN,
    Recognition.NEW: sentences.NEW,
    Recognition.KEYLESS: sentences.KEYLESS,
    Recognition.OTHER_KEY: sentences.OTHER_KEY,
    Recognition.MISSING_KEY: sentences.MISSING_KEY,
    Recognition.OWN_KEY: sentences.OWN_KEY,
}

ALARMING: Final = frozenset(
    {Recognition.OTHER_KEY, Recognition.MISSING_KEY, Recognition.OWN_KEY}
)
"""The standings that a screen shows as a warning, in red."""


def tell_standing(news: Recognised | Renamed) -> str:
    """Return the sentence for ``news``; days are calendar days, as in file names."""
    if isinstance(news, Renamed):
        return sentences.YOUR_NAME(name=news.name)
    sentence = _SENTENCES[news.standing]
    if news.standing is Recognition.KNOWN and news.name != news.known_as:
        sentence = sentences.RENAMED
    return sentence(name=news.name, known_as=news.known_as, day=news.last_met)
