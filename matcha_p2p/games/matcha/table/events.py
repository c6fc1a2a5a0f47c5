"""The events for front ends, in order of happening; all public except ``HandSeen``."""

from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.history import Round
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.wire.names import GameId


@dataclass(frozen=True, slots=True)
class Met:
    """Both seats have greeted each other; ``names`` by seat."""

    game: GameId
    edition: Edition
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """``seat`` has shuffled the deck to lay ("mix"), to deal ("deal"), or its hand ("own")."""

    seat: Seat
    label: str


@dataclass(frozen=True, slots=True)
class TableLaid:
    """A set begins: its number, its dealer, and the faces on the mats 0..5.

    zeros_met: zeros opened on the way, where cards had been kept; else 0.
    """

    number: int
    dealer: Seat
    table: tuple[Face, ...]
    zeros_met: int


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """Both players can see their five cards."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """The five cards of a seat in a new set, by slot, for the seat alone."""

    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """``seat`` has laid a card face down at ``mat``. card: for the seat alone, else None."""

    seat: Seat
    mat: int
    card: Face | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """``seat`` has passed. auto: without a choice, because the seat had no card to lay."""

    seat: Seat
    auto: bool


@dataclass(frozen=True, slots=True)
class RoundResolved:
    """A round is over; ``played`` has the outcome of each mat and the tokens of each seat."""

    played: Round


@dataclass(frozen=True, slots=True)
class Kept:
    """How many cards each seat keeps for the next set."""

    counts: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is decided. winners: the seat that has won; () in a draw."""

    winners: tuple[Seat, ...]
    how: How
    tokens: tuple[Tokens, Tokens]

    @property
    def ended(self) -> Ended:
        """The phase of the game after the end."""
        return Ended(self.winners[0] if self.winners else None, self.how)

    @property
    def points(self) -> tuple[int, ...]:
        """Tokens are no points: nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Unopened:
    """A card that was never turned up in the game, known from an open book."""

    number: int  # of the set
    round: int
    seat: Seat
    mat: int
    card: Face


Event: TypeAlias = (
    Met
    | Shuffled
    | TableLaid
    | HandsDealt
    | HandSeen
    | Placed
    | Passed
    | RoundResolved
    | Kept
    | GameEnded
)


def ended_by(phase: Ended, tokens: tuple[Tokens, Tokens]) -> GameEnded:
    """Return the event of the end. phase: of the game after the end."""
    return GameEnded(() if phase.winner is None else (phase.winner,), phase.how, tokens)


def placing_events(before: GameState, after: GameState) -> tuple[Event, ...]:
    """Return the events of a move or a reveal, found by comparing the rounds of a set."""
    events: list[Event] = []
    current = len(before.rounds) - 1
    played = after.rounds[current]
    for turn in played.turns[len(before.rounds[current].turns) :]:
        match turn.move:
            case Play(mat):
                events.append(Placed(turn.seat, mat))
            case _:
                events.append(Passed(turn.seat, turn.auto))
    if played.resolutions:
        events.append(RoundResolved(played))
    match after.phase:
        case Ended() as ended:
            events.append(ended_by(ended, after.tokens))
        case _:
            pass
    return tuple(events)
