"""Judges the decisions of a finished game: the loss of each, and how well the seats played."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.games.front import OpenedGame, Told
from matcha_p2p.games.matcha.bots.judge import judge as worth_of
from matcha_p2p.games.matcha.review.analysis import Accuracy, Analysis, Judged
from matcha_p2p.games.matcha.review.decisions import decisions
from matcha_p2p.games.matcha.rules.judgement import Decision, HandsBySet
from matcha_p2p.games.matcha.rules.notation import move_text
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.screen.analysis import Analyse, decision_sentence, summary
from matcha_p2p.language import Sentence
from matcha_p2p.review.cards import with_own_key
from matcha_p2p.review.told import Count
from matcha_p2p.table.table import Table

ITERATIONS: Final = 10_000
"""Iterations of the search behind a judgement: three times those of the strong bot."""
_CLOSED: Final = Sentence(
    "No cards are known in {file}, so no decision can be judged. Your own cards are known if "
    "your home has the key of the game; another player's cards, if the player opened the "
    "book after the game."
)


def analysis_of(report: Report, seen: Mapping[Seat, HandsBySet]) -> Analysis:
    """Return the decisions of a verified game, all still without a judgement.

    seen: known hands that the file does not show.
    """
    return Analysis(_names(report), tuple(decisions(report, seen)))


def begin(asked: Analyse) -> Analysis:
    """Return the decisions of the game, all still without a judgement."""
    return analysis_of(verified_transcript(asked.transcript), {asked.seat: asked.hands})


def judge(decision: Decision) -> Judged:
    """Return the worth of the moves of a decision."""
    return Judged(decision, worth_of(decision.observation, ITERATIONS, decision.made))


def judgements(game: OpenedGame, count: Count) -> Iterator[Told] | Sentence:
    """Yield the decisions of each seat whose cards are known, and how well the seats played.

    Each decision is told at once, so ``count`` is told nothing.
    """
    del count
    analysis = analysis_of(with_own_key(game.report, game.own), {})
    return _told(analysis) if analysis.decisions else _CLOSED


def _told(analysis: Analysis) -> Iterator[Told]:
    for decision in analysis.decisions:
        found = judge(decision)
        analysis = analysis.with_judged(found)
        yield _decision(analysis.names, found)
    for seat, accuracy in analysis.accuracies():
        yield _accuracy(analysis.names[seat], seat, accuracy)
    for chance in analysis.chances(SEATS[0]):
        number, played = chance.round
        place = {"set": number, "round": played}
        yield Told("chance", {**place, "by": chance.by, "value": chance.value})
    for sentence in summary(analysis):
        yield Told("", {}, sentence)


def _names(report: Report) -> tuple[str, str]:
    for sound in reversed(report.accepted):
        if isinstance(sound.state, Table):
            first, second = sound.state.hellos
            return first.name, second.name
    return "", ""


def _decision(names: Sequence[str], found: Judged) -> Told:
    number, played = found.round
    fields = {
        "set": number,
        "round": played,
        "seat": found.seat,
        "move": move_text(found.decision.made),
        "exact": found.judgement.exact,
        "loss": found.loss,
        "gap": found.gap,
        "moves": [
            {"move": move_text(it.move), "value": it.value, "error": it.error}
            for it in found.judgement.moves
        ],
    }
    return Told("decision", fields, decision_sentence(found, names))


def _accuracy(name: str, seat: Seat, found: Accuracy) -> Told:
    fields = {
        "seat": seat,
        "name": name,
        "accuracy": found.accuracy,
        "decisions": found.count,
        "mistakes": found.mistakes,
        "blunders": found.blunders,
    }
    return Told("accuracy", fields)
