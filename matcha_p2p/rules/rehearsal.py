"""Moves in a game whose hands are all known: an example, a lesson, a simulation."""

from collections.abc import Iterable
from typing import TypeAlias

from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.game import place, reveal
from matcha_p2p.rules.history import slot_at
from matcha_p2p.rules.moves import Pass, Play
from matcha_p2p.rules.phases import Revealing
from matcha_p2p.rules.seats import SEATS, Seat
from matcha_p2p.rules.state import Game

Hand: TypeAlias = tuple[Face, ...]
Hands: TypeAlias = tuple[Hand, Hand]


def advance(game: Game, move: Play | Pass, hands: Hands) -> Game:
    """Make a move of the seat to move, and turn up what is to be turned up after it.

    hands: the faces of each seat's slots.

    Raises:
        IllegalMoveError: the rules forbid the move.
        ValueError: these hands cannot have been dealt.
    """
    game = place(game, move)
    match game.phase:
        case Revealing(due):
            for seat in SEATS:
                game = reveal(game, seat, laid(game, seat, due[seat], hands[seat]))
        case _:
            pass
    return game


def laid(game: Game, seat: Seat, mats: Iterable[int], hand: Hand) -> dict[int, Face]:
    """Return what ``seat`` has laid face down at these mats of the running round."""
    turns = game.rounds[-1].turns
    return {mat: hand[slot] for mat in mats if (slot := slot_at(turns, seat, mat)) is not None}
