"""A verified game as plain values: the format ``kashi-game``, version 1.

{"format": "kashi-game", "v": 1, "verdict": "COMPLETE", "board": "9df46615..", "first": 2,
 "log": ["KASHI 1 3", "START 0 3,3", ...],
 "result": {"winners": [0], "how": "settled", "scores": [{"track", ...}, ...], "resigned"}}

board: the digest. log: the game as ``matcha rules --log`` reads it (K49). In a log the seat
that begins is seat 0, so seat 0 of the log is the seat ``first`` of the transcript. ``winners``
and ``scores`` are by seats of the transcript. null is what is not known yet.
"""

from collections.abc import Iterator
from typing import TypedDict

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import HandNames
from matcha_p2p.games.game import Unopened
from matcha_p2p.games.kashi import events
from matcha_p2p.games.kashi.forms import END
from matcha_p2p.games.kashi.rules import log
from matcha_p2p.games.kashi.rules.moves import AnswerIdle, PayUpkeep, StartAt, TakeTurn
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.told import told
from matcha_p2p.games.kashi.view import kashi_of
from matcha_p2p.games.kashi.written import digest
from matcha_p2p.games.plain import Plain
from matcha_p2p.table.table import Table


class ExportedGame(TypedDict):
    """A game; see the module."""

    format: str
    v: int
    verdict: str
    board: str | None
    first: int | None
    log: list[str]
    result: Plain


def exported(report: Report) -> ExportedGame:
    """Return the game of a valid transcript, ready for JSON."""
    tables = [sound.state for sound in report.accepted if isinstance(sound.state, Table)]
    last = kashi_of(tables[-1]) if tables else None
    end = report.result
    return {
        "format": "kashi-game",
        "v": 1,
        "verdict": report.verdict.value,
        "board": None if last is None else digest(last.state.board).hex(),
        "first": last.state.first if last is not None and last.drawn else None,
        "log": [] if last is None else list(_lines(report, last.state)),
        "result": END.write(end) if isinstance(end, events.GameEnded) else None,
    }


def hands(report: Report) -> HandNames:
    """Return no hands: all orders lie open."""
    del report
    return []


def unopened_cards(report: Report) -> Iterator[Unopened]:
    """Yield nothing: orders lie open from the draw on."""
    del report
    return iter(())


def text_of(report: Report) -> str:
    """Return the log of a verified game; comments have all other values."""
    game = exported(report)
    result = game["result"]
    lines = [f"# {game['format']} {game['v']}", f"# verdict {game['verdict']}"]
    lines += [f"# {key} {game[key]}" for key in ("board", "first") if game[key] is not None]
    lines += game["log"]
    if result is not None:
        winners = " ".join(map(str, result["winners"]))
        lines += [
            f"# {result['how']}: winners by the transcript {winners}",
            *(
                f"# seat {seat} of the transcript: {points}"
                for seat, points in enumerate(END.read(result).points)
            ),
        ]
    return "".join(f"{line}\n" for line in lines)


def _lines(report: Report, game: GameState) -> Iterator[str]:
    yield log.heading(len(game.players))
    drawn = False
    for sound in report.accepted:
        for event in told(sound.events):
            match event:
                case events.Started(seat, square):
                    yield log.move_line(game, seat, StartAt(square))
                case events.TurnTaken(seat, actions):
                    yield log.move_line(game, seat, TakeTurn(actions))
                case events.UpkeepPaid(seat, gold):
                    yield log.move_line(game, seat, PayUpkeep(gold))
                case events.IdleAnswered(seat, settle):
                    yield log.move_line(game, seat, AnswerIdle(settle))
                case events.OrdersDrawn(orders):
                    yield log.draw_line(orders, row=not drawn)
                    drawn = True
                case _:
                    pass
