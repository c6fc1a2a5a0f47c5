"""Says who the other player is, as far as this home knows."""

from typing import Final

from matcha_p2p.language import Sentence
from matcha_p2p.session.news import Recognised, Standing

_SENTENCES: Final = {
    Standing.KNOWN: Sentence("{name}, as on {day}."),
    Standing.NEW: Sentence("Somebody new who says {name}."),
    Standing.KEYLESS: Sentence("Somebody who says {name} and shows no key."),
    Standing.OTHER_KEY: Sentence(
        "This is NOT the {known_as} you know: another key. If {known_as} has begun anew, "
        "they can tell you so elsewhere."
    ),
    Standing.MISSING_KEY: Sentence(
        "This may NOT be the {known_as} you know, who has a key: this one shows none."
    ),
    Standing.OWN_KEY: Sentence(
        "{name} has the same key as you: one of these homes is a copy of the other."
    ),
}
_RENAMED: Final = Sentence("{name} is {known_as}, as on {day}.")

ALARMING: Final = frozenset({Standing.OTHER_KEY, Standing.MISSING_KEY, Standing.OWN_KEY})
"""The standings of which a screen warns in red."""


def tell_standing(news: Recognised) -> str:
    """Return the sentence for ``news``; a day is that of the calendar, as in file names."""
    sentence = _SENTENCES[news.standing]
    if news.standing is Standing.KNOWN and news.name != news.known_as:
        sentence = _RENAMED
    return sentence(name=news.name, known_as=news.known_as, day=news.last_met)
