"""Print a game for others: as JSON, as text, or as a picture."""

from pathlib import Path

from matcha_p2p.app.library.transcripts import game_in, read_game
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.games.game import Game


def run(out: Output, file: Path, form: str, place: tuple[int, int] | None) -> int:
    """Print the game in ``file``; return the exit code.

    form: "json", "text" or "svg", a picture. place: the set and the round, from 1, after which
    a picture shows the table; by default the last round.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the transcript is not valid, the game lacks the round, or ``place`` is
            given and ``form`` is no picture.
    """
    if place is not None and form != "svg":
        raise CommandError(
            Exit.USAGE, "--after works only with --format svg.", code="not-drawn"
        )
    report = read_game(out, file)
    return game_in(report).needed(Game.print_export)(out, report, form, place)
