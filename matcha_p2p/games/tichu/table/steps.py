"""Tichu in the steps of the table: a coin, then rounds of shuffles, shares, moves (SPEC#tichu).

A hand is a pile of 14 cards; what is laid stays there, open. f, the seat that is asked first in
a round, is ``first``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final, NamedTuple, Self, TypeAlias, assert_never

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as round_rules
from matcha_p2p.games.tichu.rules.audit import Foul, audit, holder
from matcha_p2p.games.tichu.rules.cards import ACE, FACES, MAH_JONG
from matcha_p2p.games.tichu.rules.combinations import Combination
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.scoring import Points, score, winner
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.moves import MoveForms, Number
from matcha_p2p.table.piles import Card, NewPiles, Piles
from matcha_p2p.wire.encoding import Value

TARGETS: Final[Mapping[str, int | None]] = MappingProxyType(
    {"1000": 1000, "300": 300, "round": None}
)
"""How many points end a game, by the first word of its variant; None: a round that decides."""
PLAYS_ONLY: Final = "plays"
"""In a variant: bombs are asked for only after a play and before a trick is taken (T24)."""
EARLY_TICHU: Final = "early"
"""In a variant: Tichu is called only before the first lead (T10)."""

_FLAG: Final = Number(0, 1)
_RANK: Final = Number(0, ACE)
FORMS: Final[MoveForms] = MappingProxyType(
    {
        "grand": (_FLAG,),
        "give": (_FLAG,),
        "open": (_FLAG, Number(0, round_rules.HAND - 1)),
        "lay": (_FLAG, _RANK, _RANK, Number(1, 2**round_rules.HAND - 1)),
        "hold": (_FLAG,),
        "pass": (_FLAG,),
        "gift": (Number(0, 3),),
    }
)
_FACES: Final = MappingProxyType(dict.fromkeys(FACES, 1))
_WHOLE: Final = range(round_rules.HAND)


@dataclass(frozen=True, slots=True)
class Tossing:
    """A coin says who is asked first."""


@dataclass(frozen=True, slots=True)
class Mixing:
    """All 56 cards are shuffled."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """Each seat gets to see the cards of its hand at ``places``; label: of the step."""

    label: str
    places: range


@dataclass(frozen=True, slots=True)
class Gifting:
    """``seat`` shuffles its hand, so that the three cards that it gives come last."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Owning:
    """The seats shuffle their new hands; these still have to."""

    left: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Showing:
    """``seat`` opens what it says is the Mah Jong."""

    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class Laying:
    """``seat`` opens the cards that it lays."""

    seat: Seat
    move: actions.Lay


@dataclass(frozen=True, slots=True)
class Uncovering:
    """The round is over: all who still hold cards open them, but the last of them."""


TichuStage: TypeAlias = (
    Tossing | Mixing | Dealing | Gifting | Owning | Showing | Laying | Uncovering
)


class CountedRound(NamedTuple):
    """A round that is over, with its plays.

    points: the points that each team has gained. hands: the faces by seat and place
    (``open_hands``).
    """

    round: round_rules.Round
    laid: tuple[Laid, ...]
    points: Points
    hands: tuple[tuple[int, ...], ...]


