"""What one seat may see of a game of Tichu, and the game that all see."""

from collections.abc import Sequence

from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import Tichu, hand_of
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table


def game_of(table: Table) -> Tichu:
    """Return the game of a table at which Tichu is played.

    Raises:
        TypeError: another game is played there.
    """
    if not isinstance(table.game, Tichu):
        raise TypeError(f"{table.game.name} is played here, not Tichu")
    return table.game


def own_faces(player: Player, table: Table) -> tuple[int, ...]:
    """Return the faces of the player's cards by place, () until it can read some.

    At first these are eight, then 14. They stay when they are laid.
    """
    faces = player.faces(table, hand_of(player.seat))
    return tuple(face for face in faces if face is not None)


def look(player: Player, table: Table, told: Sequence[events.TichuEvent]) -> Observation:
    """Return what the player may know of the game. told: the player's events of the game."""
    game = game_of(table)
    hand = player.faces(table, hand_of(player.seat))
    public = game.round, player.seat, hand, game.laid, game.number, game.totals
    return Observation(*public, *_exchanged(told, hand))


def _exchanged(
    told: Sequence[events.TichuEvent], hand: Sequence[int | None]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the gifts of this round: given by receiver, received by giver."""
    given, places = tuple[int, ...](), tuple[int, ...]()
    for event in reversed(told):
        match event:
            case events.RoundBegun():
                break
            case events.GiftsGiven():
                given = event.cards
            case events.GiftsPlaced():
                places = event.places
            case _:
                pass
    received = (hand[place] for place in places)
    return given, tuple(face for face in received if face is not None)
