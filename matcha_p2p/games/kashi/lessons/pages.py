"""The rules in our own words, enough to learn the game without a rule book.

Every number comes from the rules or the shipped board. Only one variant exists, so ``variant``
has no effect.
"""

from typing import Final

from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules.actions import (
    MOST_GOODS,
    MOST_OF_A_KIND,
    MOST_TAKEN,
    PRICE,
    TAKEN,
)
from matcha_p2p.games.kashi.rules.game import AP
from matcha_p2p.games.kashi.rules.orders import ORDERS, SETTLEMENTS
from matcha_p2p.games.kashi.rules.settlement import GOLD_OF_A_POINT, SET
from matcha_p2p.games.kashi.rules.state import ROW
from matcha_p2p.games.kashi.words.names import area_letter
from matcha_p2p.language import Sentence

_ABOUT_TITLE: Final = Sentence("A MARKET OF SWEETS")
_ABOUT: Final = Sentence(
    "Three or four confectioners walk over a market. They buy goods from wholesalers, carry "
    "orders to three guests, and lay shops. Orders and shops bring points, and most points win."
)
_INSPIRED: Final = Sentence(
    "The game follows the rules of a Japanese board game. Board, orders and names are our own: "
    "it is not that game, and its makers have not endorsed it."
)
_HIDDEN: Final = Sentence(
    "Everything lies open but the order of the {orders} orders in the deck. {row} orders are "
    "in the row, and anybody can fulfil each of them, once."
)
_TURN_TITLE: Final = Sentence("A TURN")
_TURN: Final = Sentence(
    "You have {ap} action points. In the first round the seats have {first} instead. Spend "
    "them in any order, and end the turn when you like. What is left is lost."
)
_GO: Final = Sentence(
    "- Go: a step over the side of a square costs one point. Persons and shops block nobody."
)
_BUY: Final = Sentence(
    "- Buy: on a wholesaler's square one good costs a point and {price} gold. In a turn you "
    "buy at most {kind} of a kind. If you hold {goods} goods, give one back first."
)
_GOLD: Final = Sentence("- Take {taken} gold for a point, at most {most} times in a turn.")
_FULFIL: Final = Sentence(
    "- Fulfil an order of the row: stand on the square of its guest, hold its goods, and spend "
    "a point. The goods go back. The bonus comes at once, or you decline it."
)
_LAY: Final = Sentence(
    "- Lay a shop on your square for a point and gold. No shop may stand there, and no guest "
    "or wholesaler. It costs 1 gold, and 1 more for each shop of yours in the chain it joins."
)
_RELAY: Final = Sentence(
    "If no shop is left in your hand, you may take one back from the board and lay it again."
)
_CHAIN_TITLE: Final = Sentence("CHAINS OF SHOPS")
_CHAIN: Final = Sentence(
    "Shops of one player that touch side to side are a chain. For one point you go from the "
    "chain, or from beside it, to any square of it or beside it."
)
_TOLL: Final = Sentence(
    "You can use anybody's chain. If it is another player's, that player gets 1 gold from the "
    "stock, and you pay nothing. A square that a step reaches is never reached by a chain."
)
_BONUS_TITLE: Final = Sentence("BONUSES")
_BONUS: Final = Sentence(
    "An order brings two action points, gold, a good, or a shop of your hand. A shop at half "
    "price goes to any empty square. Some bonuses let it stand on top of other shops, too."
)
_SETTLEMENT_TITLE: Final = Sentence("SETTLEMENTS")
_REFILL: Final = Sentence(
    "At the end of a turn the row is filled up. {settlements} orders bring a settlement when "
    "they are drawn, one in each ten, among its last three."
)
_AREAS: Final = Sentence(
    "In each area the players with most shops get points: {values}. Players with as many share "
    "the points of their ranks, rounded down. Who has no shop there gets nothing."
)
_VALUE: Final = Sentence("{area}: {points}")
_UPKEEP: Final = Sentence(
    "Then each pays 1 gold for every shop on the board, most points first. Each gold that is "
    "not paid costs a point. Nobody falls below 0."
)
_MORE: Final = Sentence("After the first two settlements each gets more shops into the hand.")
_IDLE: Final = Sentence(
    "If nobody has fulfilled an order for {idle} rounds, each is asked in turn whether to go "
    "on. The first who says no brings the next settlement."
)
_END_TITLE: Final = Sentence("THE END")
_END: Final = Sentence(
    "The last settlement ends the game at once. Then come the points of your orders, {points} "
    "for each set of three orders for all three guests, and 1 for each {gold} gold. A good is "
    "worth 1 gold."
)
_TIE: Final = Sentence(
    "At equal points more orders win, then more gold that is left over. After that the victory "
    "is shared."
)
_RESIGNED: Final = Sentence(
    "If a player gives up, the game ends, and the best of the others wins by the points so far."
)
_HINT: Final = Sentence(
    "Shops bring about a quarter of the points. A player without any hardly ever wins."
)


def paragraphs(variant: str) -> tuple[str, ...]:
    """Return the rules paragraph by paragraph, "" between chapters."""
    lines: list[str] = []
    for title, said in _chapters(variant):
        lines += [title(), *said, ""]
    return tuple(lines[:-1])


def titles(variant: str) -> frozenset[str]:
    """Return the paragraphs that are titles."""
    return frozenset(title() for title, _ in _chapters(variant))


def tips(variant: str) -> tuple[str, ...]:
    """Return rules that can each be understood alone."""
    said = [text for _, paragraphs in _chapters(variant) for text in paragraphs]
    alone = [text.removeprefix("- ") for text in said if text.startswith("- ")]
    return (*alone, _RELAY(), _CHAIN(), _TOLL(), _UPKEEP(), _HINT())


def _chapters(_variant: str) -> tuple[tuple[Sentence, tuple[str, ...]], ...]:
    board = shipped_board()
    values = ", ".join(
        _VALUE(area=area_letter(board, area), points="-".join(map(str, area.values)))
        for area in board.areas
    )
    turn = (
        _TURN(ap=AP, first="-".join(map(str, board.ap))),
        _GO(),
        _BUY(price=PRICE, kind=MOST_OF_A_KIND, goods=MOST_GOODS),
        _GOLD(taken=TAKEN, most=MOST_TAKEN),
        _FULFIL(),
        _LAY(),
        _RELAY(),
    )
    settlement = _REFILL(settlements=SETTLEMENTS), _AREAS(values=values), _UPKEEP(), _MORE()
    idle = (_IDLE(idle=board.idle),) if board.idle else ()
    return (
        (_ABOUT_TITLE, (_ABOUT(), _INSPIRED(), _HIDDEN(orders=ORDERS, row=ROW))),
        (_TURN_TITLE, turn),
        (_CHAIN_TITLE, (_CHAIN(), _TOLL())),
        (_BONUS_TITLE, (_BONUS(),)),
        (_SETTLEMENT_TITLE, (*settlement, *idle)),
        (_END_TITLE, (_END(points=SET, gold=GOLD_OF_A_POINT), _TIE(), _RESIGNED(), _HINT())),
    )
