"""The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

Keys have the names of prompt_toolkit (enter, escape, left, f10, c-c), or are the typed
character.
"""

import re
from dataclasses import replace
from typing import Final, TypeAlias

from matcha_p2p.console.terminal.keyboard import latin, narrow
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.screen import coach as coaching
from matcha_p2p.games.matcha.screen.analysis import Analyse
from matcha_p2p.games.matcha.screen.coach import Coach
from matcha_p2p.games.matcha.screen.scene import (
    PASSING,
    Admitting,
    Aiming,
    AtTable,
    Departing,
    Gone,
    Leaving,
    Page,
    Picking,
    Reading,
    Ready,
    Scene,
    Sorting,
    TakingBack,
    Talking,
    Waiting,
    free_mats,
    tell,
)
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.narration.after_game import AGREED, OFFERED
from matcha_p2p.narration.news import TakeBack, Wish
from matcha_p2p.narration.quick_phrases import PHRASES, phrase_of
from matcha_p2p.session.news import Concede, Leave, LetWatch, MakeMove, Propose
from matcha_p2p.wire.talk import Phrase, Proposal, Say, Visibility
from matcha_p2p.wire.text import TALK_LIMIT, clean

Wanted: TypeAlias = Wish | Analyse
KeyResult: TypeAlias = tuple[Scene, Wanted | None]

ANALYSES: Final = "a"
"""Opens the analysis of a finished game."""

PAGES: Final = {
    "f1": Page.HELP,
    "?": Page.HELP,
    "f2": Page.RULES,
    "m": Page.RULES,
    "f4": Page.REVIEW,
    "l": Page.REVIEW,
    "f5": Page.WHY,
    "w": Page.WHY,
}
"""The keys that open a page."""

_STEPS: Final = {"left": -1, "up": -1, "right": 1, "down": 1}
_TALK_SCROLLS: Final = {"pageup": 1, "pagedown": -1, "up": 1, "down": -1}
MUTE: Final = "x"
"""Mutes the other player's talk, or ends the muting."""

ADMIT: Final = "v"
"""Asks what watchers may see, if the game can have watchers."""

_TALK_KEYS: Final = ("/", "tab", "f3")
LEAVE_KEYS: Final = ("f10", "c-c")
_COACH_KEYS: Final = ("h", "u")
_OFFER_KEYS: Final = {"o": Proposal.BOOKS, "r": Proposal.REMATCH}
_STAY: Final = 2


