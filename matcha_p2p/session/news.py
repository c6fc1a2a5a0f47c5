"""News of a session, choices and other items for it, and the endings of a game."""

import enum
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

import trio

from matcha_p2p.errors import EncodingError, ProtocolViolationError
from matcha_p2p.games.game import End, Event, GameState, Move
from matcha_p2p.kinds import kind
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineChange, LineItem
from matcha_p2p.session.watching import Watching
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire import talk

_OTHER_EDITION: Final = Sentence("The guest wants to play another edition.")
_OTHER_VERSION: Final = Sentence(
    "The other player's program has another version of the protocol. Both of you need the "
    "same matcha: install the latest one."
)
_TAKEN: Final = Sentence("The host plays with another guest, or has left the table.")
LEFT: Final = Sentence("The other player has left the game.")

OTHER_DEALER: Final = Sentence(
    "{name} and you do not agree on the first dealer. Both of you need the same matcha: "
    "install the latest one."
)
YOU_LEFT: Final = Sentence("You have left the game.")
NO_GREETING: Final = Sentence("No greeting came within {seconds:g} s.")
NO_MOVE: Final = Sentence("The other player has made no move for {seconds:g} s.")
NO_RESULT: Final = Sentence(
    "The game is decided, but the other player does not sign the result. The result still "
    "counts."
)
UNWANTED: Final = Sentence(
    "{name} offers edition {edition}, and you asked for {wanted}. Agree on one edition."
)
OTHER_GAME: Final = Sentence(
    "{name} offers {game}, and you asked for {wanted}. Agree on one game."
)
ABORTED: Final = Sentence(
    "The other player's program stopped the game: it says that an entry of yours fails check "
    "{check}. The game is saved."
)
INCOMPATIBLE: Final = Sentence(
    "Your program and the other player's differ in version, so you cannot play together. "
    "Both of you need the same one: install the latest."
)


@kind
class MoveDue(NamedTuple):
    """Our move is due; ``view`` is what we know, the game's own ``View``."""

    view: Any


@kind
class TalkHeard(NamedTuple):
    """The peer says something."""

    text: str


@kind
class PhraseHeard(NamedTuple):
    """The peer says one of the quick phrases."""

    number: int


@kind
class TalkRecalled(NamedTuple):
    """What the two said before the game was taken up, the latest last."""

    spoken: tuple[talk.Spoken, ...]


@kind
class Broken(NamedTuple):
    """A seat has broken the protocol, and signed what shows it. The evidence is on disk.

    ours: whether the seat is our own, whose folder has been put back to an older copy.
    over: whether the game was over before, and counts as it ended.
    """

    violation: ProtocolViolationError
    ours: bool
    over: bool = False


@kind
class Withheld(NamedTuple):
    """The peer announces entries or a resignation that we lack, and does not send them.

    Until it sends them, or announces fewer, some may be ours, and we have lost them. messages:
    how many.
    """

    messages: int


@kind
class ConcedesLater(NamedTuple):
    """We resign as soon as the peer has shown that we lack nothing that we have signed."""


@kind
class Exposed(NamedTuple):
    """A seat has opened its book."""

    seat: Seat


@kind
class Settled(NamedTuple):
    """Both have the whole game. They stay connected until one of them leaves.

    transcript: the file of the game as it stands, durable here.
    """

    transcript: bytes


@kind
class NextGame(NamedTuple):
    """Another game begins on the same line. seat: ours in it.

    score: games won so far, by us and by the peer.
    """

    seat: Seat
    score: tuple[int, int]


@kind
class Offered(NamedTuple):
    """The peer offers something; to agree is to propose it as well."""

    proposal: talk.Proposal


@kind
class GameEvent(NamedTuple):
    """An event of the game, and its public state after it."""

    event: Event
    game: GameState


@kind
class LineChanged(NamedTuple):
    """The line to the peer has changed; the game waits while it is not up."""

    change: LineChange


@kind
class LineTimed(NamedTuple):
    """The way to the peer and back takes ``seconds`` now."""

    seconds: float


@kind
class TakenUp(NamedTuple):
    """A game goes on where it was left. names: by seat. hand: our cards, () if not dealt."""

    game: GameState
    names: tuple[str, ...]
    hand: tuple[Any, ...]


@kind
class WatchingChanged(NamedTuple):
    """Others watch the game, or may, or may not any more."""

    before: Watching
    now: Watching


@kind
class Unheard(NamedTuple):
    """There is no link, and what was said just now has gone nowhere."""


Trouble: TypeAlias = Broken | Withheld | ConcedesLater | Unheard
"""News of a peer that cheats, or that may be cheating."""

SessionNews: TypeAlias = (
    GameEvent
    | MoveDue
    | TalkHeard
    | PhraseHeard
    | LineChanged
    | LineTimed
    | TakenUp
    | TalkRecalled
    | WatchingChanged
    | Trouble
    | Settled
    | Offered
    | Exposed
    | NextGame
)

Announce: TypeAlias = Callable[[SessionNews], None]
"""Takes a piece of news and returns at once; it is shown later."""


@kind
class MakeMove(NamedTuple):
    """The person makes a move."""

    move: Move


@kind
class Concede(NamedTuple):
    """The person gives the game up."""


@kind
class Leave(NamedTuple):
    """The person leaves: the game unfinished, or the line once it is over."""


