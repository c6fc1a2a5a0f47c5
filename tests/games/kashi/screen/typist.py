"""The keys of a person who makes a given move at the full screen."""

from collections.abc import Iterator

from matcha_p2p.games.kashi.draft import Draft, begin
from matcha_p2p.games.kashi.rules.actions import MOST_GOODS
from matcha_p2p.games.kashi.rules.choices import legal_actions, shop_squares
from matcha_p2p.games.kashi.rules.game import most_paid
from matcha_p2p.games.kashi.rules.moves import (
    AnswerIdle,
    Buy,
    ChooseGoods,
    Decline,
    Fulfil,
    Go,
    LayShop,
    Move,
    PayUpkeep,
    PlaceShop,
    StartAt,
    TakeGold,
    TakeTurn,
    TurnAction,
)
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.screen.routes import routes


def keys_of(outlook: Outlook, move: Move, *, mouse: bool = False) -> list[str]:
    """Return the keys, or the clicks, for ``move``."""
    return list(_keys(outlook, move, mouse=mouse))


def _keys(outlook: Outlook, move: Move, *, mouse: bool) -> Iterator[str]:
    game, seat = outlook
    match move:
        case StartAt(square):
            place = game.board.starts.index(square)
            if not mouse:
                yield str(place + 1)
            elif place:
                yield f"at{square}"
        case PayUpkeep(gold):
            yield from ["left"] * (most_paid(game.players[seat]) - gold)
        case AnswerIdle(settle):
            yield "2" if settle else "1"
        case TakeTurn(actions):
            draft = begin(game)
            for action in actions:
                yield from _acting(draft, action, mouse=mouse)
                draft = draft.do(action)
            yield "e"
    yield "enter"


def _acting(draft: Draft, action: TurnAction, *, mouse: bool) -> Iterator[str]:
    match action:
        case Go(square):
            yield from _point(draft, draft.at, square, mouse=mouse)
            yield from ["c"] * routes(draft.game, draft.seat, square).index((action,))
            yield "enter"
        case Buy(back):
            yield "b"
            if sum(draft.player.goods) == MOST_GOODS:
                yield str(back + 1)
        case TakeGold():
            yield "g"
        case LayShop(taken):
            yield from ("s", *_taking(draft, taken, mouse=mouse))
        case Fulfil(order, wish):
            yield "d"
            orders = {it.order for it in legal_actions(draft.game) if isinstance(it, Fulfil)}
            if len(orders) > 1:
                yield str(draft.game.row.index(order) + 1)
            yield from _wishing(draft, order, wish, mouse=mouse)


def _taking(draft: Draft, taken: int | None, *, mouse: bool) -> Iterator[str]:
    if taken is None:
        return
    own = sorted(set(draft.player.shops))
    if not mouse:
        yield from ["right"] * own.index(taken)
    elif taken != own[0]:
        yield f"at{taken}"
    yield "enter"


def _wishing(draft: Draft, order: int, wish: object, *, mouse: bool) -> Iterator[str]:
    bonus = draft.game.board.order(order).bonus
    richer = draft.player._replace(gold=draft.player.gold + bonus.gold)
    match wish:
        case ChooseGoods(goods):
            yield from (str(good + 1) for good in goods)
        case PlaceShop(square):
            squares = list(shop_squares(draft.game, richer, bonus.shop))
            yield from _point(draft, squares[0], square, mouse=mouse)
            yield "enter"
        case Decline():
            if not bonus.shop or list(shop_squares(draft.game, richer, bonus.shop)):
                yield "n"


def _point(draft: Draft, start: int, square: int, *, mouse: bool) -> Iterator[str]:
    """Yield the arrows from one square to another, or a click."""
    if mouse:
        if start != square:
            yield f"at{square}"
        return
    width = draft.game.board.width
    down, right = square // width - start // width, square % width - start % width
    yield from ["down" if down > 0 else "up"] * abs(down)
    yield from ["right" if right > 0 else "left"] * abs(right)
