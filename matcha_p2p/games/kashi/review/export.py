"""What an export of Kashi-ichi has of its own (``review/export.py``)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import Export
from matcha_p2p.games.kashi.rules import log
from matcha_p2p.games.kashi.rules.moves import AnswerIdle, PayUpkeep, StartAt, TakeTurn
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.forms import END
from matcha_p2p.games.kashi.table.told import told
from matcha_p2p.games.kashi.table.view import kashi_of
from matcha_p2p.games.kashi.table.written import digest
from matcha_p2p.games.plain import form_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table


class ExportedKashi(NamedTuple):
    """A game. board: the digest.

    log: the game as ``matcha rules --log`` reads it (K49). In a log the seat that begins is
    seat 0, so seat 0 of the log is the seat ``first`` of the transcript. The result is by seats
    of the transcript.
    """

    board: bytes | None
    first: Seat | None
    log: tuple[str, ...]


def parts(report: Report) -> ExportedKashi:
    """Return the board and the log of a valid transcript."""
    tables = [sound.state for sound in report.accepted if isinstance(sound.state, Table)]
    if not tables:
        return ExportedKashi(None, None, ())
    last = kashi_of(tables[-1])
    first = last.state.first if last.drawn else None
    return ExportedKashi(digest(last.state.board), first, tuple(_lines(report, last.state)))


EXPORT: Final = Export(parts, form_of(ExportedKashi), END)


def text_of(report: Report) -> str:
    """Return the log of a verified game; comments have all other values."""
    board, first, log_lines = parts(report)
    lines = ["# kashi-game 1", f"# verdict {report.verdict.value}"]
    lines += [] if board is None else [f"# board {board.hex()}"]
    lines += [] if first is None else [f"# first {first}"]
    lines += log_lines
    end = report.result
    if isinstance(end, events.GameEnded):
        lines.append(
            f"# {end.how}: winners by the transcript {' '.join(map(str, end.winners))}"
        )
        lines += [
            f"# seat {seat} of the transcript: {own}" for seat, own in enumerate(end.points)
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
