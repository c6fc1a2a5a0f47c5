"""What cheats look up at a table of Matcha: piles, backs, and where the game stands."""

from typing import TypeGuard

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.table.steps import Opening, hand_of
from matcha_p2p.games.matcha.table.view import game_of, matcha_of
from matcha_p2p.table.piles import Card
from matcha_p2p.table.steps import Decide
from matcha_p2p.table.table import State, Table


def hand(table: Table, seat: int) -> tuple[Card, ...]:
    return table.piles[hand_of(Seat(seat))]


def backs(table: Table, seat: int) -> tuple[bytes, ...]:
    return tuple(card.back for card in hand(table, seat))


def masked(table: Table, pile: str) -> tuple[Ciphertext, ...]:
    return tuple(card.masked for card in table.piles[pile])


def public(table: Table, *faces: Face) -> tuple[Ciphertext, ...]:
    """Return ``faces`` as cards that anybody can make."""
    return tuple(table.deck.public(face.index).masked for face in faces)


def is_playing(state: State) -> TypeGuard[Table]:
    """Tell whether a seat has to lay a card or pass."""
    return (
        isinstance(state, Table)
        and isinstance(state.step, Decide)
        and isinstance(game_of(state).phase, Placing)
    )


def is_opening(state: State) -> TypeGuard[Table]:
    """Tell whether the top of the mixed deck is being opened."""
    return isinstance(state, Table) and isinstance(matcha_of(state).stage, Opening)


def out_of_round(table: Table, seat: Seat) -> bool:
    """Tell whether ``seat`` will have no further turn in this round, whoever is to move."""
    game = game_of(table)
    if not isinstance(game.phase, Placing) or game.phase.to_move == seat:
        return False
    return is_out(game.edition, game.rounds[-1].turns, seat)
