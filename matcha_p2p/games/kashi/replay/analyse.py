"""Judge the turns of a finished game: what each has cost."""

from matcha_p2p.app.library.transcripts import Progress
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import OpenedGame
from matcha_p2p.games.kashi.events import TurnTaken
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.games.kashi.review.analysis import Analysis, Decision, Judged, judged
from matcha_p2p.games.kashi.rules.moves import TakeTurn
from matcha_p2p.games.kashi.rules.notation import text_of
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.words.analysis_sentences import mistake, summary
from matcha_p2p.review.told import counted
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


def run(out: Output, game: OpenedGame) -> int:
    """Judge the turns of our own seat, or of all if it is unknown; return the exit code.

    Raises:
        CommandError: nobody has had a turn.
    """
    names, decisions = analysis_of(game.report, game.seat)
    if not decisions:
        raise CommandError(
            Exit.USAGE, "Nobody has had a turn in {file}.", code="closed", file=game.file
        )
    found: list[Judged] = []
    for decision in counted(decisions, Progress(out).judged):
        found.append(judged(decision))
        _tell(out, found[-1])
        if found[-1].found.is_mistake:
            out.say(mistake(found[-1], names, game.seat))
    for sentence in summary(found, names, game.seat):
        out.say(sentence)
    return Exit.DONE


def _tell(out: Output, judged: Judged) -> None:
    decision, found = judged
    values = {decision.made: found.lead, found.better: found.best}
    seen = Outlook(decision.game, decision.seat)
    texts = {actions: text_of(seen, TakeTurn(actions)) for actions in values}
    out.fact(
        "decision",
        round=decision.round,
        seat=decision.seat,
        move=texts[decision.made],
        value=found.lead,
        loss=found.loss,
        moves=[
            {"move": texts[actions], "value": values[actions]}
            for actions in sorted(values, key=lambda actions: -values[actions])
        ],
    )
