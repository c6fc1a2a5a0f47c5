"""The target of the keys at a table: the game, a line of talk, a page, or a question."""

import enum
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.games.asking import Listing
from matcha_p2p.kinds import kind


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
class OpenList(NamedTuple):
    """A list outside the game is open: how to leave, what to take back, what watchers see."""

    question: Listing


@kind
class Departing(NamedTuple):
    """The person has left or given up, and the game is about to end."""


@kind
class Gone(NamedTuple):
    """The screen is to be closed."""


Focus: TypeAlias = AtTable | Talking | Reading | OpenList | Departing | Gone

AT_TABLE: Final = AtTable()
