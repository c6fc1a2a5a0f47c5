"""The facts of a game of Kashi-ichi, for programs (``games/game.py``, ``narration/facts.py``).

    met          game (id, hex), names (by seat), seat (our own, null for a watcher).
    first        seat: the seat that begins, drawn by a coin.
    started      seat, square ("3,5": row and column).
    turn         seat, actions (in order, as in a log).
    drawn        orders (1 to 30, in the order of drawing).
    idle         seat, settle: whether the seat asks for a settlement.
    settlement   number, gains (points of the areas, by seat).
    upkeep       seat, gold, points (lost for the rest).
    result       winners, how (settled or resigned), scores (by seat: track, orders, sets, gold,
                 left), resigned (the seat, or null).

Of all turns the turns of at most one action are listed as moves: "go:2,3; end". Line mode reads
more actions before the end, and asks for a y if action points are left. ``rules/notation.py``
reads an action.
"""

from collections.abc import Sequence
from typing import Any, Final, assert_never

from matcha_p2p.games.game import Fact
from matcha_p2p.games.kashi import events
from matcha_p2p.games.kashi.rules.notation import action_text, listed
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.seats import Seat


class SeatFacts:
    """Turns the events of one game into facts for ``seat``. seat: None for a watcher."""

    def __init__(self, seat: Seat | None) -> None:
        self._seat: Final = seat

    def tell(self, event: events.Event, game: GameState) -> Fact:
        """Return ``event`` as a fact. game: the game after the event."""
        board = game.board
        match event:
            case events.Met(gid, names):
                return "met", {"game": gid.hex(), "names": list(names), "seat": self._seat}
            case events.FirstDrawn(seat):
                return "first", {"seat": seat}
            case events.Started(seat, square):
                return "started", {"seat": seat, "square": board.name_of(square)}
            case events.TurnTaken(seat, actions):
                made = [action_text(board, action) for action in actions]
                return "turn", {"seat": seat, "actions": made}
            case events.OrdersDrawn(orders):
                return "drawn", {"orders": list(orders)}
            case events.IdleAnswered(seat, settle):
                return "idle", {"seat": seat, "settle": settle}
            case events.AreasSettled(number, gains):
                return "settlement", {"number": number, "gains": list(gains)}
            case events.UpkeepPaid(seat, gold, points):
                return "upkeep", {"seat": seat, "gold": gold, "points": points}
            case events.GameEnded(winners, how, scores, resigned):
                each = [own._asdict() for own in scores]
                end = {"winners": list(winners), "how": how, "scores": each}
                return "result", {**end, "resigned": resigned}
            case _:
                assert_never(event)

    def moves(self, view: Outlook) -> list[str]:
        """Return the moves among which the seat chooses, as line mode reads them."""
        return listed(view)

    def take_up(self, hand: tuple[Any, ...]) -> list[str]:
        """Return no cards: all orders and shops lie open."""
        del hand
        return []

    def uncover(self, cards: Sequence[Any]) -> list[dict[str, object]]:
        """Return nothing: no card is hidden."""
        del cards
        return []
