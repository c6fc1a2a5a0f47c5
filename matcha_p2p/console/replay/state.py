"""The state of a replay on screen: which key leads to which state, and the scene of a state."""

from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.console.table.keys import LEAVE_KEYS, PAGES, open_page, read_on
from matcha_p2p.console.table.scene import AtTable, Gone, Reading, Scene, Watched
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.machine.events import GameEnded
from matcha_p2p.narration import replay_sentences
from matcha_p2p.narration.narrator import PointOfView, explain
from matcha_p2p.narration.replay_steps import (
    Replay,
    View,
    next_reveal,
    next_round,
    previous_round,
)
from matcha_p2p.rules.seats import opposite

_FORWARD: Final = ("right", "enter", "down", " ")
_BACK: Final = ("left", "up")


@dataclass(frozen=True, slots=True)
class ReplayState:
    """The place in a replay. at: the step, from 0. focus: the table, or an open page."""

    replay: Replay
    at: int
    view: View
    focus: AtTable | Reading | Gone


def watch(replay: Replay, view: View, at: int = 0) -> ReplayState:
    """Begin at the step ``at``, or at the last one; the replay has at least one."""
    return ReplayState(replay, min(at, len(replay.steps) - 1), view, AtTable())


def press(state: ReplayState, key: str) -> ReplayState:
    """Return what follows from a key. One that means nothing here changes nothing."""
    key = latin(key)
    match state.focus:
        case Gone():
            return state
        case _ if key in LEAVE_KEYS:
            return replace(state, focus=Gone())
        case Reading() as reading:
            return _turned(state, read_on(scene_of(state), reading, key))
        case AtTable() if key in PAGES:
            return _turned(state, open_page(scene_of(state), PAGES[key]))
        case AtTable() if key in ("q", "escape"):
            return replace(state, focus=Gone())
        case AtTable() if key == "v":
            return replace(state, view=state.view.next())
        case AtTable():
            return replace(state, at=_place(state, key))


def _turned(state: ReplayState, scene: Scene) -> ReplayState:
    match scene.focus:
        case AtTable() | Reading() as focus:
            return replace(state, focus=focus)
        case _:
            return state


def _place(state: ReplayState, key: str) -> int:
    """Return the step to which a key leads."""
    replay, at = state.replay, state.at
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


def scene_of(state: ReplayState) -> Scene:
    """Return the scene to draw; it holds nothing that the view must not show."""
    replay, at, view = state.replay, state.at, state.view
    step, front = replay.steps[at], view.seat
    hands = view.hands(step.hands)
    told = [replay.sentences(place, view) for place in range(at + 1)]
    return Scene(
        front,
        names=replay.names,
        game=step.game,
        hand=hands[front],
        theirs=hands[opposite(front)],
        focus=state.focus,
        told=tuple(sentence for sentences in told for sentence in sentences),
        lately=tuple(told[-1]),
        work="",
        end=step.event if isinstance(step.event, GameEnded) else None,
        watched=Watched(_position(state), explain(step.game, PointOfView(replay.names))),
    )


def _position(state: ReplayState) -> str:
    replay, view = state.replay, state.view
    steps = {"number": state.at + 1, "count": len(replay.steps)}
    match view:
        case View.BOTH:
            return replay_sentences.AS_BOTH(**steps)
        case View.PUBLIC:
            return replay_sentences.AS_PUBLIC(**steps)
        case View.FIRST | View.SECOND:
            sentence = (
                replay_sentences.AS_SEAT
                if replay.opened[view.seat]
                else replay_sentences.AS_SEAT_CLOSED
            )
            return sentence(**steps, name=replay.names[view.seat])
