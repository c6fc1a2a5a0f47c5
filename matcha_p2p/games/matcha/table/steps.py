"""Matcha in the steps of the table: coin, shuffles, shares, moves and kept cards (SPEC#matcha).

The closer, L in SPEC.md, is the seat whose action has ended the last phase; O is the opponent.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Self, TypeAlias, assert_never

from matcha_p2p.crypto.sponge import H, draw, stream
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.matcha.rules import game as rules
from matcha_p2p.games.matcha.rules.cards import FACES, ZERO
from matcha_p2p.games.matcha.rules.edition import EDITIONS, Edition
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.phases import (
    AwaitingDeal,
    Ended,
    Keeping,
    Placing,
    Revealing,
)
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.snapshot import snapshot
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.table import steps
from matcha_p2p.table.moves import Backs, MoveForms, Number, split
from matcha_p2p.table.piles import Card, NewPiles, Piles, find
from matcha_p2p.wire.encoding import Value

REMATCHES: Final = (" rematch 0", " rematch 1")
"""Ends the variant of a game in which seat 0 deals first, or seat 1."""

_DRAWN: Final = {None: 1, SEATS[0]: 0, SEATS[1]: 2}

HAND: Final = 5
TABLE: Final = 6
ZEROS: Final = 2


_FACES: Final = MappingProxyType({face.index: ZEROS if face == ZERO else 1 for face in FACES})
FORMS: Final[MoveForms] = MappingProxyType(
    {"lay": (Number(0, 5), Backs(1, 1)), "pass": (), "keep": (Backs(0, HAND),)}
)


@dataclass(frozen=True, slots=True)
class Tossing:
    """A coin lays the next table."""


@dataclass(frozen=True, slots=True)
class Mixing:
    """Cards were kept: all other cards are shuffled."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The top of the mixed deck is opened, in ``order``, until six faces but zero show."""

    order: steps.Order


@dataclass(frozen=True, slots=True)
class Dealing:
    """The deck is shuffled, in ``order``, and dealt."""

    order: steps.Order


@dataclass(frozen=True, slots=True)
class Handing:
    """Hands are shuffled by their owners ("own"), or stripped for them ("strip")."""

    left: tuple[tuple[Literal["own", "strip"], Seat], ...]
    """The next actions, each with the owner of the hand."""


DealingStage: TypeAlias = Tossing | Mixing | Opening | Dealing | Handing


