"""The meaning of keys at any table, outside the game itself."""

import re
from dataclasses import replace
from typing import Final, TypeVar

from matcha_p2p.console.table import captions, focus
from matcha_p2p.console.table.scene import TableScene, tell
from matcha_p2p.console.terminal.keyboard import narrow
from matcha_p2p.games.asking import ListedAnswer, Listing, sure
from matcha_p2p.narration import audience
from matcha_p2p.narration.news import TakeBack
from matcha_p2p.narration.quick_phrases import PHRASES, REACTIONS, phrase_of
from matcha_p2p.session.news import Concede, Leave, LetWatch
from matcha_p2p.wire.talk import Phrase, Say
from matcha_p2p.wire.text import TALK_LIMIT, clean
from matcha_p2p.wire.watching import Visibility

S = TypeVar("S", bound=TableScene)

PAGES: Final = {
    "f1": focus.Page.HELP,
    "?": focus.Page.HELP,
    "f2": focus.Page.RULES,
    "m": focus.Page.RULES,
    "f4": focus.Page.REVIEW,
    "l": focus.Page.REVIEW,
    "f5": focus.Page.WHY,
    "w": focus.Page.WHY,
}
"""The keys that open a page."""

STEPS: Final = {"left": -1, "up": -1, "right": 1, "down": 1}

LEAVE_KEYS: Final = ("f10", "c-c")
_TALK_SCROLLS: Final = {"pageup": 1, "pagedown": -1, "up": 1, "down": -1}


def write(scene: S, text: str) -> S:
    """If the focus is a line of talk, return the scene with ``text`` there, cleaned."""
    match scene.focus:
        case focus.Talking():
            spoken = re.sub(r"\s", " ", text)
            return replace(scene, focus=focus.Talking(clean(spoken[:TALK_LIMIT])))
        case _:
            return scene


def gone(scene: S) -> S:
    """Return the scene of a screen to be closed."""
    return replace(scene, focus=focus.Gone())


def leaving(scene: S) -> S:
    """Ask how to leave, or close the screen after the end."""
    if scene.is_over:
        return gone(scene)
    for_good = scene.coached or scene.taught
    later = (captions.END_FOR_GOOD if for_good else captions.LATER)()
    options = (
        ListedAnswer("1", later, Leave()),
        ListedAnswer(
            "2",
            captions.CONCEDES(),
            sure(captions.CONCEDE_SURE(), Concede())._replace(at=1),  # Enter gives nothing up
        ),
        ListedAnswer("3", captions.STAYS(), None),
    )
    return replace(scene, focus=focus.OpenList(Listing(captions.PARTING(), options, at=2)))


def taking_back(scene: S) -> S:
    """Ask whether to take the last decision back."""
    return replace(scene, focus=focus.OpenList(sure(captions.TAKE_BACK(), TakeBack())))


def admitting(scene: S) -> S:
    """Ask what watchers may see."""
    options = tuple(
        ListedAnswer(str(number), audience.ANSWERS[each](), LetWatch(each))
        for number, each in enumerate(Visibility, 1)
    )
    asked = Listing(audience.ASK(), options, at=scene.audience.ours.sight)
    return replace(scene, focus=focus.OpenList(asked))


def talk(scene: S, draft: str, key: str) -> tuple[S, Say | Phrase | None]:
    """Return the scene and the choice after a key that is no part of the written text."""
    match key:
        case "escape":
            return replace(scene, focus=focus.AtTable()), None
        case "enter":
            return _say(replace(scene, focus=focus.AtTable()), draft)
        case _ if key in REACTIONS:
            return react(scene, key)
        case _:
            return scroll_talk(scene, key), None


def _say(scene: S, draft: str) -> tuple[S, Say | Phrase | None]:
    said = draft.strip()
    if not said:
        return scene, None
    number = phrase_of(narrow(said))
    text = said if number is None else PHRASES[number]()
    scene = replace(scene, talk=(*scene.talk, (scene.seat, text)), back=0)
    return scene, Say(said) if number is None else Phrase(number)


def speak(scene: S, key: str) -> tuple[S, Phrase | None]:
    """Begin a line of talk, or say the phrase of ``key`` at once."""
    if key in REACTIONS:
        return react(scene, key)
    return replace(scene, focus=focus.Talking("")), None


def react(scene: S, key: str) -> tuple[S, Phrase | None]:
    """Say the phrase of ``key``, one of REACTIONS, if somebody can hear it."""
    if scene.is_silent or not scene.name or scene.watched is not None:
        return scene, None
    number = REACTIONS[key]
    talk = (*scene.talk, (scene.seat, PHRASES[number]()))
    return replace(scene, talk=talk, back=0), Phrase(number)


def scroll_talk(scene: S, key: str) -> S:
    """Return the scene with earlier or later talk in sight."""
    back = scene.back + _TALK_SCROLLS.get(key, 0)
    return replace(scene, back=min(max(0, back), max(0, len(scene.talk) - 1)))


def read_on(scene: S, reading: focus.Reading, key: str) -> S:
    """Return the scene after a key that closes or changes the open page."""
    if key in ("escape", "enter", "q") or PAGES.get(key) is reading.page:
        return replace(scene, focus=focus.AtTable())
    if key in PAGES:
        return open_page(scene, PAGES[key])
    return scene


def open_page(scene: S, page: focus.Page) -> S:
    """Return the scene with ``page`` open."""
    return replace(scene, focus=focus.Reading(page))


def mute(scene: S) -> S:
    """Mute the next of the players who have talked, then all others, then nobody."""
    names = [scene.speaker(seat) for seat, _ in scene.talk if seat != scene.seat]
    talked = [name for name in dict.fromkeys(names) if name != scene.name]
    turns = (None, *talked, "")
    at = turns.index(scene.muted) + 1
    if at == len(turns):
        return tell(replace(scene, muted=None), captions.UNMUTED(name=scene.name))
    muted = turns[at]
    return tell(replace(scene, muted=muted), captions.MUTED(name=muted or scene.name))
