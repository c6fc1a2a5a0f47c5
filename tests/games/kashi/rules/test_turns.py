"""The actions of a turn: K14 to K35."""

from dataclasses import replace

from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.choices import legal_actions
from matcha_p2p.games.kashi.rules.moves import DECLINE, Fulfil
from matcha_p2p.games.kashi.rules.orders import Bonus, ShopBonus, parse_bonus
from matcha_p2p.games.kashi.rules.state import Turn
from tests.games.kashi.rules.positions import BOARD, act, at, position, refuses


def own(game):
    return game.players[0]


def with_order(game, number, bonus, goods=None):
    """Return the game on a board where an order has another bonus."""
    orders = list(BOARD.orders)
    orders[number - 1] = orders[number - 1]._replace(bonus=bonus)
    board = replace(BOARD, orders=tuple(orders))
    return game._replace(board=board)


def test_step_leads_to_a_neighbouring_square_only():
    """K2, K16, K20: over a side; shops on the square do not matter."""
    game = position("3,3", others=("3,4",))
    assert own(act(game, "go:3,4")).person == at("3,4")
    assert act(game, "go:3,4").players[1].gold == 6


def test_chain_of_one_owner_counts_as_one_square():
    """K17: from beside the chain, from on the chain, to a part of it, and to beside it."""
    game = position("3,2", shops=("3,3", "3,4", "4,4"))
    for goal in ("3,4", "4,4", "5,4", "4,5", "2,4", "3,5", "2,3"):
        assert own(act(game, f"go:{goal}/0")).person == at(goal)
    inside = position("3,4", shops=("3,3", "3,4", "4,4"))
    assert own(act(inside, "go:3,2/0", "go:5,4/0")).person == at("5,4")


def test_two_colours_are_used_one_after_the_other_over_a_shared_square():
    """K17, K19: the traveller leaves a chain from the square that both owners have."""
    game = position("3,2", shops=("3,3", "3,4"), others=("3,4", "3,5"))
    gone = act(game, "go:3,4/0", "go:3,6/1")
    assert own(gone).person == at("3,6")
    assert gone.players[1].gold == game.players[1].gold + 1


def test_owner_of_a_used_chain_gets_gold_each_time():
    """K18: from the stock; an own chain pays nothing."""
    game = position("3,2", others=("3,3", "3,4"), gold=0)
    gone = act(game, "go:3,4/1", "go:3,2/1")
    assert gone.players[1].gold == game.players[1].gold + 2
    assert own(gone).gold == 0
    mine = position("3,2", shops=("3,3", "3,4"))
    assert act(mine, "go:3,5/0").players[0].gold == own(mine).gold


def test_tiles_are_ends_of_a_use():
    """K19: a tile is no part of a chain."""
    game = position("1,4", shops=("2,4", "3,4"))
    assert own(act(game, "go:4,4/0")).person == at("4,4")
    apart = position("4,2", others=("3,1", "5,1"))
    assert own(act(apart, "go:4,1")).person == at("4,1")


def test_goods_are_bought_at_their_wholesaler():
    """K21."""
    game = act(position("1,4", gold=5), "buy")
    assert own(game).goods == (1, 0, 0, 0, 0)
    assert own(game).gold == 3


def test_third_good_of_a_kind_is_bought_in_the_next_turn():
    """K22."""
    game = act(position("1,4"), "buy", "buy")
    for seat in range(3):
        game = rules.take_turn(game, seat, [])
    assert own(act(game, "buy")).goods[0] == 3


def test_goods_of_a_bonus_do_not_count_as_bought():
    """K22."""
    game = act(position("7,4", goods=(0, 0, 1, 1, 0)), "fill:8=1")
    assert game.phase.bought == (0, 0, 0, 0, 0)


def test_ninth_good_costs_another():
    """K23."""
    game = position("1,4", goods=(0, 8, 0, 0, 0))
    assert own(act(game, "buy=2")).goods == (1, 7, 0, 0, 0)
    assert own(act(position("1,4", goods=(8, 0, 0, 0, 0)), "buy=1")).goods[0] == 8
    refuses("K23", game, "buy=3")
    refuses("K23", position("1,4", goods=(0, 7, 0, 0, 0)), "buy=2")


def test_gold_is_taken_twice_in_a_turn():
    """K24: also with another action between."""
    game = act(position("3,3", gold=0), "gold", "go:3,4", "gold")
    assert own(game).gold == 6


def test_order_is_fulfilled_at_its_guest_with_its_goods():
    """K25, K26."""
    game = position("1,7", goods=(1, 1, 1, 0, 0))
    done = act(game, "fill:1")
    assert own(done).goods == (0, 0, 1, 0, 0)
    assert own(done).orders == (1,)
    assert own(done).points == own(game).points
    assert done.row == (2, 3, 8, 14)


def test_two_orders_are_fulfilled_in_one_turn():
    """K25, K36: the gap stays open until the end of the turn."""
    game = act(position("7,4", goods=(1, 0, 2, 1, 0)), "fill:2", "fill:8=5")
    assert own(game).orders == (2, 8)
    assert game.row == (1, 3, 14)
    assert rules.end_turn(game).phase.count == 2


def test_action_points_of_a_bonus_come_at_once():
    """K28: also if the order took the last action point."""
    game = position("1,7", goods=(1, 1, 0, 0, 0))._replace(phase=Turn(0, 1))
    assert act(game, "fill:1").phase.ap == 2
    assert act(game, "fill:1=no").phase.ap == 0


