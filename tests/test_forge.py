"""Forged games of each game: all verifiers find the same, and misread rules are found."""

import ast
from itertools import islice
from pathlib import Path

import pytest

from tests import forge
from tests.forge import Forger, differences
from tests.judges import VERIFIER, compared

MATCHA, TICHU = VERIFIER["matcha"].Matcha, VERIFIER["tichu"].Tichu
TURN = VERIFIER["kashi_turn"].Turn


def test_forger_knows_the_rules_from_the_verifier_alone():
    for name in ("forge.py", "forged_moves.py"):
        tree = ast.parse(Path(forge.__file__).with_name(name).read_text(encoding="utf-8"))
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not [each for each in modules if each and each.startswith("matcha_p2p.games")]


@pytest.mark.parametrize("name", ["matcha", "kashi"])
def test_verifiers_find_the_same_in_forged_games(name):
    assert [*differences(name, range(1))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["matcha", "tichu", "kashi"])
def test_verifiers_find_the_same_in_many_forged_games(name):
    assert [*differences(name, range(1, 3 if name == "tichu" else 10))] == []


@pytest.mark.parametrize("name", ["matcha", "kashi"])
def test_two_forged_files_convict_the_seat_that_signed_twice(name):
    forger = Forger(name, 0)
    fork = compared(*forger.forks(5))
    assert [check for _, check, _, _ in fork] == ["E_FORK"]


TAKE, COLLECT, PRICE, OUT = TICHU.take, TICHU.collect, TURN.price, MATCHA.out


def give_any_trick_with_the_dragon(self):
    if 55 in self.pile and not self.double():
        self.asked = [(self.last, "gift")]
    else:
        TAKE(self)


def forget_who_laid_last(self, q):
    COLLECT(self, q)
    self.last = 0


def price_a_lone_shop_at_two(self, q):
    return max(2, PRICE(self, q))


def let_a_card_end_the_turns(self, s):
    return OUT(self, s) or len(self.turns) > 2


@pytest.mark.parametrize(
    ("game", "holder", "box", "misread"),
    [
        ("matcha", MATCHA, "out", let_a_card_end_the_turns),
        ("kashi", TURN, "price", price_a_lone_shop_at_two),
        ("tichu", TICHU, "collect", forget_who_laid_last),
        ("tichu", TICHU, "take", give_any_trick_with_the_dragon),
    ],
)
def test_misread_rule_is_found_in_a_forged_game(monkeypatch, game, holder, box, misread):
    monkeypatch.setattr(holder, box, misread)
    assert [*islice(differences(game, range(1), trusts=True), 1)]