class Matcha(NamedTuple):
    """The public state of Matcha. stage: of dealing, None while a set is played.

    state: the game as its rules see it. first: deals first, None if a coin draws the dealer.
    coins: how many have been tossed. closer: the seat that acted last.
    """

    state: GameState
    first: Seat | None = None
    coins: int = 0
    closer: Seat = SEATS[1]
    stage: DealingStage | None = Tossing()

    @property
    def name(self) -> str:
        """The game."""
        return "matcha"

    @property
    def variant(self) -> str:
        """The edition, and who deals first."""
        return variant_of(self.state.edition, self.first)

    @property
    def seats(self) -> int:
        """Matcha is for two."""
        return len(SEATS)

    @property
    def faces(self) -> Mapping[int, int]:
        """Sixteen different cards, and two zeros."""
        return _FACES

    @property
    def forms(self) -> MoveForms:
        """The fields of each move."""
        return FORMS

    def rules(self) -> Value:
        """Return the values in which the editions differ (SPEC#matcha-rules)."""
        edition = self.state.edition
        return [
            edition.suits_alike,
            edition.whisks_alike,
            edition.turns or 0,
            int(edition.keeps),
            edition.sets or 0,
            int(edition.further_rounds),
            _DRAWN[self.first],
        ]

    def next(self, piles: Piles) -> steps.Step:
        """Return the next step."""
        match self.stage:
            case Tossing():
                return steps.Coin(self._order())
            case Mixing():
                return steps.Shuffle("mixed", self._order(), "mix")
            case Opening(order):
                return steps.Share(_top(piles), order, "open")
            case Dealing(order):
                return steps.Shuffle("deck", order, "deal")
            case Handing((("own", owner), *_)):
                return steps.Shuffle(hand_of(owner), (owner,), "own")
            case Handing((("strip", owner), *_)):
                to_owner = steps.reads(hand_of(owner), range(HAND), owner)
                return steps.Share(to_owner, (opposite(owner), owner), "strip")
            case _:
                return self._next_in_play()

    def _next_in_play(self) -> steps.Step:
        match self.state.phase:
            case Placing(to_move):
                return steps.Decide(to_move)
            case Revealing():
                seat = self._revealer()
                places = tuple(contested_slots(self.state, seat).values())
                return steps.Share(
                    steps.reads(hand_of(seat), places, None), (seat, opposite(seat)), "reveal"
                )
            case Keeping():
                return steps.Sealed(self._order())
            case Ended():
                return steps.Over(self._order())
            case AwaitingDeal():
                raise RuntimeError("a deal is due, and no stage of it")
            case _:
                assert_never(self.state.phase)

    def _order(self) -> steps.Order:
        return (self.closer, opposite(self.closer))

    def _revealer(self) -> Seat:
        """Return the seat that opens its cards next: first the seat that moved last."""
        match self.state.phase:
            case Revealing(due) if due[self.closer]:
                return self.closer
            case _:
                return opposite(self.closer)

    def done(self, outcome: steps.Outcome, piles: Piles) -> tuple[Self, NewPiles]:
        """Return the game and its piles after the step asked for by ``next``."""
        match outcome:
            case steps.Tossed(value):
                return self._tossed(value)
            case steps.Mixed():
                return self._mixed(piles)
            case steps.Shared(faces):
                return self._shared(faces, piles)
            case steps.Moved(after):
                return after, piles
            case steps.Unsealed(slots):
                return self._kept(slots, piles)
            case _:
                assert_never(outcome)

    def _tossed(self, value: bytes) -> tuple[Self, NewPiles]:
        game = self.state
        if self.coins == 0 and self.first is None:
            dealer = SEATS[H("dealer", value)[0] & 1]
            game = game._replace(dealer=dealer)
        source = stream(H("table", value))
        table = tuple(FACES[index] for index in draw(source, len(FACES) - 1, TABLE))
        rest = [face.index for face in FACES if face not in table and face != ZERO]
        laid = self._replace(
            state=rules.deal(game, table),
            coins=self.coins + 1,
            stage=Dealing(self._order()[::-1]),
        )
        return laid, {"deck": (*rest, *(ZERO.index,) * ZEROS)}

    def _mixed(self, piles: Piles) -> tuple[Self, NewPiles]:
        match self.stage:
            case Mixing():
                return self._replace(stage=Opening(self._order()[::-1])), piles
            case Dealing((a, b)):
                handing = Handing(_handing(self.state.kept, a, b))
                return self._replace(stage=handing), _dealt(piles)
            case _:
                return self._handed(), piles

    def _shared(self, faces: tuple[int, ...], piles: Piles) -> tuple[Self, NewPiles]:
        match self.stage:
            case Opening(order):
                return self._opened(order, piles)
            case None:
                seat = self._revealer()
                mats = contested_slots(self.state, seat)
                shown = {mat: FACES[face] for mat, face in zip(mats, faces, strict=True)}
                return self._after(seat, rules.reveal(self.state, seat, shown)), piles
            case _:
                return self._handed(), piles

    def _handed(self) -> Self:
        match self.stage:
            case Handing(left) if len(left) > 1:
                return self._replace(stage=Handing(left[1:]))
            case _:
                return self._replace(stage=None)

    def _opened(self, order: steps.Order, piles: Piles) -> tuple[Self, NewPiles]:
        """Open more cards while fewer than six faces but zero show, then lay the table."""
        if _top(piles):
            return self._replace(stage=Opening(order[::-1])), piles
        mixed = piles["mixed"]
        faces = [card.face for card in mixed if card.face is not None]
        table = tuple(FACES[face] for face in faces if face != ZERO.index)
        deck: tuple[Card | int, ...] = (
            *mixed[len(faces) :],
            *(ZERO.index,) * faces.count(ZERO.index),
        )
        kept = {name: pile for name, pile in piles.items() if name != "mixed"}
        game = rules.deal(self.state, table)
        return self._replace(state=game, stage=Dealing(order[::-1])), {**kept, "deck": deck}

    def _after(self, seat: Seat, game: GameState) -> Self:
        """Return the game after an action of ``seat`` in play."""
        after = self._replace(state=game, closer=seat)
        match game.phase:
            case AwaitingDeal():
                return after.next_table()
            case _:
                return after

    def next_table(self) -> Self:
        """Toss for the next table, or end the game if the coin chains have no link left."""
        if self.coins < steps.COINS:
            return self._replace(stage=Tossing())
        return self._replace(state=rules.draw(self.state), stage=None)

    def _kept(
        self, slots: Mapping[Seat, tuple[int, ...]], piles: Piles
    ) -> tuple[Self, NewPiles]:
        kept = frozenset(slots[SEATS[0]]), frozenset(slots[SEATS[1]])
        after = self._replace(state=rules.keep(self.state, kept))
        if not any(kept):
            return after.next_table(), piles
        returned = [
            card
            for seat in SEATS
            for slot, card in enumerate(piles[hand_of(seat)])
            if slot not in kept[seat]
        ]
        table = sorted(face.index for face in self.state.table)
        keeping = {
            f"kept {seat}": tuple(piles[hand_of(seat)][slot] for slot in slots[seat])
            for seat in SEATS
        }
        mixed: tuple[Card | int, ...] = (*table, *returned, *piles["aside"])
        return after._replace(stage=Mixing()), {"mixed": mixed, **keeping}

    def judge(self, seat: Seat, move: steps.Wire, piles: Piles) -> Self | tuple[int, ...]:
        """Return the game after a placing, or the slots that ``seat`` keeps.

        Raises:
            IllegalMoveError: R7, R9, R16. ProofError: E_BACK.
        """
        match self.state.phase:
            case Keeping():
                slots = _slots(move, seat, piles)
                if slots != tuple(sorted(set(slots) & self.state.hands[seat])):
                    raise IllegalMoveError(
                        "R16", "kept cards are left over, and named once, in order"
                    )
                return slots
            case _:
                game = rules.place(self.state, _placing(move, seat, piles))
                return self._after(seat, game)

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[steps.Wire]:
        """Yield every choice of cards to keep."""
        for choice in rules.legal_keeps(self.state, seat):
            yield self.write(seat, choice, piles)

    def write(self, seat: Seat, move: Move, piles: Piles) -> steps.Wire:
        """Return ``move`` of ``seat`` in its signed form.

        Raises:
            IllegalMoveError: R9: the hand has no such slot.
        """
        hand = piles.get(hand_of(seat), ())
        match move:
            case Play(mat, slot):
                return ("lay", mat, *_backs(hand, (slot,)))
            case Pass():
                return ("pass",)
            case Keep(slots):
                return ("keep", b"".join(_backs(hand, sorted(slots))))
            case _:
                assert_never(move)

    def snapshot(self) -> Value:
        """Return the public state as plain values (SPEC#matcha-state)."""
        return snapshot(self.state)

    def result(self) -> tuple[Seat, ...] | None:
        """Return the winner, () in a draw, or None while the game is undecided."""
        match self.state.phase:
            case Ended(winner):
                return () if winner is None else (winner,)
            case _:
                return None


