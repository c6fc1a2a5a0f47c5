"""The beginning, the ends of turns, settlements and the end: K1, K10 to K13, K36 to K48."""

from collections import Counter
from fractions import Fraction

import pytest

from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.deck import candidates, draw
from matcha_p2p.games.kashi.rules.moves import StartAt, TakeTurn
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.settlement import (
    area_points,
    paying_order,
    ranked,
    score,
    winners,
)
from matcha_p2p.games.kashi.rules.state import (
    Drawing,
    Ended,
    Opening,
    Paying,
    Questioning,
    Turn,
)
from matcha_p2p.seats import Seat
from tests.games.kashi.rules.positions import BOARD, ROW, act, at, begun, position, with_shops

PLAIN = tuple(range(1, 28))
A, M = (BOARD.areas[place].values for place in (0, 4))


def passes(game, turns):
    for _ in range(turns):
        game = rules.end_turn(game)
    return game


def drawing(drawn, count=1):
    """Return a game in which ``drawn`` orders have come, and ``count`` are due."""
    game = begun()
    return game._replace(
        drawn=tuple(drawn), row=tuple(drawn[-4:]), turns=7, phase=Drawing(count)
    )


def settled(game, *, pays=None):
    """Return the game after the upkeep that is due; each pays what is possible."""
    while isinstance(game.phase, Paying):
        seat = game.due
        owner = game.players[seat]
        gold = min(owner.gold, len(owner.shops)) if pays is None else pays[seat]
        game = rules.pay(game, seat, gold)
    return game


@pytest.mark.parametrize(("seats", "hand", "aside"), [(3, 8, 6), (4, 7, 4)])
def test_seats_begin_as_the_board_says(seats, hand, aside):
    """K7, K10."""
    game = rules.new_game(BOARD, seats)
    assert [own.gold for own in game.players] == [4, 6, 6] if seats == 3 else [5] * 4
    assert [own.points for own in game.players] == [10, 10, 11, 13][:seats]
    assert {(own.hand, own.aside) for own in game.players} == {(hand, aside)}


def test_persons_start_in_turn_on_start_squares():
    """K11: two may choose the same."""
    game = rules.new_game(BOARD, 3)
    with pytest.raises(RefusedError, match="K11"):
        rules.start(game, 1, BOARD.starts[0])
    with pytest.raises(RefusedError, match="K11"):
        rules.start(game, 0, at("3,4"))
    assert {own.person for own in begun().players} == {BOARD.starts[0]}


def test_order_of_seats_begins_with_the_first():
    """K1, K10, K11, K14, K42."""
    game = rules.new_game(BOARD, 4, first=Seat(2))
    assert [player.points for player in game.players] == [11, 13, 10, 10]
    for seat in map(Seat, (2, 3, 0, 1)):
        assert game.due == seat
        game = rules.choose(game, seat, StartAt(BOARD.starts[0]))
    game = rules.open_row(game, ROW)
    for seat, ap in zip(map(Seat, (2, 3, 0, 1, 2)), (3, 4, 5, 5, 5), strict=True):
        assert game.phase == Turn(seat, ap)
        game = rules.choose(game, seat, TakeTurn())
    players = tuple(player._replace(points=9) for player in game.players)
    assert paying_order(game._replace(players=players)) == (1, 0, 3, 2)


def test_settlement_orders_come_in_the_last_three_places():
    """K12: each place of the last three as often as the others, in each ten."""
    counts = Counter()

    def walk(drawn, chance):
        if len(drawn) == 10:
            counts[next(place for place, it in enumerate(drawn) if it > 27)] += chance
            return
        settles = candidates(BOARD, drawn, settle=True)
        plain = candidates(BOARD, drawn, settle=False)
        share = Fraction(1, 10 - len(drawn)) if settles else Fraction(0)
        if settles:
            walk((*drawn, settles[0]), chance * share)
        if plain:
            walk((*drawn, plain[0]), chance * (1 - share))

    walk((), Fraction(1))
    assert counts == {7: Fraction(1, 3), 8: Fraction(1, 3), 9: Fraction(1, 3)}


def test_draw_asks_for_numbers_in_a_known_order():
    asked = []

    def uniform(below):
        asked.append(below)
        return below - 1

    assert draw(BOARD, PLAIN[:7], 3, uniform) == (27, 26, 30)
    assert asked == [3, 20, 2, 19, 1, 3]


