"""Games without proofs: what chance seldom brings, and moves that a rule refuses.

The rules of a game know the outcomes of steps alone: values of coins, moves, open faces. So a
play needs no keys. It is told as a trace is, one step after the other.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.kashi.table.signed import signed
from matcha_p2p.games.kashi.table.steps import new_game as new_kashi
from matcha_p2p.games.matcha.rules.game import legal_moves as legal_placements
from matcha_p2p.games.matcha.rules.moves import Play as Lay
from matcha_p2p.games.matcha.table.steps import new_game as new_matcha
from matcha_p2p.games.tichu.rules import moves as legal
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.games.tichu.table.steps import new_game as new_tichu
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.table import Owed, debts
from protocol.generator import kashi_games
from protocol.generator.tichu_games import BOMBS, RUNS, STRAIGHT, face_of, play_of
from protocol.generator.traces import array_of, differing, outcome
from protocol.generator.vectors import Case, Json, Vectors, seed
from tests.told import Card

Move = tuple[Any, ...]


@dataclass
class Play:
    """A game as it goes. told: the steps that are done, and refused moves, for JSON."""

    game: Any
    piles: dict[str, Any] = field(default_factory=dict)  # of tuples of Card, for a table too
    told: list[Json] = field(default_factory=list)
    known: list[Json] = field(default_factory=list)

    def asked(self) -> steps.Step:
        """Return the step that the game asks for. Steps that owe nothing are done."""
        while True:
            step: steps.Step = self.game.next(self.piles)
            if self.owing(step):
                return step
            self._done(steps.Shared(()))

    def owing(self, step: steps.Step) -> Sequence[Owed]:
        """Return what a step owes."""
        return debts(step, self.piles)

    def take(self, found: steps.Outcome, said: dict[Seat, Move] | None = None) -> None:
        """Go on by an outcome, and tell it. said: the moves."""
        telling = outcome(found, said or {}, self.piles)
        self._done(found)
        step = self.asked()
        array = array_of(self.game.snapshot())
        self.told.append(
            {
                "outcome": telling,
                "set": differing(self.known, array),
                "owing": [[owed.seat, owed.verb.value] for owed in self.owing(step)],
            }
        )
        self.known = array

    def _done(self, found: steps.Outcome) -> None:
        self.game, new = self.game.done(found, self.piles)
        self.piles = {name: tuple(map(_card, cards)) for name, cards in new.items()}

    def toss(self, value: bytes) -> None:
        """Toss a coin."""
        self.take(steps.Tossed(value))

    def shuffle(self, pile: str, faces: Sequence[int | None]) -> None:
        """Shuffle a pile, in which then closed cards with ``faces`` lie."""
        self.piles[pile] = tuple(Card(face) for face in faces)
        self.take(steps.Mixed())

    def share(self, step: steps.Share) -> None:
        """Share cards, and open those that are for all."""
        self.take(steps.Shared(self._opened(step)))

    def _opened(self, step: steps.Share) -> tuple[int, ...]:
        for read in step.reads:
            card = self.piles[read.pile][read.place]
            card.given |= {0, 1, 2, 3} - {read.reader}
            if read.reader is None:
                card.face = card.true
        cards = (
            self.piles[read.pile][read.place] for read in step.reads if read.reader is None
        )
        return tuple([card.face for card in cards if card.face is not None])

    def move(self, seat: Seat, move: Move) -> None:
        """Let the seat of a Decide move."""
        self.take(steps.Moved(self.game.judge(seat, move, self.piles)), {seat: move})

    def attempt(self, seat: Seat, move: Move) -> None:
        """Tell a move if a rule refuses it, at once or once its cards lie open."""
        before, closed = self.game, [card for pile in self.piles.values() for card in pile]
        closed = [card for card in closed if card.face is None]
        given = [set(card.given) for card in closed]
        refused: list[Json] = [["move", [int(seat), *move]]]
        try:
            self.game = self.game.judge(seat, move, self.piles)
            step = self.game.next(self.piles)
            if isinstance(step, steps.Share) and step.label in ("lay", "show"):
                faces = self._opened(step)
                refused.append(outcome(steps.Shared(faces), {}, {}))
                self.game.done(steps.Shared(faces), self.piles)
        except IllegalMoveError:
            self.told.append({"refused": refused})
        self.game = before
        for card, shares in zip(closed, given, strict=True):
            card.face, card.given = None, shares


def _card(card: Card | int) -> Card:
    return card if isinstance(card, Card) else Card(card, card)


def case(name: str, play: Play) -> Case:
    """Return a play as a case."""
    game = play.game
    return {
        "name": name,
        "game": game.name,
        "variant": game.variant,
        "seats": game.seats,
        "steps": play.told,
        "result": play.game.result(),
    }


# --- Tichu ---------------------------------------------------------------------------------


class Deal(NamedTuple):
    """The hands of a round, by seat. calls: who calls Grand Tichu. hides: the Mah Jong."""

    hands: tuple[str, ...]
    calls: tuple[int, ...] = ()
    hides: bool = False


SUITS = Deal(
    (
        "Dog Dragon P b7 b8 b9 bT bJ bQ bK bA c2 cA dA",
        "b2 b3 b4 b5 b6 c3 c4 c5 c6 c7 c8 d9 dT dJ",
        "d2 d3 d4 d5 d6 d7 d8 c9 cT cJ cQ cK dQ dK",
        "1 a2 a3 a4 a5 a6 a7 a8 a9 aT aJ aQ aK aA",
    ),
    calls=(1,),
)
"""Seat 3 lays its whole hand at once, and seat 1 keeps a bomb for the end."""

FIRST_OUT = "3 1 a2 a3 a4 a5 a6 a7 a8 a9 aT aJ aQ aK aA"
BOMBED_AT_THE_END = (
    *(FIRST_OUT, "0", "0 ! Dog", "2 ! d2 d3 d4 d5 d6 d7 d8 c9 cT", "0"),
    *("1 c3 c4 c5 c6 c7 c8 d9 dT dJ", "0 P b7 b8 b9 bT bJ bQ bK bA =6"),
    *("0 c2", "0 cA dA", "0 Dragon", "1 b2 b3 b4 b5 b6"),
)
TO_A_PARTNER_WHO_IS_OUT = (
    *("0 1", "2 Dragon", "2 b2 c3 d4 a5 b6 c7 d8 a9 bT cJ dQ aK bA", "3"),
    *("3 d2", "0 dK", "0 Dog", "3 d3"),
)

DIRECTED: tuple[tuple[str, str, Deal, tuple[str, ...]], ...] = (
    (
        "a bomb lies on the Dragon: nobody gives the trick away",
        *("round plays", Deal(BOMBS.hands), ("0 Dragon", "2 cT cJ cQ cK cA *")),
    ),
    (
        "a bomb lies on the Dragon in the last trick; both teams end below 0",
        *("round", SUITS, BOMBED_AT_THE_END),
    ),
    (
        "the Dragon on top: the trick is given away",
        *("round", Deal(BOMBS.hands), ("0 Dragon",)),
    ),
    (
        "a bomb out of turn fulfils a wish",
        *("round plays", Deal(BOMBS.hands), (f"{STRAIGHT} ?10", "2 cT cJ cQ cK cA *")),
    ),
    (
        "at the last call a seat lays a bomb on its own play",
        *("round plays", Deal(BOMBS.hands), ("0 1", "0 *", "0 a7 b7 c7 d7 *")),
    ),
    (
        "the Dog to a partner who is out: the next seat leads",
        *("300 early", Deal(RUNS.hands), TO_A_PARTNER_WHO_IS_OUT),
    ),
    (
        "seat 2 hides the Mah Jong",
        *("round", Deal((*RUNS.hands[2:], *RUNS.hands[:2]), hides=True), ()),
    ),
    (
        "seat 3 hides the Mah Jong, and has to show no card: all other cards are open",
        *("round", SUITS._replace(hides=True), ()),
    ),
)
"""By name the variant, the deal, and what is played; all other answers are passes."""


def tichu_dealt(variant: str, deal: Deal) -> Play:
    """Return a play whose seats hold ``deal``; seat 0 is the first."""
    game = new_tichu(variant, 4)
    play = Play(game)
    value = next(v for n in count() if H("first", v := seed(f"plays {n}"))[0] % 4 == 0)
    hands = [[face_of(card) for card in hand.split()] for hand in deal.hands]
    while True:
        match play.asked():
            case steps.Coin():
                play.toss(value)
            case steps.Shuffle(pile, _, "own"):
                play.shuffle(pile, hands[int(pile[-1])])
            case steps.Shuffle(pile):
                play.shuffle(pile, [None] * len(play.piles[pile]))
            case steps.Share() as step:
                play.share(step)
            case steps.Decide(seat):
                match play.game.round.asked[0][1]:
                    case Ask.GRAND:
                        play.move(seat, ("grand", int(seat in deal.calls)))
                    case Ask.PUSH:
                        play.move(seat, ("give", 0))
                    case _:
                        return play
            case _:
                raise AssertionError(play.game)


Answer = Callable[[Play, Seat], Move]


def go_on(play: Play, answer: Answer, stops: Callable[[Play], bool]) -> None:
    """Let seats answer until the round is over or ``stops`` holds before a Decide."""
    number = play.game.number
    while play.game.number == number:
        match play.asked():
            case steps.Share() as step:
                play.share(step)
            case steps.Decide(seat):
                if stops(play):
                    return
                play.move(seat, answer(play, seat))
            case _:
                return


def directed(variant: str, deal: Deal, plays: Sequence[str]) -> Play:
    """Return a play of ``plays``, to the end of the last trick."""
    left = deque(plays)

    def answer(play: Play, seat: Seat) -> Move:
        ask, held = play.game.round.asked[0][1], places(play, seat)
        if ask is Ask.CALL:
            play.attempt(seat, ("open", 0, (held.get(52, 0) + 1) % 14))
            shows = 52 in held and not deal.hides
            return ("open", 0, held[52]) if shows else ("hold", 0)
        if ask is Ask.GIFT:
            return ("gift", (seat + 1) % 4)
        text = left[0] if left else ""
        due = Ask.HOLD if "*" in text else Ask.TURN
        if text.startswith(str(seat)) and ask is due:
            left.popleft()
            if (said := play_of(text)).faces:
                chosen = sum(1 << held[face] for face in said.faces)
                return ("lay", int(said.tichu), said.wild, said.wish, chosen)
        return ("hold" if ask is Ask.HOLD else "pass", 0)

    play = tichu_dealt(variant, deal)
    go_on(play, answer, lambda play: not (deal.hides or left or play.game.round.pile))
    if left:
        raise ValueError(f"nobody could play {left}")
    return play


def places(play: Play, seat: Seat) -> dict[int, int]:
    """Return the places of the cards that a seat holds, by face."""
    hand = play.piles[f"hand {seat}"]
    return {hand[place].true or 0: place for place in play.game.round.held[seat]}


def by_chance(label: str, variant: str, sins: float) -> Play:
    """Return a round at random, with refused moves. sins: how often T21 is broken."""
    chance = random.Random(label)  # noqa: S311 -- to be the same again
    deck = [*range(56)]
    chance.shuffle(deck)
    names = {face_of(name): name for name in (*_suited(), "1", "Dog", "P", "Dragon")}
    hands = (deck[at : at + 14] for at in range(0, 56, 14))
    deal = Deal(tuple(" ".join(names[face] for face in hand) for hand in hands))

    def answer(play: Play, seat: Seat) -> Move:
        if chance.random() < 0.3:
            play.attempt(seat, _anything(chance))
        state, held = play.game.round, places(play, seat)
        call = int(len(held) == 14 and not state.calls[seat] and chance.random() < 0.1)
        ask = state.asked[0][1]
        if ask is Ask.CALL:
            return ("open", call, held[52]) if 52 in held else ("hold", call)
        if ask is Ask.GIFT:
            play.attempt(seat, ("gift", (seat + 2) % 4))
            return ("gift", (seat + chance.choice((1, 3))) % 4)
        sin = chance.random() < sins
        sin = sin and ask is Ask.TURN
        found = legal.plays(held, state.under) if sin else legal.legal_plays(state, held)
        passes = ask is Ask.HOLD or (
            state.under is not None and (sin or legal.may_pass(state, held))
        )
        if not found or (passes and chance.random() < 0.3):
            return ("hold" if ask is Ask.HOLD else "pass", call)
        laid = chance.choice(sorted(found, key=lambda each: -len(each.faces))[:6])
        wish = chance.randint(2, 14) if 52 in laid.faces else 0
        return ("lay", call, laid.wild, wish, sum(1 << held[face] for face in laid.faces))

    play = tichu_dealt(variant, deal)
    go_on(play, answer, lambda _: False)
    return play


def _suited() -> Iterator[str]:
    yield from (suit + number for suit in "abcd" for number in "23456789TJQKA")


def _anything(chance: random.Random) -> Move:
    few = chance.sample(range(14), chance.choice((1, 1, 2, 3, 5)))
    wild, wish = (chance.choice((0, 0, chance.randint(1, 14))) for _ in range(2))
    bit = chance.randint(0, 1)
    lay = ("lay", bit, wild, wish, sum(1 << place for place in few))
    others = (
        ("grand", bit),
        ("give", bit),
        ("open", bit, chance.randint(0, 13)),
        ("hold", bit),
        ("pass", bit),
        ("gift", chance.randint(0, 3)),
    )
    return chance.choice((lay, lay, lay, *others))


AT_RANDOM = (
    ("round", "plays 1", 0.0),
    ("round early", "plays 2", 0.3),
    ("round plays", "plays 3", 0.0),
)


def tichu() -> Iterator[Case]:
    """Yield the plays of Tichu."""
    for name, variant, deal, plays in DIRECTED:
        yield case(name, directed(variant, deal, plays))
    for variant, label, sins in AT_RANDOM:
        yield case(f"a round at random: {variant}", by_chance(label, variant, sins))


# --- Matcha --------------------------------------------------------------------------------


def matcha_by_chance(label: str) -> Play:
    """Return a game of 2015 at random.

    If a card was kept, both seats lay while they can; otherwise they mostly pass.
    """
    chance = random.Random(label)  # noqa: S311 -- to be the same again
    play = Play(new_matcha("2015", 2))
    while True:
        game, piles = play.game, play.piles
        match play.asked():
            case steps.Coin():
                play.toss(chance.randbytes(32))
            case steps.Shuffle(pile):
                faces = [card.true for card in play.piles[pile]]
                play.shuffle(pile, chance.sample(faces, len(faces)))
            case steps.Share() as step:
                play.share(step)
            case steps.Decide(seat):
                legal = legal_placements(game.state)
                lays = any(game.state.kept) or chance.random() < 0.2
                fitting = [move for move in legal if isinstance(move, Lay) == lays]
                play.move(seat, game.write(seat, chance.choice(fitting or legal), piles))
            case steps.Sealed(order):
                said = {seat: chance.choice([*game.sealable(seat, piles)]) for seat in order}
                judged = {seat: game.judge(seat, said[seat], piles) for seat in order}
                play.take(steps.Unsealed(judged), said)
            case _:
                return play


def matcha() -> Iterator[Case]:
    """Yield the plays of Matcha."""
    name = "cards are kept, and in a later set both seats lay all of theirs"
    yield case(name, matcha_by_chance("matcha 0"))


# --- Kashi-ichi ----------------------------------------------------------------------------

ANY = (kashi_games.deliver, kashi_games.build, kashi_games.spend, kashi_games.hoard)
MANY = (kashi_games.gather, kashi_games.gather, kashi_games.gather, kashi_games.build)


def kashi_by_chance(
    label: str, variant: str, seats: int, styles: Sequence[kashi_games.Style]
) -> Play:
    """Return a game at random, with refused turns."""
    chance = random.Random(label)  # noqa: S311 -- to be the same again
    play = Play(new_kashi(variant, seats))
    choose = [kashi_games.chooser(style) for style in chance.sample(styles, seats)]
    while True:
        match play.asked():
            case steps.Coin():
                play.toss(chance.randbytes(32))
            case steps.Decide(seat):
                state = play.game.state
                move = signed(state.board, choose[seat](state, chance.randrange))
                if move[0] == "turn":
                    turn = [int(str(action)) for action in move[1:]]
                    play.attempt(seat, ("turn", *spoilt(turn, [*state.row], chance)))
                play.attempt(seat, chance.choice((("upkeep", 9), ("on",), ("start", 305))))
                play.move(seat, move)
            case _:
                return play


def spoilt(turn: list[int], row: list[int], chance: random.Random) -> list[int]:
    """Return a turn with an action more or another action, mostly a forbidden one."""
    square = 100 * chance.randint(0, 6) + chance.randint(0, 6)
    wish = chance.choice((0, 10_000, 20_000 + square, chance.randint(0, 66)))
    action = chance.choice(
        (
            chance.randint(0, 7),
            10_000 + chance.choice((0, square)),
            100_000 + 10 * square + chance.choice((0, 0, 1, 2, 3, 4, 5, 9)),
            1_000_000 * chance.choice((*row, chance.randint(1, 30))) + wish,
        )
    )
    at = chance.randint(0, len(turn))
    return [*turn[:at], action, *turn[at + chance.randint(0, 1) :]][:19]


def kashi() -> Iterator[Case]:
    """Yield the plays of Kashi-ichi."""
    for label, variant, seats in (
        ("plays 1", kashi_games.SMALL, 3),
        ("plays 2", kashi_games.SMALL, 4),
    ):
        play = kashi_by_chance(label, variant, seats, ANY)
        yield case(f"a game of {seats} at random", play)
    yield case(
        "a turn fulfils more orders than are left to draw; points end at 0; a free shop",
        kashi_by_chance("rich 192", kashi_games.RICH, 3, MANY),
    )


def every() -> Iterator[Vectors]:
    """Yield the files of plays."""
    about = "Games without proofs, step by step: outcomes, what they change, and refused moves."
    yield Vectors("plays/matcha", about, ("SPEC#matcha", "SPEC#steps"), tuple(matcha()))
    yield Vectors("plays/tichu", about, ("SPEC#tichu", "SPEC#steps"), tuple(tichu()))
    yield Vectors("plays/kashi", about, ("SPEC#kashi", "SPEC#steps"), tuple(kashi()))
