"""What a session tells whoever shows the game, what it is told, and how it can end."""

from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.errors import ProtocolViolationError
from matcha_p2p.machine.events import Event, GameEnded
from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.moves import Move, Seat
from matcha_p2p.rules.observation import Observation
from matcha_p2p.transport.framing import Frame
from matcha_p2p.wire.talk import Farewell, Say


@dataclass(frozen=True, slots=True)
class HandSeen:
    """Our five cards of a new set, by slot."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class MoveDue:
    """We have to decide, on what we see."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class TalkHeard:
    """The peer says something."""

    text: str


@dataclass(frozen=True, slots=True)
class Exposed:
    """A seat has opened its book."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the game, and the game after it."""

    event: Event
    game: Game


News: TypeAlias = Told | HandSeen | MoveDue | TalkHeard | Exposed


@dataclass(frozen=True, slots=True)
class Concede:
    """The person gives the game up."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The person leaves the game unfinished."""


Choice: TypeAlias = Move | Say | Concede | Leave


@dataclass(frozen=True, slots=True)
class Finished:
    """The game was played to its end."""

    ended: GameEnded


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The game is unfinished: the line was lost, or somebody left. ``why`` is a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Violated:
    """The peer broke the protocol with ``offence``, the bytes that were refused."""

    violation: ProtocolViolationError
    offence: Frame


@dataclass(frozen=True, slots=True)
class Declined:
    """The game did not begin: the two do not want or know the same game.

    reason: EDITION or VERSION. why: a sentence.
    """

    reason: Farewell
    why: str


@dataclass(frozen=True, slots=True)
class DiskFailed:
    """The journal could not be written; nothing was said after it. ``why`` is a sentence."""

    why: str


Ending: TypeAlias = Finished | Interrupted | Violated | Declined | DiskFailed
