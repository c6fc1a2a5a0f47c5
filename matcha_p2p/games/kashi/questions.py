"""The questions of Kashi-ichi that are lists; the board is the list of the others."""

from matcha_p2p.games.asking import ListedAnswer, Listing
from matcha_p2p.games.kashi.draft import Draft
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.actions import MOST_GOODS
from matcha_p2p.games.kashi.rules.choices import legal_actions
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.words import names
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.narration.sentences import listed


def vote(at: int = 0) -> Listing:
    """Ask whether to settle though no order is fulfilled."""
    options = (
        ListedAnswer("1", captions.ANSWERS[0](), moves.AnswerIdle(settle=False), "on"),
        ListedAnswer("2", captions.ANSWERS[1](), moves.AnswerIdle(settle=True), "settle"),
    )
    return Listing(captions.ANSWER(), options, at)


def buying(draft: Draft, back: object) -> Listing | tuple[moves.Buy]:
    """Return a purchase, or in a full bag the question which good to give back."""
    exchanges = [
        action
        for action in legal_actions(draft.game)
        if isinstance(action, moves.Buy) and action.back is not None
    ]
    if not exchanges or sum(draft.player.goods) < MOST_GOODS:
        return (moves.Buy(),)
    options = tuple(
        ListedAnswer(str(good + 1), names.shown(name), (moves.Buy(good),), name)
        for good, name in enumerate(draft.game.board.goods)
        if draft.player.goods[good]
    )
    return Listing(captions.GIVE(), options, 0, back)


def delivering(draft: Draft, words: SeatWords, back: object) -> Listing | int | None:
    """Return the deliverable order, a question where there are several, or None."""
    game = draft.game
    ready = {action.order for action in legal_actions(game) if isinstance(action, moves.Fulfil)}
    orders = [order for order in game.row if order in ready]
    if len(orders) < 2:
        return orders[0] if orders else None
    places = [game.row.index(order) + 1 for order in orders]
    options = tuple(
        ListedAnswer(str(place), words.order(game.board, order), order)
        for place, order in zip(places, orders, strict=True)
    )
    return Listing(captions.DELIVER(places=listed(map(str, places))), options, 0, back)


def wish(draft: Draft, order: int, back: object, goods: tuple[int, ...] = ()) -> Listing:
    """Ask which good an order brings, one after another, or decline the bonus."""
    game = draft.game
    left = game.board.order(order).bonus.chosen - len(goods) - 1

    def gives(good: int) -> object:
        chosen = tuple(sorted((*goods, good)))
        if left:
            return wish(draft, order, back, chosen)
        return (moves.Fulfil(order, moves.ChooseGoods(chosen)),)

    options = tuple(
        ListedAnswer(str(good + 1), names.shown(name), gives(good), name)
        for good, name in enumerate(game.board.goods)
    )
    declines = (moves.Fulfil(order, moves.DECLINE),)
    declined = ListedAnswer("n", captions.DECLINE(), declines, "no")
    asks = captions.CHOOSE_GOODS(order=game.row.index(order) + 1)
    return Listing(asks, (*options, declined), 0, back)
