"""A game whose seats are all in this process, at one table in memory.

The whole protocol is played: each seat has keys of its own, and signs its entries. The other
seats do not check an entry: to check a game, verify its transcript.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.bots.bot import Bot
from matcha_p2p.games.game import Event, Move, View
from matcha_p2p.games.timing import Forced
from matcha_p2p.seats import Seat
from matcha_p2p.table import seat as table_seat
from matcha_p2p.table.game import Find, TableGame
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.table.step import TableEvent, step
from matcha_p2p.table.table import Greetings, State, Table
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.roster import NONCE_SIZE, Roster, RosterSeat, sign_roster


class Eyes(Protocol):
    """What seats hear and see of a game: two functions of ``Rules``."""

    def told(
        self, events: Sequence[TableEvent], player: table_seat.Player | None = None
    ) -> tuple[Event, ...]:
        """Return ``player``'s events from the table's ``events``, in order."""
        ...

    def look(self, player: table_seat.Player, table: Table, told: Sequence[Event]) -> View:
        """Return the player's knowledge. told: the player's events of the whole game."""
        ...


_EXAMPLES: Final = 3
"""Legal moves that are shown beside a value that is no move."""
_SHOWN: Final = 80
"""Characters of a move that are shown."""


class Sitting(NamedTuple):
    """A player at a seat. bot: whether a program plays."""

    name: str
    secrets: table_seat.Secrets
    bot: bool


class Gathering(NamedTuple):
    """The seats that have greeted each other. events: of the last greeting."""

    players: tuple[table_seat.Player, ...]
    entries: tuple[Entry, ...]
    table: Table
    events: tuple[TableEvent, ...]


def meet(
    game: TableGame,
    seats: Sequence[Sitting],
    random_bytes: Callable[[int], bytes],
    find: Find,
) -> Gathering:
    """Let all seats greet each other. find: knows ``game``.

    Raises:
        EncodingError: a name is too long, or has a character that no name may have (E_TEXT).
    """
    players: list[table_seat.Player] = []
    entries: list[Entry] = []
    events: tuple[TableEvent, ...] = ()
    state: State = Greetings.of_roster(_roster(game, seats, random_bytes), find)
    while isinstance(state, Greetings):
        seat = Seat(len(players))
        player = table_seat.take_seat(seat, state.head, seats[seat].secrets)
        entry = table_seat.greet(player, state, table_seat.Offer(game, seats[seat].name))
        state, events = step(state, entry)
        players.append(player)
        entries.append(entry)
    return Gathering(tuple(players), tuple(entries), state, events)


def _roster(
    game: TableGame, seats: Sequence[Sitting], random_bytes: Callable[[int], bytes]
) -> Roster:
    """Return who sits where, signed by seat 0. No link will need the link keys."""
    made = [
        RosterSeat(
            each.name,
            public_key(each.secrets.session),
            random_bytes(table_seat.SECRET_SIZE),
            bot=each.bot,
        )
        for each in seats
    ]
    nonce, first = random_bytes(NONCE_SIZE), seats[0].secrets
    return sign_roster(nonce, roster_game(game), made, first.session)


def undecided(
    player: table_seat.Player,
    table: Table,
    eyes: Eyes,
    told: Sequence[Event],
    *,
    person: bool = False,
) -> table_seat.Said | View:
    """Return the player's words if nothing is to be decided, else the player's view.

    A bot is not asked about a single legal move (R17). told: the player's events of the whole
    game. person: whether a person plays, who is asked as at every table (``View.timing``).
    """
    said = table_seat.follow(player, table)
    if said is not None:
        return said
    view = eyes.look(player, table, told)
    match view.timing(), view.legal_moves():
        case Forced(move), _:
            return table_seat.decide(player, table, move)
        case _, (only,) if not person:
            return table_seat.decide(player, table, only)
        case _:
            return view


def play_out(
    gathering: Gathering, bots: Sequence[Bot], rng: random.Random, eyes: Eyes
) -> tuple[Table, tuple[Entry, ...]]:
    """Let ``bots``, by seat, play to the end; return the last table and all entries.

    Raises:
        BotError: a bot is a program, and the program has failed.
        IllegalMoveError: a bot has chosen a value that is no move, or that the rules forbid.
    """
    table, entries = gathering.table, list(gathering.entries)
    told = [list(eyes.told(gathering.events, player)) for player in gathering.players]
    while table.owing:
        player = gathering.players[table.owing[0].seat]
        said = undecided(player, table, eyes, told[player.seat])
        if not isinstance(said, table_seat.Said):
            said = _decided(player, table, bots[player.seat].choose(said, rng), said)
        for each in gathering.players:
            told[each.seat] += eyes.told(said.events, each)
        table = said.table
        entries.append(said.entry)
    return table, tuple(entries)


def _decided(
    player: table_seat.Player, table: Table, move: Move, seen: View
) -> table_seat.Said:
    """Sign ``move``, the choice of a bot, which may be any value."""
    try:
        return table_seat.decide(player, table, move)
    except (AssertionError, AttributeError, TypeError, ValueError) as error:
        legal = [f"{each!r:.{_SHOWN}}" for each in seen.legal_moves()[:_EXAMPLES]]
        why = f"{move!r:.{_SHOWN}} is no move of {table.game.name}; legal moves are for example"
        raise IllegalMoveError("moves", f"{why} {', '.join(legal)}") from error
