"""The states and effects of a session (PEER#resume)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from matcha_p2p.games.game import Move
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as session_news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.watching import Watching
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.talk import Spoken
from matcha_p2p.wire.words import Word


@dataclass(frozen=True, slots=True)
class Apart:
    """No link leads to the neighbour now."""


@dataclass(frozen=True, slots=True)
class Comparing:
    """Our SYNC has gone out over a new link; the neighbour's SYNC has not come.

    binding: 32 bytes, names the link. remote: the neighbour's address, if known. words: the
    ASKs and HEREs that the neighbour has, or was sent. run: of the neighbour's program on this
    link, as the neighbour's ASK there says. beside: whether this is a direct link of two
    guests, which the game can do without.
    """

    binding: Binding
    remote: Address | None = None
    words: frozenset[Word] = frozenset()
    run: int = 0
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Synced:
    """Both ends know how far the other copy goes.

    shown: how many of our entries the neighbour has, or was sent. given: the places of our
    records that the neighbour has, or was sent. warned: whether the neighbour has the message
    that breaks the protocol. again: how many entries were sent a second time. words, run,
    beside: as in Comparing.

    owed: how many entries our copy must have before we sign another entry. Otherwise we could
    sign a second entry in place of a lost one. resigned: whether our copy must also have our
    resignation first. Otherwise we could go on after a lost resignation.
    """

    binding: Binding
    remote: Address | None = None
    owed: int = 0
    resigned: bool = False
    shown: int = 0
    given: frozenset[int] = frozenset()
    warned: bool = False
    again: int = 0
    words: frozenset[Word] = frozenset()
    run: int = 0
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Turning:
    """Our next roster has gone out over the link; the neighbour's has not come.

    Frames before the neighbour's roster belong to the game before (PEER#next-table).
    """

    binding: Binding
    remote: Address | None = None


LinkState: TypeAlias = Apart | Comparing | Synced | Turning

Links: TypeAlias = Mapping[Seat, LinkState]
"""The neighbours, and the newest link to each."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """The seats greet each other, on the links with which the game begins.

    watchers: the names of the watchers here, who have come early. missed: the number of
    greetings when the player was last told whose greeting is missing, or None. before: the
    finished game of the same table, if any.
    """

    chain: Chain
    terms: session_news.Terms
    links: Links
    watchers: tuple[str, ...] = ()
    missed: int | None = None
    before: Chain | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """The player has decided, but we cannot sign yet. length: of the chain at the decision."""

    length: int
    move: Move


@dataclass(frozen=True, slots=True)
class Conceding:
    """The player gives up, but we cannot sign yet."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A game is under way.

    asked: the length of the chain when the player was last asked to decide. wish: the player's
    wish, kept until we may sign. leaving: whether the player leaves as soon as all seats have
    signed a decided game. unproven: the seats that had answered when the player was told whose
    word is missing, or None. gone: the neighbours that left, perhaps without the whole game.
    missed: the length of the chain when the player was last told by whose way an entry comes.
    opened: the window of which the front end was last told (``Rules.window``). closed: the
    latest window whose time has passed. thinks: whether the player takes more time in a window.
    paused: the length of the chain for which the time of a pass has passed.
    """

    chain: Chain
    terms: session_news.Terms
    links: Links
    watching: Watching
    asked: int = 0
    missed: int = 0
    opened: int = 0
    closed: int = 0
    thinks: bool = False
    paused: int = 0
    wish: Decided | Conceding | None = None
    leaving: bool = False
    unproven: frozenset[Seat] | None = None
    gone: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Parting:
    """A game is over, and the players are still connected.

    told: the number of entries and records when the front end was last told that the game is
    complete. offers_book: whether we offer to open our book. offered: the seats whose such
    offers were told. said: the neighbours to which we have said goodbye on the newest link.
    gone: as in Playing, until a neighbour says that it has the whole game. leaving: whether we
    want to leave.

    wishes: told to the player. turned: the next game, once a neighbour has sent its roster.
    """

    chain: Chain
    terms: session_news.Terms
    links: Links
    watching: Watching
    told: tuple[int, int] = (0, 0)
    offers_book: bool = False
    offered: frozenset[Seat] = frozenset()
    said: frozenset[Seat] = frozenset()
    gone: frozenset[Seat] = frozenset()
    leaving: bool = False
    wishes: session_news.Wishes = session_news.NO_WISHES
    turned: session_news.Again | None = None


Greeted: TypeAlias = Playing | Parting
"""All seats have greeted each other."""


@dataclass(frozen=True, slots=True)
class HangingUp:
    """Our last word has gone out over all links.

    The neighbours close the links: if we did, the word could be lost.
    """

    chain: Chain
    ending: session_news.Ending
    links: Links


@dataclass(frozen=True, slots=True)
class SessionOver:
    """Nothing more happens."""

    chain: Chain
    ending: session_news.Ending


SessionState: TypeAlias = Greeting | Greeted | HangingUp | SessionOver


@dataclass(frozen=True, slots=True)
class Send:
    """If the link named ``binding`` still stands, send ``frame`` over the link."""

    binding: Binding
    frame: Frame = field(repr=False)


@dataclass(frozen=True, slots=True)
class Tell:
    """Give ``news`` to the front end."""

    news: session_news.SessionNews


@dataclass(frozen=True, slots=True)
class HangUp:
    """End the link that ``binding`` names. why: a sentence."""

    binding: Binding
    why: str


@dataclass(frozen=True, slots=True)
class KeepTalk:
    """Keep a player's talk, for when the game is taken up again."""

    spoken: Spoken


Effect: TypeAlias = Send | Tell | HangUp | KeepTalk
"""Carried out once the chain of the accompanying state is durable."""

Effects: TypeAlias = tuple[Effect, ...]

Transition: TypeAlias = tuple[SessionState, Effects]
