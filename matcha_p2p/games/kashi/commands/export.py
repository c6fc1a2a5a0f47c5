"""Print a game for other programs: as JSON, or as a log."""

import json

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi.review.export import exported, game_text


def run(out: Output, report: Report, form: str, place: tuple[int, int] | None) -> int:
    """Print a verified game; return the exit code.

    form: "json" or "text", a log. place: without effect.

    Raises:
        CommandError: a picture is asked for.
    """
    del place
    if form == "svg":
        raise CommandError(
            Exit.USAGE, "A game of Kashi-ichi has no picture.", code="not-of-game"
        )
    game = exported(report)
    if form == "json":
        fields: dict[str, object] = {"game": game}
        text = json.dumps(game, separators=(",", ":")) + "\n"
    else:
        text = game_text(game)
        fields = {"text": text}
    if out.facts:
        out.fact("game", **fields)
    else:
        out.write(text)
    return Exit.DONE
