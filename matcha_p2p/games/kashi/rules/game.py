"""The game from its beginning to its end: each function leads from one state to the next.

Only the order of the deck is hidden, and these functions do not draw: orders come in as
values.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules import actions, moves, state
from matcha_p2p.games.kashi.rules.deck import candidates
from matcha_p2p.games.kashi.rules.orders import NO_GOODS, ORDERS, SETTLEMENTS
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.settlement import area_points, paying_order, winners
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

TABLES: Final = (3, 4)
"""How many seats a table can have (K1)."""
AP: Final = 5
FIRST: Final = Seat(0)

_SEATS: Final = Sentence("Three or four people play.")
_OVER: Final = Sentence("The game is over.")
_NOT_DUE: Final = Sentence("Something else is due now.")
_OTHER_SEAT: Final = Sentence("Another seat is due now.")
_NO_START: Final = Sentence("Persons start on one of the four start squares.")
_COUNT: Final = Sentence("{count} orders have to be drawn.")
_CANNOT_COME: Final = Sentence("The order {order} cannot come now.")
_TOO_MUCH: Final = Sentence("The upkeep is {owed} gold, and you have {gold}: pay no more.")


def new_game(
    board: Board, seats: int, idle: int | None = None, first: Seat = FIRST
) -> state.GameState:
    """Return the game before its first choice.

    idle: None for the board's value. first: the seat at place 0 (K1).

    Raises:
        RefusedError: K1.
    """
    if seats not in TABLES:
        raise RefusedError("K1", _SEATS)
    begins = board.begins[TABLES.index(seats)]
    players = tuple(
        state.Keeper(
            person=None,
            gold=begins.gold[place],
            goods=NO_GOODS,
            points=begins.points[place],
            shops=(),
            hand=begins.hand,
            aside=begins.later * (SETTLEMENTS - 1),
            orders=(),
        )
        for place in ((seat - first) % seats for seat in range(seats))
    )
    return state.GameState(
        board=board,
        players=players,
        row=(),
        drawn=(),
        settlements=0,
        turns=0,
        quiet=0,
        idle=board.idle if idle is None else idle,
        phase=state.Starting(first),
        first=first,
    )


def choose(game: state.GameState, seat: Seat, move: moves.Move) -> state.GameState:
    """Return the game after a choice of ``seat``.

    Raises:
        RefusedError: the choice is not allowed now.
    """
    match move:
        case moves.StartAt(square):
            return start(game, seat, square)
        case moves.TakeTurn(actions):
            return take_turn(game, seat, actions)
        case moves.PayUpkeep(gold):
            return pay(game, seat, gold)
        case moves.AnswerIdle(settle):
            return answer(game, seat, settle=settle)
        case _:
            assert_never(move)


def start(game: state.GameState, seat: int, square: int) -> state.GameState:
    """Put the person of ``seat`` on a start square (K11).

    Raises:
        RefusedError: K11, K50.
    """
    if not isinstance(game.phase, state.Starting):
        raise _not_due(game)
    if seat != game.phase.seat:
        raise RefusedError("K11", _OTHER_SEAT)
    if square not in game.board.starts:
        raise RefusedError("K11", _NO_START)
    placed = game.with_player(seat, game.players[seat]._replace(person=square))
    later = game.around(game.phase.seat)[1]
    return placed._replace(
        phase=state.Opening() if later == game.first else state.Starting(later)
    )


def open_row(game: state.GameState, orders: tuple[int, ...]) -> state.GameState:
    """Lay the first orders open (K13), in the order of drawing.

    Raises:
        RefusedError: K12, K13, K50.
    """
    if not isinstance(game.phase, state.Opening):
        raise _not_due(game)
    if len(orders) != state.ROW:
        raise RefusedError("K13", _COUNT, count=state.ROW)
    return _next_turn(_with_drawn(game, orders))


def act(game: state.GameState, action: moves.TurnAction) -> state.GameState:
    """Make an action of the running turn; the turn goes on.

    Raises:
        RefusedError: the action is not allowed now; no turn runs (K50).
    """
    if not isinstance(game.phase, state.Turn):
        raise _not_due(game)
    return actions.act(game, game.phase, action)


def end_turn(game: state.GameState) -> state.GameState:
    """End the running turn (K15).

    Raises:
        RefusedError: no turn runs (K50).
    """
    if not isinstance(game.phase, state.Turn):
        raise _not_due(game)
    done = game.phase.done
    over = game._replace(turns=game.turns + 1, quiet=0 if done else game.quiet + 1)
    count = min(done, ORDERS - len(game.drawn))
    if count:
        return over._replace(phase=state.Drawing(count))
    if over.idle and over.quiet == over.idle * len(over.players):
        return over._replace(phase=state.Questioning(over.around(over.next_seat)))
    return _next_turn(over)


def take_turn(
    game: state.GameState, seat: int, made: Iterable[moves.TurnAction]
) -> state.GameState:
    """Make a whole turn of ``seat``.

    Raises:
        RefusedError: another seat is due (K14, K50), or as ``act`` does.
    """
    if not isinstance(game.phase, state.Turn):
        raise _not_due(game)
    if seat != game.phase.seat:
        raise RefusedError("K14", _OTHER_SEAT)
    for action in made:
        game = act(game, action)
    return end_turn(game)


def draw(game: state.GameState, orders: tuple[int, ...]) -> state.GameState:
    """Fill the row up (K36); a settlement order among ``orders`` brings a settlement (K37).

    Raises:
        RefusedError: K12, K36, K50.
    """
    if not isinstance(game.phase, state.Drawing):
        raise _not_due(game)
    if len(orders) != game.phase.count:
        raise RefusedError("K36", _COUNT, count=game.phase.count)
    drawn = _with_drawn(game, orders)
    if any(game.board.order(number).settle for number in orders):
        return _settle(drawn)
    return _next_turn(drawn)


def pay(game: state.GameState, seat: int, gold: int) -> state.GameState:
    """Pay upkeep; unpaid upkeep costs points (K42, K43).

    Raises:
        RefusedError: K42, K50.
    """
    if not isinstance(game.phase, state.Paying):
        raise _not_due(game)
    first, *later = game.phase.seats
    if seat != first:
        raise RefusedError("K42", _OTHER_SEAT)
    player = game.players[seat]
    owed = len(player.shops)
    if not 0 <= gold <= most_paid(player):
        raise RefusedError("K42", _TOO_MUCH, owed=owed, gold=player.gold)
    points = max(0, player.points - (owed - gold))
    paid = game.with_player(seat, player._replace(gold=player.gold - gold, points=points))
    if later:
        return paid._replace(phase=state.Paying(tuple(later)))
    if game.settlements == SETTLEMENTS:
        return paid._replace(phase=state.Ended(winners(paid)))
    more = game.board.begins[TABLES.index(len(game.players))].later
    players = tuple(
        own._replace(hand=own.hand + more, aside=own.aside - more) for own in paid.players
    )
    return _next_turn(paid._replace(players=players))


def most_paid(player: state.Keeper) -> int:
    """Return the most gold that a player can pay as upkeep (K42)."""
    return min(len(player.shops), player.gold)


def answer(game: state.GameState, seat: int, *, settle: bool) -> state.GameState:
    """Answer whether the game goes on without a settlement (K39).

    Raises:
        RefusedError: K39, K50.
    """
    if not isinstance(game.phase, state.Questioning):
        raise _not_due(game)
    first, *later = game.phase.seats
    if seat != first:
        raise RefusedError("K39", _OTHER_SEAT)
    if settle:
        return _settle(game)
    if later:
        return game._replace(phase=state.Questioning(tuple(later)))
    return _next_turn(game._replace(quiet=0))


def _not_due(game: state.GameState) -> RefusedError:
    if isinstance(game.phase, state.Ended):
        return RefusedError("K46", _OVER)
    return RefusedError("K50", _NOT_DUE)


def _with_drawn(game: state.GameState, orders: tuple[int, ...]) -> state.GameState:
    drawn = game.drawn
    for number in orders:
        if not any(number in candidates(game.board, drawn, settle=it) for it in (False, True)):
            raise RefusedError("K12", _CANNOT_COME, order=number)
        drawn = (*drawn, number)
    return game._replace(row=tuple(sorted((*game.row, *orders))), drawn=drawn)


def _next_turn(game: state.GameState) -> state.GameState:
    seat = game.next_seat
    first = game.turns < len(game.players)
    phase: state.Phase = state.Turn(seat, game.board.ap[game.turns] if first else AP)
    return game._replace(phase=phase)


def _settle(game: state.GameState) -> state.GameState:
    """Give the areas' points (K40); upkeep is due then."""
    gains = area_points(game.board, [player.shops for player in game.players])
    players = tuple(
        player._replace(points=player.points + gain)
        for player, gain in zip(game.players, gains, strict=True)
    )
    settled = game._replace(players=players, settlements=game.settlements + 1, quiet=0)
    return settled._replace(phase=state.Paying(paying_order(settled)))
