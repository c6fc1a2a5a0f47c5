"""The deck, drawn lazily (K12): the order of its cards is decided card by card."""

from collections.abc import Callable

from matcha_p2p.games.kashi.board.board import Board

_TEN = 10


def last_of_ten(drawn: int) -> int:
    """Return how many orders of the running ten are left, with the next order: 10 to 1."""
    return _TEN - drawn % _TEN


def candidates(board: Board, drawn: tuple[int, ...], *, settle: bool) -> tuple[int, ...]:
    """Return the orders that can come next, ascending.

    settle: whether only orders with a settlement, or only orders without.
    """
    rest = last_of_ten(len(drawn))
    running = drawn[len(drawn) - (_TEN - rest) :]
    late = rest <= 3 and not any(board.order(number).settle for number in running)
    if (settle and not late) or (not settle and late and rest == 1):
        return ()
    gone = set(drawn)
    return tuple(
        order.number
        for order in board.orders
        if order.settle is settle and order.number not in gone
    )


def draw(
    board: Board, drawn: tuple[int, ...], count: int, uniform: Callable[[int], int]
) -> tuple[int, ...]:
    """Return the next ``count`` orders.

    uniform: returns a number below its argument, all equally likely. It is called for each
    order in turn. In the last three places of a ten still without a settlement order, the
    argument is first the number of places left, where 0 means a settlement. Then the argument
    is the number of candidates, ascending.
    """
    known = drawn
    for _ in range(count):
        pool = candidates(board, known, settle=True)
        if not pool or uniform(last_of_ten(len(known))):
            pool = candidates(board, known, settle=False)
        known = (*known, pool[uniform(len(pool))])
    return known[len(drawn) :]
