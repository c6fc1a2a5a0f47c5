"""A game as one object, for the rooms shared by all games.

``table/game.py`` has the interface for the table. A shared room imports no game: the room gets
each game by name from ``matcha_p2p.games``. ``games/bots/bot.py`` and ``games/front.py`` have
the interfaces of the parts for bots and for screens.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from matcha_p2p.errors import MissingPartError
from matcha_p2p.games.timing import Timing
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

if TYPE_CHECKING:  # a part is loaded when a caller asks for the part
    from matcha_p2p.chain.verify import Report
    from matcha_p2p.console.lines.conversation import AnyDialogue
    from matcha_p2p.games import banter, front
    from matcha_p2p.games.bots import bot
    from matcha_p2p.games.exchange import AnyExchange
    from matcha_p2p.games.game_facts import GameFacts
    from matcha_p2p.games.matches.match import MatchOf
    from matcha_p2p.table import step
    from matcha_p2p.table.game import TableGame
    from matcha_p2p.table.seat import Player
    from matcha_p2p.table.table import Table

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)

Event: TypeAlias = Any
"""An event of the game, a value of the game's own."""

Move: TypeAlias = Any
"""A seat's decision, a value of the game's own."""

GameState: TypeAlias = Any
"""The public state of a game as its rules see the state, a value of the game's own."""

RESIGNED: Final = "resigned"
"""How every game has ended after a seat has conceded."""

Unopened: TypeAlias = Any
"""A card that was never turned up, as open books show the card, a value of the game's own."""

Fact: TypeAlias = tuple[str, dict[str, object]]
"""The name of an event, and the event's fields, for programs."""


class End(Protocol):
    """How a game has ended."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won, ascending; empty in a draw."""
        ...

    @property
    def how(self) -> str:
        """The reason of the end, as a word for files and programs."""
        ...

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each team, in the order of ``Rules.teams``; () in a game without."""
        ...


class View(Protocol):
    """One seat's knowledge of a game, and the seat's decision."""

    def legal_moves(self) -> Sequence[Move]:
        """Return the moves among which the seat chooses now.

        Of moves with any number of parts, only the moves of at most one part are here.
        """
        ...

    def timing(self) -> Timing:
        """Return the timing of the answer of the seat, a function of public facts.

        The cards that only this seat can read change no more than the places in a move.
        """
        ...


class Rules(ABC):
    """The answers of a game to a program at the table, or to a reader of the transcript.

    ``table`` is always a table of the same game. The default answers suit a game without teams,
    hidden cards, windows and parts.
    """

    @abstractmethod
    def told(
        self, events: "Sequence[step.TableEvent]", player: "Player | None" = None
    ) -> tuple[Event, ...]:
        """Return ``player``'s events from the table's ``events``, in order.

        player: if None, only the events for all seats.
        """

    @abstractmethod
    def look(self, player: "Player", table: "Table", told: Sequence[Event]) -> View:
        """Return the player's knowledge while moves are being made.

        told: the player's events of the whole game, in order. The player knows more from the
        events than the table shows.
        """

    @abstractmethod
    def ended(self, table: "Table", resigned: Seat | None) -> End | None:
        """Return how the game has ended; None while the game is undecided.

        resigned: the seat that has conceded, or None. After a seat has conceded, ``table`` is
        the table at that moment.
        """

    @abstractmethod
    def begun(self, table: "Table") -> int:
        """Return how many parts of the game have begun, such as sets; 0 before the first.

        A game without parts is a single part.
        """

    def state(self, table: "Table") -> GameState:
        """Return the public state of the game."""
        return table.game

    def called(self, variant: str) -> str:
        """Return the member of ``Game.variants`` in play, even if the game followed another."""
        return variant

    def again(self, table: "Table") -> str:
        """Return the variant of the next game of the same players; the seats stay."""
        return table.game.variant

    def teams(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Return who plays with whom at a table of ``seats``; each seat is in one team."""
        return tuple([(Seat(seat),) for seat in range(seats)])

    def resigns(self, game: GameState, seat: Seat) -> bool:
        """Tell whether a bot at ``seat`` agrees when the partner offers to resign."""
        del game, seat
        return False

    def hand(self, player: "Player", table: "Table") -> tuple[Any, ...]:
        """Return the faces of the player's cards as dealt, () before the deal."""
        del player, table
        return ()

    def running(self, table: "Table") -> int:
        """Return how many moves were made in the current part of the game.

        Watchers may have to wait until the part is over (PEER#watching).
        """
        del table
        return 0

    def window(self, table: "Table") -> int:
        """Return the number of the window that is open to the answers of all, 0 if none.

        Every answer in a window takes the time that the host has chosen
        (PEER#windows).
        """
        del table
        return 0


