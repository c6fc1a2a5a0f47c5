"""Print a game for other programs."""

import json
from pathlib import Path

from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.errors import TranscriptError
from matcha_p2p.review.export import export_game


def run(out: Output, file: Path) -> int:
    """Print the game in ``file`` as one JSON object on one line; return the exit code.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: its transcript is not valid.
    """
    transcript = read_file(file)
    try:
        game = export_game(transcript)
    except TranscriptError as error:
        raise CommandError(
            Exit.INVALID, "{file}: {why}", code="not-valid", file=file, why=error
        ) from error
    if out.facts:
        out.fact("game", game=game)
    else:
        out.say(json.dumps(game, separators=(",", ":")))
    return Exit.DONE
