"""The decisions of a finished game in its tricks, and what each has cost by keen."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.games.tichu.bots.club import answer
from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.bots.keen import KEEN
from matcha_p2p.games.tichu.review.mistakes import AnalyseRound, BetterMove, Exchanged
from matcha_p2p.games.tichu.review.rounds import MadeMove, PlayedRound
from matcha_p2p.games.tichu.rules.actions import Hold, Lay, Pass, TichuMove
from matcha_p2p.games.tichu.rules.cards import NUMBERS
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.moves import Play, legal_plays, may_pass
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import HAND, Ask
from matcha_p2p.review.analysis import GameAnalysis
from matcha_p2p.seats import Seat

MISTAKE: Final = 10
"""The least loss of a mistake, in points."""
_SURE: Final = 2.0
"""A loss of fewer standard errors may be chance."""


class Decision(NamedTuple):
    """The view of a seat, and its answer. entries: of a transcript, up to the answer."""

    seen: Observation
    made: TichuMove
    entries: int = 0

    @property
    def is_turn(self) -> bool:
        """Whether it was the seat's turn; else it was asked for a bomb."""
        return self.seen.asked is Ask.TURN


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision and the worth of the answers. made: of the answer that was made."""

    decision: Decision
    judgement: Judgement
    made: JudgedMove

    @property
    def value(self) -> float:
        """By how many points the team wins the round after the answer, on average."""
        return self.made.points or 0.0

    @property
    def loss(self) -> float:
        """The points that the answer gave away, for all that is not chance."""
        lost = (self.judgement.moves[0].points or 0.0) - self.value
        return lost if lost > _SURE * self.made.error else 0.0

    @property
    def better(self) -> BetterMove:
        """Both answers, for the board."""
        best, made = self.judgement.moves[0].move, self.decision.made
        return BetterMove(self.decision.seen, _places(best), _places(made))


Analysis: TypeAlias = GameAnalysis[Decision, JudgedDecision]


def _places(move: TichuMove) -> frozenset[int]:
    return frozenset(move.places if isinstance(move, Lay) else ())


def decisions(
    played: PlayedRound, seats: tuple[Seat, ...], exchanged: Mapping[Seat, Exchanged]
) -> Iterator[Decision]:
    """Yield the decisions of ``seats`` that can be judged in a round that is over.

    exchanged: what a seat has given and received, for the seats of which that is known.
    """
    for said in played.said:
        if said.seat in seats and played.hands is not None:
            given, received = exchanged.get(said.seat, ((), ()))
            game, hand = said.game, played.hands[said.seat]
            before = (game.round, said.seat, hand, game.laid, game.number, game.totals)
            seen = Observation(*before, given, received)
            if _is_choice(seen):
                yield Decision(seen, _made(said), said.entries)


def of_round(asked: AnalyseRound) -> Analysis:
    """Return the decisions in a round that can be judged, all still without a judgement."""
    found = (Decision(seen, made) for seen, made in asked.decided if _is_choice(seen))
    return Analysis(asked.names, tuple(found))


def _is_choice(seen: Observation) -> bool:
    """Tell whether several plays can be judged; calls and wishes are not judged."""
    hand = seen.held.values()
    waits = seen.asked is Ask.HOLD or may_pass(seen.state, hand)
    return KEEN.judges(seen) and len(legal_plays(seen.state, hand)) + waits > 1


def _made(said: MadeMove) -> TichuMove:
    match said.move:
        case ("lay", tichu, int(wild), int(wish), int(mask)):
            places = tuple(place for place in range(HAND) if mask >> place & 1)
            return Lay(places, wild, wish, bool(tichu))
        case ("pass", tichu):
            return Pass(bool(tichu))
        case (_, tichu, *_):
            return Hold(bool(tichu))
        case _:
            raise RuntimeError(f"{said.move} is no move of a trick")


def judged(decision: Decision) -> JudgedDecision:
    """Return the worth of the answers of a decision; the same when asked again."""
    made = _play(decision)
    rng = random.Random(0)
    judgement = KEEN.judge(decision.seen, rng, (made,))
    move = answer(decision.seen, made)
    (found,) = (it for it in judgement.moves if it.move == move)
    return JudgedDecision(decision, judgement, found)


def _play(decision: Decision) -> Play | None:
    """Return the play that was made, as the rules list it; None for a pass or no bomb."""
    seen, made = decision.seen, decision.made
    if not isinstance(made, Lay):
        return None
    faces = tuple(seen.held[place] for place in made.places)
    meant = Play(combination(faces, made.wild, seen.state.under), faces, made.wild)
    alike = [play for play in legal_plays(seen.state, seen.held.values()) if _same(play, meant)]
    return alike[0] if alike else meant


def _same(one: Play, other: Play) -> bool:
    """Tell whether two plays are alike but for suits."""
    numbers = [sorted(NUMBERS[face] or face for face in it.faces) for it in (one, other)]
    return (one.made, one.wild) == (other.made, other.wild) and numbers[0] == numbers[1]
