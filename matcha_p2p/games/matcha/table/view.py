"""One seat's view of a game of Matcha, and the public game."""

from collections.abc import Sequence

from matcha_p2p.games.matcha.rules.cards import FACES, Face
from matcha_p2p.games.matcha.rules.observation import Observation, observe
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table import events
from matcha_p2p.games.matcha.table.steps import HAND, Matcha, hand_of
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table


def matcha_of(table: Table) -> Matcha:
    """Return the game of a table at which Matcha is played.

    Raises:
        TypeError: the table has another game.
    """
    if not isinstance(table.game, Matcha):
        raise TypeError(f"{table.game.name} is played here, not Matcha")
    return table.game


def game_of(table: Table) -> GameState:
    """Return the game as its rules see the game."""
    return matcha_of(table).state


def own_faces(player: Player, table: Table) -> tuple[Face, ...]:
    """Return the faces of the player's five cards of this set, () until all are dealt."""
    faces = player.faces(table, hand_of(player.seat))
    known = tuple([FACES[face] for face in faces if face is not None])
    return known if len(known) == HAND else ()


def look(player: Player, table: Table, told: Sequence[events.Event]) -> Observation:
    """Return the player's observation while cards are being played or kept.

    told: the player's events of the game.
    """
    game = game_of(table)
    hands = [event.cards for event in told if isinstance(event, events.HandSeen)]
    seen = observe(game, player.seat, own_faces(player, table))
    return seen._replace(earlier=tuple(enumerate(hands[: game.number - 1], 1)))