def new_game(variant: str, seats: int) -> Matcha | None:
    """Return Matcha before its first coin; None for an unknown variant, or not two seats."""
    edition = edition_of(variant)
    if edition is None or seats != len(SEATS):
        return None
    return begin(edition, first_dealer(variant))


def edition_of(variant: str) -> Edition | None:
    """Return the edition that ``variant`` names, or None for an unknown edition."""
    return EDITIONS.get(without_dealer(variant))


def without_dealer(variant: str) -> str:
    """Return the name of the edition in ``variant``."""
    dealer = first_dealer(variant)
    return variant if dealer is None else variant.removesuffix(REMATCHES[dealer])


def first_dealer(variant: str) -> Seat | None:
    """Return who deals first, None if a coin draws the dealer."""
    return next((seat for seat in SEATS if variant.endswith(REMATCHES[seat])), None)


def variant_of(edition: Edition, first: Seat | None) -> str:
    """Return the variant of ``edition`` in which ``first`` deals first."""
    return edition.name + ("" if first is None else REMATCHES[first])


def begin(edition: Edition, first: Seat | None = None) -> Matcha:
    """Return Matcha before its first coin. first: see Matcha."""
    return Matcha(rules.new_game(edition, SEATS[0] if first is None else first), first)


def hand_of(seat: Seat) -> str:
    """Return the name of the pile with the hand of ``seat``."""
    return f"hand {seat}"