def test_orders_that_cannot_come_are_refused():
    """K12, K13, K36."""
    game = begun()._replace(phase=Opening(), drawn=(), row=())
    for orders, rule in (
        ((1, 2, 3, 4), "K13"),
        ((1, 2, 3, 4, 4), "K12"),
        ((1, 2, 3, 4, 28), "K12"),
        ((1, 2, 3, 4, 31), "K12"),
    ):
        with pytest.raises(RefusedError, match=rule):
            rules.open_row(game, orders)
    with pytest.raises(RefusedError, match="K36"):
        rules.draw(drawing(PLAIN[:6]), (20, 21))
    with pytest.raises(RefusedError, match="K12"):
        rules.draw(drawing(PLAIN[:9]), (20,))
    assert isinstance(rules.draw(drawing(PLAIN[:8]), (20,)).phase, Turn)


def test_row_is_filled_up_after_a_turn_with_orders():
    """K36."""
    game = act(position("1,7", (1, 1, 0, 0, 0)), "fill:1")
    over = rules.end_turn(game)
    assert over.phase == Drawing(1)
    filled = rules.draw(over, (20,))
    assert filled.row == (2, 3, 8, 14, 20)
    assert filled.phase == Turn(1, 5)
    assert rules.end_turn(position()).phase == Turn(1, 5)


def test_short_deck_gives_its_remaining_cards():
    """K36."""
    game = act(position("7,4", (1, 0, 2, 1, 0)), "fill:2", "fill:8=no")
    late = game._replace(drawn=tuple(range(2, 31)))
    assert rules.end_turn(late).phase == Drawing(1)
    empty = game._replace(drawn=tuple(range(1, 31)))
    assert rules.end_turn(empty).phase == Turn(1, 5)


def test_settlement_order_brings_a_settlement_and_stays():
    """K37, K45."""
    game = rules.draw(drawing(PLAIN[:7]), (28,))
    assert game.settlements == 1
    assert 28 in game.row
    assert settled(game).phase == Turn(1, 5)


def test_all_on_begins_the_count_again():
    """K39."""
    game = passes(begun(idle=2), 6)
    assert game.phase == Questioning((0, 1, 2))
    with pytest.raises(RefusedError, match="K39"):
        rules.answer(game, 1, settle=False)
    for seat in range(3):
        game = rules.answer(game, seat, settle=False)
    assert game.phase == Turn(0, 5)
    assert isinstance(passes(game, 5).phase, Turn)
    assert isinstance(passes(game, 6).phase, Questioning)


def test_question_begins_with_the_next_seat():
    """K39: an order sets the count to 0."""
    game = act(position("1,7", (1, 1, 0, 0, 0))._replace(idle=1, quiet=2), "fill:1")
    game = passes(rules.draw(rules.end_turn(game), (20,)), 3)
    assert game.phase == Questioning((1, 2, 0))


def test_first_settle_brings_the_next_settlement():
    """K39: in every respect but the deck."""
    game = passes(begun(idle=1), 3)
    settle = rules.answer(rules.answer(game, 0, settle=False), 1, settle=True)
    assert settle.settlements == 1
    assert settle.drawn == game.drawn
    after = settled(settle)
    assert after.phase == Turn(0, 5)
    assert after.quiet == 0
    assert after.players[0].hand == 11


def test_idle_off_asks_nobody():
    """K39."""
    assert isinstance(passes(begun(idle=0), 300).phase, Turn)


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ([3, 2, 1], [9, 5, 2]),
        ([1, 0, 0], [9, 0, 0]),
        ([0, 0, 0], [0, 0, 0]),
        ([2, 2, 1], [7, 7, 2]),
        ([3, 1, 1], [9, 3, 3]),
        ([1, 1, 1], [5, 5, 5]),
        ([3, 2, 1, 1], [9, 5, 1, 1]),
        ([4, 3, 2, 1], [9, 5, 2, 0]),
        ([3, 1, 1, 1], [9, 2, 2, 2]),
        ([1, 1, 1, 1], [4, 4, 4, 4]),
    ],
)
def test_ranks_of_an_area_share_their_values(counts, points):
    """K40, K41."""
    assert ranked((9, 5, 2), counts) == points


