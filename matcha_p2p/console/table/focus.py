"""The target of the keys at a table: the game, a line of talk, a page, or a question."""

import enum
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.kinds import kind
from matcha_p2p.wire.watching import Visibility


class Page(enum.Enum):
    """A page over the table."""

    HELP = enum.auto()
    RULES = enum.auto()
    REVIEW = enum.auto()
    WHY = enum.auto()
    ANALYSIS = enum.auto()


@kind
class AtTable(NamedTuple):
    """Keys choose in the game."""


@kind
class Talking(NamedTuple):
    """Keys write ``draft``."""

    draft: str


@kind
class Reading(NamedTuple):
    """``page`` is open. at: of an analysis, the mistake on the board; None for the text."""

    page: Page
    at: int | None = None


@kind
class Leaving(NamedTuple):
    """The person chooses how to leave; ``at``: 0 later, 1 concede, 2 stay."""

    at: int


@kind
class Admitting(NamedTuple):
    """The person chooses what watchers may see; ``at`` is the answer so far."""

    at: Visibility


@kind
class TakingBack(NamedTuple):
    """Asked, in practice, whether to take the last decision back."""


@kind
class Departing(NamedTuple):
    """The person has left or given up, and the game is about to end."""


@kind
class Gone(NamedTuple):
    """The screen is to be closed."""


Focus: TypeAlias = (
    AtTable | Talking | Reading | Leaving | Admitting | TakingBack | Departing | Gone
)

AT_TABLE: Final = AtTable()
