"""The questions of Kashi-ichi that are lists; the board is the list of the others."""

from matcha_p2p.games.asking import ListedAnswer, Listing
from matcha_p2p.games.kashi.draft import Draft
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.words import names


def vote(at: int = 0) -> Listing:
    """Ask whether to settle though no order is fulfilled."""
    options = (
        ListedAnswer("1", captions.ANSWERS[0](), moves.AnswerIdle(settle=False)),
        ListedAnswer("2", captions.ANSWERS[1](), moves.AnswerIdle(settle=True)),
    )
    return Listing(captions.ANSWER(), options, at)


def swap(draft: Draft, back: object) -> Listing:
    """Ask which good to give back for a new one."""
    options = tuple(
        ListedAnswer(str(good + 1), names.shown(name), (moves.Buy(good),))
        for good, name in enumerate(draft.game.board.goods)
        if draft.player.goods[good]
    )
    return Listing(captions.GIVE(), options, 0, back)


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
        ListedAnswer(str(good + 1), names.shown(name), gives(good))
        for good, name in enumerate(game.board.goods)
    )
    declined = ListedAnswer("n", captions.DECLINE(), (moves.Fulfil(order, moves.DECLINE),))
    asks = captions.CHOOSE_GOODS(order=game.row.index(order) + 1)
    return Listing(asks, (*options, declined), 0, back)
