"""The sentences of an analysis: what decisions of a finished game have cost."""

from typing import Final

from matcha_p2p.games.tichu.bots.keen import KEEN
from matcha_p2p.games.tichu.review.analysis import MISTAKE, WORST, Analysis, JudgedDecision
from matcha_p2p.games.tichu.rules.actions import Lay, TichuMove
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.words.card_words import play_words
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

LOST: Final = Sentence(
    "Round {number}, {name}: {made}, about {value:+d}; {best} had about {most:+d}. Lost: "
    "{loss}."
)
NONE_LOST: Final = Sentence("{name}: nothing lost. Decisions judged: {count}.")
SOME_LOST: Final = Sentence(
    "{name}: about {loss} points lost. Decisions judged: {count}. The dearest are:"
)
LOST_YOURS: Final = Sentence(
    "Round {number}: {made}, about {value:+d}; {best} had about {most:+d}. Lost: {loss}."
)
NONE_LOST_YOURS: Final = Sentence("You lost nothing. Decisions judged: {count}.")
SOME_LOST_YOURS: Final = Sentence(
    "You lost about {loss} points. Decisions judged: {count}. The dearest are:"
)
ESTIMATES: Final = Sentence(
    "The figures are points, rounded to tens, by which the own team wins the round on average, "
    "if all play on as club does. A loss that may be chance does not count."
)
LATE: Final = Sentence(
    "Judged are decisions late in a round, when all hands have {cards} cards or less together."
)
UNKNOWN: Final = Sentence("No round of this game is over, so no decision can be judged.")
NONE_JUDGED: Final = Sentence("You had no decision in this round that can be judged.")
PASSING: Final = Sentence("passing")
HOLDING: Final = Sentence("no bomb")


def tens(points: float) -> int:
    """Return points as players read them: digits that chance decides are not told."""
    return 10 * round(points / 10)


def summary(analysis: Analysis, own: Seat | None = None) -> list[str]:
    """Return what each judged seat has lost, the dearest decisions first, a sentence a line.

    own: the seat of the reader, who is no third person.
    """
    if not analysis.judged:
        return [UNKNOWN()]
    told: list[str] = []
    for seat, found in analysis.by_seat().items():
        worst = sorted((it for it in found if it.loss >= MISTAKE), key=lambda it: -it.loss)
        loss, count = sum(map(_loss, worst)), len(found)
        name = "" if seat == own else analysis.names[seat]
        if worst:
            sentence = SOME_LOST if name else SOME_LOST_YOURS
            told.append(sentence(name=name, loss=loss, count=count))
        else:
            told.append((NONE_LOST if name else NONE_LOST_YOURS)(name=name, count=count))
        told += [lost(it, name) for it in worst[:WORST]]
    late = [LATE(cards=KEEN.cards)] if KEEN.cards < len(FACES) else []
    return [*told, ESTIMATES(), *late]


def lost(it: JudgedDecision, name: str) -> str:
    """Return the sentence about a decision that cost points. name: "" for the reader."""
    best = it.judgement.moves[0]
    return (LOST if name else LOST_YOURS)(
        number=it.decision.seen.number,
        name=name,
        made=_words(it, it.decision.made),
        value=tens(it.value),
        best=_words(it, best.move),
        most=tens(it.value) + _loss(it),
        loss=_loss(it),
    )


def _loss(it: JudgedDecision) -> int:
    return tens(it.loss)


def _words(it: JudgedDecision, move: TichuMove) -> str:
    hand = it.decision.seen.held
    match move:
        case Lay(places, wild):
            return play_words([hand[place] for place in places], wild)
        case _:
            return PASSING() if it.decision.is_turn else HOLDING()
