"""The rules of Tichu in the product and in protocol/verifier, side by side.

Chance brings fouls, hidden Mah Jongs and bombed Dragons.
"""

from collections import Counter
from typing import Any

import pytest

from matcha_p2p.games.tichu.rules import moves as legal
from matcha_p2p.games.tichu.rules.cards import DRAGON, MAH_JONG
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from tests.games.sides import Sides
from tests.games.tichu.party import game
from tests.judges import VERIFIER

VARIANTS = ("round", "round plays", "300", "300 early", "round plays early")


class Apart(Sides):
    """Two games of Tichu on the same cards. given: the places of a gift."""

    def __init__(self, variant: str, seed: str, sins: float) -> None:
        super().__init__(game(variant), VERIFIER["tichu"].Tichu(variant), seed)
        self.sins = sins
        self.given: list[int] = []

    def play(self) -> Counter[str]:
        met = super().play()
        met["foul"] += bool(self.theirs.foul)
        met["hidden"] += self.theirs.shown == []
        return met

    def shuffle(self, pile: str, label: str) -> None:
        old = [card.true for card in self.piles[pile]]
        last = [old[place] for place in self.given] if label == "give" else []
        new = [face for face in old if face not in last]
        self.chance.shuffle(new)
        self.lay_over(pile, [*new, *last])

    def decide(self, seat: Seat) -> None:
        """Let the seat answer; a refused answer, or what it leads to, is taken back."""
        move = self.answer(seat)
        ours, piles = self.ours, dict(self.piles)
        theirs, step = dict(vars(self.theirs)), self.step
        kept = {name: list(value) for name, value in theirs.items() if isinstance(value, list)}
        closed = [card for pile in piles.values() for card in pile if card.face is None]
        after = self.judged(seat, move)
        refused = after == "E_RULE"
        if not refused:
            self.ours = after
            try:
                asked = self.ours.next(self.piles)
                if isinstance(asked, steps.Share) and asked.label in ("lay", "show"):
                    self._open_ours(asked)
            except RefusedError:
                refused = True
        assert self._their_move(seat, move) == refused, move
        self.met["refused" if refused else "moves"] += 1
        if refused:
            self.ours, self.piles = ours, piles
            vars(self.theirs).update(theirs | kept)
            self.step = step
            for card in closed:
                card.face = None

    def _open_ours(self, asked: steps.Share) -> None:
        faces = [self.open(read) for read in asked.reads]
        self.ours, _ = self.ours.done(steps.Shared(tuple(faces)), self.piles)

    def _their_move(self, seat: Seat, move: steps.Wire) -> bool:
        """Tell whether the verifier refuses the move, or the cards that it opens."""
        try:
            self.step = self.step.then({seat: list(move)})
            if self.step.label in ("lay", "show"):
                self.step = self.step.then([card.true for card, _ in self.step.reads])
        except VERIFIER["codec"].CheckError as refusal:
            return refusal.check == "E_RULE"
        return False

    def answer(self, seat: Seat) -> steps.Wire:
        """Return an answer of the seat: mostly legal, at times anything at all."""
        chance, state = self.chance, self.ours.round
        if chance.random() < 0.08:
            return self.anything()
        hand = self.piles.get(f"hand {seat}", ())
        held = {hand[place].true: place for place in state.held[seat]}
        call = int(len(held) == 14 and not state.calls[seat] and chance.random() < 0.05)
        match state.asked[0][1]:
            case Ask.GRAND:
                return "grand", int(chance.random() < 0.2)
            case Ask.PUSH:
                self.given = chance.sample(range(14), 3)
                return "give", call
            case Ask.CALL if MAH_JONG in held and chance.random() > self.sins / 8:
                return "open", call, held[MAH_JONG]
            case Ask.GIFT:
                return "gift", (seat + chance.choice((1, 3))) % 4
            case Ask.TURN:
                return self.turn(held, call)
            case ask:
                plays = legal.legal_plays(state, held) if ask is Ask.HOLD else []
                seldom = 0.05 if DRAGON in state.pile else 0.8
                if not plays or chance.random() < seldom:
                    return "hold", call
                return self.lay(plays, held, call)

    def turn(self, held: dict[int, int], call: int) -> steps.Wire:
        chance, state = self.chance, self.ours.round
        sins = chance.random() < self.sins
        plays = [*(legal.plays(held, state.under) if sins else legal.legal_plays(state, held))]
        passes = state.under is not None and (sins or legal.may_pass(state, held))
        if not plays or (passes and chance.random() < 0.25):
            return "pass", call
        return self.lay(plays, held, call)

    def lay(self, plays: Any, held: dict[int, int], call: int) -> steps.Wire:
        chance = self.chance
        most = max(len(play.faces) for play in plays)
        large = [play for play in plays if len(play.faces) == most]
        play = chance.choice(large if chance.random() < 0.5 else [*plays])
        wish = chance.randint(2, 14) if MAH_JONG in play.faces and chance.random() < 0.9 else 0
        return "lay", call, play.wild, wish, sum(1 << held[face] for face in play.faces)

    def anything(self) -> steps.Wire:
        """Return a move of any form."""
        chance = self.chance
        few = chance.sample(range(14), chance.choice((1, 1, 2, 3, 4, 5)))
        wild, wish = (chance.choice((0, 0, chance.randint(0, 14))) for _ in range(2))
        bit = chance.randint(0, 1)
        return chance.choice(
            (
                ("grand", bit),
                ("open", bit, chance.randint(0, 13)),
                ("hold", bit),
                ("pass", bit),
                ("gift", chance.randint(0, 3)),
                ("lay", bit, wild, wish, sum(1 << place for place in few)),
            )
        )


def play_games(count: int) -> Counter[str]:
    """Play so many games; return how often rare things came up."""
    met = Counter[str]()
    for seed in range(count):
        variant, sins = VARIANTS[seed % len(VARIANTS)], (0, 0.02, 0.3, 1)[seed % 4]
        met += Apart(variant, f"apart {seed}", sins).play()
    return met


def test_rules_agree_on_every_move_and_step():
    met = play_games(1)
    assert met["moves"] > 50
    assert met["refused"]


@pytest.mark.slow
def test_rules_agree_in_rounds_with_fouls():
    met = play_games(20)
    assert min(met[rare] for rare in ("foul", "hidden")) > 0


THEIRS = VERIFIER["tichu"].Tichu
TAKE, COLLECT, WINDOW = THEIRS.take, THEIRS.collect, THEIRS.window


def give_any_trick_with_the_dragon(self):
    if DRAGON in self.pile and not self.double():
        self.asked = [(self.last, "gift")]
    else:
        TAKE(self)


def forget_who_laid_last(self, q):
    COLLECT(self, q)
    self.last = 0


def open_a_window_after_the_dog(self, q):
    dog = self.top[:1] == ("dog",)
    COLLECT(self, q)
    if dog and self.asked:
        self.asked = [*self.window(q, self.asked[0][0]), *self.asked]


def ask_no_author(self, s, t):
    return [(q, question) for q, question in WINDOW(self, s, t) if q != s]


@pytest.mark.parametrize(
    ("box", "misread"),
    [
        pytest.param("take", give_any_trick_with_the_dragon, marks=pytest.mark.slow),
        ("collect", forget_who_laid_last),
        ("collect", open_a_window_after_the_dog),
        ("window", ask_no_author),
    ],
)
def test_misread_box_is_found(monkeypatch, box, misread):
    monkeypatch.setattr(THEIRS, box, misread)
    with pytest.raises(AssertionError):
        play_games(40)
