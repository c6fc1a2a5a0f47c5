"""The news of a session, the choices and other items a session takes, and a game's endings."""

import enum
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import trio

from matcha_p2p.errors import EncodingError, ProtocolViolationError
from matcha_p2p.games.game import End, Event, GameState, Move
from matcha_p2p.kinds import kind
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineChange, LineItem, LineUp
from matcha_p2p.session.watching import Watching
from matcha_p2p.wire import talk
from matcha_p2p.wire.watching import Admission, Visibility

if TYPE_CHECKING:  # front ends need no cryptography
    from matcha_p2p.session.words import DrawnSeat
    from matcha_p2p.wire.roster import Roster

LEFT_BY: Final = Sentence("{name} has left the game.")
_UNWANTED: Final = Sentence("{name} wants another game or edition, and has left.")
_OLDER_OR_NEWER: Final = Sentence(
    "{name} has another version of the program, and has left. All players need the same "
    "matcha: install the latest one."
)

YOU_LEFT: Final = Sentence("You have left the game.")
NO_GREETING_OF: Final = Sentence("No greeting of {names} came within {seconds:g} s.")
LEFT_UNGREETED: Final = Sentence(
    "{name} has left the game. The greeting of {names} had not come."
)
CUT_UNGREETED: Final = Sentence("The link to {name} ended before the next game began. {why}")
NO_MOVE: Final = Sentence("{name} has made no move for {seconds:g} s.")
NO_RESULT: Final = Sentence(
    "The game is decided, but not all players have signed the result. The result still counts."
)
ABORTED: Final = Sentence(
    "{name}'s program stopped the game: it says that an entry of yours fails check {check}. "
    "The game is saved."
)
FAULTY: Final = Sentence(
    "The program at the other end sent a message that does not belong to this game."
)


@kind
class MoveDue(NamedTuple):
    """Our move is due; ``view`` is the game's own ``View`` of our seat."""

    view: Any


@kind
class WindowOpened(NamedTuple):
    """A play lies that others may answer out of turn; every answer takes ``seconds``."""

    seconds: float


@kind
class WindowAnswered(NamedTuple):
    """The time of a window has passed, and the program has given our quiet answer."""


@kind
class TalkHeard(NamedTuple):
    """Another seat says something. name, by: the player and the seat."""

    text: str
    name: str
    by: Seat


@kind
class PhraseHeard(NamedTuple):
    """Another seat says a quick phrase. name, by: the player and the seat."""

    number: int
    name: str
    by: Seat


@kind
class TalkRecalled(NamedTuple):
    """The talk from before the game was taken up, the latest last. names: by seat."""

    spoken: tuple[talk.Spoken, ...]
    names: tuple[str, ...]


@kind
class Broken(NamedTuple):
    """A seat has broken the protocol, and signed the proof. The evidence is on disk.

    ours: whether the seat is our own, after a backup replaced our folder by an older copy.
    over: whether the game was over before; if so, the result stands.
    """

    violation: ProtocolViolationError
    ours: bool
    over: bool = False


@kind
class Withheld(NamedTuple):
    """A neighbour announces entries or a resignation that we lack, and does not send them.

    Until it sends these messages, or announces fewer, we may have lost entries of ours.
    messages: the number of missing messages.
    """

    messages: int


@kind
class Unproven(NamedTuple):
    """Our program was started again, and signs nothing yet.

    names: of the players whose copies may hold messages of ours that we have lost, and whose
    programs have not answered yet.
    """

    names: tuple[str, ...]


@kind
class FarSeatMissing(NamedTuple):
    """The next entry has not come for ``seconds``; its author has no link to us.

    name: of its author. ways: the names of the neighbours that pass messages on to us.
    """

    name: str
    ways: tuple[str, ...]
    seconds: float


@kind
class Ungreeted(NamedTuple):
    """The greeting of a seat has not come for ``seconds``.

    names: of the players for whom the game may wait.
    """

    names: tuple[str, ...]
    seconds: float


@kind
class ConcedesLater(NamedTuple):
    """We resign once all other seats have shown that our copy has all our entries."""


@kind
class ResignOffered(NamedTuple):
    """A seat would resign with the partner, and does so if the partner resigns now.

    name: of the player. partner: the seat that is asked. game: as it stands. bot: whether a
    bot offers, which it does only when it fails.
    """

    seat: Seat
    name: str
    partner: Seat
    game: GameState
    bot: bool = False


@kind
class Exposed(NamedTuple):
    """A seat has opened its book."""

    seat: Seat


@kind
class Settled(NamedTuple):
    """All seats have the whole game. The players stay connected until a player leaves.

    transcript: the file of the game as it stands, durable here.
    """

    transcript: bytes


