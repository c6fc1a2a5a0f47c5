"""Matcha in steps of the table (SPEC#matcha)."""

from typing import ClassVar, cast

from cards import Card, Cards
from codec import H, Packable, draw, refuse, require
from matcha_rules import EDITIONS, ZERO, Rules
from messages import Forms, split
from steps import Move, Read, Step, coin, decide, over, sealed, share, shuffle

COINS = 4096
REMATCHES = (" rematch 0", " rematch 1")


class Matcha:
    """A game of Matcha.

    closer: the seat that acted last in play. order: of the seats, for shuffling and opening the
    deck. handing: the remaining steps with the hands before a set is played.
    """

    name: ClassVar = "matcha"
    teams: ClassVar = False
    seats: ClassVar = 2
    faces: ClassVar = range(ZERO + 1)
    forms: ClassVar[Forms] = {
        "lay": [(int, 0, 5), (bytes, 1, 1)],
        "pass": [],
        "keep": [(bytes, 0, 5)],
    }
    cards: Cards

    def __init__(self, variant: str) -> None:
        name, drawn = split_variant(variant)
        edition = EDITIONS[name]
        self.variant = variant
        self.drawn = drawn == 1
        self.values = [*edition[1:], drawn]
        self.rules = Rules(edition)
        self.rules.dealer = drawn // 2
        self.coins, self.closer = 0, 1
        self.order = [0, 1]
        self.handing: list[tuple[str, int]] = []

    def begin(self, cards: Cards) -> Step:
        """Toss for the first table."""
        self.cards = cards
        return self._toss()

    def judge(self, seat: int, move: Move) -> None:
        """Refuse a move against the rules."""
        keeping = self.rules.phase == "keep"
        match move:
            case ["keep", bytes(backs)] if keeping:
                slots = self._slots(seat, backs)  # each still held, and once, in order (R16)
                require(slots == sorted(set(slots) & set(self.rules.hands[seat])), "E_RULE")
            case ["lay", int(mat), bytes(back)] if not keeping:
                (slot,) = self._slots(seat, back)
                require(self.rules.may_play(seat, mat), "E_RULE")
                require(slot in self.rules.hands[seat], "E_RULE")
            case ["pass"] if not keeping:
                pass
            case _:
                refuse("E_RULE")

    def state(self) -> Packable:
        """Return the array of SPEC#matcha-state."""
        return self.rules.array()

    def result(self) -> list[int] | None:
        """Return the winner, or [] for a draw; None while undecided."""
        return self.rules.winner if self.rules.phase == "end" else None

    def winners(self, resigned: int | None) -> list[int]:
        """Return the winner, or the seat beside ``resigned``."""
        return self.rules.winner if resigned is None else [1 - resigned]

    def _closing(self) -> list[int]:
        return [self.closer, 1 - self.closer]

    def _hand(self, seat: int) -> list[Card]:
        return self.cards.piles[f"hand {seat}"]

    def _slots(self, seat: int, backs: bytes) -> list[int]:
        return [self.cards.find(f"hand {seat}", back) for back in split(backs)]

    # -- Tables and decks --------------------------------------------------------------------

    def _toss(self) -> Step:
        if self.coins < COINS:
            return coin(self._closing(), self._tossed)
        self.rules.draw()
        return over(self._closing())

    def _tossed(self, value: bytes) -> Step:
        if self.coins == 0 and self.drawn:
            self.rules.dealer = H("dealer", value)[0] & 1
        self.coins += 1
        table = draw(H("table", value), 16, 6)
        rest = [face for face in range(16) if face not in table]
        self.cards.piles = {}
        self.order = self._closing()[::-1]
        return self._deal(table, self.cards.public(*rest, ZERO, ZERO))

    def _kept(self, moves: dict[int, Move]) -> Step:
        slots = [self._slots(seat, cast("bytes", moves[seat][1])) for seat in (0, 1)]
        table = sorted(self.rules.table)
        self.rules.next_set(slots)
        if slots == [[], []]:
            return self._toss()
        returned = self.cards.public(*table)
        kept = {}
        for seat in (0, 1):
            hand = self._hand(seat)
            kept[f"kept {seat}"] = [hand[slot] for slot in slots[seat]]
            returned += [card for slot, card in enumerate(hand) if slot not in slots[seat]]
        mixed = returned + self.cards.piles["aside"]
        self.cards.piles = {"mixed": mixed, **kept}
        return shuffle(mixed, self._closing(), "mix", self._mixed)

    def _mixed(self, _: list[int]) -> Step:
        self.order = self._closing()[::-1]
        return self._open()

    def _open(self) -> Step:
        """Open as many cards as the table lacks."""
        opened = self._opened_faces()
        first, missing = len(opened), 6 - sum(face != ZERO for face in opened)
        top = self.cards.piles["mixed"][first : first + missing]
        return share([(card, None) for card in top], self.order, "open", self._opened)

    def _opened_faces(self) -> list[int]:
        return [card.face for card in self.cards.piles["mixed"] if card.face is not None]

    def _opened(self, _: list[int]) -> Step:
        opened = self._opened_faces()
        self.order = self.order[::-1]
        table = [face for face in opened if face != ZERO]
        if len(table) < 6:
            return self._open()
        unopened = self.cards.piles.pop("mixed")[len(opened) :]
        return self._deal(table, unopened + self.cards.public(*[ZERO] * opened.count(ZERO)))

    def _deal(self, table: list[int], deck: list[Card]) -> Step:
        self.rules.lay(table)
        self.cards.piles["deck"] = deck
        return shuffle(deck, self.order, "deal", self._dealt)

    def _dealt(self, _: list[int]) -> Step:
        piles = self.cards.piles
        deck = piles["deck"]
        self.cards.piles = {}
        for seat in (0, 1):
            kept = piles.get(f"kept {seat}", [])
            new = 5 - len(kept)
            self.cards.piles[f"hand {seat}"] = kept + deck[:new]
            deck = deck[new:]
        self.cards.piles["aside"] = deck
        a, b = self.order
        a_kept, b_kept = self.rules.kept[a] > 0, self.rules.kept[b] > 0
        deeds = [
            ("own", b, b_kept),
            ("strip", a, not a_kept),
            ("own", a, a_kept),
            ("strip", b, True),
            ("strip", a, a_kept),
        ]
        self.handing = [(label, owner) for label, owner, due in deeds if due]
        return self._hand_on([])

    def _hand_on(self, _: list[int]) -> Step:
        """Shuffle a hand by its owner, or strip it for its owner, or begin to play."""
        if not self.handing:
            return self._play()
        label, owner = self.handing.pop(0)
        hand = self._hand(owner)
        if label == "own":
            return shuffle(hand, [owner], label, self._hand_on)
        reads: list[Read] = [(card, owner) for card in hand]
        return share(reads, [1 - owner, owner], label, self._hand_on)

    # -- Play --------------------------------------------------------------------------------

    def _play(self) -> Step:
        match self.rules.phase:
            case "place":
                return decide(self.rules.turn, self._moved)
            case "reveal":
                seat = self._revealer()
                slots = [self.rules.laid[seat][mat] for mat in self.rules.due[seat]]
                reads: list[Read] = [(self._hand(seat)[slot], None) for slot in slots]
                return share(reads, [seat, 1 - seat], "reveal", self._revealed)
            case "keep":
                return sealed(self._closing(), self._kept)
            case "end":
                return over(self._closing())
            case _:
                return self._toss()

    def _revealer(self) -> int:
        return self.closer if self.rules.due[self.closer] else 1 - self.closer

    def _moved(self, moves: dict[int, Move]) -> Step:
        ((self.closer, move),) = moves.items()
        match move:
            case ["lay", int(mat), bytes(back)]:
                self.rules.play(self.closer, mat, *self._slots(self.closer, back))
            case _:
                self.rules.pass_on(self.closer)
        return self._play()

    def _revealed(self, faces: list[int]) -> Step:
        self.closer = self._revealer()
        self.rules.turn_up(self.closer, faces)
        return self._play()


def split_variant(variant: str) -> tuple[str, int]:
    """Return the name of the edition, and ``drawn`` (SPEC#matcha).

    drawn is 1 if a coin draws the first dealer, else 0 or 2 for seat 0 or 1.
    """
    for seat, end in enumerate(REMATCHES):
        if variant.endswith(end):
            return variant.removesuffix(end), 2 * seat
    return variant, 1
