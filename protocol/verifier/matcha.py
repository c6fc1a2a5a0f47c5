"""Matcha in steps of the table, a transcription of the boxes (SPEC#matcha).

Each method does a box, whose name stands in the docstring. Numbered comments are the lines of
a box.
"""

from functools import partial
from typing import Any, ClassVar, cast

from cards import Card, Cards
from codec import H, Packable, draw, require
from messages import Forms, split
from steps import Move, Read, Step, coin, decide, over, sealed, share, shuffle

ZERO = 16
WHISK = 4
COINS = 4096
REMATCHES = (" rematch 0", " rematch 1")
EDITIONS = {"2015": [4, 4, 0, 1, 0, 1], "2020": [3, 4, 2, 0, 2, 0]}
"""The values of each edition but drawn (SPEC#matcha-rules)."""


def split_variant(variant: str) -> tuple[str, int]:
    """Return the name of the edition, and ``drawn`` (SPEC#matcha-rules)."""
    for seat, end in enumerate(REMATCHES):
        if variant.endswith(end):
            return variant.removesuffix(end), 2 * seat
    return variant, 1


class Matcha:
    """A game of Matcha. The attributes have the names of SPEC#matcha-state.

    stages: the stage, then the stages that follow. closer: L. slots: by seat, the slots that
    the seat keeps.
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
        self.edition, drawn = split_variant(variant)
        self.variant = variant
        self.values = [*EDITIONS[self.edition], drawn]
        self.suits, self.whisks, self.most, self.keeps, self.sets, self.further, _ = self.values
        self.set, self.dealer = 1, drawn // 2
        self.table: list[int] = []
        self.hands: list[list[int]] = [[], []]
        self.rounds: list[Any] = []
        self.tokens = [[0] * 5, [0] * 5]
        self.comparing = 0
        self.kept = [0, 0]
        self.phase: list[Any] = ["deal"]
        self.stages: list[Any] = [["toss"]]
        self.closer, self.coins = 1, 0
        self.slots: list[list[int]] = [[], []]

    # -- Cards -------------------------------------------------------------------------------

    def matches(self, mat: int, f: int) -> bool:
        """Tell whether MATCHES holds."""
        lying = self.table[mat]
        same = f // 4 == lying // 4 if mat % 2 else f % 4 == lying % 4
        return f != ZERO and same

    def higher(self, mat: int, f: int, g: int) -> bool:
        """Tell whether HIGHER holds."""
        p, q = (3 - face % 4 if mat % 2 else face // 4 for face in (f, g))  # PLACE
        return p == 3 if {p, q} == {0, 3} else p < q

    # -- Steps -------------------------------------------------------------------------------

    def begin(self, cards: Cards) -> Step:
        """Return the first step."""
        self.cards = cards
        return self.ask()

    def ask(self) -> Step:
        """Return the step of the stage; in the stage play, of the phase."""
        stage, *seats = self.stages[0]
        if stage == "play":
            stage = self.phase[0]
        return cast("Step", getattr(self, f"_{stage}")(*seats))

    def _order(self) -> list[int]:
        return [self.closer, 1 - self.closer]

    def _hand(self, s: int) -> list[Card]:
        return self.cards.piles[f"hand {s}"]

    def _toss(self) -> Step:
        return coin(self._order(), self.tossed)

    def _mix(self) -> Step:
        return shuffle(self.cards.piles["mixed"], self._order(), "mix", self._mixed)

    def _mixed(self, _: list[int]) -> Step:
        self.stages = [["open", 1 - self.closer, self.closer]]
        return self.ask()

    def _open(self, x: int, y: int) -> Step:
        shown = self._shown()
        top = self.cards.piles["mixed"][len(shown) :][: 6 - len(shown) + shown.count(ZERO)]
        reads: list[Read] = [(card, None) for card in top]
        return share(reads, [x, y], "open", partial(self.opened, x, y))

    def _shown(self) -> list[int]:
        return [card.face for card in self.cards.piles["mixed"] if card.face is not None]

    def _deal(self, a: int, b: int) -> Step:
        return shuffle(self.cards.piles["deck"], [a, b], "deal", partial(self.dealt, a, b))

    def _own(self, s: int) -> Step:
        return shuffle(self._hand(s), [s], "own", self._handed)

    def _strip(self, s: int) -> Step:
        return share([(card, s) for card in self._hand(s)], [1 - s, s], "strip", self._handed)

    def _handed(self, _: list[int]) -> Step:
        self.stages.pop(0)
        return self.ask()

    def _place(self) -> Step:
        return decide(self.phase[1], self.moved)

    def _reveal(self) -> Step:
        mats = self.phase[1:3]
        s = self.closer if mats[self.closer] else 1 - self.closer
        cards = [self._hand(s)[cast("int", self.laid(s, mat))] for mat in mats[s]]
        reads: list[Read] = [(card, None) for card in cards]
        return share(reads, [s, 1 - s], "reveal", partial(self.revealed, s))

    def _keep(self) -> Step:
        return sealed(self._order(), self.kept_cards)

    def _end(self) -> Step:
        return over(self._order())

    def tossed(self, value: bytes) -> Step:
        """Lay the table that a coin draws, TOSSED."""
        if self.coins == 0 and self.values[-1] == 1:  # 1
            self.dealer = H("dealer", value)[0] & 1
        self.coins += 1
        self.lay(draw(H("table", value), 16, 6))  # 2
        rest = [face for face in range(16) if face not in self.table]  # 3
        self.cards.piles = {"deck": self.cards.public(*rest, ZERO, ZERO)}
        self.stages = [["deal", 1 - self.closer, self.closer]]  # 4
        return self.ask()

    def opened(self, x: int, y: int, _: list[int]) -> Step:
        """Lay the table that the mixed cards show, OPENED."""
        shown = self._shown()  # 1
        faces = [face for face in shown if face != ZERO]
        if len(faces) < 6:
            self.stages = [["open", y, x]]
            return self.ask()
        self.lay(faces)  # 2
        closed = self.cards.piles.pop("mixed")[len(shown) :]  # 3
        zeros = self.cards.public(*[ZERO] * shown.count(ZERO))
        self.cards.piles["deck"] = closed + zeros
        self.stages = [["deal", y, x]]  # 4
        return self.ask()

    def lay(self, faces: list[int]) -> None:
        """Begin a set at a table, LAY."""
        self.table, self.rounds = faces, []
        self.hands = [list(range(5)), list(range(5))]
        self.begin_round(1)

    def dealt(self, a: int, b: int, _: list[int]) -> Step:
        """Lay the hands, DEALT."""
        old = self.cards.piles
        deck = old["deck"]
        self.cards.piles = {}
        for s in (0, 1):  # 1
            kept = old.get(f"kept {s}", [])
            new = 5 - len(kept)
            self.cards.piles[f"hand {s}"] = kept + deck[:new]
            deck = deck[new:]
        self.cards.piles["aside"] = deck
        self.stages = [["own", b]] if self.kept[b] else []  # 2
        if self.kept[a]:
            self.stages += [["own", a], ["strip", b], ["strip", a], ["play"]]
        else:
            self.stages += [["strip", a], ["strip", b], ["play"]]
        return self.ask()

    # -- Moves -------------------------------------------------------------------------------

    def judge(self, seat: int, move: Move) -> None:
        """Judge a choice of cards, KEEP; leave other moves to MOVED."""
        if self.phase == ["keep"]:
            require(move[0] == "keep", "E_RULE")  # 1
            backs = split(cast("bytes", move[1]))
            slots = [self.slot(seat, back) for back in backs]  # 2
            require(slots == sorted({*slots} & {*self.hands[seat]}), "E_RULE")
            self.slots[seat] = slots

    def slot(self, s: int, back: bytes) -> int:
        """Return the slot of a card, SLOT."""
        return self.cards.find(f"hand {s}", back)

    def moved(self, moves: dict[int, Move]) -> Step:
        """Judge and make a move, MOVED."""
        ((s, (name, *fields)),) = moves.items()
        require(name != "keep", "E_RULE")  # 1
        if name == "pass":  # 2
            self.turns.append(["pass", s, 0])
        else:
            mat, back = cast("tuple[int, bytes]", tuple(fields))
            slot = self.slot(s, back)
            require(mat in self.mats, "E_RULE")
            require(self.laid(s, mat) is None, "E_RULE")
            require(slot in self.hands[s], "E_RULE")
            self.hands[s].remove(slot)
            self.turns.append(["play", s, mat, slot])
        self.closer = s  # 3
        self.next(s)
        return self.ask()

    def kept_cards(self, _: dict[int, Move]) -> Step:
        """Collect all cards that are not kept, KEPT."""
        if self.slots != [[], []]:  # 1
            mixed = self.cards.public(*sorted(self.table))  # 2
            kept = {}
            for s in (0, 1):
                hand = self._hand(s)
                kept[f"kept {s}"] = [hand[slot] for slot in self.slots[s]]
                mixed += [card for slot, card in enumerate(hand) if slot not in self.slots[s]]
            self.cards.piles = {"mixed": mixed + self.cards.piles["aside"], **kept}
            self.stages = [["mix"]]
        self.next_set()  # 1, 3
        return self.ask()

    # -- A round -----------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the round."""
        return cast("int", self.rounds[-1][0])

    @property
    def turns(self) -> list[Any]:
        """The turns of the round."""
        return cast("list[Any]", self.rounds[-1][1])

    @property
    def mats(self) -> list[int]:
        """The mats of the round."""
        return [2 * self.number - 2, 2 * self.number - 1]

    def laid(self, s: int, mat: int) -> int | None:
        """Return the slot of a card laid at a mat of the round, LAID."""
        turns = [turn for turn in self.turns if turn[:3] == ["play", s, mat]]
        return turns[0][3] if turns else None

    def has_laid(self, mat: int) -> list[int]:
        """Return the seats that have laid at a mat of the round."""
        return [s for s in (0, 1) if self.laid(s, mat) is not None]

    def next(self, s: int) -> None:
        """Find the next turn, NEXT."""
        t = s if self.out(1 - s) else 1 - s  # 1
        if self.out(t):
            self.contest()
        elif self.hands[t] and any(t not in self.has_laid(mat) for mat in self.mats):  # 2
            self.phase = ["place", t]
        else:
            self.turns.append(["pass", t, 1])
            self.next(t)

    def out(self, s: int) -> bool:
        """Tell whether OUT holds."""
        turns = [turn for turn in self.turns if turn[1] == s]
        if self.most == 0:
            return any(turn[0] == "pass" for turn in turns)
        return len(turns) == self.most

    def contest(self) -> None:
        """End a round, CONTEST."""
        both = [mat for mat in self.mats if self.has_laid(mat) == [0, 1]]  # 1
        self.phase = ["reveal", both, both, [], []]  # 2
        if not both:
            self.resolve()

    def revealed(self, s: int, faces: list[int]) -> Step:
        """Take the faces that a seat has turned up, REVEALED."""
        self.phase[1 + s], self.phase[3 + s] = [], faces  # 1
        self.closer = s
        if self.phase[1:3] == [[], []]:  # 2
            self.resolve()
        return self.ask()

    def resolve(self) -> None:
        """Give the tokens of a round, RESOLVE."""
        faces = [iter(self.phase[3]), iter(self.phase[4])]
        for mat in self.mats:  # 1
            t = self.table[mat] // 4
            laid = self.has_laid(mat)
            cards = [[next(shown)] if laid == [0, 1] else [] for shown in faces]
            gains = [[t] if s in laid else [] for s in (0, 1)]
            if laid == [0, 1]:
                gains = self._gains(mat, t, cards[0][0], cards[1][0])
            self.rounds[-1][2].append([mat, *cards, *gains])
            for s in (0, 1):  # 2
                for token in gains[s]:
                    self.tokens[s][token] += 1
        self.rounds[-1][3:] = [[*counts] for counts in self.tokens]
        self.end()  # 3

    def _gains(self, mat: int, t: int, f: int, g: int) -> list[list[int]]:
        """Return what two cards at a mat gain, RESOLVE 1."""
        matching = self.matches(mat, f), self.matches(mat, g)
        if matching == (True, True):
            return [[t], []] if self.higher(mat, f, g) else [[], [t]]
        if matching == (False, False):
            return [[], []]
        return [[t] if matched else [WHISK] for matched in matching]

    def begin_round(self, number: int) -> None:
        """Begin a round, BEGIN."""
        self.rounds.append([number, [], [], *([*counts] for counts in self.tokens)])  # 1
        self.phase = ["place", self.dealer]

    # -- The end of a round ------------------------------------------------------------------

    def end(self) -> None:
        """Find the end of the game, or what follows a round, END."""
        met = [self._met(counts) for counts in self.tokens]  # 1
        a, b = self.tokens  # 2
        ahead = [] if a == b else [0] if a > b else [1]
        last = self.set == self.sets and self.number == 3
        if self.comparing:  # 3
            end = (ahead, "further-rounds") if ahead else None
        elif (met[0] == "") != (met[1] == ""):
            (seat,) = (s for s in (0, 1) if met[s])
            end = [seat], met[seat]
        elif met[0] and ahead:
            end = ahead, "tie-break"
        elif met[0] and self.further:
            self.comparing, end = 1, None
        elif met[0] or (last and not ahead):
            end = [], "draw"
        else:
            end = (ahead, "last-set") if last else None
        if end:
            self.phase = ["end", *end]
        elif self.number < 3:  # 4
            self.begin_round(self.number + 1)
        elif self.keeps and self.hands != [[], []]:
            self.phase = ["keep"]
        else:
            self.slots = [[], []]
            self.next_set()

    def _met(self, counts: list[int]) -> str:
        """Return the condition that counts of tokens meet, or "", END 1."""
        if max(counts[:WHISK]) >= self.suits or counts[WHISK] >= self.whisks:
            return "alike"
        return "five-kinds" if all(counts) else ""

    def next_set(self) -> None:
        """Go on to the next set, NEXT_SET."""
        self.set += 1  # 1
        self.dealer = 1 - self.dealer
        self.hands = [[*slots] for slots in self.slots]
        self.kept = [len(slots) for slots in self.slots]
        self.phase = ["deal"]
        if self.slots == [[], []]:  # 2
            if self.coins < COINS:
                self.stages = [["toss"]]
            else:
                self.phase = ["end", [], "draw"]

    # -- What the table asks -----------------------------------------------------------------

    def state(self) -> Packable:
        """Return the state array."""
        begun = (self.edition, self.set, self.dealer, self.table, self.hands)
        return *begun, self.rounds, self.tokens, self.comparing, self.kept, self.phase

    def result(self) -> list[int] | None:
        """Return the winner, or [] for a draw; None while the game is undecided."""
        return cast("list[int]", self.phase[1]) if self.phase[0] == "end" else None

    def winners(self, resigned: int | None) -> list[int]:
        """Return the winner, or the seat beside ``resigned``."""
        return cast("list[int]", self.phase[1]) if resigned is None else [1 - resigned]