@kind
class Propose(NamedTuple):
    """The person offers something, or agrees to what the peer has offered."""

    proposal: talk.Proposal


@kind
class LetWatch(NamedTuple):
    """The person says what watchers may see; Sight.NOTHING cannot be taken back."""

    sight: talk.Visibility


@kind
class WatchersCame(NamedTuple):
    """Others have come to watch, or gone. names: of all who watch now."""

    names: tuple[str, ...]


Choice: TypeAlias = MakeMove | talk.Say | talk.Phrase | Concede | Propose | Leave | LetWatch


class Awaited(enum.Enum):
    """What a session waits for up to a limit of time."""

    GREETING = enum.auto()  # of the peer
    SYNC = enum.auto()  # on a new link
    ENTRIES = enum.auto()  # that the peer has announced
    MOVE = enum.auto()
    RESULT = enum.auto()  # that the peer has to sign as well
    BOOKS = enum.auto()  # of the peer, where no person is at our seat
    GOODBYE = enum.auto()
    HANG_UP = enum.auto()  # after our last word


@kind
class Timeout(NamedTuple):
    """``what`` is awaited for ``seconds``. of: names the occasion; each has its own limit."""

    what: Awaited
    of: bytes | int | tuple[bytes, int]
    seconds: float


@kind
class TimeUp(NamedTuple):
    """What was awaited has not come in time."""

    wait: Timeout


Item: TypeAlias = LineItem | Choice | talk.PeerAddresses | WatchersCame | TimeUp
"""An item for a session: from the line, a choice, our addresses, who watches, or the end of a
wait."""


class Inbox:
    """The queue of items for a session.

    It outlives the session: what has come for the next game waits in it.
    """

    def __init__(self) -> None:
        self._put, self._items = trio.open_memory_channel[tuple[Item, trio.Event]](math.inf)

    def put(self, item: Item) -> None:
        """Put ``item`` in without waiting; for what a person chooses, which is never much."""
        self._put.send_nowait((item, trio.Event()))

    async def post(self, item: Item) -> None:
        """Put ``item`` in, and wait until it is taken out: so a peer cannot fill the queue."""
        taken = trio.Event()
        self._put.send_nowait((item, taken))
        await taken.wait()

    async def take(self, deadline: float) -> Item | None:
        """Take out the next item; None if nothing has come by ``deadline`` of trio's clock."""
        with suppress(trio.WouldBlock):  # what has come in time counts, however late we are
            return _taken(*self._items.receive_nowait())
        with trio.move_on_at(deadline):
            return _taken(*await self._items.receive())
        return None


def _taken(item: Item, taken: trio.Event) -> Item:
    taken.set()
    return item


@kind
class Finished(NamedTuple):
    """The game was played to its end.

    seen_off: whether the peer has said DONE, so that it has all of the game too. again: names
    the link on which another game begins at once; None if the two do not both want one.
    """

    ended: End
    seen_off: bool
    again: Binding | None = None


@kind
class Interrupted(NamedTuple):
    """The game is unfinished: the line was lost, or somebody left. ``why`` is a sentence."""

    why: str


@kind
class Violated(NamedTuple):
    """A seat broke the protocol, and signed what shows it."""

    violation: ProtocolViolationError


@kind
class Declined(NamedTuple):
    """The game did not begin: the seats want other editions, or speak other versions.

    reason: EDITION, VERSION or TAKEN. why: a sentence.
    """

    reason: talk.Farewell
    why: str


@kind
class DiskFailed(NamedTuple):
    """The journal could not be written; nothing was sent or shown after that.

    why: a sentence. code: of the error.
    """

    why: str
    code: str | None = None


Ending: TypeAlias = Finished | Interrupted | Violated | Declined | DiskFailed


@dataclass(frozen=True, slots=True)
class Terms:
    """What this seat wants. variant: of the game; None for whatever the other seat offers.

    open_book: whether to offer, unasked, to expose the key after the game. stays: whether the
    front end says when to leave after the game; if not, the session leaves by itself, at once
    or when the books are open. patience: seconds that the peer may take over a move, or
    stay away. identity: the seed of the key by which the peer knows this person again; None to
    stay unknown. watchers: how many people this seat lets watch. sight: what watchers may see,
    be they this seat's or the peer's.
    """

    name: str
    game: str
    variant: str | None
    open_book: bool
    stays: bool = False
    patience: float = math.inf
    identity: bytes | None = field(default=None, repr=False)
    watchers: int = 0
    sight: talk.Visibility = talk.Visibility.LATER


def ending_of(farewell: bytes) -> Ending | None:
    """Return how the peer's goodbye ends the game; None if it is done and has all of it.

    farewell: the payload; what cannot be read counts as leaving.
    """
    try:
        reason = talk.decode_farewell(farewell)
    except EncodingError:
        reason = talk.Farewell.LATER
    match reason:
        case talk.Farewell.EDITION:
            return Declined(reason, _OTHER_EDITION())
        case talk.Farewell.VERSION:
            return Declined(reason, _OTHER_VERSION())
        case talk.Farewell.TAKEN:
            return Declined(reason, _TAKEN())
        case talk.Farewell.LATER:
            return Interrupted(LEFT())
        case talk.Farewell.DONE:
            return None
        case _:
            assert_never(reason)
