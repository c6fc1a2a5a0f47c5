"""What line mode answers to the commands of talk, in every game."""

from typing import Final

from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.language import Sentence
from matcha_p2p.narration import quick_phrases
from matcha_p2p.narration.sentences import YOU_SAID
from matcha_p2p.wire.talk import Phrase, Say
from matcha_p2p.wire.text import clean

SAY_WHAT: Final = Sentence("Say what? Type say, then the words.")


def say(text: str) -> Answer:
    """Say ``text``, as far as it can be said."""
    if not (said := clean(text)):
        return Answer((SAY_WHAT(),))
    return Answer((YOU_SAID(text=said),), Say(said))


def say_phrase(typed: str) -> Answer:
    """Say the phrase whose number was typed."""
    number = quick_phrases.phrase_of(typed)
    if number is None:
        return Answer((quick_phrases.SAY_WHICH(),))
    return Answer((YOU_SAID(text=quick_phrases.PHRASES[number]()),), Phrase(number))