def test_each_area_counts_by_itself_and_each_shop_of_a_stack():
    """K34, K40."""
    shops = [(at("3,3"), at("3,3"), at("1,2")), (at("3,4"), at("1,3")), ()]
    assert area_points(BOARD, shops) == [M[0] + sum(A[:2]) // 2, M[1] + sum(A[:2]) // 2, 0]


def test_most_points_pay_first_and_of_equal_ones_the_later_seat():
    """K42: the points of this settlement count."""
    game = with_shops(drawing(PLAIN[:7]), 1, ["3,3"])
    game = rules.draw(game, (28,))
    assert [own.points for own in game.players] == [10, 10 + M[0], 11]
    assert game.phase == Paying((1, 2, 0))
    assert paying_order(rules.new_game(BOARD, 3)) == (2, 1, 0)
    for seat, gold in ((0, 0), (1, 2), (1, -1)):
        with pytest.raises(RefusedError, match="K42"):
            rules.pay(game, seat, gold)


def test_upkeep_is_limited_by_gold():
    """K42."""
    game = rules.draw(with_shops(drawing(PLAIN[:7]), 1, ["3,3", "3,4"], gold=1), (28,))
    with pytest.raises(RefusedError, match="K42"):
        rules.pay(game, 1, 2)
    assert rules.pay(game, 1, 1).players[1].points == 10 + M[0] - 1


def test_unpaid_upkeep_costs_points_down_to_nothing():
    """K43."""
    game = with_shops(drawing(PLAIN[:7]), 0, ["1,2"] * 7, points=0)
    game = with_shops(game, 1, ["1,2"] * 8, points=3)
    paid = settled(rules.draw(game, (28,)), pays=[0, 3, 0])
    assert [own.points for own in paid.players] == [0, 3 + A[0] - 5, 11]
    assert paid.players[1].gold == 3


@pytest.mark.parametrize(("seats", "more"), [(3, 3), (4, 2)])
def test_shops_come_after_the_first_two_settlements(seats, more):
    """K44, K46."""
    game = begun(seats)._replace(idle=1)
    hand, aside = game.players[0].hand, game.players[0].aside
    for number in (1, 2):
        game = settled(rules.answer(passes(game, seats), 0, settle=True))
        own = game.players[0]
        assert (own.hand, own.aside) == (hand + number * more, aside - number * more)
    over = settled(rules.answer(passes(game, seats), 0, settle=True))
    assert isinstance(over.phase, Ended)
    assert over.players[0].hand == hand + 2 * more


def test_ended_game_accepts_nothing():
    """K46."""
    game = begun()._replace(phase=Ended((0,)))
    for choice in (
        lambda: rules.start(game, 0, BOARD.starts[0]),
        lambda: rules.open_row(game, (1, 2, 3, 4, 5)),
        lambda: rules.take_turn(game, 0, []),
        lambda: act(game, "gold"),
        lambda: rules.end_turn(game),
        lambda: rules.draw(game, (6,)),
        lambda: rules.pay(game, 0, 0),
        lambda: rules.answer(game, 0, settle=True),
    ):
        with pytest.raises(RefusedError, match="K46"):
            choice()


def test_score_adds_orders_sets_and_gold():
    """K47."""
    player = (
        begun()
        .players[0]
        ._replace(points=12, orders=(1, 4, 2, 5, 3), gold=7, goods=(1, 0, 1, 0, 0))
    )
    own = score(BOARD, player)
    assert (own.track, own.orders, own.sets, own.gold, own.left) == (12, 32, 6, 1, 4)
    assert own.points == 51


def test_winner_has_most_points_then_orders_then_gold():
    """K48."""
    game = begun()
    players = [own._replace(points=20, gold=0) for own in game.players]
    tied = game._replace(players=tuple(players))
    assert winners(tied) == (0, 1, 2)
    assert winners(tied.with_player(2, players[2]._replace(gold=4))) == (2,)
    assert winners(tied.with_player(2, players[2]._replace(gold=5))) == (2,)
    busy = players[1]._replace(points=14, orders=(1,))
    assert winners(tied.with_player(1, busy).with_player(2, players[2]._replace(gold=4))) == (
        1,
    )
    assert winners(tied.with_player(0, players[0]._replace(points=19, gold=4))) == (1, 2)
