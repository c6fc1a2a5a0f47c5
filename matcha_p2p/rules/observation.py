"""What one seat may see, be it a person's or a bot's, and the moves that it can choose."""

from collections import Counter
from typing import NamedTuple

from matcha_p2p.rules.cards import DECK, Face
from matcha_p2p.rules.game import Game, legal_keeps, legal_moves
from matcha_p2p.rules.moves import SLOTS, Move
from matcha_p2p.rules.phases import Placing
from matcha_p2p.rules.seats import Seat, opposite


class Observation(NamedTuple):
    """The public game, and the faces of the seat's own cards; nothing else.

    hand: the faces in its slots 0..4 of this set, including cards already laid. earlier: the
    number and its hand of each earlier set whose hand the program has seen.
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

        While cards are being kept these are its choices; a seat that has no card left has
        one, to keep nothing.
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
    """Return the cards that the seat has not seen in this set, in the order of DECK.

    The other player holds or has laid some of them; the others were not dealt.
    """
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
