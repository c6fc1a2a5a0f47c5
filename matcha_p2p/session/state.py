"""The states and effects of a session (SPEC#resume)."""

from dataclasses import dataclass, field
from typing import TypeAlias

from matcha_p2p.games.game import Move
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import Ending, SessionNews, Terms
from matcha_p2p.session.watching import UNWATCHED, Watching
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.talk import Farewell, Proposal, Spoken


@dataclass(frozen=True, slots=True)
class Apart:
    """No link leads to the peer."""


@dataclass(frozen=True, slots=True)
class Comparing:
    """Our SYNC has gone out over a new link; the peer's SYNC has not come.

    binding: 32 bytes, names the link. remote: the peer's address, if known.
    """

    binding: Binding
    remote: Address | None = None


@dataclass(frozen=True, slots=True)
class Synced:
    """Both seats know how far the other copy goes, and we have sent all entries the peer lacks.

    owed: how many entries our copy must have before we sign another entry. Otherwise we could
    sign a second entry in place of a lost one. resigned: whether our copy must also have our
    resignation first. Otherwise we could go on after a lost resignation.
    """

    binding: Binding
    remote: Address | None = None
    owed: int = 0
    resigned: bool = False


LinkState: TypeAlias = Apart | Comparing | Synced


@dataclass(frozen=True, slots=True)
class Greeting:
    """The two seats greet each other, on the link that names the game."""

    chain: Chain
    terms: Terms
    binding: Binding
    remote: Address | None = None


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
    wish, kept until we may sign. leaving: whether the player leaves as soon as both seats have
    signed a decided game.
    """

    chain: Chain
    terms: Terms
    link: LinkState
    asked: int = 0
    wish: Decided | Conceding | None = None
    leaving: bool = False
    watching: Watching = UNWATCHED


@dataclass(frozen=True, slots=True)
class Parting:
    """A game is over, and the two players are still connected.

    told: the number of entries and records when the front end was last told that the game is
    complete. ours: our offers. theirs: the peer's offers on this link. asked: the peer's offers
    told to the player. said: our offers and farewells on this link since the peer has the whole
    game. leaving: whether we want to leave.
    """

    chain: Chain
    terms: Terms
    link: LinkState
    told: tuple[int, int] = (0, 0)
    ours: frozenset[Proposal] = frozenset()
    theirs: frozenset[Proposal] = frozenset()
    asked: frozenset[Proposal] = frozenset()
    said: frozenset[Proposal | Farewell] = frozenset()
    leaving: bool = False
    watching: Watching = UNWATCHED


@dataclass(frozen=True, slots=True)
class HangingUp:
    """Our last word has gone out.

    The peer closes the link: if we did, the word could be lost.
    """

    chain: Chain
    ending: Ending
    binding: Binding


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