class Pages(Protocol):
    """The rules of a game as text."""

    def paragraphs(self, variant: str, /) -> tuple[str, ...]:
        """Return the rules paragraph by paragraph, "" between chapters."""
        ...

    def titles(self, variant: str, /) -> frozenset[str]:
        """Return the paragraphs that are titles."""
        ...

    def tips(self, variant: str, /) -> tuple[str, ...]:
        """Return rules that can each be understood alone."""
        ...


class Words(Protocol):
    """Tells one seat in sentences the events of its game. One object tells one game.

    name: the other player's, "" until the name is known.
    """

    name: str

    @property
    def hides(self) -> bool:
        """Whether the game hides cards, which open books would show."""
        ...

    @property
    def seat(self) -> Seat:
        """The seat that reads the sentences."""
        ...

    def name_of(self, seat: Seat) -> str:
        """Return the name of another seat."""
        ...

    def tell(self, event: Event, game: GameState) -> list[str]:
        """Return the sentences about ``event``, a sentence a line.

        game: the game after ``event``.
        """
        ...

    def take_up(
        self, game: GameState, names: tuple[str, ...], hand: tuple[Any, ...]
    ) -> list[str]:
        """Return where a resumed game stands. names: by seat. hand: of this seat."""
        ...

    def uncover(self, cards: Sequence[Unopened]) -> list[str]:
        """Return the faces of ``cards`` in words, or that the game left no card unopened."""
        ...


class Telling(Protocol):
    """The part of a game that puts its events into words and facts."""

    def words(self, seat: Seat) -> Words:
        """Return the teller of a new game in sentences for ``seat``."""
        ...

    def facts(self, seat: Seat | None) -> "GameFacts":
        """Return the teller of a new game in facts for ``seat``. seat: None for a watcher."""
        ...