def contested_slots(game: GameState, seat: Seat) -> dict[int, int]:
    """Return the slots of the cards that ``seat`` has to open now, by mat, ascending."""
    running = game.rounds[-1]
    slots = {mat: running.slot_at(seat, mat) for mat in MATS_OF_ROUND[running.number - 1]}
    theirs = {mat: running.slot_at(opposite(seat), mat) for mat in slots}
    return {
        mat: slot for mat, slot in slots.items() if slot is not None and theirs[mat] is not None
    }


def _top(piles: Piles) -> tuple[steps.Read, ...]:
    """Return the next cards of the mixed deck: as many as faces but zero are missing."""
    faces = [card.face for card in piles["mixed"] if card.face is not None]
    shown = len(faces) - faces.count(ZERO.index)
    return steps.reads("mixed", range(len(faces), len(faces) + TABLE - shown), None)


def _handing(
    kept: tuple[int, int], a: Seat, b: Seat
) -> tuple[tuple[Literal["own", "strip"], Seat], ...]:
    """Return the actions after the deal; ``b`` has shuffled last, and so goes on.

    A seat that kept cards shuffles its whole hand before the opponent strips the hand.
    """
    left: list[tuple[Literal["own", "strip"], Seat]] = []
    if kept[b]:
        left.append(("own", b))
    if not kept[a]:
        left.append(("strip", a))
    else:
        left.append(("own", a))
    left.append(("strip", b))
    if kept[a]:
        left.append(("strip", a))
    return tuple(left)


def _dealt(piles: Piles) -> NewPiles:
    """Deal the deck: new cards to seat 0, to seat 1, two aside; kept cards stay first."""
    deck = piles["deck"]
    place = 0
    dealt = dict[str, tuple[Card, ...]]()
    for seat in SEATS:
        kept = piles.get(f"kept {seat}", ())
        new = deck[place : place + HAND - len(kept)]
        place += len(new)
        dealt[hand_of(seat)] = (*kept, *new)
    return {**dealt, "aside": deck[place:]}


def _placing(move: steps.Wire, seat: Seat, piles: Piles) -> Play | Pass:
    match move:
        case ("lay", int(mat), bytes(back)):
            return Play(mat, find(piles, hand_of(seat), back))
        case ("pass",):
            return Pass()
        case _:
            raise IllegalMoveError("R9", "the seat lays a card or passes")


def _slots(move: steps.Wire, seat: Seat, piles: Piles) -> tuple[int, ...]:
    match move:
        case ("keep", bytes(backs)):
            return tuple(find(piles, hand_of(seat), back) for back in split(backs))
        case _:
            raise IllegalMoveError("R16", "the seat chooses the cards that it keeps")


def _backs(hand: tuple[Card, ...], slots: Iterable[int]) -> tuple[bytes, ...]:
    try:
        return tuple([hand[slot].back for slot in slots])
    except IndexError:
        raise IllegalMoveError("R9", "the hand has no such card") from None
