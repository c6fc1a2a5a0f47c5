"""What a game is to the rooms that all games share.

``table/game.py`` says what it is to the table.
A shared room imports no game: it gets what it needs from ``matcha_p2p.games``, by name.

A game has ``steps``, ``seated``, ``telling`` and ``words.endings``. It lacks another part by
not having the module. Here, or in the file that is named, are the interfaces of

* ``seated``: ``Seated``. ``telling``: ``Telling``. ``offer``: ``GameOffer``.
  ``lessons.pages``: ``Pages``. ``bots``: ``Bots`` (``games/bot.py``).
* ``screen.screen``: ``Screen``. ``replay.steps``: ``Steps``. ``replay.screen``: ``Follow``.
  ``review.export``: ``Export``. ``both_sides``: ``BothSides`` (``games/front.py``).
* ``lines``: Lines(analyst, advise), a ``LineGame`` (``console/lines/conversation.py``).

What a single room asks has no interface of its own:

* ``bots.roster``: BOTS, each ``Bot`` by its name.
* ``bots.engines.engine``: Engine(name, command, limit), an ``Engine`` that a program plays.
* ``bots.engines.serve``: serve(bot, lines, write), which answers such a program's questions.
* ``bots.valuation.values``: page_network(variant), by which a page tells chances.
* ``banter``: Talker(seed), whose remark(news, seat) a bot makes in practice.
* ``lessons.tutorial``: teach(..), with how keys are named in ``lessons.lessons``.
* ``words.endings``: HOWS, a sentence for each word that ``End.how`` can be.
* ``words.page_sentences``: page_texts() and index_texts(), the words of pages.
* ``commands.NAME``: run(..), the body of the command NAME: analyse, arena, export, replay.
* ``commands.practice``: advise(view), a hint. ``commands.analyst``: Judge(), which judges
  decisions for a front end.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias

from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

if TYPE_CHECKING:  # front ends import this file before the protocol is loaded
    from matcha_p2p.table import step
    from matcha_p2p.table.game import Game
    from matcha_p2p.table.seat import Player
    from matcha_p2p.table.table import Table

Event: TypeAlias = Any
"""Something that has happened, a value of the game's own."""

Move: TypeAlias = Any
"""What a seat decides, a value of the game's own."""

GameState: TypeAlias = Any
"""The public state of a game as its rules see it, a value of the game's own."""

RESIGNED: Final = "resigned"
"""How a game has ended in which a seat has conceded, in every game."""

Unopened: TypeAlias = Any
"""A card that was never turned up, as open books show it, a value of the game's own."""

Fact: TypeAlias = tuple[str, dict[str, object]]
"""The name of an event, and its fields, for programs."""


class End(Protocol):
    """How a game has ended."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won, ascending; none in a draw."""
        ...

    @property
    def how(self) -> str:
        """By what, in a word for files and programs."""
        ...


class View(Protocol):
    """What one seat may know of a game, and what it can decide."""

    def legal_moves(self) -> Sequence[Move]:
        """Return the moves among which the seat chooses now."""
        ...

    def after(self, earlier: Self, /) -> Self:
        """Return the view with what the seat still knows of ``earlier``, its last one."""
        ...


class Seated(Protocol):
    """What a program at a table asks of the game that is played there, or that it has read.

    ``table`` is always a table of this very game.
    """

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of a game that follows no other, the usual one first."""
        ...

    def called(self, variant: str) -> str:
        """Return which of ``variants`` is played, if the game may have followed another one."""
        ...

    def begin(self, variant: str) -> "Game":
        """Return the game before its first step.

        Raises:
            ValueError: there is no such variant.
        """
        ...

    def told(
        self, events: "Sequence[step.TableEvent]", player: "Player | None" = None
    ) -> tuple[Event, ...]:
        """Return what ``player`` is told of ``events`` of the table, in order.

        player: None for what all are told.
        """
        ...

    def state(self, table: "Table") -> GameState:
        """Return the public state of the game."""
        ...

    def dealt(self, table: "Table") -> bool:
        """Tell whether the first hands are dealt; before that nobody has decided anything."""
        ...

    def hand(self, player: "Player", table: "Table") -> tuple[Any, ...]:
        """Return the faces of the player's cards as dealt, () while there are none."""
        ...

    def look(self, player: "Player", table: "Table") -> View:
        """Return what the player may know while moves are being made."""
        ...

    def running(self, table: "Table") -> int:
        """Return how many moves were made in the part of the game that is not over.

        Watchers may have to wait until it is (SPEC#watching).
        """
        ...

    def begun(self, table: "Table") -> int:
        """Return how many parts of the game have begun, such as sets; 0 before the first."""
        ...

    def ended(self, table: "Table", resigned: Seat | None) -> End | None:
        """Return how the game has ended; None while it is undecided.

        resigned: the seat that has conceded, if one did.
        """
        ...

    def again(self, table: "Table") -> tuple[str, tuple[Seat, ...]]:
        """Return the variant of the next game of the same players, and who sits where in it.

        The first seat named is seat 0 of the next game.
        """
        ...


class GameOffer(Protocol):
    """What menus and settings offer of a game."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants among which people choose, the usual one first."""
        ...

    @property
    def level_names(self) -> Mapping[str, Sentence]:
        """What a person reads of each level of the bots, and of each bot that stands in."""
        ...

    @property
    def temper_names(self) -> Mapping[str, Sentence]:
        """What a person reads of each temper."""
        ...

    def described(self, variant: str) -> str:
        """Return how that variant differs from others."""
        ...


class Pages(Protocol):
    """The rules of a game as text."""

    def paragraphs(self, variant: str, /) -> tuple[str, ...]:
        """Return the rules paragraph by paragraph, "" between chapters."""
        ...

    def titles(self, variant: str, /) -> frozenset[str]:
        """Return which of the paragraphs are titles."""
        ...

    def tips(self, variant: str, /) -> tuple[str, ...]:
        """Return rules that can be understood one by one."""
        ...


class Words(Protocol):
    """Tells one seat in sentences what happens in its game. One object tells one game.

    name: of the other player, "" while that is not known.
    """

    name: str

    @property
    def seat(self) -> Seat:
        """The seat that is told."""
        ...

    def tell(self, event: Event, game: GameState) -> list[str]:
        """Return what has happened, a sentence a line. game: the game after ``event``."""
        ...

    def take_up(
        self, game: GameState, names: tuple[str, ...], hand: tuple[Any, ...]
    ) -> list[str]:
        """Return where a game stands that goes on. names: by seat. hand: of this seat."""
        ...

    def uncover(self, cards: Sequence[Unopened]) -> list[str]:
        """Return what ``cards`` were, or that no card of the game was left unopened."""
        ...


class Facts(Protocol):
    """Tells one seat, or a watcher, as facts what happens in a game."""

    def tell(self, event: Event, game: GameState) -> Fact:
        """Return ``event`` as a fact. game: the game after it."""
        ...

    def moves(self, legal: Sequence[Move]) -> list[str]:
        """Return the moves among which the seat chooses, as line mode reads them."""
        ...

    def take_up(self, hand: tuple[Any, ...]) -> list[str]:
        """Return the cards of the hand, when a game goes on."""
        ...

    def uncover(self, cards: Sequence[Unopened]) -> list[dict[str, object]]:
        """Return the fields of each card."""
        ...


class Telling(Protocol):
    """The part of a game that says what happens in it."""

    def words(self, seat: Seat) -> Words:
        """Return what tells ``seat`` a new game."""
        ...

    def facts(self, seat: Seat | None) -> Facts:
        """Return what tells ``seat`` a new game. seat: None for a watcher."""
        ...
