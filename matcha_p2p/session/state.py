"""The states of a session, and its effects (SPEC#resume)."""

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
    """There is no link to the peer."""


@dataclass(frozen=True, slots=True)
class Comparing:
    """Our SYNC has gone out over a new link, and the peer's has not come.

    binding: 32 bytes, names the link. remote: the address that the peer has there, if known.
    """

    binding: Binding
    remote: Address | None = None


@dataclass(frozen=True, slots=True)
class Synced:
    """Both know how far the other's copy goes, and the peer has been sent what it lacks.

    owed: how many entries our copy must have before we sign another one: otherwise we could
    sign a second entry in place of one that we have lost. resigned: whether it must have a
    resignation of ours too: otherwise we could go on after one that we have lost.
    """

    binding: Binding
    remote: Address | None = None
    owed: int = 0
    resigned: bool = False


LinkState: TypeAlias = Apart | Comparing | Synced


@dataclass(frozen=True, slots=True)
class Greeting:
    """The two greet each other, on the one link that names the game to be."""

    chain: Chain
    terms: Terms
    binding: Binding
    remote: Address | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """The player has decided, and nothing can be signed yet. length: of the chain then."""

    length: int
    move: Move


@dataclass(frozen=True, slots=True)
class Conceding:
    """The player gives up, and that cannot be signed yet."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A game is under way.

    asked: how long the chain was when the player was last asked to decide. wish: what the
    player wants once something can be signed. leaving: whether the player goes as soon as both
    have signed a game that is decided.
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
    """A game is over, and the two are still there.

    told: how many entries and records the game had when the front end was last told that it is
    complete. ours: what we offer. theirs: what the peer has offered on this link. asked: which
    of the peer's offers the player was told of. said: what we have said on this link since the
    peer has had all of the game. leaving: whether we want to leave.
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
    """Our last word has gone out; the peer closes the link: if we did, it could be lost."""

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
    """Send ``frame`` over the link that ``binding`` names, if that still stands."""

    binding: Binding
    frame: Frame = field(repr=False)


@dataclass(frozen=True, slots=True)
class Tell:
    """Give ``news`` to whoever shows the game."""

    news: SessionNews


@dataclass(frozen=True, slots=True)
class HangUp:
    """End the link that ``binding`` names. why: a sentence."""

    binding: Binding
    why: str


@dataclass(frozen=True, slots=True)
class KeepTalk:
    """Keep what somebody has said, for when the game is taken up again."""

    spoken: Spoken


Effect: TypeAlias = Send | Tell | HangUp | KeepTalk
"""Is carried out once the chain of the state that comes with it is durable."""

Transition: TypeAlias = tuple[SessionState, tuple[Effect, ...]]
