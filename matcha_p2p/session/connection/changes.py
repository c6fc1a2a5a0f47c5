"""What the line to the peer reports: how it stands, and the frames that it brings.

Apart from the line, so that what shows these needs neither links nor their cryptography.
"""

from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding


@dataclass(frozen=True, slots=True)
class LineUp:
    """A new link stands.

    binding: 32 bytes that name it to both ends. remote: the peer's address there, if
    it has one.
    """

    binding: Binding
    remote: Address | None = None


@dataclass(frozen=True, slots=True)
class LineQuiet:
    """Nothing has come for ``seconds``."""

    seconds: float


@dataclass(frozen=True, slots=True)
class LineDown:
    """There is no link now. why: a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class LineDialled:
    """The peer is being dialled. tries: so far, since another link is wanted."""

    tries: int


@dataclass(frozen=True, slots=True)
class LineEnded:
    """There will be no link any more."""

    why: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A frame has come over the link that ``binding`` names."""

    binding: Binding
    frame: Frame


LineChange: TypeAlias = LineUp | LineQuiet | LineDown | LineDialled | LineEnded
LineItem: TypeAlias = LineChange | Arrived