@kind
class NextGame(NamedTuple):
    """Another game begins on the same lines, and the seats stay.

    score: games won so far, by us and then by the others in the order of their seats.
    """

    score: tuple[int, ...]


@kind
class Offered(NamedTuple):
    """The player ``name`` offers to open all books; to agree, propose the same."""

    name: str


@kind
class Wishes(NamedTuple):
    """Who wishes another game. Each name is of a seat.

    wished: also our own. missing: the table waits for these seats. left: these seats have left,
    so no game follows. contradicted: the wishes that these seats signed contradict each other.
    """

    wished: tuple[str, ...]
    missing: tuple[str, ...]
    left: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()

    @property
    def ended(self) -> bool:
        """Whether no other game follows."""
        return bool(self.left or self.contradicted)


NO_WISHES: Final = Wishes((), ())


@kind
class GameEvent(NamedTuple):
    """An event of the game, and the public state after the event."""

    event: Event
    game: GameState


@kind
class LineChanged(NamedTuple):
    """The line to a neighbour has changed; while the line is down, the game waits.

    name: of the neighbour.
    """

    change: LineChange
    name: str


@kind
class LineTimed(NamedTuple):
    """The way to the peer and back takes ``seconds`` now."""

    seconds: float


@kind
class TakenUp(NamedTuple):
    """A saved game goes on. names: by seat. hand: our cards, () if not dealt.

    over: whether the game has ended; the event of its end is told next.
    """

    game: GameState
    names: tuple[str, ...]
    hand: tuple[Any, ...]
    over: bool = False


@kind
class WatchingChanged(NamedTuple):
    """Others watch the game, or may, or may not any more."""

    before: Watching
    now: Watching


@kind
class Unheard(NamedTuple):
    """There is no link, so our latest talk was not sent."""


Trouble: TypeAlias = (
    Broken | Withheld | Unproven | FarSeatMissing | Ungreeted | ConcedesLater | Unheard
)
"""News of a peer that cheats, or may be cheating."""

SessionNews: TypeAlias = (
    GameEvent
    | MoveDue
    | WindowOpened
    | WindowAnswered
    | TalkHeard
    | PhraseHeard
    | LineChanged
    | LineTimed
    | TakenUp
    | TalkRecalled
    | WatchingChanged
    | ResignOffered
    | Trouble
    | Settled
    | Offered
    | Wishes
    | Exposed
    | NextGame
)

Announce: TypeAlias = Callable[[SessionNews], None]
"""Takes a piece of news and returns at once; the front end shows the news later."""


@kind
class MakeMove(NamedTuple):
    """The person makes a move."""

    move: Move


@kind
class Think(NamedTuple):
    """The person takes more time in this window, or in our next one."""


@kind
class Concede(NamedTuple):
    """The person gives the game up."""


@kind
class Leave(NamedTuple):
    """The person leaves: an unfinished game, or the line after a game."""


@kind
class Propose(NamedTuple):
    """The person offers something, or agrees to an offer of another seat."""

    proposal: talk.Proposal


@kind
class PlayAgain(NamedTuple):
    """The person wishes another game. own: the seat for it."""

    own: "DrawnSeat"


@kind
class LetWatch(NamedTuple):
    """The person says how much watchers may see; Visibility.NOTHING is final."""

    sight: Visibility


@kind
class WatchersCame(NamedTuple):
    """Watchers have come or gone. names: the names of all present watchers."""

    names: tuple[str, ...]


Choice: TypeAlias = (
    MakeMove | Think | talk.Say | talk.Phrase | Concede | Propose | Leave | LetWatch
)


class Awaited(enum.Enum):
    """Reasons of a session to wait, up to a time limit."""

    GREETING = enum.auto()  # of the next seat
    SYNC = enum.auto()  # on a new link
    ENTRIES = enum.auto()  # announced by a neighbour
    QUIET = enum.auto()  # a link without an entry
    WORDS = enum.auto()  # of the other seats, after a restart
    FAR = enum.auto()  # the entry of a seat without a link to us
    MOVE = enum.auto()
    WINDOW = enum.auto()  # the time of all answers to a play
    PAUSE = enum.auto()  # the time of our pass
    RESULT = enum.auto()  # signed by all seats
    BOOKS = enum.auto()  # of the others, where no person is at our seat
    GOODBYE = enum.auto()
    HANG_UP = enum.auto()  # after our last word


@kind
class Timeout(NamedTuple):
    """A limit of ``seconds`` for ``what``.

    of: names the occasion; each occasion has a limit.
    """

    what: Awaited
    of: bytes | int | tuple[bytes, int]
    seconds: float


