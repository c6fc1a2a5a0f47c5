"""Judges the turns of a finished game: what each has cost."""

from collections.abc import Iterator

from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.games.front import OpenedGame, Told
from matcha_p2p.games.kashi.events import TurnTaken
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.games.kashi.review.analysis import Analysis, Decision, Judged, judged
from matcha_p2p.games.kashi.review.asked import Analyse
from matcha_p2p.games.kashi.rules.moves import TakeTurn
from matcha_p2p.games.kashi.rules.notation import text_of
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.words.analysis_sentences import UNKNOWN, mistake, summary
from matcha_p2p.language import Sentence
from matcha_p2p.review.told import Count, counted
from matcha_p2p.seats import Seat


def analysis_of(report: Report, own: Seat | None = None) -> Analysis:
    """Return the turns of ``own``, or of all seats, all still without a judgement."""
    replay = replay_of(report)
    found: list[Decision] = []
    for at, step in enumerate(replay.steps):
        match step.event:
            case TurnTaken(seat, actions) if own in (None, seat):
                found.append(Decision(at, replay.steps[at - 1].game, seat, actions))
            case _:
                pass
    return Analysis(replay.names, tuple(found))


def begin(asked: Analyse) -> Analysis:
    """Return the turns of the asker, all still without a judgement."""
    return analysis_of(verified_transcript(asked.transcript), asked.seat)


def judge(decision: Decision) -> Judged:
    """Return the worth of a turn."""
    return judged(decision)


def judgements(game: OpenedGame, count: Count) -> Iterator[Told] | Sentence:
    """Yield the turns of our own seat, or of all if it is unknown, and a summary."""
    analysis = analysis_of(game.report, game.seat)
    return _told(analysis, game.seat, count) if analysis.decisions else UNKNOWN


def _told(analysis: Analysis, own: Seat | None, count: Count) -> Iterator[Told]:
    names, decisions = analysis
    found: list[Judged] = []
    for decision in counted(decisions, count):
        turn = judge(decision)
        found.append(turn)
        said = mistake(turn, names, own) if turn.found.is_mistake else ""
        yield Told("decision", _fields(turn), said)
    for sentence in summary(found, names, own):
        yield Told("", {}, sentence)


def _fields(judged: Judged) -> dict[str, object]:
    decision, found = judged
    values = {decision.made: found.lead, found.better.actions: found.best}
    seen = Outlook(decision.game, decision.seat)
    texts = {actions: text_of(seen, TakeTurn(actions)) for actions in values}
    return {
        "round": decision.round,
        "seat": decision.seat,
        "move": texts[decision.made],
        "value": found.lead,
        "loss": found.loss,
        "moves": [
            {"move": texts[actions], "value": values[actions]}
            for actions in sorted(values, key=lambda actions: -values[actions])
        ],
    }
