"""The place in a replay of Kashi-ichi: its scene, and the keys of this game."""

from dataclasses import dataclass, replace
from typing import Final, Self

from matcha_p2p.console.review.replay import Goal, ReplayPlace
from matcha_p2p.console.table.scene import Replaying
from matcha_p2p.games.kashi.replay.steps import KashiReplay
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.mistakes import on_board
from matcha_p2p.games.kashi.screen.routes import Footprints, trodden
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.words import replay_sentences
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.seats import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class KashiPlace(ReplayPlace[Scene, KashiReplay]):
    """The place in a replay of Kashi-ichi."""

    @property
    def usual(self) -> Sentence:
        """The sentence about a step that is no mistake."""
        return replay_sentences.POSITION

    picture = staticmethod(draw)
    acts = staticmethod(Show)

    def next_view(self) -> Self:
        """Return the same place, with the next player in front."""
        front = Seat((self.view.front + 1) % len(self.replay.names))
        return replace(self, view=self.view._replace(front=front))

    def reaches(self, goal: Goal, at: int) -> bool:
        """Tell whether the step ``at`` is a ``goal``: a round begins with the first player."""
        event, first = self.replay.steps[at].event, self.replay.steps[0].event
        match goal:
            case Goal.TURN:
                return isinstance(event, events.TurnTaken)
            case Goal.ROUND:
                begins = first.seat if isinstance(first, events.FirstDrawn) else None
                return isinstance(event, events.TurnTaken) and event.seat == begins
            case Goal.RESULT:
                return isinstance(event, events.AreasSettled)
            case Goal.DECISION:
                match event:
                    case (
                        events.Started(seat)
                        | events.TurnTaken(seat)
                        | events.IdleAnswered(seat)
                        | events.UpkeepPaid(seat)
                    ):
                        return seat == self.view.front
                    case _:
                        return False

    def at_step(self) -> Scene:
        """Return the scene of the step."""
        replay, at = self.replay, self.at
        step = replay.steps[at]
        return Scene(
            self.view.front,
            focus=self.focus,
            told=tuple(said for each in replay.steps[: at + 1] for said in each.said),
            lately=step.said,
            names=replay.names,
            game=step.game,
            lit=self._lit(),
            end=step.event if isinstance(step.event, events.GameEnded) else None,
            watched=Replaying(self.position(), self.keys),
        )

    def before(self, scene: Scene, mistake: Mistake) -> Scene:
        """Return the board before a mistake."""
        return on_board(scene, mistake.board)

    def _lit(self) -> Footprints:
        """Return the way of the turn that this step shows."""
        match self.event:
            case events.TurnTaken(seat, actions) if self.at:
                steps = self.replay.steps
                start = steps[self.at - 1].game.players[seat].person
                return trodden(steps[self.at].game, start, actions)
            case _:
                return ()


watch: Final = KashiPlace.begin
