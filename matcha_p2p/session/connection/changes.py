"""Reports of the line to the peer: changes of its state, and frames from the peer.

The file is apart from the line. So front ends need neither links nor cryptography.
"""

from typing import NamedTuple, TypeAlias

from matcha_p2p.kinds import kind
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding


@kind
class LineUp(NamedTuple):
    """A new link stands.

    binding: 32 bytes, the link's name at both ends. remote: the peer's address, None if the
    link has no address.
    """

    binding: Binding
    remote: Address | None = None


@kind
class LineQuiet(NamedTuple):
    """Nothing has come for ``seconds``."""

    seconds: float


@kind
class LineHeard(NamedTuple):
    """Frames come again over the quiet link."""


@kind
class LineDown(NamedTuple):
    """There is no link now. why: a sentence."""

    why: str


@kind
class LineDialled(NamedTuple):
    """The peer is being dialled. tries: the number so far, since another link is wanted."""

    tries: int


@kind
class LineEnded(NamedTuple):
    """The line is given up: no further link will come."""

    why: str


@kind
class Arrived(NamedTuple):
    """A frame has come over the link named ``binding``."""

    binding: Binding
    frame: Frame


LineChange: TypeAlias = LineUp | LineQuiet | LineHeard | LineDown | LineDialled | LineEnded
LineItem: TypeAlias = LineChange | Arrived