def test_bonus_that_asks_wants_an_answer():
    """K27: declined as a whole, or chosen; an unasked choice is refused."""
    game = position("7,4", goods=(1, 0, 1, 1, 1), gold=0)
    refuses("K27", game, "fill:8")
    declined = act(game, "fill:14=no")
    assert own(declined).gold == 0
    assert own(declined).goods == (0, 0, 1, 0, 0)


def test_gold_and_goods_of_a_bonus_come_from_the_stock():
    """K29."""
    game = act(position("7,4", goods=(1, 0, 0, 1, 1), gold=0), "fill:14=3")
    assert own(game).gold == 1
    assert own(game).goods == (0, 0, 1, 0, 0)


def test_named_goods_of_a_bonus_ask_nothing():
    """K6, K27."""
    bonus = parse_bonus("3g 1 good:3")
    game = with_order(position("7,4", goods=(1, 0, 1, 0, 0), gold=0), 2, bonus)
    done = act(game, "fill:2")
    assert own(done).gold == 3
    assert own(done).goods == (0, 0, 1, 0, 0)


def test_two_goods_of_a_bonus_are_chosen_together():
    """K49."""
    game = with_order(position("7,4", goods=(1, 0, 1, 0, 0)), 2, Bonus(chosen=2))
    assert own(act(game, "fill:2=55")).goods == (0, 0, 0, 0, 2)
    assert own(act(game, "fill:2=31")).goods == (1, 0, 1, 0, 0)


def test_half_price_shop_goes_to_an_empty_square():
    """K30: anywhere, without an action point, half of the price rounded down."""
    game = position("4,1", goods=(1, 0, 0, 1, 0), gold=0, others=("6,6",))
    done = act(game, "fill:3=6,5")
    assert own(done).shops == (at("6,5"),)
    assert (own(done).gold, own(done).hand, done.phase.ap) == (0, 7, 4)
    refuses("K2", game, "fill:3=8,1")
    dear = position("4,1", goods=(1, 0, 0, 1, 0), gold=0, shops=("6,6",))
    assert own(act(dear, "fill:3=6,4")).gold == 0


def test_any_shop_goes_onto_shops():
    """K30, K34: on shops of others and own shops."""
    game = position(
        "7,4", (1, 1, 1, 0, 0), row=(11, 2, 3, 4, 5), shops=("6,6",), others=("2,2",)
    )
    done = act(game, "fill:11=6,6")
    assert own(done).shops == (at("6,6"),) * 2
    assert own(done).gold == 8
    assert own(act(game, "fill:11=2,2")).shops == (at("2,2"), at("6,6"))


def test_free_shop_costs_nothing():
    """K30."""
    chain = ("6,3", "6,4", "6,5")
    game = position("1,7", (1, 1, 1, 0, 1), gold=0, row=(22, 2, 3, 4, 5), shops=chain)
    assert own(act(game, "fill:22=6,6")).gold == 0


def test_gold_of_a_mixed_bonus_pays_for_its_shop():
    """K30: gold, action points, goods, then the shop."""
    bonus = parse_bonus("shop/2 any 1g")
    assert bonus == Bonus(gold=1, shop=ShopBonus.HALF_ANY)
    game = with_order(position("7,4", (1, 0, 1, 0, 0), gold=0, shops=("6,6",)), 2, bonus)
    done = act(game, "fill:2=6,5")
    assert own(done).gold == 0
    assert Fulfil(2) not in legal_actions(game)


def test_shop_is_laid_at_the_square_of_the_person():
    """K31."""
    game = act(position("3,3", gold=1), "shop")
    assert own(game).shops == (at("3,3"),)
    assert (own(game).gold, own(game).hand) == (0, 7)


def test_price_counts_the_shops_that_are_joined():
    """K32: alone 1, second of two 2, joining three 4; a stack counts each."""
    assert own(act(position("3,3", shops=("3,4",)), "shop")).gold == 7
    three = ("3,2", "3,4", "4,3")
    assert own(act(position("3,3", shops=three), "shop")).gold == 5
    assert own(act(position("3,3", shops=("3,4", "3,4", "3,5")), "shop")).gold == 5
    assert own(act(position("3,3", others=three), "shop")).gold == 8


def test_shop_is_taken_back_with_an_empty_hand_only():
    """K33: the price leaves out the shop taken back."""
    shops = ("3,4", "3,5", "1,2", "1,3", "1,5", "2,1", "2,2", "2,3")
    game = position("3,3", shops=shops)
    assert own(game).hand == 0
    moved = act(game, "shop=3,4")
    assert at("3,3") in own(moved).shops
    assert at("3,4") not in own(moved).shops
    assert len(own(moved).shops) == 8
    assert own(moved).gold == 9 - 6  # with the five around 2,3


def test_shop_is_not_taken_back_for_a_bonus():
    """K33, K35: the order can be fulfilled all the same."""
    shops = ("3,4", "3,5", "1,2", "1,3", "1,5", "2,1", "2,2", "2,3")
    game = position("4,1", (1, 0, 0, 1, 0), shops=shops)
    refuses("K35", game, "fill:3=6,6")
    assert own(act(game, "fill:3=no")).orders == (3,)
    wishes = [it.wish for it in legal_actions(game) if isinstance(it, Fulfil)]
    assert wishes == [DECLINE]
