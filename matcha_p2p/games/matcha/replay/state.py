"""The state of a replay on screen: which key leads to which state, and the scene of a state."""

from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.console.table.focus import AtTable, Gone, Page, Reading
from matcha_p2p.console.table.keys import LEAVE_KEYS, PAGES, open_page, read_on
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.games.matcha.events import GameEnded
from matcha_p2p.games.matcha.replay import steps as replay_steps
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.screen.keys import ANALYSES
from matcha_p2p.games.matcha.screen.scene import Replaying, Scene, headed
from matcha_p2p.games.matcha.words import replay_sentences
from matcha_p2p.games.matcha.words.narrator import PointOfView, explain
from matcha_p2p.language import Sentence

PLAYS: Final = " "
"""The key that lets the replay go on by itself, or stops the replay."""

_FORWARD: Final = ("right", "enter", "down")
_BACK: Final = ("left", "up")
_JUMPS: Final = {
    "n": replay_steps.next_reveal,
    "pagedown": replay_steps.next_round,
    "pageup": replay_steps.previous_round,
    "s": replay_steps.next_set,
    "S": replay_steps.previous_set,
}


@dataclass(frozen=True, slots=True)
class ReplayState:
    """The place in a replay. at: the step, from 0. focus: the table, or an open page.

    own: the seat in front, if the view names no seat. analysis: the judged part of the
    analysis, once the person has asked. live: the way in which a live game is watched; None for
    a stored game.
    """

    replay: replay_steps.Replay
    at: int
    view: replay_steps.Viewpoint
    focus: AtTable | Reading | Gone
    own: Seat
    analysis: Analysis | None = None
    live: Sentence | None = None

    @property
    def front(self) -> Seat:
        """The seat in front."""
        match self.view:
            case replay_steps.Viewpoint.FIRST | replay_steps.Viewpoint.SECOND:
                return self.view.seat
            case replay_steps.Viewpoint.BOTH | replay_steps.Viewpoint.PUBLIC:
                return self.own

    @property
    def is_last(self) -> bool:
        """Whether no step follows."""
        return self.at == len(self.replay.steps) - 1


def watch(
    replay: replay_steps.Replay, view: replay_steps.Viewpoint, at: int = 0, own: Seat = SEATS[0]
) -> ReplayState:
    """Begin at the step ``at``, or at the last step; the replay has at least one step."""
    return ReplayState(replay, min(at, len(replay.steps) - 1), view, AtTable(), own)


def press(state: ReplayState, key: str) -> ReplayState:
    """Return the state after a key. A key without a meaning changes nothing."""
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
        case AtTable() if key == ANALYSES and state.live is None:
            begun = state.analysis or Analysis(state.replay.names, reading=True)
            return replace(state, focus=Reading(Page.ANALYSIS), analysis=begun)
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
    if key in _FORWARD:
        return min(at + 1, last)
    if key in _BACK:
        return max(at - 1, 0)
    if key == "d":
        return replay_steps.next_decision(replay, at, state.front)
    if key in ("home", "end"):
        return 0 if key == "home" else last
    return _JUMPS[key](replay, at) if key in _JUMPS else at


def scene_of(state: ReplayState) -> Scene:
    """Return the scene to draw, without the cards that the view must not show."""
    replay, at, view = state.replay, state.at, state.view
    step, front = replay.steps[at], state.front
    hands = view.hands(step.hands)
    told = [replay.sentences(place, view) for place in range(at + 1)]
    headings: list[tuple[int, str]] = []
    for place, each in enumerate(replay.steps[: at + 1]):
        came = sum(map(len, told[:place])), sum(map(len, told[: place + 1]))
        headings += headed(each.event, each.game, came)
    return Scene(
        front,
        names=replay.names,
        game=step.game,
        hand=hands[front],
        theirs=hands[opposite(front)],
        focus=state.focus,
        told=tuple(sentence for sentences in told for sentence in sentences),
        lately=tuple(told[-1]),
        headings=tuple(headings),
        analysis=state.analysis,
        work="",
        end=step.event if isinstance(step.event, GameEnded) else None,
        watched=_watched(state),
    )


def _watched(state: ReplayState) -> Replaying:
    replay = state.replay
    keys = replay_sentences.KEYS if state.live is None else replay_sentences.KEYS_LIVE
    why = explain(replay.steps[state.at].game, PointOfView(replay.names))
    return Replaying(_position(state), why, keys())


def _position(state: ReplayState) -> str:
    replay, view = state.replay, state.view
    steps = {"number": state.at + 1, "count": len(replay.steps)}
    if state.live is not None:
        return state.live(**steps)
    match view:
        case replay_steps.Viewpoint.BOTH:
            return replay_sentences.AS_BOTH(**steps)
        case replay_steps.Viewpoint.PUBLIC:
            return replay_sentences.AS_PUBLIC(**steps)
        case replay_steps.Viewpoint.FIRST | replay_steps.Viewpoint.SECOND:
            sentence = (
                replay_sentences.AS_SEAT
                if replay.opened[view.seat]
                else replay_sentences.AS_SEAT_CLOSED
            )
            return sentence(**steps, name=replay.names[view.seat])
