"""The place in a replay of Matcha: its scene, and the keys of this game."""

from dataclasses import dataclass, replace
from typing import Self

from matcha_p2p.console.review import replay_sentences as shared
from matcha_p2p.console.review import study
from matcha_p2p.console.review.replay import Goal, ReplayPlace
from matcha_p2p.console.table.focus import Page, Reading
from matcha_p2p.console.table.keys import LEAVE_KEYS
from matcha_p2p.console.table.scene import Replaying
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.games.matcha import events
from matcha_p2p.games.matcha.replay import steps as replay_steps
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.screen.drawing.layout import draw
from matcha_p2p.games.matcha.screen.scene import Scene, headed
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.screen.study import mistakes
from matcha_p2p.games.matcha.words import replay_sentences
from matcha_p2p.games.matcha.words.narrator import PointOfView, explain


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayState(ReplayPlace[Scene, replay_steps.Replay]):
    """The place in a replay of Matcha.

    own: the seat in front, if the view names no seat. analysis: the judged part of the
    analysis, once the person has asked.
    """

    view: replay_steps.Viewpoint
    own: Seat
    analysis: Analysis | None = None

    @property
    def front(self) -> Seat:
        """The seat in front."""
        match self.view:
            case replay_steps.Viewpoint.FIRST | replay_steps.Viewpoint.SECOND:
                return self.view.seat
            case replay_steps.Viewpoint.BOTH | replay_steps.Viewpoint.PUBLIC:
                return self.own

    @property
    def seen_from(self) -> object:
        """The view; a step is shown with its animation if the view stays."""
        return self.view

    picture = staticmethod(draw)
    acts = staticmethod(Show)

    def press(self, key: str) -> Self:
        """Return the place after a key. A key without a meaning changes nothing."""
        if isinstance(self.focus, Reading) and key not in LEAVE_KEYS:
            found = len(mistakes(self.analysis))
            studying = study.studying_after(self.focus, latin(key), found)
            if studying is not None:
                return replace(self, focus=studying)
        return super(ReplayState, self).press(key)  # slots make super() fail

    def own_key(self, key: str) -> Self:
        """Return the place after a key at the table that is no key of every replay."""
        if key == study.ANALYSES and self.live is None:
            begun = self.analysis or Analysis(self.replay.names, reading=True)
            return replace(self, focus=Reading(Page.ANALYSIS), analysis=begun)
        return super(ReplayState, self).own_key(key)

    def next_view(self) -> Self:
        """Return the same place, with the cards of the next view."""
        return replace(self, view=self.view.next())

    def reaches(self, goal: Goal, at: int) -> bool:
        """Tell whether the step ``at`` is a ``goal``."""
        step, before = self.replay.steps[at], self.replay.steps[max(0, at - 1)]
        match goal:
            case Goal.TURN:
                return step.place != before.place
            case Goal.ROUND:
                return isinstance(step.event, events.TableLaid)
            case Goal.RESULT:
                return isinstance(step.event, events.RoundResolved)
            case Goal.DECISION:
                match step.event:
                    case events.Placed(by, _) | events.Passed(by, False):
                        return by == self.front
                    case _:
                        return False

    def scene(self) -> Scene:
        """Return the scene to draw, without the cards that the view must not show."""
        replay, at, view = self.replay, self.at, self.view
        step, front = replay.steps[at], self.front
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
            focus=self.focus,
            told=tuple(sentence for sentences in told for sentence in sentences),
            lately=tuple(told[-1]),
            headings=tuple(headings),
            analysis=self.analysis,
            work="",
            end=step.event if isinstance(step.event, events.GameEnded) else None,
            watched=_watched(self),
        )


def watch(
    replay: replay_steps.Replay, view: replay_steps.Viewpoint, at: int = 0, own: Seat = SEATS[0]
) -> ReplayState:
    """Begin at the step ``at``, or at the last step; the replay has at least one step."""
    at = min(at, len(replay.steps) - 1)
    return ReplayState(replay=replay, at=at, view=view, own=own)


def _watched(state: ReplayState) -> Replaying:
    replay = state.replay
    why = explain(replay.steps[state.at].game, PointOfView(replay.names))
    return Replaying(_position(state), state.keys, why)


def _position(state: ReplayState) -> str:
    replay, view = state.replay, state.view
    steps = {"number": state.at + 1, "count": len(replay.steps)}
    if state.live is not None:
        return state.live(**steps)
    match view:
        case replay_steps.Viewpoint.BOTH:
            return shared.AS_BOTH(**steps)
        case replay_steps.Viewpoint.PUBLIC:
            return shared.AS_PUBLIC(**steps)
        case replay_steps.Viewpoint.FIRST | replay_steps.Viewpoint.SECOND:
            sentence = (
                shared.AS_SEAT if replay.opened[view.seat] else replay_sentences.AS_SEAT_CLOSED
            )
            return sentence(**steps, name=replay.names[view.seat])
