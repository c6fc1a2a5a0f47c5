"""The rules of Matcha (SPEC#game), on the array of the public state (SPEC#snapshot).

R1 to R25 in comments are the numbers of the rules in SPEC.md.
"""

from typing import NamedTuple, TypeAlias

from codec import Packable

ZERO = 16
WHISK = 4
# R2: the suits beaten by each suit, and the numbers (here 0 to 3) beaten by each number.
SUITS_BEATEN = ({1, 2}, {2, 3}, {3}, {0})
NUMBERS_BEATEN = ({3}, {0}, {0, 1}, {1, 2})


class Edition(NamedTuple):
    """The values in which editions differ (SPEC#game-end); 0 for no limit."""

    name: str
    suits_alike: int
    whisks_alike: int
    turns: int
    keeps: int
    sets: int
    further_rounds: int


EDITIONS = {
    "2015": Edition("2015", 4, 4, 0, 1, 0, 1),
    "2020": Edition("2020", 3, 4, 2, 0, 2, 0),
}


Turn: TypeAlias = tuple[str, int, *tuple[int, ...]]
"""("play", seat, mat, slot), or ("pass", seat, 1 for a forced pass, otherwise 0)."""


class Resolution(NamedTuple):
    """The outcome at a mat: the card of each seat, if turned up, and each seat's gains."""

    mat: int
    cards0: list[int]
    cards1: list[int]
    gains0: list[int]
    gains1: list[int]


class Round(NamedTuple):
    """A round, with each seat's tokens after the round, or before an unfinished round."""

    number: int
    turns: list[Turn]
    resolutions: list[Resolution]
    tokens0: list[int]
    tokens1: list[int]