class Tichu(NamedTuple):
    """The public state of Tichu.

    stage: the stage while cards are dealt or opened, None while a seat is asked. number: the
    number of ``round``, from 1; 0 before the coin. laid: the plays of ``round``, in order.
    moves: how many moves of ``round`` were made. totals: the points of all counted rounds.
    counted: the round counted last. foul: the foul that has ended the game.
    """

    target: int | None
    parameters: round_rules.Variant
    first: Seat
    round: round_rules.Round
    number: int = 0
    laid: tuple[Laid, ...] = ()
    moves: int = 0
    totals: Points = (0, 0)
    counted: CountedRound | None = None
    stage: TichuStage | None = Tossing()
    foul: Foul | None = None

    @property
    def name(self) -> str:
        """The game."""
        return "tichu"

    @property
    def variant(self) -> str:
        """The target, and what else differs from the usual rules."""
        return _variant(self.target, self.parameters)

    @property
    def seats(self) -> int:
        """Tichu is for four."""
        return len(round_rules.SEATS)

    @property
    def faces(self) -> Mapping[int, int]:
        """Fifty-six cards that differ."""
        return _FACES

    @property
    def forms(self) -> MoveForms:
        """The fields of each move."""
        return FORMS

    @property
    def order(self) -> steps.Order:
        """All seats, the one that is asked first before all others."""
        return tuple(round_rules.seat_after(self.first, count) for count in range(4))

    @property
    def won(self) -> int | None:
        """The team that has won by its points, or None."""
        return winner(self.totals, min(self.totals) if self.target is None else self.target)

    @property
    def is_over(self) -> bool:
        """Whether the game is decided."""
        return self.foul is not None or (self.stage is None and self.round.is_over)

    def rules(self) -> Value:
        """Return the target, and the two parameters as 0 or 1 (SPEC#tichu-values)."""
        return [self.target or 0, *map(int, self.parameters)]

    def next(self, piles: Piles) -> steps.Step:
        """Return the step that follows."""
        match self.stage:
            case Tossing():
                return steps.Coin(self.order)
            case Mixing():
                return steps.Shuffle("deck", self.order, "mix")
            case Dealing(label, places):
                hands = [
                    read
                    for seat in self.order
                    for read in steps.reads(hand_of(seat), places, seat)
                ]
                order = self.order if label == "look" else self.order[::-1]
                return steps.Share(tuple(hands), order, label)
            case Gifting(seat):
                others = tuple(round_rules.seat_after(seat, count) for count in (1, 2, 3))
                return steps.Shuffle(hand_of(seat), (seat,), "give", others)
            case Owning((seat, *_)):
                return steps.Shuffle(hand_of(seat), (seat,), "own")
            case Showing(seat, place):
                return self._open(steps.reads(hand_of(seat), (place,), None), "show")
            case Laying(seat, move):
                closed = [place for place in move.places if not _is_open(piles, seat, place)]
                return self._open(steps.reads(hand_of(seat), closed, None), "lay")
            case Uncovering():
                *opened, _ = self._holders()
                hidden = [
                    read
                    for seat in opened
                    for read in steps.reads(hand_of(seat), sorted(self.round.held[seat]), None)
                ]
                return self._open(tuple(hidden), "uncover")
            case _ if self.is_over:
                return steps.Over(self.order)
            case _:
                return steps.Decide(self.round.asked[0][0])

    def _open(self, cards: tuple[steps.Read, ...], label: str) -> steps.Share:
        return steps.Share(cards, self._asked_last(), label)

    def _asked_last(self) -> steps.Order:
        """Return the seats, those last that have passed a wish over (T33)."""
        bound = {turn.seat for turn in self.round.passed}
        return tuple(sorted(self.order, key=bound.__contains__))

    def _holders(self) -> tuple[Seat, ...]:
        """Return who still holds cards."""
        return tuple(seat for seat in self._asked_last() if self.round.held[seat])

    def done(self, outcome: steps.Outcome, piles: Piles) -> tuple[Self, NewPiles]:
        """Return the game and its piles after the step that ``next`` has asked for."""
        match outcome:
            case steps.Tossed(value):
                return self.begin_round(round_rules.SEATS[H("first", value)[0] & 3])
            case steps.Mixed():
                return self._mixed(piles)
            case steps.Shared():
                return self._shared(piles)
            case steps.Moved(after):
                return after, piles
            case steps.Unsealed():
                raise RuntimeError("no move is sealed in Tichu")
            case _:
                assert_never(outcome)

    def _mixed(self, piles: Piles) -> tuple[Self, NewPiles]:
        match self.stage:
            case Gifting(giver):
                return self._given(giver, piles)
            case Owning((_, *left)):
                stage = Owning(tuple(left)) if left else Dealing("look", _WHOLE)
                return self._replace(stage=stage), piles
            case _:
                deck = piles["deck"]
                hands = {
                    hand_of(seat): deck[round_rules.HAND * seat :][: round_rules.HAND]
                    for seat in round_rules.SEATS
                }
                return self._replace(
                    stage=Dealing("deal", range(round_rules.DEALT_FIRST))
                ), hands

    def _shared(self, piles: Piles) -> tuple[Self, NewPiles]:
        match self.stage:
            case Showing(seat, place):
                if piles[hand_of(seat)][place].face != MAH_JONG:
                    raise RefusedError("T13", Sentence("This card is not the Mah Jong."))
                return self._after(round_rules.lead(self.round, seat)), piles
            case Laying(seat, move):
                return self._played(self.round, seat, move, piles), piles
            case Uncovering():
                return self._count(piles)
            case _:
                return self._replace(stage=None), piles

    def begin_round(self, first: Seat) -> tuple[Self, NewPiles]:
        """Return the game and its piles at the next round, with new cards."""
        begun = self._replace(
            first=first,
            round=round_rules.new_round(self.parameters, first),
            number=self.number + 1,
            laid=(),
            moves=0,
            stage=Mixing(),
        )
        return begun, {"deck": tuple(FACES)}

    def _given(self, giver: Seat, piles: Piles) -> tuple[Self, NewPiles]:
        """Put the gifts of ``giver`` aside; after the last, let all receive theirs (T12)."""
        hand = piles[hand_of(giver)]
        gifts = {
            _gift(giver, count): (card,)
            for count, card in enumerate(hand[round_rules.HAND - 3 :], 1)
        }
        laid = {**piles, hand_of(giver): hand[: round_rules.HAND - 3], **gifts}
        if self.round.asked[0][1] is round_rules.Ask.PUSH:
            return self._replace(stage=None), laid
        return self._replace(stage=Owning(self.order[::-1])), {
            hand_of(seat): (*laid[hand_of(seat)], *_received(seat, laid))
            for seat in round_rules.SEATS
        }

    def _after(self, state: round_rules.Round) -> Self:
        """Return the game with this round, in which a seat has answered."""
        return self._replace(round=state, stage=None if state.asked else Uncovering())

    def _played(
        self, before: round_rules.Round, seat: Seat, move: actions.Lay, piles: Piles
    ) -> Self:
        """Return the game after a play, all cards of which lie open."""
        hand = piles[hand_of(seat)]
        shown = {place: hand[place].face for place in move.places}
        faces = {place: face for place, face in shown.items() if face is not None}
        state = round_rules.play(before, seat, faces, move.wild, move.wish)
        leads = before.under is None
        laid = Laid(seat, tuple(faces.values()), move.wild, move.wish, leads)
        return self._after(state)._replace(laid=(*self.laid, laid))

    def _count(self, piles: Piles) -> tuple[Self, NewPiles]:
        """Judge and count the round; begin another one, unless the game is decided."""
        hands = open_hands(piles)
        foul = self._found(hands)
        if foul is not None:
            return self._replace(stage=None, foul=foul), piles
        made = score(self.round)
        totals = self.totals[0] + made[0], self.totals[1] + made[1]
        counted = CountedRound(self.round, self.laid, made, hands)
        after = self._replace(stage=None, totals=totals, counted=counted)
        if after.won is not None:
            return after, piles
        return after.begin_round(round_rules.seat_after(self.first))

    def _found(self, hands: Sequence[Sequence[int]]) -> Foul | None:
        """Return the first duty that was passed over, with all hands open (T33)."""
        if self.round.leader is None:
            return Foul(holder(hands), 0)
        return audit(self.round, hands)

    def judge(self, seat: Seat, move: steps.Wire, piles: Piles) -> Self:
        """Return the game after a move. What is laid closed is judged once it lies open.

        Raises:
            RefusedError: with the number of the rule.
        """
        return self._moved(seat, move, piles)._replace(moves=self.moves + 1)

    def _moved(self, seat: Seat, move: steps.Wire, piles: Piles) -> Self:
        match move:
            case ("grand", int(called)):
                state = round_rules.grand(self.round, seat, called=bool(called))
                dealing = Dealing("more", range(round_rules.DEALT_FIRST, round_rules.HAND))
                is_last = state.asked[0][1] is round_rules.Ask.PUSH
                return self._replace(round=state, stage=dealing if is_last else None)
            case ("gift", int(receiver)):
                return self._after(
                    round_rules.gift(self.round, seat, round_rules.SEATS[receiver])
                )
            case (str(name), int(tichu), *fields):
                state = round_rules.call_tichu(self.round, seat) if tichu else self.round
                return self._judged(state, seat, name, fields, piles)
            case _:
                raise RuntimeError(f"{move} has no form of a move")

    def _judged(
        self,
        state: round_rules.Round,
        seat: Seat,
        name: str,
        fields: Sequence[str | int | bytes],
        piles: Piles,
    ) -> Self:
        """Return the game after a move before which Tichu may have been called: ``state``."""
        match name, fields:
            case "give", _:
                return self._replace(round=round_rules.push(state, seat), stage=Gifting(seat))
            case "open", [int(place)]:
                if state.leader is not None or state.asked[0][1] is not round_rules.Ask.CALL:
                    raise RefusedError(
                        "T13", Sentence("The Mah Jong is shown once, before the first lead.")
                    )
                return self._replace(
                    round=round_rules.hold(state, seat), stage=Showing(seat, place)
                )
            case "lay", [int(wild), int(wish), int(mask)]:
                places = tuple(place for place in _WHOLE if mask >> place & 1)
                round_rules.check_lays(state, seat, {*places})
                move = actions.Lay(places, wild, wish)
                if all(_is_open(piles, seat, place) for place in places):
                    return self._played(state, seat, move, piles)
                return self._replace(round=state, stage=Laying(seat, move))
            case "hold", _:
                return self._after(round_rules.hold(state, seat))
            case _:
                return self._after(round_rules.pass_turn(state, seat))

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[steps.Wire]:
        """Yield nothing: in Tichu no move is sealed."""
        del seat, piles
        return iter(())

    def write(
        self, seat: Seat, move: actions.TichuMove, piles: Piles
    ) -> steps.Wire | steps.Giving:
        """Return ``move`` of ``seat`` as it is signed.

        Raises:
            IllegalMoveError: T7: the hand has no such place.
        """
        del seat, piles
        match move:
            case actions.AnswerGrand(called):
                return ("grand", int(called))
            case actions.GiveCards(places, tichu):
                return steps.Giving(("give", int(tichu)), places)
            case actions.ShowMahJong(place, tichu):
                return ("open", int(tichu), *_checked(place))
            case actions.Lay(places, wild, wish, tichu):
                mask = sum(1 << place for place in {*_checked(*places)})
                return ("lay", int(tichu), wild, wish, mask)
            case actions.Hold(tichu):
                return ("hold", int(tichu))
            case actions.Pass(tichu):
                return ("pass", int(tichu))
            case actions.GiveTrick(receiver):
                return ("gift", receiver)
            case _:
                assert_never(move)

    def snapshot(self) -> Value:
        """Return the public state as plain values (SPEC#tichu-state)."""
        state = self.round
        return [
            [self.number, self.first, *map(_signed, self.totals)],
            _stage(self.stage),
            [bytes(sorted(held)) for held in state.held],
            [[seat, ask.value] for seat, ask in state.asked],
            [*state.calls],
            [*state.out],
            [bytes(won) for won in state.won],
            [] if state.leader is None else [state.leader],
            [bytes(state.pile), _combination(state.under), state.last, state.passes],
            state.wish,
            [
                [turn.seat, bytes(sorted(turn.held)), turn.wish, _combination(turn.under)]
                for turn in state.passed
            ],
            [*(self.foul or ())],
        ]

    def result(self) -> tuple[Seat, ...] | None:
        """Return the seats of the team that has won, or who alone has fouled; None before."""
        if self.foul is not None:
            return (self.foul.seat,)
        return round_rules.TEAMS[self.won] if self.is_over and self.won is not None else None

    def partner(self, seat: Seat) -> Seat:
        """Return the partner of ``seat``; the two resign together (T34)."""
        return round_rules.seat_after(seat, 2)


