"""The rules of the product and of protocol/verifier side by side, without cryptography.

Both take the same moves, legal or not, on the same cards. After every move and step the state
array, the next step, the debts, the cards and every refusal must agree. Without proofs many
rounds can be played, with fouls, hidden Mah Jongs and bombed Dragons.
"""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from matcha_p2p.games.tichu.rules import moves as legal
from matcha_p2p.games.tichu.rules.cards import DRAGON, MAH_JONG
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from tests.games.tichu.party import game
from tests.judges import VERIFIER

VARIANTS = ("round", "round plays", "300", "300 early", "round plays early")


@dataclass(eq=False)
class Card:
    """A card that both rule programs hold. face: None while the card is closed."""

    true: int
    face: int | None = None

    def lacks(self, seat: int, reader: int | None) -> bool:
        """Tell the verifier whether the share of ``seat`` is due."""
        return self.face is None and seat != reader


class Piles:
    """The piles of the verifier's game."""

    def __init__(self) -> None:
        self.piles: dict[str, list[Card]] = {}

    def public(self, *faces: int) -> list[Card]:
        return [Card(face, face) for face in faces]


def lists(value: Any) -> Any:
    """Return ``value`` with lists for all sequences."""
    return [*map(lists, value)] if isinstance(value, list | tuple) else value


class Apart:
    """Two games of Tichu on the same cards. met: how often rare things came up."""

    def __init__(self, variant: str, seed: str, sins: float) -> None:
        self.chance, self.sins = random.Random(seed), sins
        self.ours, self.piles = game(variant), dict[str, Any]()
        self.theirs, self.cards = VERIFIER["tichu"].Tichu(variant), Piles()
        self.step = self.theirs.begin(self.cards)
        self.given: list[int] = []
        self.met = Counter[str]()

    def play(self) -> Counter[str]:
        """Play to the end; return ``met``."""
        while not isinstance(asked := self.ours.next(self.piles), steps.Over):
            self.compare(asked)
            match asked:
                case steps.Coin():
                    value = self.chance.randbytes(32)
                    self.done(steps.Tossed(value), value)
                case steps.Shuffle(pile, _, label):
                    self.shuffle(pile, label)
                    self.done(steps.Mixed(), [])
                case steps.Share():
                    self.share(asked)
                case steps.Decide(seat):
                    self.decide(seat)
                case _:
                    raise AssertionError(asked)
        assert lists(self.ours.result()) == self.theirs.result()
        self.met["foul"] += bool(self.theirs.foul)
        self.met["hidden"] += self.theirs.shown == []
        return self.met

    def compare(self, asked: Any) -> None:
        if not isinstance(asked, steps.Coin):  # before the first coin the array is in no hash
            assert lists(self.ours.snapshot()) == lists(self.theirs.state())
        owing = [(asked.seat, "MOVE")] if isinstance(asked, steps.Decide) else None
        match asked:
            case steps.Coin(order):
                owing = [(seat, "COIN") for seat in order]
            case steps.Shuffle(_, order, _):
                owing = [(seat, "SHUF") for seat in order]
            case steps.Share(reads, order):
                cards = [(self.piles[read.pile][read.place], read.reader) for read in reads]
                assert cards == self.step.reads
                owing = [
                    (seat, "SHARE")
                    for seat in order
                    if any(card.lacks(seat, reader) for card, reader in cards)
                ]
            case _:
                pass
        assert self.step.owing == owing
        assert getattr(asked, "label", "") == self.step.label

    def shuffle(self, pile: str, label: str) -> None:
        old = [card.true for card in self.piles[pile]]
        last = [old[place] for place in self.given] if label == "give" else []
        new = [face for face in old if face not in last]
        self.chance.shuffle(new)
        self.piles[pile] = tuple(Card(face) for face in (*new, *last))
        self.step.pile[:] = self.piles[pile]

    def share(self, asked: steps.Share) -> None:
        faces = [self._open(read) for read in asked.reads if read.reader is None]
        self.done(steps.Shared(tuple(faces)), faces)

    def decide(self, seat: Seat) -> None:
        """Let the seat answer; a refused answer, or what it leads to, is taken back."""
        move = self.answer(seat)
        ours, piles = self.ours, dict(self.piles)
        theirs, step = dict(vars(self.theirs)), self.step
        kept = {name: list(value) for name, value in theirs.items() if isinstance(value, list)}
        closed = [card for pile in piles.values() for card in pile if card.face is None]
        try:
            after = ours.judge(seat, move, self.piles)
        except RefusedError:
            after = None
        refused = after is None
        if after is not None:
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
        faces = [self._open(read) for read in asked.reads]
        self.ours, _ = self.ours.done(steps.Shared(tuple(faces)), self.piles)

    def _open(self, read: steps.Read) -> int:
        card = self.piles[read.pile][read.place]
        card.face = card.true
        return card.true

    def _their_move(self, seat: Seat, move: steps.Wire) -> bool:
        """Tell whether the verifier refuses the move, or the cards that it opens."""
        try:
            self.step = self.step.then({seat: list(move)})
            if self.step.label in ("lay", "show"):
                self.step = self.step.then([card.true for card, _ in self.step.reads])
        except VERIFIER["codec"].CheckError as refusal:
            return refusal.check == "E_RULE"
        return False

    def done(self, outcome: steps.Outcome, theirs: Any) -> None:
        self.ours, new = self.ours.done(outcome, self.piles)
        self.step = self.step.then(theirs)
        self._lay(new)

    def _lay(self, new: Mapping[str, Any]) -> None:
        """See that both programs have laid the same piles."""
        laid = self.cards.piles
        ours = {name: [getattr(card, "true", card) for card in new[name]] for name in new}
        assert ours == {name: [card.true for card in laid[name]] for name in laid}
        self.piles = {name: tuple(cards) for name, cards in laid.items()}

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
