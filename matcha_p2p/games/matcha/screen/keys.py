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
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.analysis import Analyse
from matcha_p2p.games.matcha.screen.coach import Coach
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.narration.after_game import AGREED, OFFERED
from matcha_p2p.narration.news import TakeBack, Wish
from matcha_p2p.narration.quick_phrases import PHRASES, phrase_of
from matcha_p2p.session.news import Concede, Leave, LetWatch, MakeMove, Propose
from matcha_p2p.wire.talk import Phrase, Proposal, Say, Visibility
from matcha_p2p.wire.text import TALK_LIMIT, clean

Wanted: TypeAlias = Wish | Analyse
KeyResult: TypeAlias = tuple[screen_scene.Scene, Wanted | None]

ANALYSES: Final = "a"
"""Opens the analysis of a finished game."""

PAGES: Final = {
    "f1": screen_scene.Page.HELP,
    "?": screen_scene.Page.HELP,
    "f2": screen_scene.Page.RULES,
    "m": screen_scene.Page.RULES,
    "f4": screen_scene.Page.REVIEW,
    "l": screen_scene.Page.REVIEW,
    "f5": screen_scene.Page.WHY,
    "w": screen_scene.Page.WHY,
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


def press(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key. At the table each key marks talk as read."""
    if scene.unread and not isinstance(scene.focus, screen_scene.Reading):
        scene = replace(scene, unread=0)
    return _press(scene, key if isinstance(scene.focus, screen_scene.Talking) else latin(key))


def _press(scene: screen_scene.Scene, key: str) -> KeyResult:
    match scene.focus:
        case screen_scene.Gone():
            return scene, None
        case screen_scene.Departing():
            return (_gone(scene) if key in LEAVE_KEYS else scene), None
        case screen_scene.Leaving(at):
            return _part(scene, at, key)
        case screen_scene.TakingBack() if key not in LEAVE_KEYS:
            return _take_back(scene, key)
        case screen_scene.Admitting(sight) if key not in LEAVE_KEYS:
            return _admit(scene, sight, key)
        case _ if key in LEAVE_KEYS:
            return _leaving(scene), None
        case screen_scene.Talking(draft):
            return _talk(scene, draft, key)
        case screen_scene.Reading() as reading:
            return read_on(scene, reading, key), None
        case screen_scene.AtTable() | screen_scene.TakingBack() | screen_scene.Admitting():
            return _at_table(scene, key)


def write(scene: screen_scene.Scene, text: str) -> screen_scene.Scene:
    """If the focus is a line of talk, return the scene with ``text`` there, cleaned."""
    match scene.focus:
        case screen_scene.Talking():
            spoken = re.sub(r"\s", " ", text)
            return replace(scene, focus=screen_scene.Talking(clean(spoken[:TALK_LIMIT])))
        case _:
            return scene


def _gone(scene: screen_scene.Scene) -> screen_scene.Scene:
    return replace(scene, focus=screen_scene.Gone())


def _leaving(scene: screen_scene.Scene) -> screen_scene.Scene:
    return (
        _gone(scene)
        if scene.end is not None
        else replace(scene, focus=screen_scene.Leaving(_STAY))
    )


def _part(scene: screen_scene.Scene, at: int, key: str) -> KeyResult:
    match key:
        case "1" | "2" | "3":
            return replace(scene, focus=screen_scene.Leaving(int(key) - 1)), None
        case "left" | "right" | "up" | "down":
            return replace(scene, focus=screen_scene.Leaving((at + _STEPS[key]) % 3)), None
        case "escape":
            return replace(scene, focus=screen_scene.AtTable()), None
        case "enter" if at == _STAY:
            return replace(scene, focus=screen_scene.AtTable()), None
        case "enter":
            choice = Concede() if at else Leave()
            return replace(
                scene, focus=screen_scene.Departing(), question=screen_scene.Waiting()
            ), choice
        case _:
            return scene, None


def _admit(scene: screen_scene.Scene, at: Visibility, key: str) -> KeyResult:
    match key:
        case "1" | "2" | "3":
            return replace(scene, focus=screen_scene.Admitting(Visibility(int(key) - 1))), None
        case "left" | "right" | "up" | "down":
            return replace(
                scene, focus=screen_scene.Admitting(Visibility((at + _STEPS[key]) % 3))
            ), None
        case "escape":
            return replace(scene, focus=screen_scene.AtTable()), None
        case "enter":
            return replace(scene, focus=screen_scene.AtTable()), LetWatch(at)
        case _:
            return scene, None


def _take_back(scene: screen_scene.Scene, key: str) -> KeyResult:
    match key:
        case "enter":
            scene = screen_scene.tell(scene, coaching.TAKEN_BACK())
            scene = replace(scene, question=screen_scene.Waiting(), work=coaching.GOING_BACK())
            return replace(
                scene, focus=screen_scene.AtTable(), end=None, after_game=None
            ), TakeBack()
        case "escape":
            return replace(scene, focus=screen_scene.AtTable()), None
        case _:
            return scene, None


def _talk(scene: screen_scene.Scene, draft: str, key: str) -> KeyResult:
    match key:
        case "escape":
            return replace(scene, focus=screen_scene.AtTable()), None
        case "enter":
            return _say(replace(scene, focus=screen_scene.AtTable()), draft)
        case _:
            return _scroll_talk(scene, key), None


def _say(scene: screen_scene.Scene, draft: str) -> KeyResult:
    said = draft.strip()
    if not said:
        return scene, None
    number = phrase_of(narrow(said))
    text = said if number is None else PHRASES[number]()
    scene = replace(scene, talk=(*scene.talk, (scene.seat, text)), back=0)
    return scene, Say(said) if number is None else Phrase(number)


def read_on(
    scene: screen_scene.Scene, reading: screen_scene.Reading, key: str
) -> screen_scene.Scene:
    """Return the scene after a key that closes or changes the open page."""
    closing = ANALYSES if reading.page is screen_scene.Page.ANALYSIS else ""
    if key in ("escape", "enter", "q", closing) or PAGES.get(key) is reading.page:
        return replace(scene, focus=screen_scene.AtTable())
    if key in PAGES:
        return open_page(scene, PAGES[key])
    return scene


def open_page(scene: screen_scene.Scene, page: screen_scene.Page) -> screen_scene.Scene:
    """Return the scene with ``page`` open."""
    return replace(scene, focus=screen_scene.Reading(page))


def _at_table(scene: screen_scene.Scene, key: str) -> KeyResult:
    if key in PAGES:
        return open_page(scene, PAGES[key]), None
    if key == "q":
        return _leaving(scene), None
    if key == MUTE and scene.name:
        return _mute(scene), None
    if key == ADMIT and scene.audience.most and not scene.audience.closed:
        return replace(scene, focus=screen_scene.Admitting(scene.audience.ours)), None
    if key in _TALK_KEYS:
        return replace(scene, focus=screen_scene.Talking("")), None
    if key in ("pageup", "pagedown"):
        return _scroll_talk(scene, key), None
    if key in _COACH_KEYS and scene.coach is not None:
        return _ask_coach(scene, scene.coach, key), None
    return _answer(scene, key)


def _mute(scene: screen_scene.Scene) -> screen_scene.Scene:
    sentence = captions.UNMUTED if scene.muted else captions.MUTED
    return screen_scene.tell(replace(scene, muted=not scene.muted), sentence(name=scene.name))


def _ask_coach(scene: screen_scene.Scene, coach: Coach, key: str) -> screen_scene.Scene:
    match key, scene.question:
        case "u", _ if coach.decided:
            return replace(scene, focus=screen_scene.TakingBack())
        case "u", _:
            return screen_scene.tell(scene, coaching.NOTHING_DECIDED())
        case _, screen_scene.Waiting():
            return screen_scene.tell(scene, coaching.NO_HINT())
        case _, asked:
            hint = coach.hint(asked.observation)
            return replace(scene, hint=hint, told=(*scene.told, hint))


def _answer(scene: screen_scene.Scene, key: str) -> KeyResult:
    match scene.question:
        case screen_scene.Waiting():
            return _end(scene, key) if scene.end is not None else (scene, None)
        case screen_scene.Picking() as picking:
            return _pick(scene, picking, key), None
        case screen_scene.Aiming() as aiming:
            return _aim(scene, aiming, key), None
        case screen_scene.Sorting() as sorting:
            return _sort(scene, sorting, key), None
        case screen_scene.Ready() as ready:
            return _confirm(scene, ready, key)


def _end(scene: screen_scene.Scene, key: str) -> KeyResult:
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
    return screen_scene.tell(offered, said[proposal]()), Propose(proposal)


def _analyse(scene: screen_scene.Scene) -> KeyResult:
    opened = open_page(scene, screen_scene.Page.ANALYSIS)
    if scene.analysis is not None:
        return opened, None
    begun = replace(opened, analysis=Analysis(scene.names, reading=True))
    return begun, Analyse(scene.transcript, scene.seat, scene.hands)


def _scroll_talk(scene: screen_scene.Scene, key: str) -> screen_scene.Scene:
    back = scene.back + _TALK_SCROLLS.get(key, 0)
    return replace(scene, back=min(max(0, back), max(0, len(scene.talk) - 1)))


def _pick(
    scene: screen_scene.Scene, picking: screen_scene.Picking, key: str
) -> screen_scene.Scene:
    observation, at = picking.observation, picking.at
    match key:
        case "1" | "2" | "3" | "4" | "5":
            return _picked(scene, observation, int(key) - 1)
        case "p":
            return _picked(scene, observation, screen_scene.PASSING)
        case "enter":
            return _picked(scene, observation, at)
        case "left" | "right" | "up" | "down":
            at = _neighbour(_places(observation), at, _STEPS[key])
            return replace(scene, question=screen_scene.Picking(observation, at))
        case _:
            return scene


def _picked(scene: screen_scene.Scene, observation: Observation, at: int) -> screen_scene.Scene:
    if at == screen_scene.PASSING:
        before = screen_scene.Picking(observation, screen_scene.PASSING)
        return replace(scene, question=screen_scene.Ready(observation, PASS, before))
    if at not in _places(observation):
        return scene
    mats = screen_scene.free_mats(observation)
    if len(mats) == 1:
        before = screen_scene.Picking(observation, at)
        return replace(
            scene, question=screen_scene.Ready(observation, Play(mats[0], at), before)
        )
    return replace(scene, question=screen_scene.Aiming(observation, at, mats[0]))


def _aim(
    scene: screen_scene.Scene, aiming: screen_scene.Aiming, key: str
) -> screen_scene.Scene:
    observation, mats = aiming.observation, screen_scene.free_mats(aiming.observation)
    match key:
        case "escape":
            return replace(scene, question=screen_scene.Picking(observation, aiming.slot))
        case "enter":
            move = Play(aiming.mat, aiming.slot)
            return replace(scene, question=screen_scene.Ready(observation, move, aiming))
        case "left" | "right" | "up" | "down":
            mat = _neighbour(mats, aiming.mat, _STEPS[key])
            return replace(scene, question=aiming._replace(mat=mat))
        case _ if (mat := MATS.find(key)) in mats:
            aiming = aiming._replace(mat=mat)
            return replace(
                scene, question=screen_scene.Ready(observation, Play(mat, aiming.slot), aiming)
            )
        case _:
            return _pick(scene, screen_scene.Picking(observation, aiming.slot), key)


def _sort(
    scene: screen_scene.Scene, sorting: screen_scene.Sorting, key: str
) -> screen_scene.Scene:
    observation, at = sorting.observation, sorting.at
    match key:
        case "1" | "2" | "3" | "4" | "5":
            return _toggled(scene, sorting, int(key) - 1)
        case " ":
            return _toggled(scene, sorting, at)
        case "p":
            sorting = sorting._replace(at=screen_scene.PASSING)
            return replace(
                scene, question=screen_scene.Ready(observation, Keep(sorting.kept), sorting)
            )
        case "enter" if at == screen_scene.PASSING:
            return replace(
                scene, question=screen_scene.Ready(observation, Keep(sorting.kept), sorting)
            )
        case "enter":
            return _toggled(scene, sorting, at)
        case "left" | "right" | "up" | "down":
            at = _neighbour(_places(observation), at, _STEPS[key])
            return replace(scene, question=sorting._replace(at=at))
        case _:
            return scene


def _toggled(
    scene: screen_scene.Scene, sorting: screen_scene.Sorting, slot: int
) -> screen_scene.Scene:
    if slot not in sorting.observation.game.hands[scene.seat]:
        return scene
    return replace(scene, question=sorting._replace(kept=sorting.kept ^ {slot}))


def _confirm(scene: screen_scene.Scene, ready: screen_scene.Ready, key: str) -> KeyResult:
    match key:
        case "enter":
            return replace(scene, question=screen_scene.Waiting()), MakeMove(ready.move)
        case "escape":
            return replace(scene, question=ready.before), None
        case _:
            match ready.before:
                case screen_scene.Picking() as before:
                    return _pick(scene, before, key), None
                case screen_scene.Aiming() as before:
                    return _aim(scene, before, key), None
                case screen_scene.Sorting() as before:
                    return _sort(scene, before, key), None


def _places(observation: Observation) -> list[int]:
    """Return the slots that hold a card, and PASSING."""
    return [*sorted(observation.game.hands[observation.seat]), screen_scene.PASSING]


def _neighbour(places: list[int], at: int, step: int) -> int:
    return places[(places.index(at) + step) % len(places)]
