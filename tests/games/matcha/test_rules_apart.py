"""The rules of Matcha in the product and in protocol/verifier, side by side.

Chance brings full ties, kept cards of all numbers, and moves that a rule forbids.
"""

from collections import Counter
from typing import Any

import pytest

from matcha_p2p.games.matcha.rules import game as rules
from matcha_p2p.games.matcha.rules.moves import PASS
from matcha_p2p.games.matcha.table.steps import new_game
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from tests.games.sides import Sides
from tests.judges import VERIFIER

VARIANTS = ("2015", "2020", "2015 rematch 1", "2015 rematch 0", "2020 rematch 1")
THEIRS = VERIFIER["matcha"].Matcha


class Apart(Sides):
    """Two games of Matcha on the same cards. idle: the chance of a pass.

    alone: whether seats like mats without a card; otherwise they like cards that match. coins:
    how many count as tossed before. tokens: how many of each suit both seats have before.
    """

    def __init__(self, variant: str, seed: str, coins: int = 0, tokens: int = 0) -> None:
        super().__init__(new_game(variant, 2), THEIRS(variant), seed)
        self.idle = self.chance.choice((0.1, 0.4, 0.8))
        self.alone = self.chance.choice((False, True))
        counts = tokens, tokens, tokens, tokens, 0
        state = self.ours.state._replace(tokens=(counts, counts))
        self.ours = self.ours._replace(coins=coins, state=state)
        self.theirs.coins, self.theirs.tokens = coins, [[*counts], [*counts]]

    def play(self) -> Counter[str]:
        met = super().play()
        met[self.theirs.phase[2]] += 1
        return met

    def decide(self, seat: Seat) -> None:
        self.try_anything(seat)
        plays = [move for move in rules.legal_moves(self.ours.state) if move != PASS]
        liked = [play for play in plays if self.likes(seat, play)] or plays
        move = PASS if self.chance.random() < self.idle else self.chance.choice(liked)
        said = self.ours.write(seat, move, self.piles)
        self.met["moves"] += 1
        self.theirs.judge(seat, [*said])
        self.done(steps.Moved(self.ours.judge(seat, said, self.piles)), {seat: [*said]})

    def likes(self, seat: Seat, play: Any) -> bool:
        """Tell whether a card goes to a mat alone, or fits the mat."""
        if self.alone:
            return not self.theirs.has_laid(play.mat)
        return self.theirs.matches(play.mat, self.piles[f"hand {seat}"][play.slot].true)

    def seal(self, order: steps.Order) -> None:
        said, kept = dict[Any, Any](), dict[Any, Any]()
        for seat in order:
            self.try_anything(seat)
            choices = [*rules.legal_keeps(self.ours.state, seat)]
            choice = self.chance.choice((choices[0], choices[-1], self.chance.choice(choices)))
            said[seat] = [*self.ours.write(seat, choice, self.piles)]
            self.theirs.judge(seat, said[seat])
            kept[seat] = self.ours.judge(seat, tuple(said[seat]), self.piles)
        self.met[f"kept {bool(kept[0])} {bool(kept[1])}"] += 1
        self.done(steps.Unsealed(kept), said)

    def try_anything(self, seat: Seat) -> None:
        """Try moves of any form: most of them are forbidden, and change nothing."""
        for _ in range(3):
            move = self.anything(seat)
            judgement = self.judged(seat, move)
            refused = judgement if isinstance(judgement, str) else None
            if refused:
                self.met[refused] += 1
            assert self.refused_by_them(seat, move, refused) == refused

    def anything(self, seat: Seat) -> steps.Wire:
        chance = self.chance
        hand = [card.back for card in self.piles[f"hand {seat}"]]
        backs = [*hand, *hand, chance.choice((bytes(32), *hand))]
        lay = ("lay", chance.randint(0, 5), chance.choice(backs))
        slots = [chance.choice(backs) for _ in range(chance.randint(0, 3))]
        keep = ("keep", b"".join(sorted(slots, key=backs.index)))
        mixed = ("keep", b"".join(slots))
        return chance.choice((lay, lay, ("pass",), keep, mixed))

    def refused_by_them(self, seat: Seat, move: steps.Wire, refused: str | None) -> str | None:
        """Return the check by which the verifier refuses a move; make no move."""
        try:
            self.theirs.judge(seat, [*move])
            if refused and self.theirs.phase != ["keep"]:
                self.step.then({seat: [*move]})
        except VERIFIER["codec"].CheckError as refusal:
            return refusal.check
        return None


def play_games(count: int) -> Counter[str]:
    """Play so many games; return how often rare things came up."""
    met = Counter[str]()
    for seed in range(count):
        tokens = 3 * (seed % 3 == 0)  # a full tie comes soon
        met += Apart(VARIANTS[seed % len(VARIANTS)], f"apart {seed}", tokens=tokens).play()
    return met


def test_rules_agree_on_every_move_and_step():
    met = play_games(10)
    assert met["moves"] > 50
    assert met["E_RULE"]
    assert met["E_BACK"]


@pytest.mark.slow
def test_rules_agree_in_games_that_end_in_every_way():
    met = play_games(400)
    ends = ("alike", "five-kinds", "tie-break", "further-rounds", "last-set", "draw")
    kept = [f"kept {first} {second}" for first in (True, False) for second in (True, False)]
    assert [rare for rare in (*ends, *kept) if not met[rare]] == []


def test_game_is_drawn_when_no_coin_is_left():
    met = Counter[str]()
    for seed in range(20):
        met += Apart("2015 rematch 0", f"last coins {seed}", steps.COINS - 1).play()
    assert met["draw"]


NEXT_SET = THEIRS.next_set


def forget_the_loop(self, mat, f, g):
    return (g % 4 < f % 4) if mat % 2 else f < g


def let_the_dealer_stay(self):
    NEXT_SET(self)
    self.dealer = 1 - self.dealer


def let_the_whisk_count_as_a_suit(self, counts):
    return "alike" if max(counts) >= self.suits else "five-kinds" if all(counts) else ""


@pytest.mark.parametrize(
    ("box", "misread"),
    [
        ("higher", forget_the_loop),
        ("next_set", let_the_dealer_stay),
        ("_met", let_the_whisk_count_as_a_suit),
    ],
)
def test_misread_box_is_found(monkeypatch, box, misread):
    monkeypatch.setattr(THEIRS, box, misread)
    with pytest.raises(AssertionError):
        play_games(40)
