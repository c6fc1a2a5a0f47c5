"""A verified game as plain values, for other programs.

{"format": "matcha-game", "v": 1, "variant": "2015", "verdict": "COMPLETE", .., "result": {..}}

The format bears the name of the game. Between verdict and result stands what the game alone
has, in the plain form of ``Export.game``; the result is in that of ``Export.end``. null is what
is not known, or not there yet.
"""

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.game import Game
from matcha_p2p.games.json_values import JsonObject


def exported(game: Game, report: Report) -> JsonObject:
    """Return the game of a valid transcript, ready for JSON."""
    part, end = game.needed(Game.export), report.result
    return {
        "format": f"{game.name}-game",
        "v": 1,
        "variant": variant_of(game, report),
        "verdict": report.verdict.value,
        **part.game.write(part.parts(report)),
        "result": None if end is None else part.end.write(end),
    }


def variant_of(game: Game, report: Report) -> str | None:
    """Return the variant as a list of games calls it; None while nobody has greeted."""
    hellos = report.accepted[0].state.hellos if report.accepted else ()
    return game.rules.called(hellos[0].variant) if hellos else None
