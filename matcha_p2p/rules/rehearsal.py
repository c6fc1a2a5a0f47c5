"""Moves in a game whose hands are all known: an example, a lesson, a simulation."""

from typing import TypeAlias

from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.game import place, reveal_all
from matcha_p2p.rules.moves import Pass, Play
from matcha_p2p.rules.phases import Revealing
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
    if not isinstance(game.phase, Revealing):
        return game
    laid = game.rounds[-1].laid
    cards = [
        (hands[0][first], hands[1][second])
        for first, second in zip(*laid, strict=True)
        if first is not None and second is not None
    ]
    return reveal_all(game, tuple(cards))
