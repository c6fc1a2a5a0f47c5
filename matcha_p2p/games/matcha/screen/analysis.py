"""The mistakes of a game, and the worth of its players' decisions, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.console.table.captions import YOU
from matcha_p2p.games.matcha.review import analysis as game_analysis
from matcha_p2p.games.matcha.rules.judgement import HandsBySet
from matcha_p2p.games.matcha.rules.moves import Move, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.screen.coach import reason
from matcha_p2p.games.matcha.words.words import card_words
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import Mistake

LAYING: Final = Sentence("{card} on mat {mat}")
PASSING: Final = Sentence("passing")
PLACE: Final = Sentence("Set {number}, round {round}")
COST: Final = Sentence("{loss:.0%} ({most:.0%} to {value:.0%})")
ACCURACY: Final = Sentence(
    "{name}: accuracy {accuracy:.1f} of 100. Decisions: {count}, mistakes: {mistakes}, of them "
    "blunders: {blunders}."
)
CHANCES: Final = Sentence(
    "Set {number}, round {round}: {first} {value:.0%}, {second} {rest:.0%}."
)
ESTIMATES: Final = Sentence(
    "The percentages are chances to win if both play well from there; later sets are "
    "estimated. A loss counts as a mistake if it is more than twice the margin of error, and "
    "as a blunder from 10% on. Accuracy counts every loss, on the scale of lichess: 100 means "
    "no loss, and a few blunders lower it a lot."
)


@dataclass(frozen=True, slots=True)
class Analyse:
    """The person asks for the analysis of a finished game.

    hands: of ``seat``, which the transcript may not open.
    """

    transcript: bytes
    seat: Seat
    hands: HandsBySet


def mistake(
    found: game_analysis.JudgedDecision, names: Sequence[str], seat: Seat | None
) -> Mistake | None:
    """Return a mistake or a blunder with both moves; None if the decision is no mistake."""
    if found.loss <= game_analysis.MISTAKE:
        return None
    best, (number, played) = found.judgement.moves[0], found.round
    move = best.move
    most, value = round(best.value, 2), round(found.value, 2)  # a reader may subtract
    marks = {"mat": [move.mat], "slot": [move.slot]} if isinstance(move, Play) else {}
    return Mistake(
        PLACE(number=number, round=played),
        "" if found.seat == seat else names[found.seat],
        _words(found, found.decision.made),
        _words(found, move),
        found.loss,
        COST(loss=most - value, most=most, value=value),
        found,
        (reason(found.decision.observation, move),),
        marks,
    )


def notes(analysis: game_analysis.Analysis, seat: Seat | None) -> list[str]:
    """Return how well the players have decided, and the chances round by round."""
    if not analysis.judged:
        return []
    names = [YOU() if at == seat else name for at, name in enumerate(analysis.names)]
    first, second = names
    accuracies = [
        ACCURACY(
            name=names[judged],
            accuracy=found.accuracy,
            count=found.count,
            mistakes=found.mistakes + found.blunders,
            blunders=found.blunders,
        )
        for judged, found in analysis.accuracies()
    ]
    chances = [
        CHANCES(
            number=it.round[0],
            round=it.round[1],
            first=first,
            value=round(it.value, 2),
            second=second,
            rest=1 - round(it.value, 2),
        )
        for it in analysis.chances(SEATS[0])
    ]
    return [*accuracies, ESTIMATES(), *chances]


def _words(found: game_analysis.JudgedDecision, move: Move) -> str:
    match move:
        case Play(mat, slot):
            card = card_words(found.decision.observation.hand[slot])
            return LAYING(card=card, mat=MATS[mat])
        case _:
            return PASSING()
