"""Random games of the table: no request lets a seat read a forbidden card.

A game lays, parts and joins piles, and lets seats shuffle, give and read, rightly and wrongly.
Accepted steps are told to tests/table/secrecy.py, which knows no guard and describes the model.
Masks and shares are symbols, and proofs are taken for granted; all else is the code that plays.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.ristretto255 import GENERATOR, Point
from matcha_p2p.seats import Seat
from matcha_p2p.table import piles, verbs
from matcha_p2p.table.messages import MoveAction, Shares, Shuf
from matcha_p2p.table.piles import Card, DeckParameters, GuardError, Piles, point_of
from matcha_p2p.table.proofs import own_proof
from matcha_p2p.table.steps import Coin, Decide, Order, Read, Share, Shuffle, Step
from matcha_p2p.table.table import Table
from matcha_p2p.wire.names import EntryId, GameId
from tests.table.party import Lay, Plan, everybody, keep
from tests.table.secrecy import NOBODY, BrokenPromiseError, Secrecy, Version

Layout = dict[str, list[Any]]
"""Piles of the cards at given places, (pile, place), and of faces."""


# --- symbols instead of cryptography ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Masked:
    """A half of a masked card: a share takes off the mask of its seat."""

    version: int
    masks: frozenset[Seat]
    face: Point

    def encode(self) -> bytes:
        return self.version.to_bytes(8)

    def __sub__(self, share: tuple[int, Seat]) -> "Masked | Point":
        version, seat = share
        assert version == self.version
        assert seat in self.masks
        left = self.masks - {seat}
        return Masked(version, left, self.face) if left else self.face


@dataclass(frozen=True, slots=True)
class Keys:
    """The part of a greeting that the table needs here."""

    game_key: None = None


# --- a table ---------------------------------------------------------------------------------


class Sitting:
    """A table with random requests, and the knowledge of each secret.

    did: counts of accepted and refused steps. ledger: whether lost cards are looked for.
    """

    def __init__(self, seats: int, faces: dict[int, int], chance: random.Random) -> None:
        self.seats, self.faces, self.chance = seats, faces, chance
        self.all = everybody(seats)
        self.did, self.ledger = Counter[str](), True
        self.secrecy = Secrecy(seats)
        deck = DeckParameters("plan", tuple(faces.items()), GameId(b"gid"), GENERATOR, seats)
        self.table = Table(
            deck=deck,
            hellos=(Keys(),) * seats,  # type: ignore[arg-type]  # no keys but symbols
            links=(),
            coins=0,
            head=EntryId(b"head"),
            length=0,
            game=Plan(seats, faces, ()),
            piles={},
            out=dict(faces),
            step=Coin(self.all),
            owing=(),
            roster=None,  # no step asks who sits where
        )

    def _asked(self, step: Step, lay: Lay = keep, chosen: Decide | None = None) -> bool:
        """Let the game ask for ``step``; tell whether the table accepts.

        chosen: the decision just before.
        """
        before, first = self.table, [] if chosen is None else [(chosen, keep)]
        game = Plan(self.seats, self.faces, (*first, (step, lay), (Coin(self.all), keep)))
        try:
            self.table = verbs.ask(self.table._replace(game=game))
            if chosen is not None:
                self._take(MoveAction(("say", 0)))
        except GuardError:
            self.table = before
            self.did[f"refused {type(step).__name__}"] += 1
            return False
        self.did[type(step).__name__] += 1
        return True

    def _take(self, action: Any) -> None:
        self.table = verbs.take(self.table, self.table.owing[0].seat, action, 0, own_proof)

    def _check(self) -> bool:
        self.secrecy.check()
        if self.ledger:
            self.secrecy.check_ledger(self.table.out, self.faces)
        return True

    def lay(self, layout: Layout) -> bool:
        """Lay cards from their places, and faces as public cards."""

        def laid(there: Mapping[str, Any]) -> dict[str, list[Any]]:
            return {
                name: [
                    item if isinstance(item, int) else there[item[0]][item[1]] for item in pile
                ]
                for name, pile in layout.items()
            }

        if not self._asked(Share((), self.all, "lay"), laid):
            return False
        self.secrecy.lay(laid(self.secrecy.piles))
        return self._check()

    def shuffle(
        self, pile: str, order: Order, give: Order = (), chosen: Decide | None = None
    ) -> bool:
        if not self._asked(Shuffle(pile, order, "mix", give), chosen=chosen):
            return False
        assert not give or chosen == Decide(order[0]), "a gift that its owner has not chosen"
        while isinstance(self.table.step, Shuffle):
            seat = self.table.owing[0].seat
            psi = list(range(len(self.table.piles[pile])))
            self.chance.shuffle(psi)
            versions = self.secrecy.shuffle(pile, seat, psi, give)
            self._take(Shuf(tuple(map(self._masked, versions)), None))
            self.did["gift"] += len(give)
        return self._check()

    def give(self, pile: str, seat: Seat, receivers: Order) -> bool:
        """Let ``seat`` give the last cards of a pile in a shuffle."""
        return self.shuffle(pile, (seat,), receivers, Decide(seat))

    def _masked(self, version: Version) -> Any:
        half: Any = Masked(version.number, frozenset(self.all), point_of("plan", version.face))
        return Ciphertext(half, half)

    def read(self, *wanted: tuple[str, int, Any]) -> bool:
        """Let cards be read: each by pile, place and reader."""
        if not self._asked(Share(tuple(Read(*each) for each in wanted), self.all, "read")):
            return False
        for each in wanted:
            self.secrecy.asked(*each)
        while isinstance(step := self.table.step, Share):
            seat = self.table.owing[0].seat
            owed = verbs.owed_reads(self.table, step, seat)
            versions = [self.secrecy.piles[each.pile][each.place].version for each in owed]
            for version in versions:
                self.secrecy.shared(version, seat)
            shares: Any = tuple((version.number, seat) for version in versions)
            self._take(Shares(shares, None))
            self.did["share"] += len(owed)
        return self._check()

    def places(self) -> Layout:
        """Return where all cards lie, by pile."""
        return {
            name: [(name, place) for place in range(len(pile))]
            for name, pile in self.table.piles.items()
        }


# --- what is asked for -----------------------------------------------------------------------


def deal(table: Sitting) -> bool:
    """Lay all faces anew, and mostly let all seats or a single seat mix the faces."""
    faces = [face for face, times in table.faces.items() for _ in range(times)]
    order = table.chance.choice([table.all, table.all, table.all[:1], ()])
    return table.lay({"deck": list(faces)}) and table.shuffle("deck", order)


def rearrange(table: Sitting) -> bool:
    """Lay the piles in another way; now and then a card twice, or not at all."""
    chance, layout = table.chance, table.places()
    name = chance.choice([*layout])
    pile = layout.pop(name)
    cut = chance.randint(0, len(pile))
    new = f"pile {table.secrecy.versions} {len(layout)}"
    match chance.randrange(8):
        case 0 | 1:
            layout |= {name: pile[:cut], new: pile[cut:]}
        case 2 if layout:
            layout[chance.choice([*layout])] += pile
        case 3:
            layout[new] = chance.sample(pile, len(pile))
        case 4:
            kept = [at for at in pile if table.table.piles[name][at[1]].face is None]
            layout |= {name: kept}
        case 5:
            out = [face for face, times in table.table.out.items() for _ in range(times)]
            layout |= {name: pile, new: out or [chance.choice([*table.faces])]}
        case 6 if cut < len(pile):
            layout |= {name: pile, new: [pile[cut]]}
        case _:
            layout[name] = pile[:-1]
    return table.lay(layout)


def mix(table: Sitting) -> bool:
    """Let all seats, all but one, the owner or another shuffle a pile; a seat may give."""
    chance, all_seats = table.chance, list(table.all)
    name = chance.choice([*table.table.piles])
    owners = {slot.owner for slot in table.secrecy.piles[name]} - {None, NOBODY}
    order = chance.sample(all_seats, chance.choice([0, 1, len(all_seats) - 1, len(all_seats)]))
    if owners and chance.random() < 0.5:
        order = [Seat(chance.choice([*owners]))]
    give = chance.choices(all_seats, k=chance.choice([0, 0, 1, 2])) if len(order) == 1 else []
    chosen = None if chance.randrange(8) == 0 else Decide((order or all_seats)[0])
    if chance.randrange(8) == 0:
        chosen = Decide(chance.choice(all_seats), auto=chance.random() < 0.5)
    return table.shuffle(name, tuple(order), tuple(give), chosen)


def read(table: Sitting) -> bool:
    """Let cards of a pile be read, mostly by the owner, or by a random seat."""
    chance = table.chance
    name = chance.choice([*table.table.piles])
    slots = table.secrecy.piles[name]
    places = chance.sample(range(len(slots)), chance.randint(0, min(3, len(slots))))
    anybody = chance.choice([*table.all, *table.all, None, Seat(table.seats)])
    how = chance.randrange(6)

    def reader(place: int) -> int | None:
        owner, bound = slots[place].owner, table.table.piles[name][place].bound
        if how == 0 or (how == 1 and bound is None):
            return anybody
        if how == 1:  # as the table may allow it
            return bound
        return anybody if owner in (None, NOBODY) or how == 2 else owner

    return table.read(*((name, place, reader(place)) for place in places))


def played(number: int) -> Sitting:
    """Return a table at which a random game has asked for all kinds of things."""
    chance = random.Random(number)
    faces = {face: chance.randint(1, 2) for face in range(chance.randint(3, 5))}
    table = Sitting(chance.randint(2, 4), faces, chance)
    deal(table)
    for _ in range(24):
        what = chance.choices([rearrange, mix, read, deal], [8, 8, 9, 1])[0]
        what(table)
    for name, pile in table.table.piles.items():
        for card, slot in zip(pile, table.secrecy.piles[name], strict=True):
            assert card.face in (None, slot.version.face)
    return table


def all_did(numbers: range) -> Counter[str]:
    return sum((played(number).did for number in numbers), Counter[str]())


ENOUGH = {
    "Share": 8,
    "Shuffle": 4,
    "share": 5,
    "gift": 0.5,
    "refused Share": 3,
    "refused Shuffle": 1,
}
"""The least average number of each kind of step at a random table."""


def check_did(numbers: range) -> None:
    did = all_did(numbers)
    assert all(did[what] > least * len(numbers) for what, least in ENOUGH.items()), did


def test_no_seat_reads_a_forbidden_card():
    check_did(range(300))


def test_hands_gifts_showdown_and_a_new_deal_are_accepted():
    table = three()
    dealt(table)
    assert table.read(("a", 0, ZERO), ("a", 1, ZERO), ("b", 0, ONE), ("b", 1, ONE))
    assert table.give("a", ZERO, (ONE,))
    (kept, gift), hand = table.places()["a"], table.places()["b"]
    assert table.lay({"a": [kept], "b": [gift, *hand[:2]], "c": hand[2:]})
    assert table.shuffle("b", (ONE,))
    assert table.read(*(("b", place, ONE) for place in range(3)))
    assert table.read(("b", 0, None), ("b", 1, None), ("c", 0, None))
    assert [card.face is None for card in table.table.piles["b"]] == [False, False, True]
    (*_, unseen), rest, (shown, *more) = (table.places()[name] for name in ("b", "a", "c"))
    assert table.lay({"deck": [*rest, unseen, *more], "open": [shown]})
    assert table.shuffle("deck", table.all)
    assert table.read(("deck", 0, TWO))


@pytest.mark.slow
def test_no_seat_reads_a_forbidden_card_at_10_000_tables():
    check_did(range(300, 10_300))


# --- planted bugs ----------------------------------------------------------------------------


ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)
DECK = [*range(6)]


def dealt(table: Sitting, order: Order | None = None) -> None:
    """Let all or several seats mix six cards, and part the cards into two piles."""
    assert table.lay({"deck": DECK})
    assert table.shuffle("deck", table.all if order is None else order)
    places = table.places()["deck"]
    assert table.lay({"a": places[:2], "b": places[2:]})


def rename(table: Sitting) -> bool:
    """Let seat 2 read a card of seat 1, in a pile with another name."""
    dealt(table)
    assert table.read(("a", 0, ONE))
    places = table.places()
    assert table.lay({"x": places["a"], "b": places["b"]})
    return table.read(("x", 0, TWO))


def twin(table: Sitting) -> bool:
    """Lay a card in two piles: closed in one, and read by seat 1 in the other."""
    table.ledger = False
    dealt(table)
    places = table.places()
    return table.lay({**places, "x": places["a"]}) and table.read(("x", 0, ONE))


def solo(table: Sitting) -> bool:
    """Let seat 0 mix the deck alone, and deal a card to seat 2."""
    dealt(table, (ZERO,))
    return table.read(("a", 0, TWO))


def own(table: Sitting) -> bool:
    """Let seat 0 mix its own hand alone, and deal a card of the hand to seat 2."""
    dealt(table)
    assert table.read(("a", 0, ZERO), ("a", 1, ZERO))
    assert table.shuffle("a", (ZERO,))
    return table.read(("a", 0, TWO))


def parted(table: Sitting) -> bool:
    """Let seat 0 mix the deck alone, and the others a part, which is dealt to seat 1."""
    dealt(table, (ZERO,))
    assert table.shuffle("a", (ONE, TWO))
    return table.read(("a", 0, ONE))


def gifts(table: Sitting) -> bool:
    """Let seat 0 mix the deck alone, and give all cards away."""
    assert table.lay({"deck": DECK})
    return table.give("deck", ZERO, (ONE,) * 6) and table.read(("deck", 0, ONE))


def stranger(table: Sitting) -> bool:
    """Let a card be read for an absent seat."""
    dealt(table)
    return table.read(("a", 0, Seat(3)))


def lost(table: Sitting) -> bool:
    """Take a closed card away while others stay."""
    dealt(table)
    return table.lay({"a": table.places()["a"]})


def hidden(table: Sitting) -> bool:
    """Lay a face equal to the face of a closed card."""
    dealt(table)
    return table.lay({**table.places(), "x": [0]})


def lax_lay(before: Piles, after: Any, out: Mapping[int, int], deck: DeckParameters) -> Any:
    """Lay piles as without K1."""
    laid = {
        name: tuple(deck.public(item) if isinstance(item, int) else item for item in pile)
        for name, pile in after.items()
    }
    return laid, +(Counter(out) + piles.shown(before) - piles.shown(laid))


def lax_read(key: str) -> Any:
    """Return the check of readers without the demand of the guard ``key``."""
    check = piles._check_read

    def lax(card: Card, reader: Seat | None) -> None:
        try:
            check(card, reader)
        except GuardError as error:
            if not str(error).startswith(key):
                raise

    return lax


def draft(
    deck: DeckParameters, pile: tuple[Card, ...], after: Any, step: Shuffle, seat: Seat
) -> Any:
    """Shuffle as the first draft did: who has shuffled a card counts for later steps too."""
    need = frozenset[Seat]().union(*(card.need for card in pile)) - {seat}
    return tuple(
        Card(c.masked, c.back, c.shares, c.face, need, c.bound, c.reader)
        for c in SHUFFLED(deck, pile, after, step, seat)
    )


SHUFFLED = DeckParameters.shuffled
OFF: dict[str, tuple[Any, str, Any]] = {
    "K1": (piles, "lay", lax_lay),
    "K2": (piles, "_check_read", lax_read("K2")),
    "K3": (piles, "_check_read", lax_read("K3")),
    "readers are seats": (piles, "_check_read", lax_read("a card is to be read by")),
    "one step": (DeckParameters, "shuffled", draft),
    "own gifts": (piles, "is_own", lambda *_: True),
}
"""Guards, and the replacement of each switched-off guard."""

BUGS: dict[Callable[[Sitting], bool], str] = {
    rename: "K2",
    twin: "K1",
    lost: "K1",
    hidden: "K1",
    solo: "K3",
    own: "K3",
    stranger: "readers are seats",
    parted: "one step",
    gifts: "own gifts",
}


@pytest.fixture
def without(monkeypatch):
    """Switch a guard off."""
    return lambda guard: monkeypatch.setattr(*OFF[guard])


def three() -> Sitting:
    return Sitting(3, dict.fromkeys(DECK, 1), random.Random(0))


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_refused(bug):
    assert bug(three()) is False


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_seen_where_its_guard_is_off(bug, without):
    without(BUGS[bug])
    with pytest.raises(BrokenPromiseError):
        bug(three())


@pytest.mark.parametrize("guard", OFF)
def test_random_tables_show_that_a_guard_is_off(guard, without):
    without(guard)
    with pytest.raises(BrokenPromiseError):
        all_did(range(300))
