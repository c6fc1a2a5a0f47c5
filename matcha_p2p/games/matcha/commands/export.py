"""Print a game for other programs and people: as JSON, as text, or as a picture."""

import json
from typing import Final

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.replay.steps import replay_of
from matcha_p2p.games.matcha.review.export import ExportedGame, exported
from matcha_p2p.games.matcha.review.game_text import game_text
from matcha_p2p.games.matcha.review.picture import picture
from matcha_p2p.language import Sentence

TITLE: Final = Sentence("Edition {edition}, set {number}, after round {round}")


def run(out: Output, report: Report, form: str, place: tuple[int, int] | None) -> int:
    """Print a verified game; return the exit code.

    form: "json", "text" or "svg". place: for "svg" the set and the round after which the table
    is drawn, from 1; None for the last.

    Raises:
        CommandError: the game has no such round.
    """
    game = exported(report)
    if form == "json":
        _print(out, json.dumps(game, separators=(",", ":")) + "\n", {"game": game})
    elif form == "text":
        text = game_text(game)
        _print(out, text, {"text": text})
    else:
        drawn = _picture(report, game, place)
        _print(out, drawn, {"svg": drawn})
    return Exit.DONE


def _print(out: Output, text: str, fields: dict[str, object]) -> None:
    if out.facts:
        out.fact("game", **fields)
    else:
        out.write(text)


def _picture(report: Report, game: ExportedGame, place: tuple[int, int] | None) -> str:
    number, round_number = place or _last_round(game)
    title = TITLE(edition=game["edition"], number=number, round=round_number)
    try:
        return picture(game, replay_of(report).names, (number, round_number), title)
    except LookupError as error:
        raise CommandError(
            Exit.USAGE, "The game has no such round.", code="no-such-round"
        ) from error


def _last_round(game: ExportedGame) -> tuple[int, int]:
    """Return the last set and round that have begun; (0, 0) before the first round."""
    begun = [
        (number, len(played["rounds"]))
        for number, played in enumerate(game["sets"], start=1)
        if played["rounds"]
    ]
    return begun[-1] if begun else (0, 0)
