"""Print a game for other programs: as JSON, or as logs that the rules judge."""

import json

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.chain.verify import Report
from matcha_p2p.games.tichu.review.export import exported, logs


def run(out: Output, report: Report, form: str, place: tuple[int, int] | None) -> int:
    """Print a verified game; return the exit code. form: "json" or "text".

    Raises:
        CommandError: a picture is asked for.
    """
    del place
    if form == "svg":
        raise CommandError(
            Exit.USAGE, "There are no pictures of {game}.", code="not-of-game", game="tichu"
        )
    if form == "json":
        game = exported(report)
        fields: dict[str, object] = {"game": game}
        text = f"{_json(game)}\n"
    else:
        text = "".join(f"{_json(line)}\n" for log in logs(report) for line in log)
        fields = {"text": text}
    if out.facts:
        out.fact("game", **fields)
    else:
        out.write(text)
    return Exit.DONE


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
