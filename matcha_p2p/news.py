"""What a session tells whoever shows the game, what it is told, and how it can end."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

import trio

from matcha_p2p.errors import EncodingError, ProtocolViolationError
from matcha_p2p.line import LineDown, LineEnded, LineQuiet, LineUp
from matcha_p2p.machine.events import Event, GameEnded
from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.moves import Move, Seat
from matcha_p2p.rules.observation import Observation
from matcha_p2p.transport.framing import Frame
from matcha_p2p.wire.talk import Farewell, Say, decode_farewell


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


@dataclass(frozen=True, slots=True)
class LineChanged:
    """The line to the peer is up, quiet or down; the game waits meanwhile."""

    change: LineUp | LineQuiet | LineDown | LineEnded


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A game goes on where it was left. hand: our cards, () if they are not dealt."""

    game: Game
    names: tuple[str, str]
    hand: tuple[Face, ...]


News: TypeAlias = Told | HandSeen | MoveDue | TalkHeard | Exposed | LineChanged | TakenUp


@dataclass(frozen=True, slots=True)
class Concede:
    """The person gives the game up."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The person leaves the game unfinished."""


Choice: TypeAlias = Move | Say | Concede | Leave


@dataclass(frozen=True, slots=True)
class Finished:
    """The game was played to its end.

    seen_off: whether the peer has said goodbye, and so has all of the game too.
    """

    ended: GameEnded
    seen_off: bool


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


@dataclass(frozen=True, slots=True)
class Terms:
    """What this seat wants. edition: None to play what the other seat offers (seat 1 only).

    open_book: after the game expose the key if the peer does.
    """

    name: str
    edition: Edition | None
    open_book: bool


@dataclass(frozen=True, slots=True)
class Front:
    """Whoever shows the game: news go out, choices come in."""

    news: trio.MemorySendChannel[News]
    choices: trio.MemoryReceiveChannel[Choice]


def ending_of(farewell: bytes) -> Ending | None:
    """Return what it means that the peer has said goodbye; None if it has all of the game.

    farewell: the payload; what cannot be read counts as leaving.
    """
    try:
        reason = decode_farewell(farewell)
    except EncodingError:
        reason = Farewell.LATER
    match reason:
        case Farewell.EDITION:
            return Declined(reason, "The guest wants to play another edition. [edition]")
        case Farewell.VERSION:
            return Declined(
                reason,
                "The other side speaks another version of the protocol. One of you has to "
                "update: pipx upgrade matcha-p2p [version]",
            )
        case Farewell.LATER:
            return Interrupted("The other player has left the game.")
        case Farewell.DONE:
            return None
        case _:
            assert_never(reason)
