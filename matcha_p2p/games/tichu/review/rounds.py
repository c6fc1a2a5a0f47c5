"""A verified game of Tichu cut into its rounds, with all hands that the file opens."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.tichu.review.mistakes import Exchanged
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, seat_after
from matcha_p2p.games.tichu.rules.scoring import Points
from matcha_p2p.games.tichu.table.steps import Dealing, Owning, Tichu, hand_of, open_hands
from matcha_p2p.games.tichu.table.view import game_of
from matcha_p2p.review.cards import Keys, known_faces, with_own_key
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import MoveAction
from matcha_p2p.table.step import Taken
from matcha_p2p.table.steps import Wire
from matcha_p2p.table.table import Table

Faces: TypeAlias = tuple[tuple[int | None, ...], ...]
"""By seat and place; None for a card that is not open."""
Hands: TypeAlias = tuple[tuple[int, ...], ...]
"""Faces by seat."""

_STEPS: Final = (1, 2, 3)
"""How many seats on those sit to whom a seat gives: the next, the partner, the one before."""


class MadeMove(NamedTuple):
    """A move, and the game in which it was made. entries: of the transcript, up to the move."""

    entries: int
    game: Tichu
    seat: Seat
    move: Wire


@dataclass(slots=True)
class PlayedRound:
    """A round, as far as it has come.

    begun: the game when its cards are mixed. last: the last table with its cards. dealt: the
    hands before the exchange, by seat, None where its cards are not known. gifts: what each
    seat has given to the next, the partner, the one before; None while not all keys are known.
    hands: by seat and place after the exchange, None before the round is over. counted: its
    points, None after a foul. totals: after it.
    """

    begun: Tichu
    last: Table
    said: list[MadeMove]
    dealt: tuple[tuple[int, ...] | None, ...] = (None,) * len(SEATS)
    gifts: Hands | None = None
    hands: Hands | None = None
    counted: Points | None = None
    totals: Points = (0, 0)

    @property
    def faces(self) -> Faces:
        """All open cards of the hands after the exchange."""
        if self.hands is not None:
            return self.hands
        piles = self.last.piles
        hands = [piles[name] for name in map(hand_of, SEATS) if name in piles]
        return tuple(tuple(card.face for card in hand) for hand in hands)

    def exchanged(self) -> dict[Seat, Exchanged]:
        """Return what seats have given and received, of those whose first hand is known.

        One hand alone shows the receiver of each gift, but no giver.
        """
        found: dict[Seat, Exchanged] = {}
        for seat, before in zip(SEATS, self.dealt, strict=True):
            if before is not None and self.hands is not None:
                others = [(steps, seat_after(seat, steps)) for steps in _STEPS]
                got = [{*self.hands[other]} for _, other in others]
                given = tuple(face for hand in got for face in before if face in hand)
                gifts = self.gifts or ()
                received = tuple(gifts[other][-steps] for steps, other in others if gifts)
                found[seat] = given, received
        return found


def played_rounds(report: Report, own: tuple[Seat, int] | None = None) -> list[PlayedRound]:
    """Return the rounds of a game. own: our seat and our game key, which opens our cards."""
    keys = with_own_key(report, own).exposed
    rounds: list[PlayedRound] = []
    for entries, taken in _taken(report):
        before, after = game_of(taken.before), game_of(taken.after)
        if before.number > len(rounds):
            rounds.append(PlayedRound(before, taken.before, []))
        if rounds:
            _follow(rounds[-1], entries, taken, keys)
        if after.counted is not None and after.counted is not before.counted:
            rounds[-1].hands, rounds[-1].counted = after.counted.hands, after.counted.points
            rounds[-1].totals = after.totals
    return rounds


def _taken(report: Report) -> Iterator[tuple[int, Taken]]:
    """Yield the number of entries, and each action of the chain."""
    for entries, sound in enumerate(report.accepted, start=1):
        for event in sound.events:
            if isinstance(event, Taken):
                yield entries, event


def _follow(played: PlayedRound, entries: int, taken: Taken, keys: Keys) -> None:
    """Take note of what an action in the round shows."""
    before, after = game_of(taken.before), game_of(taken.after)
    if before.number == after.number:
        played.last = taken.after
    if isinstance(taken.action, MoveAction):
        played.said.append(MadeMove(entries, before, taken.seat, taken.action.move))
    dealing = before.stage
    if isinstance(dealing, Dealing) and dealing.label == "more" and after.stage is None:
        played.dealt = tuple(_faces(taken.after, hand_of(seat), keys) for seat in SEATS)
    if isinstance(after.stage, Owning) and not isinstance(dealing, Owning):
        hands = [_faces(taken.after, hand_of(seat), keys) for seat in SEATS]
        known = tuple(hand for hand in hands if hand is not None)
        if len(known) == len(hands):
            played.gifts = _gifts(known)
    if after.foul is not None and before.foul is None:
        played.hands, played.totals = open_hands(taken.after.piles), after.totals


def _gifts(hands: Hands) -> Hands:
    """Return what each has given: in ``hands`` the gifts come last, that of the next first."""
    return tuple(
        tuple(hands[seat_after(giver, steps)][HAND - steps] for steps in _STEPS)
        for giver in SEATS
    )


def _faces(table: Table, pile: str, keys: Keys) -> tuple[int, ...] | None:
    """Return the faces of ``pile``, None if ``keys`` and the shares open not all of them."""
    faces = known_faces(table, pile, keys)
    known = tuple(face for face in faces if face is not None)
    return known if len(known) == len(faces) else None
