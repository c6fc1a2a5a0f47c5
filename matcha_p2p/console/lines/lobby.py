"""The lobby in line mode: who sits where, and what the host types (SPEC#lobby)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.errors import LobbyError
from matcha_p2p.games import seated
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.wire.lobby import Lobby
from matcha_p2p.wire.roster import RosterSeat

HOST: Final = Sentence("Seat {seat}: {name}, the host")
GUEST: Final = Sentence("Seat {seat}: {name}")
BOT: Final = Sentence("Seat {seat}: {name}, a bot of the host's program")
EMPTY: Final = Sentence("Seat {seat}: empty")
YOU: Final = Sentence("{line} (you)")
TEAMS: Final = Sentence("Partners sit opposite each other: seats 0 and 2, seats 1 and 3.")
FULL: Final = Sentence("Every seat is taken. Type start to begin.")
WAITING: Final = Sentence("Waiting for guests. Type bot to fill a seat with a bot.")
COMMANDS: Final = Sentence(
    "Type start to begin, bot for a bot at an empty seat, swap 1 2 to exchange two seats, "
    "remove 2 to take the bot off seat 2."
)

_UNKNOWN: Final = "The host has the commands start, bot, swap and remove, and no other."

_WHICH: Final = (
    "Name the seats by their numbers, 1 to {last}: swap 1 2, for example, or remove 2."
)


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin with the seats as they are."""


@dataclass(frozen=True, slots=True)
class FillSeat:
    """Let a bot take the first empty seat. name: of the bot's level, "" for the usual bot."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """Take the bot off ``seat``."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SwapSeats:
    """Exchange two seats."""

    one: Seat
    other: Seat


LobbyWish: TypeAlias = StartGame | FillSeat | EmptySeat | SwapSeats


def seat_lines(
    seats: Sequence[RosterSeat | None], game: str, session_key: bytes | None = None
) -> Iterator[str]:
    """Yield who sits where, a line for each seat, and how partners sit.

    game: its name. session_key: of the reader's own seat; None for a watcher.
    """
    for number, seat in enumerate(seats):
        if seat is None:
            yield EMPTY(seat=number)
            continue
        sentence = BOT if seat.bot else GUEST if number else HOST
        line = sentence(seat=number, name=seat.name)
        yield YOU(line=line) if seat.session_key == session_key else line
    if len(seated(game).teams(len(seats))) < len(seats):
        yield TEAMS()


def seat_facts(seats: Sequence[RosterSeat | None]) -> list[dict[str, object] | None]:
    """Return the seats of the fact ``lobby``; None for an empty seat."""
    return [None if seat is None else {"name": seat.name, "bot": seat.bot} for seat in seats]


def next_step(lobby: Lobby) -> str:
    """Return what the host can do next."""
    return FULL() if lobby.full else WAITING()


def read_wish(text: str, seats: int) -> LobbyWish:
    """Return the wish in a line that the host has typed.

    Raises:
        LobbyError: the line is no command, or a seat is not between 1 and the last.
    """
    match text.split():
        case ["start"]:
            return StartGame()
        case ["bot"]:
            return FillSeat()
        case ["bot", name]:
            return FillSeat(name)
        case ["remove", seat]:
            return EmptySeat(_seat(seat, seats))
        case ["swap", one, other]:
            return SwapSeats(_seat(one, seats), _seat(other, seats))
        case ["swap", *_] | ["remove", *_]:
            raise LobbyError(_WHICH, last=seats - 1)
        case _:
            raise LobbyError(_UNKNOWN)


def _seat(word: str, seats: int) -> Seat:
    numbers = {str(number): Seat(number) for number in range(1, seats)}
    if word not in numbers:
        raise LobbyError(_WHICH, last=seats - 1)
    return numbers[word]