def press(scene: Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key. At the table each key marks talk as read."""
    if scene.unread and not isinstance(scene.focus, Reading):
        scene = replace(scene, unread=0)
    return _press(scene, key if isinstance(scene.focus, Talking) else latin(key))


def _press(scene: Scene, key: str) -> KeyResult:
    match scene.focus:
        case Gone():
            return scene, None
        case Departing():
            return (_gone(scene) if key in LEAVE_KEYS else scene), None
        case Leaving(at):
            return _part(scene, at, key)
        case TakingBack() if key not in LEAVE_KEYS:
            return _take_back(scene, key)
        case Admitting(sight) if key not in LEAVE_KEYS:
            return _admit(scene, sight, key)
        case _ if key in LEAVE_KEYS:
            return _leaving(scene), None
        case Talking(draft):
            return _talk(scene, draft, key)
        case Reading() as reading:
            return read_on(scene, reading, key), None
        case AtTable() | TakingBack() | Admitting():
            return _at_table(scene, key)


def write(scene: Scene, text: str) -> Scene:
    """If the focus is a line of talk, return the scene with ``text`` there, cleaned."""
    match scene.focus:
        case Talking():
            spoken = re.sub(r"\s", " ", text)
            return replace(scene, focus=Talking(clean(spoken[:TALK_LIMIT])))
        case _:
            return scene


def _gone(scene: Scene) -> Scene:
    return replace(scene, focus=Gone())


def _leaving(scene: Scene) -> Scene:
    return _gone(scene) if scene.end is not None else replace(scene, focus=Leaving(_STAY))


def _part(scene: Scene, at: int, key: str) -> KeyResult:
    match key:
        case "1" | "2" | "3":
            return replace(scene, focus=Leaving(int(key) - 1)), None
        case "left" | "right" | "up" | "down":
            return replace(scene, focus=Leaving((at + _STEPS[key]) % 3)), None
        case "escape":
            return replace(scene, focus=AtTable()), None
        case "enter" if at == _STAY:
            return replace(scene, focus=AtTable()), None
        case "enter":
            choice = Concede() if at else Leave()
            return replace(scene, focus=Departing(), question=Waiting()), choice
        case _:
            return scene, None


def _admit(scene: Scene, at: Visibility, key: str) -> KeyResult:
    match key:
        case "1" | "2" | "3":
            return replace(scene, focus=Admitting(Visibility(int(key) - 1))), None
        case "left" | "right" | "up" | "down":
            return replace(scene, focus=Admitting(Visibility((at + _STEPS[key]) % 3))), None
        case "escape":
            return replace(scene, focus=AtTable()), None
        case "enter":
            return replace(scene, focus=AtTable()), LetWatch(at)
        case _:
            return scene, None


def _take_back(scene: Scene, key: str) -> KeyResult:
    match key:
        case "enter":
            scene = tell(scene, coaching.TAKEN_BACK())
            scene = replace(scene, question=Waiting(), work=coaching.GOING_BACK())
            return replace(scene, focus=AtTable(), end=None, after_game=None), TakeBack()
        case "escape":
            return replace(scene, focus=AtTable()), None
        case _:
            return scene, None


def _talk(scene: Scene, draft: str, key: str) -> KeyResult:
    match key:
        case "escape":
            return replace(scene, focus=AtTable()), None
        case "enter":
            return _say(replace(scene, focus=AtTable()), draft)
        case _:
            return _scroll_talk(scene, key), None


def _say(scene: Scene, draft: str) -> KeyResult:
    said = draft.strip()
    if not said:
        return scene, None
    number = phrase_of(narrow(said))
    text = said if number is None else PHRASES[number]()
    scene = replace(scene, talk=(*scene.talk, (scene.seat, text)), back=0)
    return scene, Say(said) if number is None else Phrase(number)


def read_on(scene: Scene, reading: Reading, key: str) -> Scene:
    """Return the scene after a key that closes or changes the open page."""
    closing = ANALYSES if reading.page is Page.ANALYSIS else ""
    if key in ("escape", "enter", "q", closing) or PAGES.get(key) is reading.page:
        return replace(scene, focus=AtTable())
    if key in PAGES:
        return open_page(scene, PAGES[key])
    return scene


def open_page(scene: Scene, page: Page) -> Scene:
    """Return the scene with ``page`` open."""
    return replace(scene, focus=Reading(page))


def _at_table(scene: Scene, key: str) -> KeyResult:
    if key in PAGES:
        return open_page(scene, PAGES[key]), None
    if key == "q":
        return _leaving(scene), None
    if key == MUTE and scene.name:
        return _mute(scene), None
    if key == ADMIT and scene.audience.most and not scene.audience.closed:
        return replace(scene, focus=Admitting(scene.audience.ours)), None
    if key in _TALK_KEYS:
        return replace(scene, focus=Talking("")), None
    if key in ("pageup", "pagedown"):
        return _scroll_talk(scene, key), None
    if key in _COACH_KEYS and scene.coach is not None:
        return _ask_coach(scene, scene.coach, key), None
    return _answer(scene, key)


def _mute(scene: Scene) -> Scene:
    sentence = captions.UNMUTED if scene.muted else captions.MUTED
    return tell(replace(scene, muted=not scene.muted), sentence(name=scene.name))


def _ask_coach(scene: Scene, coach: Coach, key: str) -> Scene:
    match key, scene.question:
        case "u", _ if coach.decided:
            return replace(scene, focus=TakingBack())
        case "u", _:
            return tell(scene, coaching.NOTHING_DECIDED())
        case _, Waiting():
            return tell(scene, coaching.NO_HINT())
        case _, asked:
            hint = coach.hint(asked.observation)
            return replace(scene, hint=hint, told=(*scene.told, hint))


def _answer(scene: Scene, key: str) -> KeyResult:
    match scene.question:
        case Waiting():
            return _end(scene, key) if scene.end is not None else (scene, None)
        case Picking() as picking:
            return _pick(scene, picking, key), None
        case Aiming() as aiming:
            return _aim(scene, aiming, key), None
        case Sorting() as sorting:
            return _sort(scene, sorting, key), None
        case Ready() as ready:
            return _confirm(scene, ready, key)


def _end(scene: Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key at the end of the game."""
    proposal = _OFFER_KEYS.get(key)
    if key == "enter":
        return _gone(scene), None
    if key == ANALYSES and scene.transcript:
        return _analyse(scene)
    after_game = scene.after_game
    if after_game is None or proposal is None or not after_game.allows(proposal):
        return scene, None
    said = AGREED if proposal in after_game.theirs else OFFERED
    offered = replace(scene, after_game=after_game.offer(proposal))
    return tell(offered, said[proposal]()), Propose(proposal)


def _analyse(scene: Scene) -> KeyResult:
    opened = open_page(scene, Page.ANALYSIS)
    if scene.analysis is not None:
        return opened, None
    begun = replace(opened, analysis=Analysis(scene.names, reading=True))
    return begun, Analyse(scene.transcript, scene.seat, scene.hands)


def _scroll_talk(scene: Scene, key: str) -> Scene:
    back = scene.back + _TALK_SCROLLS.get(key, 0)
    return replace(scene, back=min(max(0, back), max(0, len(scene.talk) - 1)))


def _pick(scene: Scene, picking: Picking, key: str) -> Scene:
    observation, at = picking.observation, picking.at
    match key:
        case "1" | "2" | "3" | "4" | "5":
            return _picked(scene, observation, int(key) - 1)
        case "p":
            return _picked(scene, observation, PASSING)
        case "enter":
            return _picked(scene, observation, at)
        case "left" | "right" | "up" | "down":
            at = _neighbour(_places(observation), at, _STEPS[key])
            return replace(scene, question=Picking(observation, at))
        case _:
            return scene


def _picked(scene: Scene, observation: Observation, at: int) -> Scene:
    if at == PASSING:
        before = Picking(observation, PASSING)
        return replace(scene, question=Ready(observation, PASS, before))
    if at not in _places(observation):
        return scene
    mats = free_mats(observation)
    if len(mats) == 1:
        before = Picking(observation, at)
        return replace(scene, question=Ready(observation, Play(mats[0], at), before))
    return replace(scene, question=Aiming(observation, at, mats[0]))


def _aim(scene: Scene, aiming: Aiming, key: str) -> Scene:
    observation, mats = aiming.observation, free_mats(aiming.observation)
    match key:
        case "escape":
            return replace(scene, question=Picking(observation, aiming.slot))
        case "enter":
            move = Play(aiming.mat, aiming.slot)
            return replace(scene, question=Ready(observation, move, aiming))
        case "left" | "right" | "up" | "down":
            mat = _neighbour(mats, aiming.mat, _STEPS[key])
            return replace(scene, question=aiming._replace(mat=mat))
        case _ if (mat := MATS.find(key)) in mats:
            aiming = aiming._replace(mat=mat)
            return replace(scene, question=Ready(observation, Play(mat, aiming.slot), aiming))
        case _:
            return _pick(scene, Picking(observation, aiming.slot), key)


def _sort(scene: Scene, sorting: Sorting, key: str) -> Scene:
    observation, at = sorting.observation, sorting.at
    match key:
        case "1" | "2" | "3" | "4" | "5":
            return _toggled(scene, sorting, int(key) - 1)
        case " ":
            return _toggled(scene, sorting, at)
        case "p":
            sorting = sorting._replace(at=PASSING)
            return replace(scene, question=Ready(observation, Keep(sorting.kept), sorting))
        case "enter" if at == PASSING:
            return replace(scene, question=Ready(observation, Keep(sorting.kept), sorting))
        case "enter":
            return _toggled(scene, sorting, at)
        case "left" | "right" | "up" | "down":
            at = _neighbour(_places(observation), at, _STEPS[key])
            return replace(scene, question=sorting._replace(at=at))
        case _:
            return scene


def _toggled(scene: Scene, sorting: Sorting, slot: int) -> Scene:
    if slot not in sorting.observation.game.hands[scene.seat]:
        return scene
    return replace(scene, question=sorting._replace(kept=sorting.kept ^ {slot}))


def _confirm(scene: Scene, ready: Ready, key: str) -> KeyResult:
    match key:
        case "enter":
            return replace(scene, question=Waiting()), MakeMove(ready.move)
        case "escape":
            return replace(scene, question=ready.before), None
        case _:
            match ready.before:
                case Picking() as before:
                    return _pick(scene, before, key), None
                case Aiming() as before:
                    return _aim(scene, before, key), None
                case Sorting() as before:
                    return _sort(scene, before, key), None


def _places(observation: Observation) -> list[int]:
    """Return the slots that hold a card, and PASSING."""
    return [*sorted(observation.game.hands[observation.seat]), PASSING]


def _neighbour(places: list[int], at: int, step: int) -> int:
    return places[(places.index(at) + step) % len(places)]
