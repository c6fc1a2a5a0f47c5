"""Tichu in steps of the table, a transcription of the boxes (SPEC#tichu).

Each method does a box, whose name stands in the docstring. Numbered comments are the lines of
a box.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, cast

from cards import Card, Cards
from codec import H, Packable, refuse, require
from messages import Forms
from steps import Move, Read, Step, coin, decide, over, share, shuffle
from tichu_rules import (
    BOMBS,
    DRAGON_ITSELF,
    MAH_JONG,
    Top,
    beats,
    combine,
    number,
    owes,
    points,
)

SEATS = (0, 1, 2, 3)
EIGHT, ALL = bytes(range(8)), bytes(range(14))  # places of a hand
TARGETS = {"1000": 1000, "300": 300, "round": 0}
ANSWERS = {
    "grand": ("grand",),
    "give": ("push",),
    "open": ("call",),
    "hold": ("call", "hold"),
    "lay": ("turn", "hold"),
    "pass": ("turn",),
    "gift": ("gift",),
}


def variants() -> dict[str, list[int]]:
    """Return the values of each variant (SPEC#tichu-values)."""
    return {
        f"{name}{plays}{early}": [target, int(not plays), int(not early)]
        for name, target in TARGETS.items()
        for plays in ("", " plays")
        for early in ("", " early")
    }


class Tichu:
    """A game of Tichu. The attributes have the names of SPEC#tichu-state."""

    name: ClassVar = "tichu"
    teams: ClassVar = True
    seats: ClassVar = 4
    faces: ClassVar = range(56)
    forms: ClassVar[Forms] = {
        "grand": [(int, 0, 1)],
        "give": [(int, 0, 1)],
        "open": [(int, 0, 1), (int, 0, 13)],
        "lay": [(int, 0, 1), (int, 0, 14), (int, 0, 14), (int, 1, 2**14 - 1)],
        "hold": [(int, 0, 1)],
        "pass": [(int, 0, 1)],
        "gift": [(int, 0, 3)],
    }
    cards: Cards

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.values = variants()[variant]
        self.target, self.windows, self.late = self.values
        self.round, self.f, self.totals = 0, 3, [0, 0]
        self.stage: list[Packable] = ["toss"]
        self.foul: list[int] = []
        self.decided = False

    def _clear(self) -> None:
        """Set the places 2 to 10 of the state array as NEW_ROUND does."""
        self.held = [EIGHT, EIGHT, EIGHT, EIGHT]
        questions = ("grand", "push", "call")
        self.asked = [(seat, question) for question in questions for seat in self.forward]
        self.calls = [0, 0, 0, 0]
        self.out: list[int] = []
        self.won = [b"", b"", b"", b""]
        self.shown: list[int] = []
        self.pile = b""
        self.top: Top = ()
        self.last = self.passes = self.wish = 0
        self.noted: list[tuple[int, bytes, int, Top]] = []

    def new_round(self, f: int) -> None:
        """Begin a round, NEW_ROUND."""
        self.round += 1
        self.f = f
        self.stage = ["mix"]
        self._clear()
        self.cards.piles = {"deck": self.cards.public(*self.faces)}

    # -- Steps -------------------------------------------------------------------------------

    @property
    def forward(self) -> list[int]:
        """The order f, f + 1, f + 2, f + 3."""
        return [(self.f + count) % 4 for count in SEATS]

    @property
    def bound_last(self) -> list[int]:
        """The order forward, with the noted seats behind the others."""
        return sorted(self.forward, key={seat for seat, *_ in self.noted}.__contains__)

    def hand(self, seat: int) -> list[Card]:
        """Return the pile of a hand."""
        return self.cards.piles[f"hand {seat}"]

    def begin(self, cards: Cards) -> Step:
        """Return the first step."""
        self.cards = cards
        return self.ask()

    def ask(self) -> Step:
        """Return the step of the stage."""
        name, *fields = cast("tuple[str, *tuple[Any, ...]]", tuple(self.stage))
        asks: dict[str, Callable[..., Step]] = {
            "toss": self._toss,
            "mix": self._mix,
            "deal": self._deal,
            "asked": self._decide,
            "more": self._deal_more,
            "give": self._give,
            "own": self._own,
            "look": self._look,
            "show": self._show,
            "lay": self._lay,
            "uncover": self._uncover,
        }
        return asks[name](*fields)

    def _toss(self) -> Step:
        return coin(self.forward, self._tossed)

    def _tossed(self, value: bytes) -> Step:
        self.new_round(H("first", value)[0] % 4)
        return self.ask()

    def _mix(self) -> Step:
        return shuffle(self.cards.piles["deck"], self.forward, "mix", self._mixed)

    def _mixed(self, _: list[int]) -> Step:
        deck = self.cards.piles["deck"]
        self.cards.piles = {f"hand {s}": deck[14 * s : 14 * s + 14] for s in SEATS}
        self.stage = ["deal"]
        return self.ask()

    def _to_owners(self, places: bytes) -> list[Read]:
        return [(self.hand(seat)[place], seat) for seat in self.forward for place in places]

    def _deal(self) -> Step:
        return share(self._to_owners(EIGHT), self.forward[::-1], "deal", self._dealt)

    def _deal_more(self) -> Step:
        return share(self._to_owners(ALL[8:]), self.forward[::-1], "more", self._dealt)

    def _look(self) -> Step:
        return share(self._to_owners(ALL), self.forward, "look", self._dealt)

    def _dealt(self, _: list[int]) -> Step:
        self.stage = ["asked"]
        return self.ask()

    def _decide(self) -> Step:
        return decide(self.asked[0][0], self.moved) if self.asked else over(self.forward)

    def _give(self, s: int) -> Step:
        return shuffle(self.hand(s), [s], "give", partial(self.given, s))

    def _own(self, s: int) -> Step:
        return shuffle(self.hand(s), [s], "own", partial(self._owned, s))

    def _owned(self, s: int, _: list[int]) -> Step:
        self.stage = ["look"] if s == self.f else ["own", (s - 1) % 4]
        return self.ask()

    def _to_all(self, s: int, places: bytes) -> list[Read]:
        return [(self.hand(s)[place], None) for place in places]

    def _show(self, s: int, place: int) -> Step:
        shown = self._to_all(s, bytes([place]))
        return share(shown, self.bound_last, "show", partial(self._showed, s))

    def _showed(self, s: int, faces: list[int]) -> Step:
        require(faces == [MAH_JONG], "E_RULE")
        self.shown = [s]
        self.asked.append((s, "turn"))
        self.stage = ["asked"]
        return self.ask()

    def _lay(self, s: int, places: bytes, wild: int, wished: int) -> Step:
        closed = bytes(place for place in places if self.hand(s)[place].face is None)
        then = partial(self.play, s, places, wild, wished)
        return share(self._to_all(s, closed), self.bound_last, "lay", then)

    def _uncover(self) -> Step:
        *opened, _ = [seat for seat in self.bound_last if self.held[seat]]
        rest = [read for s in opened for read in self._to_all(s, self.held[s])]
        return share(rest, self.bound_last, "uncover", self.judge_round)

    def given(self, s: int, _: list[int]) -> Step:
        """Put three gifts aside, or hand all out, GIVEN."""
        hand = self.hand(s)
        for count in (3, 2, 1):  # 1
            self.cards.piles[f"{s} to {(s + count) % 4}"] = [hand.pop()]
        if self.asked[0][1] == "push":  # 2
            self.stage = ["asked"]
            return self.ask()
        for q in SEATS:  # 3
            for count in (1, 2, 3):
                self.hand(q).extend(self.cards.piles.pop(f"{(q + count) % 4} to {q}"))
        self.stage = ["own", (self.f + 3) % 4]  # 4
        return self.ask()

    def go(self) -> Step:
        """Go on after a move, GO."""
        self.stage = ["asked"] if self.asked else ["uncover"]
        return self.ask()

    # -- Moves -------------------------------------------------------------------------------

    def judge(self, seat: int, move: Move) -> None:
        """Leave the judgement to MOVED."""

    def moved(self, moves: dict[int, Move]) -> Step:
        """Judge and make a move, MOVED."""
        ((s, move),) = moves.items()
        name, *fields = cast("tuple[str, *tuple[int, ...]]", tuple(move))
        require(self.asked[0][1] in ANSWERS[name], "E_RULE")  # 1
        if name not in ("grand", "gift") and fields[0] == 1:  # 2
            require(len(self.held[s]) == 14 and self.calls[s] == 0, "E_RULE")
            if not self.late:
                require(all(len(held) == 14 for held in self.held), "E_RULE")
            self.calls[s] = 100
        if name in ("lay", "pass", "gift"):
            return self._plays(s, name, fields)
        self.asked.pop(0)  # 3
        match name:
            case "grand":
                self.calls[s] = 200 * fields[0]
                if self.asked[0][1] == "push":
                    self.held = [ALL, ALL, ALL, ALL]
                    self.stage = ["more"]
            case "give":
                self.stage = ["give", s]
            case "open":
                require(self.shown == [], "E_RULE")
                self.stage = ["show", s, fields[1]]
            case _:
                if not self.asked and self.pile:
                    self.take()
                return self.go()
        return self.ask()

    def _plays(self, s: int, name: str, fields: list[int]) -> Step:
        """Make a move whose question stays for later, MOVED 3."""
        match name:
            case "lay":
                _, wild, wished, mask = fields
                places = bytes(place for place in ALL if mask >> place & 1)
                require({*places} <= {*self.held[s]}, "E_RULE")
                self.stage = ["lay", s, places, wild, wished]
                return self.ask()
            case "pass":
                require(self.top != (), "E_RULE")
                return self.passed(s)
            case _:
                require(fields[0] % 2 != s % 2, "E_RULE")
                self.collect(fields[0])
                return self.go()

    def play(self, s: int, places: bytes, wild: int, wished: int, _: list[int]) -> Step:
        """Judge and make a play, PLAY."""
        faces = [cast("int", self.hand(s)[place].face) for place in places]  # 1
        made = combine(faces, wild, self.top)
        if made is None or not beats(made, self.top):
            refuse("E_RULE")
        require(wished == 0 or (MAH_JONG in faces and wished >= 2), "E_RULE")  # 2
        require(self.asked[0][1] == "turn" or made[0] in BOMBS, "E_RULE")  # 3
        self.note(s, faces)  # 4
        if wished or self.wish in map(number, faces):  # 5
            self.wish = wished
        self.held[s] = bytes(place for place in self.held[s] if place not in places)  # 6
        if not self.held[s]:
            self.out.append(s)
        self.pile += bytes(faces)  # 7
        self.top, self.last, self.passes = made, s, 0
        if made[0] == "dog":  # 8
            self.last = (s + 2) % 4
            self.collect(s)
        elif self.over():
            self.take()
        else:
            t = self.next(s + 1)
            self.asked = [*self.window(s, t), (t, "turn")]
        return self.go()  # 9

    def passed(self, s: int) -> Step:
        """Make a pass, PASS."""
        self.note(s, [])  # 1
        self.passes += 1
        k = sum(bool(self.held[q]) and q != self.last for q in SEATS)  # 2
        if self.passes < k:  # 3
            t = self.next(s + 1)
            self.asked = [*(self.window(s, t) if self.windows else []), (t, "turn")]
        else:
            self.asked = self.window(s, None)
            if not self.asked:
                self.take()
        return self.go()  # 4

    def note(self, s: int, faces: list[int]) -> None:
        """Note a turn for JUDGE, NOTE."""
        if self.asked[0][1] == "turn" and self.wish and self.wish not in map(number, faces):
            self.noted.append((s, self.held[s], self.wish, self.top))

    def take(self) -> None:
        """End a trick, TAKE."""
        if self.top == DRAGON_ITSELF and not self.double():
            self.asked = [(self.last, "gift")]
        else:
            self.collect(self.last)

    def collect(self, q: int) -> None:
        """Give the pile to a seat, COLLECT."""
        self.won[q] += self.pile  # 1
        self.pile, self.top, self.passes = b"", (), 0
        self.asked = [] if self.over() else [(self.next(self.last), "turn")]  # 2

    def window(self, s: int, t: int | None) -> list[tuple[int, str]]:
        """Return the questions of WINDOW."""
        seats = [(s + count) % 4 for count in (1, 2, 3, 4)]
        return [(q, "hold") for q in seats if len(self.held[q]) >= 4 and q != t]

    def next(self, s: int) -> int:
        """Return the seat of NEXT."""
        return next(q % 4 for q in range(s, s + 4) if self.held[q % 4])

    def over(self) -> bool:
        """Tell whether OVER holds."""
        return {0, 2} <= {*self.out} or {1, 3} <= {*self.out}

    def double(self) -> bool:
        """Tell whether DOUBLE holds."""
        return len(self.out) == 2 and self.out[0] % 2 == self.out[1] % 2

    # -- The end of a round ------------------------------------------------------------------

    def judge_round(self, _: list[int]) -> Step:
        """Judge a round, JUDGE."""
        faces = {card.face for seat in SEATS for card in self.hand(seat)}  # 1
        rest = [face for face in self.faces if face not in faces]
        hands = [
            [rest.pop() if card.face is None else card.face for card in self.hand(seat)]
            for seat in SEATS
        ]
        if not self.shown:  # 2
            self.foul = [next(seat for seat in SEATS if MAH_JONG in hands[seat]), 0]
        for i, (s, held, w, t) in enumerate(self.noted):
            if not self.foul and owes([hands[s][place] for place in held], w, t):
                self.foul = [s, i]
        if self.foul:  # 3
            self._end()
        else:
            self.count()  # 4
        return self.ask()

    def _end(self) -> None:
        """End the game."""
        self.stage, self.asked, self.decided = ["asked"], [], True

    def count(self) -> None:
        """Count a round, COUNT."""
        first = self.out[0]
        for s in SEATS:  # 1
            self.totals[s % 2] += self.calls[s] if s == first else -self.calls[s]
        if self.double():  # 2
            self.totals[first % 2] += 200
        else:
            (left,) = {*SEATS} - {*self.out}
            for s in SEATS:
                self.totals[(first if s == left else s) % 2] += points(self.won[s])
            self.totals[1 - left % 2] += 100 - sum(map(points, self.won))
        if self._ahead():  # 3
            self._end()
        else:
            self.new_round((self.f + 1) % 4)

    def _ahead(self) -> list[int]:
        """Return the team ahead by the totals, or []."""
        a, b = self.totals
        reached = self.target == 0 or max(a, b) >= self.target
        return [] if a == b or not reached else [0, 2] if a > b else [1, 3]

    # -- What the table asks -----------------------------------------------------------------

    def state(self) -> Packable:
        """Return the state array."""
        totals = [(max(total, 0), max(-total, 0)) for total in self.totals]
        return (
            (self.round, self.f, *totals),
            self.stage,
            self.held,
            self.asked,
            self.calls,
            self.out,
            self.won,
            self.shown,
            (self.pile, self.top, self.last, self.passes),
            self.wish,
            self.noted,
            self.foul,
        )

    def result(self) -> list[int] | None:
        """Return the seats of the winning team, or the seat of a foul; None before the end."""
        if not self.decided:
            return None
        return self.foul[:1] if self.foul else self._ahead()

    def winners(self, resigned: int | None) -> list[int]:
        """Return the winning team, nobody after a foul; or the other team of ``resigned``."""
        if resigned is None:
            return [] if self.foul else self._ahead()
        return [seat for seat in SEATS if (seat + resigned) % 2]
