"""The place in a replay of Matcha: its scene, and the keys of this game."""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.console.review.replay import Goal, ReplayPlace
from matcha_p2p.console.table.scene import Replaying
from matcha_p2p.games.matcha.replay.steps import MatchaReplay, MatchaStep
from matcha_p2p.games.matcha.rules.seats import opposite
from matcha_p2p.games.matcha.screen.drawing.layout import draw
from matcha_p2p.games.matcha.screen.mistakes import on_board
from matcha_p2p.games.matcha.screen.scene import Scene, headed
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.table import events
from matcha_p2p.games.matcha.words import replay_sentences
from matcha_p2p.games.matcha.words.narrator import PointOfView, explain
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import Mistake


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchaPlace(ReplayPlace[Scene, MatchaReplay]):
    """The place in a replay of Matcha."""

    picture = staticmethod(draw)
    acts = staticmethod(Show)

    def reaches(self, goal: Goal, at: int) -> bool:
        """Tell whether the step ``at`` is a ``goal``."""
        step, before = self.replay.steps[at], self.replay.steps[max(0, at - 1)]
        match goal:
            case Goal.TURN:
                return _place(step) != _place(before)
            case Goal.ROUND:
                return isinstance(step.event, events.TableLaid)
            case Goal.RESULT:
                return isinstance(step.event, events.RoundResolved)
            case Goal.DECISION:
                match step.event:
                    case events.Placed(by, _) | events.Passed(by, False):
                        return by == self.view.front
                    case _:
                        return False

    def at_step(self) -> Scene:
        """Return the scene of the step, without the cards that the view must not show."""
        replay, at, view = self.replay, self.at, self.view
        step, front = replay.steps[at], view.front
        hands = view.of(step.hands)
        told = [replay.sentences(place, view) for place in range(at + 1)]
        headings: list[tuple[int, str]] = []
        for place, each in enumerate(replay.steps[: at + 1]):
            came = sum(map(len, told[:place])), sum(map(len, told[: place + 1]))
            headings += headed(each.event, each.game, came)
        names = replay.names[0], replay.names[1]
        why = explain(step.game, PointOfView(names))
        return Scene(
            front,
            names=names,
            game=step.game,
            hand=hands[front],
            theirs=hands[opposite(front)],
            focus=self.focus,
            told=tuple(sentence for sentences in told for sentence in sentences),
            lately=tuple(told[-1]),
            headings=tuple(headings),
            work="",
            end=step.event if isinstance(step.event, events.GameEnded) else None,
            watched=Replaying(self.position(), self.keys, why),
        )

    def before(self, scene: Scene, mistake: Mistake) -> Scene:
        """Return the board before a mistake."""
        return on_board(scene, mistake.board)

    @property
    def usual(self) -> Sentence:
        """The sentence about a step that is no mistake."""
        match self.view.shown:
            case (seat,) if not self.replay.opens(seat):
                return replay_sentences.AS_SEAT_CLOSED
            case _:
                return super(MatchaPlace, self).usual  # slots make super() fail


def _place(step: MatchaStep) -> tuple[int, int]:
    """Return the number of the set, and the number of the running round."""
    return step.game.number, step.game.rounds[-1].number if step.game.rounds else 0


watch: Final = MatchaPlace.begin
