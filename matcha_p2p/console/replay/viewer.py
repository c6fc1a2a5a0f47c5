"""Who looks on at a replay: a state and a key in, a state out; a state in, a scene out."""

from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.console.table import layout
from matcha_p2p.console.table.keys import LEAVE_KEYS, PAGES, open_page, read_on
from matcha_p2p.console.table.scene import AtTable, Gone, Reading, Scene, Watched
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.machine.events import GameEnded
from matcha_p2p.narration import for_onlooker, onlooker_words
from matcha_p2p.narration.replay_steps import (
    Replay,
    View,
    next_reveal,
    next_round,
    previous_round,
)

_FORWARD: Final = ("right", "enter", "down", " ")
_BACK: Final = ("left", "up")


@dataclass(frozen=True, slots=True)
class Watching:
    """Where somebody is in a replay. at: a step, from 0. focus: a page open over the table."""

    replay: Replay
    at: int
    view: View
    focus: AtTable | Reading | Gone


def watch(replay: Replay, view: View, at: int = 0) -> Watching:
    """Begin at the step ``at``, or at the last one; the replay has at least one."""
    return Watching(replay, min(at, len(replay.steps) - 1), view, AtTable())


def press(watching: Watching, key: str) -> Watching:
    """Return what follows from a key. One that means nothing here changes nothing."""
    key = latin(key)
    match watching.focus:
        case Gone():
            return watching
        case _ if key in LEAVE_KEYS:
            return replace(watching, focus=Gone())
        case Reading() as reading:
            return _turned(watching, read_on(scene_of(watching), reading, key))
        case AtTable() if key in PAGES:
            return _turned(watching, open_page(scene_of(watching), PAGES[key]))
        case AtTable() if key in ("q", "escape"):
            return replace(watching, focus=Gone())
        case AtTable() if key == "v":
            return replace(watching, view=watching.view.next())
        case AtTable():
            return replace(watching, at=_place(watching, key))


def _turned(watching: Watching, scene: Scene) -> Watching:
    match scene.focus:
        case AtTable() | Reading() as focus:
            return replace(watching, focus=focus)
        case _:
            return watching


def _place(watching: Watching, key: str) -> int:
    """Return the step to which a key leads."""
    replay, at = watching.replay, watching.at
    last = len(replay.steps) - 1
    match key:
        case "home":
            return 0
        case "end":
            return last
        case "pagedown":
            return next_round(replay, at)
        case "pageup":
            return previous_round(replay, at)
        case "n":
            return next_reveal(replay, at)
        case _ if key in _FORWARD:
            return min(at + 1, last)
        case _ if key in _BACK:
            return max(at - 1, 0)
        case _:
            return at


def settled(watching: Watching, columns: int, rows: int) -> Watching:
    """Return the same with an open page scrolled no further than the page goes."""
    return _turned(watching, layout.settled(scene_of(watching), columns, rows))


def scene_of(watching: Watching) -> Scene:
    """Return what there is to see; nothing of it is hidden from the view."""
    replay, at, view = watching.replay, watching.at, watching.view
    step, front = replay.steps[at], view.seat
    hands = view.hands(step.hands)
    told = [replay.sentences(place, view) for place in range(at + 1)]
    return Scene(
        front,
        names=replay.names,
        game=step.game,
        hand=hands[front],
        theirs=hands[1 - front],
        focus=watching.focus,
        told=tuple(sentence for sentences in told for sentence in sentences),
        lately=tuple(told[-1]),
        work="",
        end=step.event if isinstance(step.event, GameEnded) else None,
        watched=Watched(_position(watching), for_onlooker.explain(step.game, replay.names)),
    )


def _position(watching: Watching) -> str:
    replay, view = watching.replay, watching.view
    steps = {"number": watching.at + 1, "count": len(replay.steps)}
    match view:
        case View.BOTH:
            return onlooker_words.AS_BOTH(**steps)
        case View.PUBLIC:
            return onlooker_words.AS_PUBLIC(**steps)
        case View.FIRST | View.SECOND:
            sentence = (
                onlooker_words.AS_SEAT
                if replay.opened[view.seat]
                else onlooker_words.AS_SEAT_CLOSED
            )
            return sentence(**steps, name=replay.names[view.seat])
