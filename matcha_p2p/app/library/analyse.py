"""Judge the decisions of a finished game: the loss of each decision, and each seat's skill."""

from pathlib import Path

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library.transcripts import Progress, game_in, open_game
from matcha_p2p.console.review.findings import Findings
from matcha_p2p.games.front import CommandOutput
from matcha_p2p.games.game import Game
from matcha_p2p.review.told import counted
from matcha_p2p.store.home import Home


def run(out: Output, home: Home, file: Path) -> int:
    """Judge the decisions in ``file`` of each seat with known cards; return the exit code.

    home: the index may know our seat and our game key.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the transcript is not valid, or nobody's cards are known.
    """
    game = open_game(out, home, file)
    part, seat = game_in(game.report).needed(Game.analysis), game.seat
    analysis = part.analysis_of(game.report, game.own, seat)
    if not analysis.decisions:
        raise CommandError(Exit.USAGE, part.UNKNOWN.english, code="closed", file=file)
    findings = Findings(count=len(analysis.decisions))
    for decision in counted(analysis.decisions, Progress(out).judged):
        found = part.judge(decision)
        analysis = analysis.with_judged(found)
        mistake = part.mistake(found, analysis.names, seat)
        findings = findings.with_judged(found.loss, mistake)
        said = "" if mistake is None else findings.listed()[-1]
        out.tell(CommandOutput("decision", part.fields(found), said))
    for event, fields in analysis.facts():
        out.tell(CommandOutput(event, fields))
    for line in (findings.verdict(), *part.notes(analysis, seat)):
        out.tell(CommandOutput("", {}, line))
    return Exit.DONE
