"""Reports of the line to a neighbour: changes of its state, and frames from the neighbour.

The field ``seat`` names the neighbour. The file is apart from the line. So front ends need
neither links nor cryptography.
"""

from typing import NamedTuple, TypeAlias

from matcha_p2p.kinds import kind
from matcha_p2p.seats import Seat
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding


@kind
class LineUp(NamedTuple):
    """A new link stands.

    binding: 32 bytes, the link's name at both ends. remote: the neighbour's address, None if
    the link has no address. beside: whether this is a direct link of two guests.
    """

    binding: Binding
    remote: Address | None
    seat: Seat
    beside: bool = False


@kind
class LineQuiet(NamedTuple):
    """Nothing has come for ``seconds``."""

    seconds: float
    seat: Seat


@kind
class LineHeard(NamedTuple):
    """Frames come again over the quiet link."""

    seat: Seat


@kind
class LineDown(NamedTuple):
    """There is no link now. why: a sentence."""

    why: str
    seat: Seat


@kind
class LineDialled(NamedTuple):
    """The neighbour is being dialled. tries: since another link is wanted."""

    tries: int
    seat: Seat


@kind
class LineEnded(NamedTuple):
    """The line is given up: no further link will come."""

    why: str
    seat: Seat


@kind
class Arrived(NamedTuple):
    """A frame has come over the link named ``binding``."""

    binding: Binding
    frame: Frame


LineChange: TypeAlias = LineUp | LineQuiet | LineHeard | LineDown | LineDialled | LineEnded
LineItem: TypeAlias = LineChange | Arrived