def begin(target: int | None, chosen: round_rules.Variant) -> Tichu:
    """Return Tichu before its coin."""
    first = round_rules.SEATS[3]
    return Tichu(target, chosen, first, round_rules.new_round(chosen, first))


def new_game(variant: str, seats: int) -> Tichu | None:
    """Return Tichu before its coin; None for an unknown variant, or not four seats."""
    for target, *parameters in product(TARGETS.values(), (True, False), (True, False)):
        chosen = round_rules.Variant(*parameters)
        if seats == len(round_rules.SEATS) and variant == _variant(target, chosen):
            return begin(target, chosen)
    return None


def hand_of(seat: Seat) -> str:
    """Return the name of the pile that is the hand of ``seat``."""
    return f"hand {seat}"


def open_hands(piles: Piles) -> tuple[tuple[int, ...], ...]:
    """Return all hands by seat and place, once at most one hand is not open.

    That hand holds all cards that lie nowhere else; they are taken to lie in order, which no
    rule asks about.
    """
    hands = [[card.face for card in piles[hand_of(seat)]] for seat in round_rules.SEATS]
    known = {face for hand in hands for face in hand}
    rest = iter(face for face in FACES if face not in known)
    return tuple(tuple(next(rest) if f is None else f for f in hand) for hand in hands)