@kind
class TimeUp(NamedTuple):
    """The limit of ``wait`` has passed."""

    wait: Timeout


Item: TypeAlias = LineItem | Choice | PlayAgain | talk.PeerAddresses | WatchersCame | TimeUp
"""An item for a session: from the line, a choice, our addresses, the watchers, or a TimeUp."""


class Inbox:
    """The queue of items for a session.

    The queue outlives the session: items for the next game wait here.
    """

    def __init__(self) -> None:
        self._put, self._items = trio.open_memory_channel[tuple[Item, trio.Event]](math.inf)

    def put(self, item: Item) -> None:
        """Add ``item`` without waiting; for a person's choices, which are few."""
        self._put.send_nowait((item, trio.Event()))

    async def post(self, item: Item) -> None:
        """Add ``item``, and wait until the session takes it: a peer cannot fill the queue."""
        taken = trio.Event()
        self._put.send_nowait((item, taken))
        await taken.wait()

    async def take(self, deadline: float) -> Item | None:
        """Return the next item, or None if no item comes by ``deadline`` of trio's clock."""
        with suppress(trio.WouldBlock):  # an item that came in time counts, however late we are
            return _taken(*self._items.receive_nowait())
        with trio.move_on_at(deadline):
            return _taken(*await self._items.receive())
        return None


def _taken(item: Item, taken: trio.Event) -> Item:
    taken.set()
    return item


@kind
class Again(NamedTuple):
    """Another game begins at once on ``links``: its roster, and our seat there.

    frame: the roster with the AGAINs that it follows from, for the neighbours. turned: the
    neighbour whose roster has come, or None.
    """

    roster: "Roster"
    own: "DrawnSeat"
    frame: bytes
    links: tuple[LineUp, ...]
    turned: Seat | None = None


@kind
class Finished(NamedTuple):
    """The game was played to its end.

    seen_off: whether every neighbour has said DONE, and so has the whole game. again: the next
    game, or None unless all players want another game.
    """

    ended: End
    seen_off: bool
    again: Again | None = None


@kind
class Interrupted(NamedTuple):
    """The game is unfinished: the line was lost, or a player left. ``why`` is a sentence."""

    why: str


@kind
class Violated(NamedTuple):
    """A seat broke the protocol, and signed the proof."""

    violation: ProtocolViolationError


@kind
class DiskFailed(NamedTuple):
    """The journal could not be written; no later effect was carried out.

    why: a sentence. code: of the error.
    """

    why: str
    code: str | None = None


Ending: TypeAlias = Finished | Interrupted | Violated | DiskFailed


@dataclass(frozen=True, slots=True)
class Terms:
    """The wishes of this seat. variant: the game's variant, or None to take the host's.

    seats: the number of seats at the table. open_book: whether to offer, unasked, to expose
    the key after the game. stays: whether the front end decides when to leave after the game.
    If not, the session leaves at once or when the books are open. patience: seconds that
    another seat may take over a move, or stay away. identity: the seed of the key by which the
    others know this person again, or None to stay unknown. watchers: how many watchers this
    seat admits. sight: how much watchers may see, at any seat.

    bot: whether a bot plays here, each of whose answers takes its time where some hands can
    only pass. passes: whether the program passes for the person in its own time. holds: whether
    the program gives the quiet answer when the time of a window has passed.
    """

    name: str
    game: str
    variant: str | None
    open_book: bool
    stays: bool = False
    patience: float = math.inf
    identity: bytes | None = field(default=None, repr=False)
    watchers: int = 0
    sight: Visibility = Visibility.LATER
    seats: int = 2
    bot: bool = False
    passes: bool = False
    holds: bool = True

    @property
    def admission(self) -> Admission:
        """What this seat says about watching at first."""
        return Admission(self.sight, self.watchers)


def is_done(farewell: bytes) -> bool:
    """Tell whether a goodbye says DONE; any other leaves a game for later.

    farewell: the payload. No unsigned word ends a game for good.
    """
    try:
        return talk.decode_farewell(farewell) is talk.Farewell.DONE
    except EncodingError:
        return False


def left_the_lobby(name: str, farewell: bytes) -> str:
    """Return why the player ``name`` has left before its greeting. farewell: the payload."""
    try:
        why = talk.decode_farewell(farewell)
    except EncodingError:
        why = talk.Farewell.LATER
    match why:
        case talk.Farewell.EDITION:
            return _UNWANTED(name=name)
        case talk.Farewell.VERSION:
            return _OLDER_OR_NEWER(name=name)
        case _:
            return LEFT_BY(name=name)
