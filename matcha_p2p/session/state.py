"""The states and effects of a session (SPEC#resume)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from matcha_p2p.games.game import Move
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import NO_WISHES, Ending, SessionNews, Terms, Wishes
from matcha_p2p.session.watching import Watching
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.talk import Farewell, Proposal, Spoken
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

    Frames before the neighbour's roster belong to the game before (SPEC#next-table).
    """

    binding: Binding
    remote: Address | None = None


LinkState: TypeAlias = Apart | Comparing | Synced | Turning

Links: TypeAlias = Mapping[Seat, LinkState]
"""The neighbours, and the newest link to each."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """The seats greet each other, on the links with which the game begins.

    watchers: the names of the watchers here, who have come early.
    """

    chain: Chain
    terms: Terms
    links: Links
    watchers: tuple[str, ...] = ()


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
    """

    chain: Chain
    terms: Terms
    links: Links
    watching: Watching
    asked: int = 0
    missed: int = 0
    wish: Decided | Conceding | None = None
    leaving: bool = False
    unproven: frozenset[Seat] | None = None
    gone: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Parting:
    """A game is over, and the players are still connected.

    told: the number of entries and records when the front end was last told that the game is
    complete. ours: our offers. theirs: the offers of each neighbour on the newest link. asked:
    the offers told to the player. said: our offers and farewells to each neighbour on the
    newest link, since the neighbour has the whole game. gone: as in Playing, until a neighbour
    says that it has the whole game. leaving: whether we want to leave.

    wishes: told to the player. turned: the neighbour from which the next roster has come, and
    the roster.
    """

    chain: Chain
    terms: Terms
    links: Links
    watching: Watching
    told: tuple[int, int] = (0, 0)
    ours: frozenset[Proposal] = frozenset()
    theirs: Mapping[Seat, frozenset[Proposal]] = field(
        default_factory=dict[Seat, frozenset[Proposal]]
    )
    asked: frozenset[tuple[Seat, Proposal]] = frozenset()
    said: Mapping[Seat, frozenset[Proposal | Farewell]] = field(
        default_factory=dict[Seat, frozenset[Proposal | Farewell]]
    )
    gone: frozenset[Seat] = frozenset()
    leaving: bool = False
    wishes: Wishes = NO_WISHES
    turned: tuple[Seat, bytes] | None = None


@dataclass(frozen=True, slots=True)
class HangingUp:
    """Our last word has gone out over all links.

    The neighbours close the links: if we did, the word could be lost.
    """

    chain: Chain
    ending: Ending
    links: Links


@dataclass(frozen=True, slots=True)
class SessionOver:
    """Nothing more happens."""

    chain: Chain
    ending: Ending


SessionState: TypeAlias = Greeting | Playing | Parting | HangingUp | SessionOver


@dataclass(frozen=True, slots=True)
class Send:
    """If the link named ``binding`` still stands, send ``frame`` over the link."""

    binding: Binding
    frame: Frame = field(repr=False)


@dataclass(frozen=True, slots=True)
class Tell:
    """Give ``news`` to the front end."""

    news: SessionNews


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

Transition: TypeAlias = tuple[SessionState, tuple[Effect, ...]]