def _variant(target: int | None, parameters: round_rules.Variant) -> str:
    (name,) = (name for name, points in TARGETS.items() if points == target)
    words = (
        name,
        "" if parameters.every_window else PLAYS_ONLY,
        "" if parameters.late_tichu else EARLY_TICHU,
    )
    return " ".join(filter(None, words))


def _gift(giver: Seat, count: int) -> str:
    """Return the name of the pile of a card that ``giver`` gives ``count`` seats on."""
    return f"{giver} to {round_rules.seat_after(giver, count)}"


def _received(seat: Seat, piles: NewPiles) -> tuple[Card | int, ...]:
    """Return what ``seat`` is given: by the next seat, the partner, the one before."""
    givers = [round_rules.seat_after(seat, count) for count in (1, 2, 3)]
    return tuple(piles[f"{giver} to {seat}"][0] for giver in givers)


def _is_open(piles: Piles, seat: Seat, place: int) -> bool:
    return piles[hand_of(seat)][place].face is not None


def _checked(*places: int) -> tuple[int, ...]:
    if not {*places} <= {*_WHOLE}:
        raise IllegalMoveError("T7", "the hand has no such place")
    return places


def _signed(points: int) -> Value:
    """Return points as two numbers: what is above 0, and what is below."""
    return [max(points, 0), max(-points, 0)]


def _combination(made: Combination | None) -> Value:
    return [] if made is None else [made.kind.value, made.size, made.strength]


def _stage(stage: TichuStage | None) -> Value:
    match stage:
        case None:
            return ["asked"]
        case Tossing():
            return ["toss"]
        case Mixing():
            return ["mix"]
        case Dealing(label):
            return [label]
        case Gifting(seat):
            return ["give", seat]
        case Owning(left):
            return ["own", left[0]]
        case Showing(seat, place):
            return ["show", seat, place]
        case Laying(seat, move):
            return ["lay", seat, bytes(move.places), move.wild, move.wish]
        case Uncovering():
            return ["uncover"]
        case _:
            assert_never(stage)
