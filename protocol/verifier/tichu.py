"""Tichu in steps of the table (SPEC#tichu)."""

from functools import partial
from typing import ClassVar, cast

from cards import Card, Cards
from codec import H, Packable, refuse, require
from messages import Forms
from steps import Move, Read, Step, coin, decide, over, share, shuffle
from tichu_rules import (
    BOMBS,
    MAH_JONG,
    TOP,
    Made,
    bound,
    number,
    points,
    require_combination,
)

SEATS = (0, 1, 2, 3)
HAND = 14
TARGETS = {"1000": 1000, "300": 300, "round": 0}


def variants() -> dict[str, list[int]]:
    """Return the values of each variant (SPEC#tichu-values)."""
    return {
        f"{name}{plays}{early}": [target, int(not plays), int(not early)]
        for name, target in TARGETS.items()
        for plays in ("", " plays")
        for early in ("", " early")
    }


class Tichu:
    """A game of Tichu. The names of its state are those of SPEC#tichu-state."""

    name: ClassVar = "tichu"
    teams: ClassVar = True
    seats: ClassVar = 4
    faces: ClassVar = range(56)
    forms: ClassVar[Forms] = {
        "grand": [(int, 0, 1)],
        "give": [(int, 0, 1)],
        "open": [(int, 0, 1), (int, 0, HAND - 1)],
        "lay": [(int, 0, 1), (int, 0, 14), (int, 0, 14), (int, 1, 2**HAND - 1)],
        "hold": [(int, 0, 1)],
        "pass": [(int, 0, 1)],
        "gift": [(int, 0, 3)],
    }
    cards: Cards

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.values = variants()[variant]
        self.number, self.first, self.totals = 0, 3, [0, 0]
        self.foul: list[int] = []
        self.decided = False
        self._new_round()

    def _new_round(self) -> None:
        self.stage: list[Packable] = ["toss"]
        order = self._order()
        self.asked = [(seat, ask) for ask in ("grand", "push", "call") for seat in order]
        self.held = [set(range(8)) for _ in SEATS]
        self.calls = [0, 0, 0, 0]
        self.out: list[int] = []
        self.won: list[list[int]] = [[], [], [], []]
        self.leader: int | None = None
        self.pile: list[int] = []
        self.under: Made | None = None
        self.last = self.passes = self.wish = 0
        self.passed: list[tuple[int, list[int], int, Made | None]] = []

    def _order(self) -> list[int]:
        return [(self.first + count) % 4 for count in SEATS]

    def _bound_last(self) -> list[int]:
        bound_seats = {turn[0] for turn in self.passed}
        return sorted(self._order(), key=bound_seats.__contains__)

    def hand(self, seat: int) -> list[Card]:
        """Return the pile of a hand."""
        return self.cards.piles[f"hand {seat}"]

    # -- Steps -------------------------------------------------------------------------------

    def begin(self, cards: Cards) -> Step:
        """Toss for who is asked first."""
        self.cards = cards
        return coin(self._order(), self._tossed)

    def _tossed(self, value: bytes) -> Step:
        self.first = H("first", value)[0] & 3
        return self._mix()

    def _mix(self) -> Step:
        self._new_round()
        self.number += 1
        self.stage = ["mix"]
        deck = self.cards.public(*self.faces)
        self.cards.piles = {"deck": deck}
        return shuffle(deck, self._order(), "mix", self._mixed)

    def _mixed(self, _: list[int]) -> Step:
        deck = self.cards.piles["deck"]
        self.cards.piles = {f"hand {s}": deck[HAND * s : HAND * s + HAND] for s in SEATS}
        return self._deal("deal", range(8))

    def _deal(self, label: str, places: range) -> Step:
        self.stage = [label]
        order = self._order()
        reads: list[Read] = [(self.hand(s)[place], s) for s in order for place in places]
        return share(reads, order if label == "look" else order[::-1], label, self._asks)

    def _asks(self, _: object = None) -> Step:
        """Ask the next question, or end the round."""
        if not self.asked:
            return self._uncover()
        self.stage = ["asked"]
        return decide(self.asked[0][0], self._moved)

    def _moved(self, moves: dict[int, Move]) -> Step:
        """Go on after a move, which was judged."""
        ((seat, (name, *fields)),) = moves.items()
        numbers = cast("list[int]", fields)
        if name not in ("grand", "gift") and numbers[0]:
            self.calls[seat] = 100
        if name != "lay":
            self.asked.pop(0)
        match name:
            case "grand":
                return self._granded(seat, numbers[0])
            case "give":
                self.stage = ["give", seat]
                return shuffle(self.hand(seat), [seat], "give", partial(self._gave, seat))
            case "open":
                self.stage = ["show", seat, numbers[1]]
                shown: list[Read] = [(self.hand(seat)[numbers[1]], None)]
                return share(shown, self._bound_last(), "show", partial(self._showed, seat))
            case "lay":
                return self._lays(seat, *numbers[1:])
            case "gift":
                return self._collect(numbers[0])
            case "pass":
                return self._passes(seat)
            case _:
                return self._take() if self.pile and not self.asked else self._asks()

    def _granded(self, seat: int, called: int) -> Step:
        self.calls[seat] = 200 * called
        if self.asked[0][1] == "grand":
            return self._asks()
        self.held = [set(range(HAND)) for _ in SEATS]
        return self._deal("more", range(8, HAND))

    def _gave(self, seat: int, _: object) -> Step:
        hand = self.hand(seat)
        for count in (3, 2, 1):
            self.cards.piles[f"{seat} to {(seat + count) % 4}"] = [hand.pop()]
        if self.asked[0][1] == "push":
            return self._asks()
        for receiver in SEATS:
            for count in (1, 2, 3):
                gift = f"{(receiver + count) % 4} to {receiver}"
                self.hand(receiver).extend(self.cards.piles.pop(gift))
        return self._own(self._order()[::-1])

    def _own(self, left: list[int], _: object = None) -> Step:
        if not left:
            return self._deal("look", range(HAND))
        self.stage = ["own", left[0]]
        return shuffle(self.hand(left[0]), left[:1], "own", partial(self._own, left[1:]))

    def _showed(self, seat: int, faces: list[int]) -> Step:
        require(faces == [MAH_JONG], "E_RULE")
        self.leader = seat
        self.asked.append((seat, "turn"))
        return self._asks()

    def _lays(self, seat: int, wild: int, wish: int, mask: int) -> Step:
        places = [place for place in range(HAND) if mask >> place & 1]
        self.stage = ["lay", seat, bytes(places), wild, wish]
        hand = self.hand(seat)
        reads: list[Read] = [(hand[p], None) for p in places if hand[p].face is None]
        then = partial(self._laid, seat, places, wild, wish)
        return share(reads, self._bound_last(), "lay", then)

    def _check_lay(self, faces: list[int], wild: int, wish: int) -> Made:
        made = require_combination(sorted(faces), wild, self.under)
        require(not wish or (MAH_JONG in faces and wish >= 2), "E_RULE")
        require(self.asked[0][1] == "turn" or made[0] in BOMBS, "E_RULE")
        return made

    def _laid(self, seat: int, places: list[int], wild: int, wish: int, _: object) -> Step:
        hand = self.hand(seat)
        faces = [face for p in places if (face := hand[p].face) is not None]
        made = self._check_lay(faces, wild, wish)
        self._note(seat, faces)
        if wish or self.wish in map(number, faces):
            self.wish = wish
        self.held[seat] -= {*places}
        if not self.held[seat]:
            self.out.append(seat)
        self.pile += faces
        self.under, self.last, self.passes = made, seat, 0
        if made[0] == "dog":
            self.last = (seat + 2) % 4
            return self._collect(seat)
        if self._over():
            return self._take()
        turn = self._next_in(seat + 1)
        self.asked = [*self._holds(seat, turn), (turn, "turn")]
        return self._asks()

    def _note(self, seat: int, faces: list[int]) -> None:
        bound_now = self.wish and self.asked[0] == (seat, "turn")
        if bound_now and self.wish not in map(number, faces):
            self.passed.append((seat, sorted(self.held[seat]), self.wish, self.under))

    def _passes(self, seat: int) -> Step:
        self.asked.insert(0, (seat, "turn"))
        self._note(seat, [])
        self.passes += 1
        if self.passes < sum(bool(self.held[s]) and s != self.last for s in SEATS):
            turn = self._next_in(seat + 1)
            holds = self._holds(seat, turn) if self.values[1] else []
            self.asked = [*holds, (turn, "turn")]
            return self._asks()
        self.asked = self._holds(seat, None)
        return self._asks() if self.asked else self._take()

    def _holds(self, author: int, turn: int | None) -> list[tuple[int, str]]:
        seats = [(author + count) % 4 for count in (1, 2, 3, 4)]
        return [(s, "hold") for s in seats if len(self.held[s]) >= 4 and s != turn]

    def _next_in(self, seat: int) -> int:
        return next(s % 4 for s in range(seat, seat + 4) if self.held[s % 4])

    def _over(self) -> bool:
        return {0, 2} <= {*self.out} or {1, 3} <= {*self.out}

    def _take(self) -> Step:
        double = len(self.out) == 2 and self._over()
        if self.under == TOP and not double:
            self.asked = [(self.last, "gift")]
            return self._asks()
        return self._collect(self.last)

    def _collect(self, seat: int) -> Step:
        self.won[seat] += self.pile
        self.pile, self.under, self.passes = [], None, 0
        self.asked = [] if self._over() else [(self._next_in(self.last), "turn")]
        return self._asks()

    # -- The end of a round ------------------------------------------------------------------

    def _uncover(self) -> Step:
        self.stage = ["uncover"]
        *opened, _ = [seat for seat in self._bound_last() if self.held[seat]]
        reads: list[Read] = [
            (self.hand(seat)[place], None)
            for seat in opened
            for place in sorted(self.held[seat])
        ]
        return share(reads, self._bound_last(), "uncover", self._judged)

    def _judged(self, _: list[int]) -> Step:
        self.stage = ["asked"]
        shown = {card.face for seat in SEATS for card in self.hand(seat)}
        rest = [face for face in self.faces if face not in shown]
        hands = [
            [rest.pop() if card.face is None else card.face for card in self.hand(seat)]
            for seat in SEATS
        ]
        if self.leader is None:
            self.foul = [next(seat for seat in SEATS if MAH_JONG in hands[seat]), 0]
        for turn, (seat, held, wish, under) in enumerate(self.passed):
            if not self.foul and bound([hands[seat][p] for p in held], under, wish):
                self.foul = [seat, turn]
        if not self.foul:
            self._count()
            if not self._ahead():
                self.first = (self.first + 1) % 4
                return self._mix()
        self.decided = True
        return over(self._order())

    def _count(self) -> None:
        first = self.out[0]
        for seat in SEATS:
            call = self.calls[seat] if seat == first else -self.calls[seat]
            self.totals[seat % 2] += call
        if len(self.out) == 2:
            self.totals[first % 2] += 200
            return
        (last,) = set(SEATS) - {*self.out}
        for seat in SEATS:
            owner = first if seat == last else seat
            self.totals[owner % 2] += points(self.won[seat])
        self.totals[1 - last % 2] += 100 - sum(map(points, self.won))

    def _ahead(self) -> list[int]:
        a, b = self.totals
        reached = not self.values[0] or max(a, b) >= self.values[0]
        return [] if a == b or not reached else [0, 2] if a > b else [1, 3]

    # -- What the table asks -----------------------------------------------------------------

    def judge(self, seat: int, move: Move) -> None:
        """Refuse with E_RULE a move that breaks a rule, as far as is seen before its SHARE."""
        name, *fields = cast("tuple[str, *tuple[int, ...]]", tuple(move))
        question = self.asked[0][1]
        if name not in ("grand", "gift") and fields[0]:
            self._check_call(seat)
        answers = {
            "grand": ("grand",),
            "give": ("push",),
            "open": ("call",),
            "hold": ("call", "hold"),
            "lay": ("turn", "hold"),
            "pass": ("turn",),
            "gift": ("gift",),
        }
        require(question in answers[name], "E_RULE")
        match name:
            case "open":
                require(self.leader is None, "E_RULE")
            case "lay":
                _, wild, wish, mask = fields
                places = [place for place in range(HAND) if mask >> place & 1]
                require({*places} <= self.held[seat], "E_RULE")
                faces = [self.hand(seat)[place].face for place in places]
                known = [face for face in faces if face is not None]
                if len(known) == len(places):
                    self._check_lay(known, wild, wish)
            case "pass":
                require(self.under is not None, "E_RULE")
            case "gift":
                require((fields[0] - seat) % 2 == 1, "E_RULE")
            case _:
                pass

    def _check_call(self, seat: int) -> None:
        if len(self.held[seat]) != HAND or self.calls[seat]:
            refuse("E_RULE")
        begun = any(len(held) < HAND for held in self.held)
        require(bool(self.values[2]) or not begun, "E_RULE")

    def state(self) -> Packable:
        """Return the state array."""
        totals = [(max(total, 0), max(-total, 0)) for total in self.totals]
        return (
            (self.number, self.first, *totals),
            self.stage,
            [bytes(sorted(held)) for held in self.held],
            self.asked,
            self.calls,
            self.out,
            [bytes(won) for won in self.won],
            [] if self.leader is None else [self.leader],
            (bytes(self.pile), _combination(self.under), self.last, self.passes),
            self.wish,
            [
                (seat, bytes(held), wish, _combination(under))
                for seat, held, wish, under in self.passed
            ],
            self.foul,
        )

    def result(self) -> list[int] | None:
        """Return the seats of the winning team, or the seat of a foul."""
        if not self.decided:
            return None
        return self.foul[:1] if self.foul else self._ahead()

    def winners(self, resigned: int | None) -> list[int]:
        """Return the winning team, nobody after a foul; or the other team of ``resigned``."""
        if resigned is None:
            return [] if self.foul else self._ahead()
        return [seat for seat in SEATS if (seat + resigned) % 2]


def _combination(made: Made | None) -> Packable:
    return [] if made is None else made
