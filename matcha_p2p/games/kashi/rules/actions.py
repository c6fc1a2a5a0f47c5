"""The conditions and effects of each action of a turn (K15 to K35)."""

from typing import Final, assert_never

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules import moves, orders
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import GameState, Keeper, Turn
from matcha_p2p.games.kashi.rules.travel import joined, set_of, uses
from matcha_p2p.language import Sentence

MOST_GOODS: Final = 8
MOST_OF_A_KIND: Final = 2
MOST_TAKEN: Final = 2
PRICE: Final = 2
TAKEN: Final = 3

_NO_AP: Final = Sentence("No action point is left.")
_SAME: Final = Sentence("A move has to end on another square.")
_NO_SQUARE: Final = Sentence("There is no such square.")
_TOO_FAR: Final = Sentence("A step leads to a neighbouring square only.")
_NO_CHAIN: Final = Sentence("No chain of shops of that player leads there.")
_NEIGHBOUR: Final = Sentence("A step leads there: shops are not used for it.")
_NO_WHOLESALER: Final = Sentence("Goods are bought on the square of a wholesaler only.")
_NO_GOLD: Final = Sentence("This costs {price} gold, and you have {gold}.")
_TWO_OF_A_KIND: Final = Sentence("At most {most} goods of a kind are bought in one turn.")
_FULL: Final = Sentence("You hold {most} goods: give one back first.")
_NOT_FULL: Final = Sentence("A good is given back only if you hold {most}.")
_NOT_HELD: Final = Sentence("You do not hold the good that you give back.")
_TAKEN_TWICE: Final = Sentence("In one turn gold is taken at most {most} times.")
_NOT_OPEN: Final = Sentence("The order {order} is not in the row.")
_OTHER_GUEST: Final = Sentence("The order {order} is fulfilled at its own guest only.")
_NO_GOODS: Final = Sentence("You do not hold all goods of the order {order}.")
_SAY_WISH: Final = Sentence("Say what you choose as the bonus, or decline it.")
_NO_WISH: Final = Sentence("This bonus has nothing to choose.")
_OTHER_GOODS: Final = Sentence("The bonus lets you choose {count} goods, not more or fewer.")
_NO_HAND: Final = Sentence("No shop is left in your hand.")
_TILE: Final = Sentence("No shop can stand on a wholesaler or a guest.")
_OCCUPIED: Final = Sentence("A shop stands on that square.")
_IN_HAND: Final = Sentence("A shop is taken back only if none is left in your hand.")
_NO_SHOP: Final = Sentence("You have no shop on the square that you take it from.")


def act(game: GameState, turn: Turn, action: moves.TurnAction) -> GameState:
    """Return the game after an action of the running turn.

    Raises:
        RefusedError: the action is not allowed now.
    """
    if not turn.ap:
        raise RefusedError("K15", _NO_AP)
    paid = game._replace(phase=Turn(turn.seat, turn.ap - 1, turn.bought, turn.taken, turn.done))
    match action:
        case moves.Go():
            return _go(paid, turn, action)
        case moves.Buy():
            return _buy(paid, turn, action)
        case moves.TakeGold():
            return _take_gold(paid, turn)
        case moves.LayShop():
            return _lay(paid, turn, action)
        case moves.Fulfil():
            return _fulfil(paid, turn, action)
        case _:
            assert_never(action)


def here(player: Keeper) -> int:
    """Return the square of the person, who is on the board."""
    assert player.person is not None  # noqa: S101 -- turns begin when all have started
    return player.person


def price(board: Board, shops: tuple[int, ...], square: int) -> int:
    """Return the gold for another shop on ``square`` beside one's own ``shops`` (K32)."""
    chain = joined(board, 1 << square, set_of(shops))
    return 1 + sum(chain >> own & 1 for own in shops)


def bonus_price(board: Board, player: Keeper, bonus: orders.ShopBonus, square: int) -> int:
    """Return the gold for a shop that comes with an order (K30)."""
    if bonus is orders.ShopBonus.FREE_ANY:
        return 0
    return price(board, player.shops, square) // 2


def _go(game: GameState, turn: Turn, action: moves.Go) -> GameState:
    board, seat, square = game.board, turn.seat, action.square
    player = game.players[seat]
    if not 0 <= square < board.squares.bit_length() or not board.squares >> square & 1:
        raise RefusedError("K2", _NO_SQUARE)
    at = here(player)
    if square == at:
        raise RefusedError("K16", _SAME)
    near = board.around(1 << at) >> square & 1
    over = action.over
    if over is None:
        if not near:
            raise RefusedError("K16", _TOO_FAR)
    elif near:
        raise RefusedError("K19", _NEIGHBOUR)
    elif over not in game.seats or not uses(board, game.players[over].shops, at) >> square & 1:
        raise RefusedError("K17", _NO_CHAIN)
    gone = game.with_player(seat, player._replace(person=square))
    if over is None or over == seat:
        return gone
    owner = gone.players[over]
    return gone.with_player(over, owner._replace(gold=owner.gold + 1))


