"""The mistakes of a finished game for its page, as far as the file itself opens the cards."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.events import Passed, Placed
from matcha_p2p.games.matcha.replay.analyse import analysis_of, judge
from matcha_p2p.games.matcha.replay.steps import MatchaReplay, replay_of
from matcha_p2p.games.matcha.review.analysis import MISTAKE, Analysis, Judged
from matcha_p2p.games.matcha.rules.moves import Move, Play
from matcha_p2p.games.matcha.screen.analysis import decision_sentence
from matcha_p2p.games.matcha.screen.coach import reason
from matcha_p2p.review.cards import with_own_key
from matcha_p2p.review.told import Count, PageMistake, counted
from matcha_p2p.seats import Seat


def page_mistakes(
    report: Report, own: tuple[Seat, int] | None = None, *, count: Count | None = None
) -> Iterator[PageMistake] | None:
    """Return the mistakes and blunders of the seats with known cards, in order.

    Judging takes a moment for each decision. None: no decision can be judged. own: our seat and
    our game key. count: told how many decisions are judged.
    """
    analysis = analysis_of(with_own_key(report, own), {})
    return _mistakes(report, analysis, count) if analysis.decisions else None


def _mistakes(report: Report, analysis: Analysis, count: Count | None) -> Iterator[PageMistake]:
    places = dict(_turns(replay_of(report)))
    for decision in counted(analysis.decisions, count):
        found = judge(decision)
        if found.loss > MISTAKE:
            seen = decision.observation
            made = sum(turn.seat == seen.seat for turn in seen.game.rounds[-1].turns)
            step = places[(*found.round, seen.seat, made)]
            marks = _marks(found.judgement.moves[0].move)
            yield PageMistake(step, partial(_said, found, analysis.names), found, marks)


def _marks(move: Move) -> dict[str, list[int]]:
    """Return the mat and the slot of a better move; {} for a pass."""
    return {"mat": [move.mat], "slot": [move.slot]} if isinstance(move, Play) else {}


def _said(found: Judged, names: tuple[str, str]) -> tuple[str, str]:
    best = found.judgement.moves[0].move
    return decision_sentence(found, names), reason(found.decision.observation, best)


def _turns(replay: MatchaReplay) -> Iterator[tuple[tuple[int, int, int, int], int]]:
    """Yield the step of each turn, by set, round, seat and the seat's earlier turns there."""
    before: Counter[tuple[int, int, int]] = Counter()
    for place, step in enumerate(replay.steps):
        match step.event:
            case Placed(seat, _) | Passed(seat, _):
                turn = step.game.number, len(step.game.rounds), seat
                yield (*turn, before[turn]), place
                before[turn] += 1
            case _:
                pass