class Rules:
    """The public view of a game: the places of the state array, and values derived from them.

    laid: for each seat the slot of the seat's card at each mat of the round. The phase's name
    is in ``phase``, its further values in ``turn``, in ``due`` and ``faces``, or in ``winner``
    and ``how``.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.number = 1
        self.dealer = 0
        self.table: list[int] = []
        self.hands: list[list[int]] = [[], []]
        self.rounds: list[Round] = []
        self.tokens = [[0] * 5, [0] * 5]
        self.comparing = False
        self.kept = [0, 0]
        self.phase = "deal"
        self.laid: list[dict[int, int]] = [{}, {}]
        self.turn = 0
        self.due: list[list[int]] = [[], []]  # mats whose cards a seat has to turn up
        self.faces: list[list[int]] = [[], []]  # and those that it has turned up
        self.winner: list[int] = []
        self.how = ""

    def array(self) -> Packable:
        """Return the public state."""
        begun = (self.edition.name, self.number, self.dealer, self.table, self.hands)
        reached = (self.rounds, self.tokens, int(self.comparing), self.kept, self._phase())
        return begun + reached

    def _phase(self) -> Packable:
        match self.phase:
            case "place":
                return "place", self.turn
            case "reveal":
                return "reveal", *self.due, *self.faces
            case "end":
                return "end", self.winner, self.how
            case _:
                return (self.phase,)

    # -- Transitions -------------------------------------------------------------------------

    def lay(self, faces: list[int]) -> None:
        """Lay the table of a set."""
        self.table = faces
        self.hands = [list(range(5)), list(range(5))]
        self.rounds = []
        self._begin_round()

    def play(self, seat: int, mat: int, slot: int) -> None:
        """Lay the card of a slot at a permitted mat."""
        self.hands[seat].remove(slot)
        self.laid[seat][mat] = slot
        self._end_turn(("play", seat, mat, slot))

    def pass_on(self, seat: int) -> None:
        """Let a seat pass."""
        self._end_turn(("pass", seat, 0))

    def turn_up(self, seat: int, faces: list[int]) -> None:
        """Turn up the contested cards of a seat."""
        self.due[seat] = []
        self.faces[seat] = faces
        if self.due == [[], []]:
            self._resolve(self.faces)

    def next_set(self, kept: list[list[int]]) -> None:
        """Go on to the next set with the kept slots of each seat (R15)."""
        self.number += 1
        self.dealer = 1 - self.dealer
        self.hands = kept
        self.kept = [len(slots) for slots in kept]
        self.phase = "deal"

    def draw(self) -> None:
        """End the game as a draw."""
        self.phase, self.winner, self.how = "end", [], "draw"

    # -- Questions ---------------------------------------------------------------------------

    @property
    def round_number(self) -> int:
        """The number of the round, 1..3."""
        return self.rounds[-1].number

    @property
    def mats(self) -> tuple[int, int]:
        """The mats of the round (R5)."""
        return 2 * self.round_number - 2, 2 * self.round_number - 1

    def contested(self) -> list[int]:
        """Return the mats of the round where both seats have a card."""
        return [m for m in self.mats if m in self.laid[0] and m in self.laid[1]]

    def may_play(self, seat: int, mat: int) -> bool:
        """Whether the seat on turn may lay a card at ``mat`` (R7, R9)."""
        return mat in self.mats and mat not in self.laid[seat]

    def is_out(self, seat: int) -> bool:
        """Whether a seat is out of the round (R10)."""
        turns = [turn for turn in self.rounds[-1].turns if turn[1] == seat]
        if self.edition.turns:
            return len(turns) >= self.edition.turns
        return any(turn[0] == "pass" for turn in turns)

    # -- Turns and rounds --------------------------------------------------------------------

    def _begin_round(self) -> None:
        number = self.round_number + 1 if self.rounds else 1
        self.rounds.append(Round(number, [], [], *(list(t) for t in self.tokens)))
        self.laid = [{}, {}]
        self.phase, self.turn = "place", self.dealer  # R8

    def _end_turn(self, turn: Turn) -> None:
        turns = self.rounds[-1].turns
        turns.append(turn)
        while (seat := self._next_after(turns[-1][1])) is not None:
            if self.hands[seat] and any(self.may_play(seat, mat) for mat in self.mats):
                self.phase, self.turn = "place", seat
                return
            turns.append(("pass", seat, 1))  # R11
        mats = self.contested()
        if mats:
            self.phase = "reveal"
            self.due, self.faces = [mats, mats], [[], []]
        else:
            self._resolve([[], []])

    def _next_after(self, seat: int) -> int | None:
        """Return the seat of the next turn, or None if the round is over (R10)."""
        for next_seat in (1 - seat, seat):
            if not self.is_out(next_seat):
                return next_seat
        return None

    def _resolve(self, faces: list[list[int]]) -> None:
        """Resolve the mats of the round with the turned up faces, and judge (R12)."""
        turned_up = [list(faces[0]), list(faces[1])]
        current = self.rounds[-1]
        for mat in self.mats:
            laid = [mat in self.laid[seat] for seat in (0, 1)]
            cards = [[turned_up[0].pop(0)], [turned_up[1].pop(0)]] if all(laid) else [[], []]
            gains = self._contest(mat, cards[0][0], cards[1][0]) if all(laid) else [[], []]
            if laid[0] != laid[1]:
                gains[laid.index(True)] = [self.table[mat] // 4]
            for seat in (0, 1):
                for token in gains[seat]:
                    self.tokens[seat][token] += 1
            current.resolutions.append(Resolution(mat, *cards, *gains))
        current.tokens0[:], current.tokens1[:] = self.tokens
        self._after_round()

    def _contest(self, mat: int, card0: int, card1: int) -> list[list[int]]:
        """Return the gains of each seat at a mat with two cards."""
        suit, number = divmod(self.table[mat], 4)
        by_number = mat % 2 == 0

        def matches(card: int) -> bool:
            if card == ZERO:
                return False  # R3
            return card % 4 == number if by_number else card // 4 == suit

        match matches(card0), matches(card1):
            case True, False:
                return [[suit], [WHISK]]
            case False, True:
                return [[WHISK], [suit]]
            case False, False:
                return [[], []]
            case _ if by_number:
                first_wins = card1 // 4 in SUITS_BEATEN[card0 // 4]
            case _:
                first_wins = card1 % 4 in NUMBERS_BEATEN[card0 % 4]
        return [[suit], []] if first_wins else [[], [suit]]

    def _after_round(self) -> None:
        verdict = self._judge()
        if verdict is not None:
            winner, how = verdict
            self.phase, self.how = "end", how
            self.winner = [] if winner is None else [winner]
        elif self.round_number < 3:
            self._begin_round()
        elif self.edition.keeps and (self.hands[0] or self.hands[1]):
            self.phase = "keep"  # R16
        else:
            self.next_set([[], []])  # R17

    # -- Winning -----------------------------------------------------------------------------

    def _judge(self) -> tuple[int | None, str] | None:
        """Return winner and how if the game is over; the lines follow SPEC#game-end."""
        met = [self._condition(seat) for seat in (0, 1)]
        ahead = None
        if self.tokens[0] > self.tokens[1]:  # R19
            ahead = 0
        elif self.tokens[0] < self.tokens[1]:
            ahead = 1
        if self.comparing:  # line 1
            return None if ahead is None else (ahead, "further-rounds")
        for seat in (0, 1):
            if met[seat] and not met[1 - seat]:  # line 2
                return seat, met[seat]
        if met[0]:  # and met[1]
            if ahead is not None:  # line 3
                return ahead, "tie-break"
            if not self.edition.further_rounds:  # line 5
                return None, "draw"
            self.comparing = True  # line 4
        elif self.round_number == 3 and self.number == self.edition.sets:  # line 6
            return ahead, "draw" if ahead is None else "last-set"
        return None  # line 7

    def _condition(self, seat: int) -> str:
        """Return the condition met by a seat, or "" (R18)."""
        *suits, whisks = self.tokens[seat]
        if max(suits) >= self.edition.suits_alike or whisks >= self.edition.whisks_alike:
            return "alike"
        return "five-kinds" if all(self.tokens[seat]) else ""
