"""Print a game for others: as JSON, as text, or as a picture."""

from pathlib import Path

from matcha_p2p.app.library.transcripts import command_of, read_game
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output


def run(out: Output, file: Path, form: str, place: tuple[int, int] | None) -> int:
    """Print the game in ``file``; return the exit code.

    form: "json", "text" or "svg", a picture. place: of a picture the set and the round after
    which the table is drawn, from 1; by default the last ones.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: its transcript is not valid, the game has no such round, or ``place`` is
        given and ``form`` is no picture.
    """
    if place is not None and form != "svg":
        raise CommandError(
            Exit.USAGE, "--after works only with --format svg.", code="not-drawn"
        )
    report = read_game(out, file)
    return int(command_of(report, "export").run(out, report, form, place))
