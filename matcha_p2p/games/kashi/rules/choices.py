"""The actions that a turn allows now."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from matcha_p2p.games.kashi.board.board import each
from matcha_p2p.games.kashi.rules import actions, moves
from matcha_p2p.games.kashi.rules.orders import GOODS, OrderCard, ShopBonus, missing
from matcha_p2p.games.kashi.rules.state import GameState, Keeper, Turn
from matcha_p2p.games.kashi.rules.travel import set_of, uses


def legal_actions(game: GameState) -> tuple[moves.TurnAction, ...]:
    """Return the actions of the seat whose turn runs; () if only the end is left (K14)."""
    phase = game.phase
    if not isinstance(phase, Turn) or not phase.ap:
        return ()
    player = game.players[phase.seat]
    found: list[moves.TurnAction] = [*_moves(game, player), *_purchases(game, phase, player)]
    if phase.taken < actions.MOST_TAKEN:
        found.append(moves.TAKE_GOLD)
    return (*found, *_shops(game, player), *_orders(game, player))


def _moves(game: GameState, player: Keeper) -> Iterator[moves.TurnAction]:
    at = actions.here(player)
    for square in each(game.board.around(1 << at)):
        yield moves.Go(square)
    for seat in game.seats:
        for square in each(uses(game.board, game.players[seat].shops, at)):
            yield moves.Go(square, seat)


def _purchases(game: GameState, turn: Turn, player: Keeper) -> Iterator[moves.TurnAction]:
    at, sellers = actions.here(player), game.board.wholesalers
    if at not in sellers or player.gold < actions.PRICE:
        return
    if turn.bought[sellers.index(at)] == actions.MOST_OF_A_KIND:
        return
    if sum(player.goods) < actions.MOST_GOODS:
        yield moves.Buy()
    else:
        yield from (moves.Buy(good) for good in range(GOODS) if player.goods[good])


def _shops(game: GameState, player: Keeper) -> Iterator[moves.TurnAction]:
    board, at = game.board, actions.here(player)
    if board.tiles >> at & 1 or _occupied(game) >> at & 1:
        return
    if player.hand:
        if player.gold >= actions.price(board, player.shops, at):
            yield moves.LayShop()
        return
    for taken in sorted(set(player.shops)):
        without = list(player.shops)
        without.remove(taken)
        if player.gold >= actions.price(board, tuple(without), at):
            yield moves.LayShop(taken)


def _orders(game: GameState, player: Keeper) -> Iterator[moves.TurnAction]:
    for number in game.row:
        order = game.board.order(number)
        ready = actions.here(player) == game.board.destinations[order.guest]
        if ready and not any(missing(order.goods, player.goods)):
            for wish in _wishes(game, player, order):
                yield moves.Fulfil(number, wish)


def _wishes(
    game: GameState, player: Keeper, order: OrderCard
) -> Iterator[moves.BonusWish | None]:
    bonus = order.bonus
    yield moves.DECLINE
    if bonus.chosen:
        for goods in combinations_with_replacement(range(GOODS), bonus.chosen):
            yield moves.ChooseGoods(goods)
    elif bonus.shop:
        richer = player._replace(gold=player.gold + bonus.gold)
        yield from map(moves.PlaceShop, shop_squares(game, richer, bonus.shop))
    else:
        yield None


def shop_squares(game: GameState, player: Keeper, bonus: ShopBonus) -> Iterator[int]:
    """Yield where the shop of a bonus can go (K30, K35)."""
    if not player.hand:
        return
    free = game.board.squares & ~game.board.tiles
    if bonus is ShopBonus.HALF_EMPTY:
        free &= ~_occupied(game)
    for square in each(free):
        if player.gold >= actions.bonus_price(game.board, player, bonus, square):
            yield square


def _occupied(game: GameState) -> int:
    squares = 0
    for player in game.players:
        squares |= set_of(player.shops)
    return squares
