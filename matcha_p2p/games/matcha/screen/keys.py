"""The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

Keys have the names of prompt_toolkit (enter, escape, left, f10, c-c), or are the typed
character.
"""

from dataclasses import replace
from typing import Final, TypeAlias

from matcha_p2p.console.table import focus, keys, study
from matcha_p2p.console.table.scene import tell
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.screen import coach as coaching
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.analysis import Analyse
from matcha_p2p.games.matcha.screen.coach import Coach
from matcha_p2p.games.matcha.screen.study import mistakes
from matcha_p2p.narration.after_game import AGREED, OFFERED
from matcha_p2p.narration.news import TakeBack, Wish
from matcha_p2p.session.news import MakeMove, Propose
from matcha_p2p.wire.talk import Proposal

Wanted: TypeAlias = Wish | Analyse
KeyResult: TypeAlias = tuple[screen_scene.Scene, Wanted | None]

MUTE: Final = "x"
"""Mutes the other player's talk, or ends the muting."""

_COACH_KEYS: Final = ("h", "u")
_OFFER_KEYS: Final = {"o": Proposal.BOOKS, "r": Proposal.REMATCH}


def press(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key. At the table each key marks talk as read."""
    if scene.unread and not isinstance(scene.focus, focus.Reading):
        scene = replace(scene, unread=0)
    return _press(scene, key if isinstance(scene.focus, focus.Talking) else latin(key))


def _press(scene: screen_scene.Scene, key: str) -> KeyResult:
    match scene.focus:
        case focus.Gone():
            return scene, None
        case focus.Departing():
            return (keys.gone(scene) if key in keys.LEAVE_KEYS else scene), None
        case focus.Leaving(at):
            scene, choice = keys.part(scene, at, key)
            return (
                scene if choice is None else replace(scene, question=screen_scene.Waiting())
            ), choice
        case focus.TakingBack() if key not in keys.LEAVE_KEYS:
            return _take_back(scene, key)
        case focus.Admitting(sight) if key not in keys.LEAVE_KEYS:
            return keys.admit(scene, sight, key)
        case _ if key in keys.LEAVE_KEYS:
            return keys.leaving(scene), None
        case focus.Talking(draft):
            return keys.talk(scene, draft, key)
        case focus.Reading() as reading:
            return _read(scene, reading, key), None
        case focus.AtTable() | focus.TakingBack() | focus.Admitting():
            return _at_table(scene, key)


def _read(scene: screen_scene.Scene, reading: focus.Reading, key: str) -> screen_scene.Scene:
    studying = study.studying_after(reading, key, len(mistakes(scene.analysis)))
    if studying is not None:
        return replace(scene, focus=studying)
    closing = study.ANALYSES if reading.page is focus.Page.ANALYSIS else ""
    return keys.read_on(scene, reading, key, closing)


def _take_back(scene: screen_scene.Scene, key: str) -> KeyResult:
    match key:
        case "enter":
            scene = tell(scene, coaching.TAKEN_BACK())
            scene = replace(scene, question=screen_scene.Waiting(), work=coaching.GOING_BACK())
            return replace(scene, focus=focus.AtTable(), end=None, after_game=None), TakeBack()
        case "escape":
            return replace(scene, focus=focus.AtTable()), None
        case _:
            return scene, None


def _at_table(scene: screen_scene.Scene, key: str) -> KeyResult:
    if key in keys.PAGES:
        return keys.open_page(scene, keys.PAGES[key]), None
    if key == "q":
        return keys.leaving(scene), None
    if key == MUTE and scene.name:
        return keys.mute(scene), None
    if key == keys.ADMIT and scene.audience.most and not scene.audience.closed:
        return replace(scene, focus=focus.Admitting(scene.audience.ours.sight)), None
    if key in keys.SPEAKING_KEYS:
        return keys.speak(scene, key)
    if key in ("pageup", "pagedown"):
        return keys.scroll_talk(scene, key), None
    if key in _COACH_KEYS and scene.coach is not None:
        return _ask_coach(scene, scene.coach, key), None
    return _answer(scene, key)


def _ask_coach(scene: screen_scene.Scene, coach: Coach, key: str) -> screen_scene.Scene:
    match key, scene.question:
        case "u", _ if scene.decided:
            return replace(scene, focus=focus.TakingBack())
        case "u", _:
            return tell(scene, coaching.NOTHING_DECIDED())
        case _, screen_scene.Waiting():
            return tell(scene, coaching.NO_HINT())
        case _, asked:
            return _advise(scene, coach, asked)


def _advise(
    scene: screen_scene.Scene, coach: Coach, asked: screen_scene.Asked
) -> screen_scene.Scene:
    """Return the scene with the hint. If the person has chosen nothing, its move is marked."""
    seen = asked.observation
    judgement = coach.advise(seen)
    hint = coaching.explained(seen, judgement)
    scene = replace(scene, hint=hint, told=(*scene.told, hint))
    match asked:
        case screen_scene.Aiming() | screen_scene.Ready():
            return scene
        case screen_scene.Sorting(kept=kept) if kept:
            return scene
        case before:
            marked = screen_scene.Ready(seen, judgement.moves[0].move, before)
            return replace(scene, question=marked)


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
        return keys.gone(scene), None
    if key == study.ANALYSES and scene.transcript:
        return _analyse(scene)
    after_game = scene.after_game
    if after_game is None or proposal is None or not after_game.allows(proposal):
        return scene, None
    said = AGREED if after_game.asks(proposal) else OFFERED
    offered = replace(scene, after_game=after_game.offer(proposal))
    return tell(offered, said[proposal]()), Propose(proposal)


def _analyse(scene: screen_scene.Scene) -> KeyResult:
    opened = keys.open_page(scene, focus.Page.ANALYSIS)
    if scene.analysis is not None:
        return opened, None
    begun = replace(opened, analysis=Analysis(scene.names, reading=True))
    return begun, Analyse(scene.transcript, scene.seat, scene.hands)


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
            at = _neighbour(_places(observation), at, keys.STEPS[key])
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
            mat = _neighbour(mats, aiming.mat, keys.STEPS[key])
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
            at = _neighbour(_places(observation), at, keys.STEPS[key])
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
