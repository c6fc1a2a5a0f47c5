"""What one seat may know (the last section of the rules), and what it may do about it."""

from collections import Counter
from dataclasses import dataclass

from matcha_p2p.rules.cards import DECK, Face
from matcha_p2p.rules.game import Game, legal_keeps, legal_moves
from matcha_p2p.rules.moves import SLOTS, Move
from matcha_p2p.rules.phases import Placing
from matcha_p2p.rules.seats import Seat, opposite


@dataclass(frozen=True, slots=True)
class Observation:
    """The public game, and the faces of one's own cards.

    hand: the faces of the own slots 0..4 of this set, cards already laid included. earlier: the
    number of each earlier set and the own hand of it, where the program has seen that.
    """

    game: Game
    seat: Seat
    hand: tuple[Face, ...]
    earlier: tuple[tuple[int, tuple[Face, ...]], ...] = ()

    def held(self) -> tuple[tuple[int, Face], ...]:
        """Return the cards still in hand, as (slot, face), by slot."""
        return tuple([(slot, self.hand[slot]) for slot in sorted(self.game.hands[self.seat])])

    def legal_moves(self) -> tuple[Move, ...]:
        """Return what this seat may decide now; empty if the game does not wait for it.

        While cards are kept: its choices, also the one choice of who has nothing left.
        """
        match self.game.phase:
            case Placing(to_move):
                return legal_moves(self.game) if to_move == self.seat else ()
            case _:
                return legal_keeps(self.game, self.seat)


def observe(game: Game, seat: Seat, faces: tuple[Face, ...]) -> Observation:
    """Return what ``seat`` sees of ``game``, holding or having laid ``faces``.

    Raises:
        ValueError: these are not the five cards of a set.
    """
    if len(faces) != len(SLOTS):
        raise ValueError("a hand is five cards")
    return Observation(game, seat, faces)


def unseen(observation: Observation) -> list[Face]:
    """Return the cards that are the other's or out of play, as far as one has seen."""
    game, other = observation.game, opposite(observation.seat)
    opened = [
        card
        for played in game.rounds
        for resolution in played.resolutions
        if (card := resolution.cards[other]) is not None
    ]
    cards = Counter(DECK)
    cards.subtract((*game.table, *observation.hand, *opened))
    return list(cards.elements())
