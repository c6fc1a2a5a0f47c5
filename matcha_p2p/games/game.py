"""The parts of a game that the rooms shared by all games use.

``table/game.py`` has the interface for the table. A shared room imports no game: the room gets
each part by name from ``matcha_p2p.games``.

Each game has ``steps``, ``seated``, ``telling`` and ``words.endings``. A game lacks another
part by not having the module. The interfaces stand here, or in the file that is named:

* ``seated``: ``Seated``. ``telling``: ``Telling``. ``offer``: ``GameOffer``.
  ``lessons.pages``: ``Pages``.
* ``bots``: ``Bots``. ``engine_protocol``: ``EngineProtocol`` (``games/bot.py``).
* ``screen.screen``: ``Screen``. ``replay.steps``: ``Steps``. ``replay.screen``: ``Follow``.
  ``review.export``: ``Export``. ``both_sides``: ``BothSides`` (``games/front.py``).
* ``lines``: Lines(analyst, advise, holds=..), ``LineGame`` (``console/lines/conversation.py``);
  holds: whether the program lays no bomb by itself when the time for one is over.

A part for a single room has no interface of its own:

* ``bots.roster``: BOTS, each ``Bot`` by its name.
* ``bots.valuation.values``: page_network(variant), from which a page computes chances.
* ``answers``: undecided(view, calls=..), the answer that a person's program gives without a
  question, or None; calls: whether the person has said something that goes with it.
* ``banter``: Talker(seed), with remark(news, seat), a bot's remark in practice.
* ``lessons.tutorial``: teach(..), with the names of keys in ``lessons.lessons``.
* ``words.endings``: HOWS, a sentence for each word that ``End.how`` can be.
* ``words.page_sentences``: page_texts(), the words of a page, with NAME and MARK.
* ``replay.page_steps``: page_steps(report), a game in steps for a page (``review/told.py``).
* ``commands.NAME``: run(..), the body of the command NAME: analyse, export, replay.
* ``commands.arena``: run(venue, wish), a match of two bots (``app/arena.py``).
* ``commands.board``: variant_of(file), the variant with the board of a file; and
  described(variant), such a board in words.
* ``commands.practice``: advise(view), a hint. ``commands.analyst``: Judge(), the judge of
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
"""An event of the game, a value of the game's own."""

Move: TypeAlias = Any
"""A seat's decision, a value of the game's own."""

GameState: TypeAlias = Any
"""The public state of a game as its rules see the state, a value of the game's own."""

RESIGNED: Final = "resigned"
"""How a game has ended in which a seat has conceded, in every game."""

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
        """The points of each team, in the order of ``Seated.teams``; () in a game without."""
        ...


class View(Protocol):
    """One seat's knowledge of a game, and the seat's decision."""

    def legal_moves(self) -> Sequence[Move]:
        """Return the moves among which the seat chooses now; a single move is no decision.

        Of moves with any number of parts, only the moves of at most one part are here.
        """
        ...

    def after(self, earlier: Self, /) -> Self:
        """Return the view, with facts still true from ``earlier``, the seat's last view."""
        ...


class Seated(Protocol):
    """The answers of a game to a program that plays at its table or has read its transcript.

    ``table`` is always a table of this very game.
    """

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of a game that follows no earlier game, the usual variant first."""
        ...

    def called(self, variant: str) -> str:
        """Return the member of ``variants`` in play, even if the game followed another game."""
        ...

    def teams(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Return who plays with whom at a table of ``seats``; each seat is in one team."""
        ...

    def resigns(self, game: GameState, seat: Seat) -> bool:
        """Tell whether a bot at ``seat`` agrees when the partner offers to resign."""
        ...

    def begin(self, variant: str) -> "Game":
        """Return the game before its first step.

        Raises:
            ValueError: the variant is unknown.
        """
        ...

    def told(
        self, events: "Sequence[step.TableEvent]", player: "Player | None" = None
    ) -> tuple[Event, ...]:
        """Return ``player``'s events from the table's ``events``, in order.

        player: if None, only the events for all seats.
        """
        ...

    def state(self, table: "Table") -> GameState:
        """Return the public state of the game."""
        ...

    def dealt(self, table: "Table") -> bool:
        """Tell whether the first hands are dealt.

        Before the deal no seat has decided a move.
        """
        ...

    def hand(self, player: "Player", table: "Table") -> tuple[Any, ...]:
        """Return the faces of the player's cards as dealt, () before the deal."""
        ...

    def look(self, player: "Player", table: "Table") -> View:
        """Return the player's knowledge while moves are being made."""
        ...

    def running(self, table: "Table") -> int:
        """Return how many moves were made in the current part of the game.

        Watchers may have to wait until the part is over (SPEC#watching).
        """
        ...

    def begun(self, table: "Table") -> int:
        """Return how many parts of the game have begun, such as sets; 0 before the first."""
        ...

    def ended(self, table: "Table", resigned: Seat | None) -> End | None:
        """Return how the game has ended; None while the game is undecided.

        resigned: the seat that has conceded, or None.
        """
        ...

    def again(self, table: "Table") -> tuple[str, tuple[Seat, ...]]:
        """Return the variant and the seating of the next game of the same players.

        The first seat named is seat 0 of the next game.
        """
        ...


class GameOffer(Protocol):
    """The offers of a game for menus and settings."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants among which people choose, the usual one first."""
        ...

    @property
    def tables(self) -> tuple[int, ...]:
        """The numbers of seats that a table can have, the usual number first."""
        ...

    @property
    def title(self) -> str:
        """The name of the game, in every language."""
        ...

    @property
    def entry(self) -> Sentence:
        """The game in a list of games: its name, and what it is about."""
        ...

    @property
    def level_names(self) -> Mapping[str, Sentence]:
        """The words for each level of the bots, and for each bot that stands in."""
        ...

    @property
    def temper_names(self) -> Mapping[str, Sentence]:
        """The words for each temper."""
        ...

    def label(self, variant: str) -> str:
        """Return the variant in a list of variants."""
        ...

    def named(self, variant: str) -> str:
        """Return the name of the game with the variant, as lists of games show it."""
        ...

    def described(self, variant: str) -> str:
        """Return how the variant differs from other variants."""
        ...


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


class Facts(Protocol):
    """Tells one seat, or a watcher, the events of a game as facts."""

    def tell(self, event: Event, game: GameState) -> Fact:
        """Return ``event`` as a fact. game: the game after the event."""
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
    """The part of a game that puts its events into words and facts."""

    def words(self, seat: Seat) -> Words:
        """Return the teller of a new game in sentences for ``seat``."""
        ...

    def facts(self, seat: Seat | None) -> Facts:
        """Return the teller of a new game in facts for ``seat``. seat: None for a watcher."""
        ...
