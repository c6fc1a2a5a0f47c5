"""Print a game for others: as JSON, as text, or as a picture."""

import json
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
        MissingPartError: the game has no such form.
        CommandError: the transcript is not valid, the game lacks the round, or ``place`` is
            given and ``form`` is no picture.
    """
    if place is not None and form != "svg":
        raise CommandError(
            Exit.USAGE, "--after works only with --format svg.", code="not-drawn"
        )
    report = read_game(out, file)
    game = game_in(report)
    match form:
        case "json":
            exported = game.needed(Game.export).exported(report)
            text = json.dumps(exported, separators=(",", ":")) + "\n"
            fields: dict[str, object] = {"game": exported}
        case "text":
            text = game.needed(Game.text)(report)
            fields = {"text": text}
        case _:
            try:
                text = game.needed(Game.picture)(report, place)
            except LookupError as error:
                raise CommandError(
                    Exit.USAGE, "The game has no such round.", code="no-such-round"
                ) from error
            fields = {"svg": text}
    if out.facts:
        out.fact("game", **fields)
    else:
        out.write(text)
    return Exit.DONE
