"""The place in a replay of Tichu: its scene, and the keys of this game."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.console.review.replay import Goal, ReplayPlace
from matcha_p2p.console.table.scene import Replaying
from matcha_p2p.games.tichu.replay.steps import NO_HANDS, TichuReplay
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.screen.drawing.layout import draw
from matcha_p2p.games.tichu.screen.scene import Scene, follow_event, on_board
from matcha_p2p.games.tichu.screen.show import Show
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.words import captions, replay_sentences
from matcha_p2p.games.tichu.words.onlooker import Onlooker
from matcha_p2p.review.analysis import Mistake


@dataclass(frozen=True, slots=True, kw_only=True)
class TichuPlace(ReplayPlace[Scene, TichuReplay]):
    """The place in a replay of Tichu."""

    picture = staticmethod(draw)
    acts = staticmethod(Show)

    def reaches(self, goal: Goal, at: int) -> bool:
        """Tell whether the step ``at`` is a ``goal``."""
        event = self.replay.steps[at].event
        match goal:
            case Goal.TURN:
                return isinstance(event, Laid) and event.leads
            case Goal.ROUND:
                return isinstance(event, events.RoundBegun)
            case Goal.RESULT:
                return isinstance(event, events.RoundCounted)
            case Goal.DECISION:
                match event:
                    case Laid(seat) | events.TurnPassed(seat) | events.Called(seat):
                        return seat == self.view.front
                    case _:
                        return False

    def at_step(self) -> Scene:
        """Return the scene of the step, without the cards that the view must not show."""
        replay, at, view = self.replay, self.at, self.view
        step = replay.steps[at]
        told = [replay.sentences(place, view) for place in range(at + 1)]
        dealt = NO_HANDS if step.game.round.leader is None else step.hands
        hands = view.of(dealt)
        words = Onlooker(replay.names, view.front)
        words.hand = hands[view.front]
        shows_hands = isinstance(step.event, events.MahJongShown)  # just as well as sentences
        scene = Scene(
            view.front,
            words=words,
            names=replay.names,
            game=step.game,
            hands=hands,
            told=tuple(sentence for sentences in told for sentence in sentences),
            lately=step.said if shows_hands else tuple(told[-1]),
            rounds=self._counted_before(step.game.number),
            watched=Replaying(self.position(), self.keys, self._why()),
        )
        for played in replay.steps[: at + 1]:
            if played.game.number == step.game.number:
                scene = follow_event(scene, played.event)
        headings = tuple(self._headings(told))
        return replace(scene, focus=self.focus, headings=headings, work="")

    def before(self, scene: Scene, mistake: Mistake) -> Scene:
        """Return the board before a mistake."""
        words = Onlooker(self.replay.names, mistake.board.seen.seat)
        return on_board(replace(scene, words=words), mistake.board)

    def _counted_before(self, number: int) -> tuple[events.RoundCounted, ...]:
        """Return the counted rounds before round ``number``."""
        counted = [step.event for step in self.replay.steps if step.game.number < number]
        return tuple(it for it in counted if isinstance(it, events.RoundCounted))

    def _headings(self, told: list[list[str]]) -> Iterator[tuple[int, str]]:
        """Yield the heading of each round. told: the sentences of each step."""
        above = 0
        for step, sentences in zip(self.replay.steps, told, strict=False):
            if isinstance(step.event, events.RoundBegun):
                yield above, captions.ROUND_TITLE(number=step.event.number)
            above += len(sentences)

    def _why(self) -> tuple[str, ...]:
        """Return how the last round was counted."""
        steps = self.replay.steps[: self.at + 1]
        counted = [step.said for step in steps if isinstance(step.event, events.RoundCounted)]
        return counted[-1] if counted else (replay_sentences.NOT_COUNTED(),)


watch: Final = TichuPlace.begin
