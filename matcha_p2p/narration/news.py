"""All news for a front end: from a session, and from around the session."""

import enum
from collections.abc import Callable
from datetime import date
from typing import NamedTuple, TypeAlias

from matcha_p2p.games.game import Unopened
from matcha_p2p.kinds import kind
from matcha_p2p.session import news as session_news


@kind
class Checked(NamedTuple):
    """The whole game has been verified from its transcript. failure: a sentence, or ""."""

    failure: str


@kind
class Uncovered(NamedTuple):
    """The cards never turned up, as open books show them, if any."""

    cards: tuple[Unopened, ...]


class TeamScore(NamedTuple):
    """A team. names: of the others in the team. ours: whether we are in it. won: its games.

    Bots have no names here.
    """

    names: tuple[str, ...]
    ours: bool
    won: int


@kind
class GroupCounted(NamedTuple):
    """The finished games of a group of people, with the present game.

    game: its name. names: of the others. games: how many. drawn: games without a winner.
    """

    game: str
    names: tuple[str, ...]
    games: int
    sides: tuple[TeamScore, ...]
    drawn: int


class Recognition(enum.Enum):
    """Who the peer is, by the records of this home."""

    KNOWN = "known"  # a known key
    NEW = "new"  # an unknown key, and an unknown name
    KEYLESS = "keyless"  # no key, and an unknown name
    OTHER_KEY = "other-key"  # a known name with another key
    MISSING_KEY = "missing-key"  # a known name without a key
    OWN_KEY = "own-key"  # our own key: this home was copied


@kind
class Recognised(NamedTuple):
    """The peer named ``name``, known or not.

    known_as: this home's name for the peer, "" if unknown. last_met: the day, or None.
    """

    standing: Recognition
    name: str
    known_as: str = ""
    last_met: date | None = None


@kind
class Renamed(NamedTuple):
    """The table calls this player ``name``, which is not the name that the player gave."""

    name: str


@kind
class Decisions(NamedTuple):
    """How many decisions the player can take back; only practice has any."""

    number: int


@kind
class Taught(NamedTuple):
    """The tutorial says something; a key to press stands in brackets, [Enter].

    text: "" once the student has answered. last: whether the tutorial is over.
    """

    text: str
    last: bool = False


AfterNews: TypeAlias = (
    session_news.Settled
    | Checked
    | GroupCounted
    | session_news.Offered
    | session_news.Wishes
    | session_news.Exposed
    | Uncovered
    | session_news.NextGame
)
"""News that come after a game."""

News: TypeAlias = (
    session_news.SessionNews | AfterNews | Recognised | Renamed | Decisions | Taught
)

Inform: TypeAlias = Callable[[News], None]
"""Takes a piece of news and returns at once; the front end shows the news later."""


@kind
class TakeBack(NamedTuple):
    """The person takes back the last decision; only practice can."""


Wish: TypeAlias = session_news.Choice | TakeBack
"""What comes from a front end."""

Choose: TypeAlias = Callable[[Wish], None]
"""Takes a player's wish and returns at once; the session handles the wish later."""
