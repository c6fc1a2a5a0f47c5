"""The lobby in line mode: who sits where, and what the host types (PEER#lobby)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.errors import LobbyError
from matcha_p2p.games import game_of
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat, number_of
from matcha_p2p.wire.lobby import Lobby
from matcha_p2p.wire.roster import RosterSeat

HOST: Final = Sentence("Seat {seat}: {name}, the host")
GUEST: Final = Sentence("Seat {seat}: {name}")
BOT: Final = Sentence("Seat {seat}: {name}, a bot of the host's program")
EMPTY: Final = Sentence("Seat {seat}: empty")
YOU: Final = Sentence("{line} (you)")
TEAMS: Final = Sentence("Partners sit opposite each other: seats 1 and 3, seats 2 and 4.")
FULL: Final = Sentence("Every seat is taken. Type start to begin.")
WAITING: Final = Sentence("Waiting for guests. Type bot to fill a seat with a bot.")
SENT_AWAY: Final = Sentence(
    "{name} has been sent away, and cannot come back for a minute. Nobody else from the same "
    "address can come meanwhile."
)

_UNKNOWN: Final = "The host has the commands start, bot, swap, remove and time, and no other."
PACE: Final = Sentence("Type time 1, time 2 or time 3 to change the seconds.")

_WHICH: Final = (
    "Name the seats by their numbers, 2 to {last}: swap 2 3, for example, or remove 3."
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
    """Take the bot off ``seat``, or send the guest there away."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SwapSeats:
    """Exchange two seats."""

    one: Seat
    other: Seat


@dataclass(frozen=True, slots=True)
class SetPace:
    """Let an answer in a window take so many seconds."""

    seconds: int


LobbyWish: TypeAlias = StartGame | FillSeat | EmptySeat | SwapSeats | SetPace


def seat_lines(
    seats: Sequence[RosterSeat | None], game: str, session_key: bytes | None = None
) -> Iterator[str]:
    """Yield who sits where, a line for each seat, and how partners sit.

    game: its name. session_key: of the reader's own seat; None for a watcher.
    """
    for place, seat in enumerate(seats):
        if seat is None:
            yield EMPTY(seat=number_of(place))
            continue
        sentence = BOT if seat.bot else GUEST if place else HOST
        line = sentence(seat=number_of(place), name=seat.name)
        yield YOU(line=line) if seat.session_key == session_key else line
    if len(game_of(game).rules.teams(len(seats))) < len(seats):
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
        LobbyError: the line is no command, or a seat is the host's or beyond the last.
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
        case ["time", seconds]:
            return SetPace(int(seconds) if seconds.isdecimal() else 0)
        case ["swap", one, other]:
            return SwapSeats(_seat(one, seats), _seat(other, seats))
        case ["swap", *_] | ["remove", *_]:
            raise LobbyError(_WHICH, last=seats)
        case _:
            raise LobbyError(_UNKNOWN)


def _seat(word: str, seats: int) -> Seat:
    numbers = {str(number_of(seat)): Seat(seat) for seat in range(1, seats)}
    if word not in numbers:
        raise LobbyError(_WHICH, last=seats)
    return numbers[word]