class Late(Generic[P_co]):
    """A part of a game, loaded when a caller asks the game for the part.

    where: "screen.screen" for a module, "bots.roster:BOTS" for a member of a module, beside the
    module of the class; with a dot before, beside the game. None in a game without the part.
    words: the part in a sentence.
    """

    def __init__(self, where: str | None = None, words: Sentence | None = None) -> None:
        self.where: Final = where
        self.words: Final = words
        self.name = ""
        self._folder = ""

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name in the class, and the folder of the class."""
        self.name = name
        self._folder = owner.__module__.rpartition(".")[0]

    @overload
    def __get__(self, game: None, kind: type) -> Self: ...

    @overload
    def __get__(self, game: "Game", kind: type) -> P_co: ...

    def __get__(self, game: "Game | None", kind: type) -> Self | P_co:
        """Return the part of ``game``; a class is asked for the place, and loads nothing."""
        if game is None:
            return self
        if self.where is None:
            return cast("P_co", None)
        module, _, member = self.where.partition(":")
        folder = kind.__module__.rpartition(".")[0] if module.startswith(".") else self._folder
        found = import_module(f"{folder}.{module.removeprefix('.')}")
        return cast("P_co", getattr(found, member) if member else found)


def late(where: str) -> Any:  # noqa: ANN401 -- the type stands in ``Game``
    """Return the ``Late`` at ``where``, of the type in ``Game``."""
    return Late[Any](where)


class Game:
    """A game; each game is the object of a class of its own.

    To ask for a game loads no part. The members without a value, up to ``endings``, are enough
    to play, keep and verify the game. If a part is None, the game lacks the part.
    """

    name: ClassVar[str]
    """The name in files, commands and greetings; never changed."""
    number: ClassVar[int]
    """The number in a beacon (PEER#beacon); a number never gets another game."""
    title: ClassVar[str]
    """The name of the game, in every language."""
    entry: ClassVar[Sentence]
    """The game in a list of games: the name, and a few words about the game."""
    tables: ClassVar[tuple[int, ...]]
    """The numbers of seats that a table can have, the usual number first."""
    variants: ClassVar[tuple[str, ...]]
    """The variants among which people choose, the usual one first."""

    new: "Late[Callable[[str, int], TableGame | None]]"
    """Returns a variant at a table of so many seats, before its first step; None if unknown."""
    rules: "Late[Rules]"
    telling: "Late[Telling]"
    endings: ClassVar[Mapping[str, Sentence]]
    """A sentence for each value of ``End.how``."""

    window: ClassVar[Sentence | None] = None
    """The sentence about the {seconds} of a window; None for a game without windows."""
    landmarks: ClassVar[Mapping[str, Sentence]] = {}
    """What a demo says about a fact, by the event of the fact, with its fields."""
    level_names: ClassVar[Mapping[str, Sentence]] = {"random": Sentence("random: any move")}
    """The words for each level of the bots, and for each stand-in."""
    temper_names: ClassVar[Mapping[str, Sentence]] = {}
    """The words for each temper."""

    bots: "Late[bot.Bots]" = Late("bots.any_move:NAMES")
    roster: "Late[Mapping[str, bot.Bot]]" = Late("bots.any_move:BOTS")
    """Each bot by name."""
    exchange: "Late[AnyExchange | None]" = Late(words=Sentence("a notation of moves"))
    rulebook: "Late[Pages | None]" = Late(words=Sentence("a rule book"))
    log: "Late[front.PlayLog | None]" = Late(words=Sentence("logs"))
    boards: "Late[front.Boards | None]" = Late(words=Sentence("boards of players"))

    lines: "Late[Callable[..., AnyDialogue] | None]" = Late(words=Sentence("line mode"))
    """Takes the arguments of ``Dialogue`` in ``console/lines/dialogue.py``. Without the part,
    people type the notation of ``exchange``."""
    screen: "Late[front.Screen | None]" = Late(words=Sentence("a full screen"))
    advise: "Late[front.Advise | None]" = Late(words=Sentence("hints"))
    analysis: "Late[front.Analyses | None]" = Late(words=Sentence("an analysis"))
    lessons: "Late[front.Lessons | None]" = Late(words=Sentence("a tutorial"))
    tutorial: "Late[front.Teach | None]" = Late(words=Sentence("a tutorial"))
    undecided: "Late[Callable[..., Move | None] | None]" = Late()
    """Takes a View, and calls: whether the seat calls with its next move. Returns the only
    answer of the seat, or None if the seat has to decide."""
    talker: "Late[Callable[[int | None], banter.Remarks] | None]" = Late()
    """Takes the seed of a bot's remarks."""
    sides: "Late[front.BothSides | None]" = Late()
    arena: "Late[MatchOf | None]" = Late(words=Sentence("matches of bots"))

    replay: "Late[front.ReplayOf | None]" = Late(words=Sentence("a replay"))
    watch: "Late[front.Watch | None]" = Late(words=Sentence("a full screen for watchers"))
    export: "Late[front.Export | None]" = Late(words=Sentence("an export"))
    text: "Late[Callable[[Report], str] | None]" = Late(words=Sentence("an export as text"))
    page: "Late[front.PageWords | None]" = Late(words=Sentence("a page"))
    network: "Late[front.PageNetwork | None]" = Late()

    def label(self, variant: str) -> str:
        """Return the variant in a list of variants."""
        del variant
        return self.title

    def named(self, variant: str) -> str:
        """Return the name of the game with the variant, for lists of games."""
        del variant
        return self.title

    def described(self, variant: str) -> str:
        """Return how the variant differs from other variants."""
        del variant
        return self.entry()

    def has(self, part: Late[object]) -> bool:
        """Tell whether the game has ``part``, a member of ``Game``; load no part."""
        own: Late[object] = getattr(type(self), part.name)
        return own.where is not None

    def see_it_has(self, part: Late[object]) -> None:
        """Do nothing if the game has ``part``, a member of ``Game``; load no part.

        Raises:
            MissingPartError: the game lacks the part.
        """
        if not self.has(part):
            raise MissingPartError(
                "{game} lacks this part: {part}.",
                code="not-of-game",
                game=self.title,
                part="" if part.words is None else part.words(),
            )

    def needed(self, part: Late[P | None]) -> P:
        """Return ``part``, a member of ``Game``; raise the error of ``see_it_has``."""
        self.see_it_has(part)
        return cast("P", getattr(self, part.name))


class WholeGame(Game):
    """A game with all parts that people use, in the usual places beside the game."""

    new = late(".table.steps:new_game")
    rules = late(".table.seated:RULES")
    telling = late(".telling")
    bots = late(".bots:NAMES")
    roster = late(".bots.roster:BOTS")
    exchange = late(".table.forms:EXCHANGE")
    rulebook = late(".lessons.pages")
    lines = late(".conversation:Conversation")
    screen = late(".screen.screen:full_screen")
    advise = late(".bots.hint:advise")
    analysis = late(".replay.analyse")
    lessons = late(".lessons.lessons")
    tutorial = late(".lessons.tutorial:teach")
    talker = late(".banter:Talker")
    arena = late(".match:match_of")
    replay = late(".replay.steps:replay_of")
    watch = late(".replay.state:watch")
    export = late(".review.export:EXPORT")
    page = late(".words.page_sentences")