def _buy(game: GameState, turn: Turn, action: moves.Buy) -> GameState:
    player = game.players[turn.seat]
    if here(player) not in game.board.wholesalers:
        raise RefusedError("K21", _NO_WHOLESALER)
    good = game.board.wholesalers.index(here(player))
    if player.gold < PRICE:
        raise RefusedError("K21", _NO_GOLD, price=PRICE, gold=player.gold)
    if turn.bought[good] == MOST_OF_A_KIND:
        raise RefusedError("K22", _TWO_OF_A_KIND, most=MOST_OF_A_KIND)
    goods, back = player.goods, action.back
    if back is None:
        if sum(goods) >= MOST_GOODS:
            raise RefusedError("K23", _FULL, most=MOST_GOODS)
    elif sum(goods) < MOST_GOODS:
        raise RefusedError("K23", _NOT_FULL, most=MOST_GOODS)
    elif not (0 <= back < orders.GOODS and goods[back]):
        raise RefusedError("K23", _NOT_HELD)
    else:
        goods = orders.add(goods, back, -1)
    bought = player._replace(gold=player.gold - PRICE, goods=orders.add(goods, good))
    phase = Turn(turn.seat, turn.ap - 1, orders.add(turn.bought, good), turn.taken, turn.done)
    return game.with_player(turn.seat, bought)._replace(phase=phase)


def _take_gold(game: GameState, turn: Turn) -> GameState:
    if turn.taken == MOST_TAKEN:
        raise RefusedError("K24", _TAKEN_TWICE, most=MOST_TAKEN)
    player = game.players[turn.seat]
    phase = Turn(turn.seat, turn.ap - 1, turn.bought, turn.taken + 1, turn.done)
    richer = game.with_player(turn.seat, player._replace(gold=player.gold + TAKEN))
    return richer._replace(phase=phase)


def _lay(game: GameState, turn: Turn, action: moves.LayShop) -> GameState:
    player, taken = game.players[turn.seat], action.taken
    square = here(player)
    if game.board.tiles >> square & 1:
        raise RefusedError("K31", _TILE)
    if _stands(game, square):
        raise RefusedError("K31", _OCCUPIED)
    if taken is None:
        if not player.hand:
            raise RefusedError("K33", _NO_HAND)
        return game.with_player(turn.seat, _laid(game.board, player, square))
    if player.hand:
        raise RefusedError("K33", _IN_HAND)
    if taken not in player.shops:
        raise RefusedError("K33", _NO_SHOP)
    place = player.shops.index(taken)
    without = (*player.shops[:place], *player.shops[place + 1 :])
    lifted = player._replace(shops=without, hand=1)
    return game.with_player(turn.seat, _laid(game.board, lifted, square))


def _laid(board: Board, player: Keeper, square: int) -> Keeper:
    """Return the player after laying a shop of the hand for its price (K32)."""
    return _with_shop(player, square, price(board, player.shops, square), "K32")


def _with_shop(player: Keeper, square: int, gold: int, rule: str) -> Keeper:
    if player.gold < gold:
        raise RefusedError(rule, _NO_GOLD, price=gold, gold=player.gold)
    shops = tuple(sorted((*player.shops, square)))
    return player._replace(shops=shops, hand=player.hand - 1, gold=player.gold - gold)


def _stands(game: GameState, square: int) -> bool:
    return any(square in player.shops for player in game.players)


def _fulfil(game: GameState, turn: Turn, action: moves.Fulfil) -> GameState:
    player, number = game.players[turn.seat], action.order
    if number not in game.row:
        raise RefusedError("K25", _NOT_OPEN, order=number)
    order = game.board.order(number)
    if here(player) != game.board.destinations[order.guest]:
        raise RefusedError("K25", _OTHER_GUEST, order=number)
    if any(orders.missing(order.goods, player.goods)):
        raise RefusedError("K25", _NO_GOODS, order=number)
    done = player._replace(
        goods=orders.minus(player.goods, order.goods), orders=(*player.orders, number)
    )
    left = game._replace(row=tuple(each for each in game.row if each != number))
    ap = turn.ap - 1
    if not isinstance(action.wish, moves.Decline):
        ap += order.bonus.ap
        done = _with_bonus(left, done, order, action.wish)
    phase = Turn(turn.seat, ap, turn.bought, turn.taken, turn.done + 1)
    return left.with_player(turn.seat, done)._replace(phase=phase)


def _with_bonus(
    game: GameState, player: Keeper, order: orders.OrderCard, wish: moves.BonusWish | None
) -> Keeper:
    """Return the player with the bonus, its parts in the order of K30."""
    bonus = order.bonus
    richer = player._replace(
        gold=player.gold + bonus.gold, goods=orders.plus(player.goods, bonus.named)
    )
    match wish:
        case None:
            if bonus.asks:
                raise RefusedError("K27", _SAY_WISH)
            return richer
        case moves.ChooseGoods(goods) if bonus.chosen:
            if len(goods) != bonus.chosen or not all(
                0 <= good < orders.GOODS for good in goods
            ):
                raise RefusedError("K27", _OTHER_GOODS, count=bonus.chosen)
            counts = richer.goods
            for good in goods:
                counts = orders.add(counts, good)
            return richer._replace(goods=counts)
        case moves.PlaceShop(square) if bonus.shop:
            return _placed(game, richer, bonus.shop, square)
        case _:
            raise RefusedError("K27", _SAY_WISH if bonus.asks else _NO_WISH)


def _placed(game: GameState, player: Keeper, bonus: orders.ShopBonus, square: int) -> Keeper:
    board = game.board
    if not 0 <= square < board.squares.bit_length() or not board.squares >> square & 1:
        raise RefusedError("K2", _NO_SQUARE)
    if not player.hand:
        raise RefusedError("K35", _NO_HAND)
    if board.tiles >> square & 1:
        raise RefusedError("K30", _TILE)
    if bonus is orders.ShopBonus.HALF_EMPTY and _stands(game, square):
        raise RefusedError("K30", _OCCUPIED)
    return _with_shop(player, square, bonus_price(board, player, bonus, square), "K30")
