"""The one state of a game."""

from typing import NamedTuple

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.history import PastSet, Round
from matcha_p2p.games.matcha.rules.moves import Slot
from matcha_p2p.games.matcha.rules.phases import GamePhase
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.plain import Natural


class GameState(NamedTuple):
    """The public state.

    number: the number of the set, from 1. dealer: the dealer of the set, first to move in each
    round (R8). table: the faces on the mats 0..5, () before the first deal. hands: the slots
    that each seat still holds. rounds: the rounds of the set, the running round last. From the
    end of a set to the next deal, table and rounds still belong to the set just played: the
    cards have not been swept up yet. tokens: each seat's tokens. comparing: a full tie has come
    up and only comparison counts (R20). kept: how many cards each seat kept into the set
    ``number``. past: the earlier sets.
    """

    edition: Edition
    number: Natural
    dealer: Seat
    table: tuple[Face, ...]
    hands: tuple[frozenset[Slot], frozenset[Slot]]
    rounds: tuple[Round, ...]
    tokens: tuple[Tokens, Tokens]
    comparing: bool
    kept: tuple[Natural, Natural]
    phase: GamePhase
    past: tuple[PastSet, ...] = ()
