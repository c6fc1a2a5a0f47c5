"""The rules of Kashi-ichi in the product and in protocol/verifier, side by side.

Both take the same moves, allowed or not. After every move and coin the state array, the next
step and every refusal must agree.
"""

import random
from collections import Counter
from typing import Any

import pytest

from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.table.signed import signed
from matcha_p2p.games.kashi.table.steps import new_game
from matcha_p2p.table import steps
from protocol.generator import kashi_games
from protocol.generator.plays import spoilt
from tests.games.sides import lists
from tests.judges import VERIFIER

STYLES = (kashi_games.deliver, kashi_games.build, kashi_games.spend, kashi_games.hoard)
THEIRS = VERIFIER["kashi"].Kashi
TURN = VERIFIER["kashi_turn"].Turn


def play(seed: int, tries: int = 3, most: int = 2000) -> Counter[str]:
    """Play a game of at most ``most`` steps; return how many moves were made and refused."""
    chance, met = random.Random(f"apart {seed}"), Counter[str]()
    seats, variant = 3 + seed % 2, ("ichi", kashi_games.SMALL)[seed // 2 % 2]
    ours, theirs = new_game(variant, seats), THEIRS(variant, seats)
    assert ours is not None
    step = theirs.begin(None)
    choose = [kashi_games.chooser(chance.choice(STYLES)) for _ in range(seats)]
    for count in range(most):
        if count:  # before the first coin the array is in no hash
            assert lists(ours.snapshot()) == lists(theirs.state())
        match ours.next({}):
            case steps.Coin(order):
                assert step.owing == [(seat, "COIN") for seat in order]
                value = chance.randbytes(32)
                ours, _ = ours.done(steps.Tossed(value), {})
                step = step.then(value)
            case steps.Decide(seat):
                assert step.owing == [(seat, "MOVE")]
                move = signed(ours.state.board, choose[seat](ours.state, chance.randrange))
                for _ in range(tries if move[0] == "turn" else 0):
                    other = spoilt([*map(int, move[1:])], [*ours.state.row], chance)
                    met["refused"] += refused_by_both(ours, theirs, seat, ["turn", *other])
                met["moves"] += 1
                assert not refused_by_both(ours, theirs, seat, [*move])
                ours = ours.judge(seat, move, {})
                step = step.then({seat: [*move]})
            case _:
                assert lists(ours.result()) == theirs.result()
                met["ended"] += 1
                break
    return met


def refused_by_both(ours: Any, theirs: Any, seat: int, move: list[Any]) -> bool:
    """Return whether both refuse the move."""
    try:
        theirs.judge(seat, move)
    except VERIFIER["codec"].CheckError as refusal:
        assert refusal.check == "E_RULE"  # noqa: PT017
        with pytest.raises(RefusedError):
            ours.judge(seat, tuple(move), {})
        return True
    ours.judge(seat, tuple(move), {})
    return False


def test_rules_agree_on_every_turn():
    met = play(0, tries=2, most=40)
    assert met["moves"] > 20
    assert met["refused"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_rules_agree_to_the_end(seed):
    assert play(seed)["ended"]


def price_a_lone_shop_at_two(self, q):
    return max(2, PRICE(self, q))


def take_gold_for_a_use_of_an_own_chain(self, q, w):
    GO(self, q, w)
    self.p.gold += w == self.seat + 1


PRICE, GO = TURN.price, TURN.go


@pytest.mark.parametrize(
    ("box", "misread"),
    [("price", price_a_lone_shop_at_two), ("go", take_gold_for_a_use_of_an_own_chain)],
)
def test_misread_box_is_found(monkeypatch, box, misread):
    monkeypatch.setattr(TURN, box, misread)
    with pytest.raises((AssertionError, RefusedError)):
        play(1)
