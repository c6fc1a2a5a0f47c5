"""What the line to the peer reports: how it stands, and the frames that it brings.

Apart from the line, so that what shows these needs neither links nor their cryptography.
"""

from typing import NamedTuple, TypeAlias

from matcha_p2p.kinds import kind
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding


@kind
class LineUp(NamedTuple):
    """A new link stands.

    binding: 32 bytes that name it to both ends. remote: the peer's address there, if
    it has one.
    """

    binding: Binding
    remote: Address | None = None


@kind
class LineQuiet(NamedTuple):
    """Nothing has come for ``seconds``."""

    seconds: float


@kind
class LineHeard(NamedTuple):
    """Frames come again over the link that was quiet."""


@kind
class LineDown(NamedTuple):
    """There is no link now. why: a sentence."""

    why: str


@kind
class LineDialled(NamedTuple):
    """The peer is being dialled. tries: so far, since another link is wanted."""

    tries: int


@kind
class LineEnded(NamedTuple):
    """There will be no link any more."""

    why: str


@kind
class Arrived(NamedTuple):
    """A frame has come over the link that ``binding`` names."""

    binding: Binding
    frame: Frame


LineChange: TypeAlias = LineUp | LineQuiet | LineHeard | LineDown | LineDialled | LineEnded
LineItem: TypeAlias = LineChange | Arrived
