"""Print a game for others: as JSON or as text."""

import json
from pathlib import Path

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library.transcripts import game_in, read_game
from matcha_p2p.games.game import Game
from matcha_p2p.review.export import exported


def run(out: Output, file: Path, form: str) -> int:
    """Print the game in ``file``; return the exit code.

    form: "json" or "text".

    Raises:
        TranscriptError: the file cannot be read.
        MissingPartError: the game has no such form.
        CommandError: the transcript is not valid.
    """
    report = read_game(out, file)
    game = game_in(report)
    if form == "json":
        values = exported(game, report)
        text = json.dumps(values, separators=(",", ":")) + "\n"
        fields: dict[str, object] = {"game": values}
    else:
        text = game.needed(Game.text)(report)
        fields = {"text": text}
    if out.facts:
        out.fact("game", **fields)
    else:
        out.write(text)
    return Exit.DONE
