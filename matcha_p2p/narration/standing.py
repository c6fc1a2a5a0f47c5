"""Says who the other player is, as far as this home knows."""

from typing import Final

from matcha_p2p.narration import standing_sentences as sentences
from matcha_p2p.narration.news import Recognised, Standing

_SENTENCES: Final = {
    Standing.KNOWN: sentences.KNOWN,
    Standing.NEW: sentences.NEW,
    Standing.KEYLESS: sentences.KEYLESS,
    Standing.OTHER_KEY: sentences.OTHER_KEY,
    Standing.MISSING_KEY: sentences.MISSING_KEY,
    Standing.OWN_KEY: sentences.OWN_KEY,
}

ALARMING: Final = frozenset({Standing.OTHER_KEY, Standing.MISSING_KEY, Standing.OWN_KEY})
"""The standings of which a screen warns in red."""


def tell_standing(news: Recognised) -> str:
    """Return the sentence for ``news``; a day is that of the calendar, as in file names."""
    sentence = _SENTENCES[news.standing]
    if news.standing is Standing.KNOWN and news.name != news.known_as:
        sentence = sentences.RENAMED
    return sentence(name=news.name, known_as=news.known_as, day=news.last_met)
