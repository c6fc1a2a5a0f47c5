"""The book of friends: known players, finished games, and the secrets shared with each.

The book holds secrets. A thief of the file can connect to a friend, but cannot pass for the
owner, because the identity key is kept elsewhere. The book is this player's own record, and
proves nothing to others.

Every function here that takes a home blocks.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import Enum
from ipaddress import ip_address
from typing import Final, NamedTuple, Self, cast

from matcha_p2p.errors import EncodingError, HomeError
from matcha_p2p.narration.names import look_alike
from matcha_p2p.seats import Seat
from matcha_p2p.session.storage.files import locked, make_folder, read_file
from matcha_p2p.store.groups import MOST_TABLES, PlayedTable
from matcha_p2p.store.home import Home, home_errors
from matcha_p2p.transport.endpoints import MOST_ENDPOINTS, Endpoint
from matcha_p2p.wire.text import check_name

MOST_FRIENDS: Final = 200
MOST_GAMES: Final = 1000
"""The most friends, and the most games with each friend: the latest are remembered."""

MOST_SECRETS: Final = 2
_MOST: Final = 16 * 2**20


class GameResult(Enum):
    """The result of a game, seen by this player."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    LEFT_BY_US = "left by us"  # unfinished, and our turn
    LEFT_BY_THEM = "left by them"


@dataclass(frozen=True, slots=True)
class Friend:
    """A known player.

    identity: the public key, 32 bytes. name: this player's name for the friend. says: the
    friend's own name at the last meeting. games: the games with the friend, by id in hex.
    endpoints: the friend's last known addresses. secrets: the secrets of the last two finished
    games, newest first, 32 bytes each. begun: secrets of the last two unfinished games that
    were left. compared: whether the two players have compared the words of the key.
    """

    identity: bytes
    name: str
    says: str
    first_met: date
    last_met: date
    games: Mapping[str, GameResult] = field(default_factory=dict[str, GameResult])
    endpoints: tuple[Endpoint, ...] = ()
    secrets: tuple[bytes, ...] = field(default=(), repr=False)
    begun: tuple[bytes, ...] = field(default=(), repr=False)
    compared: bool = False

    @property
    def shared(self) -> tuple[bytes, ...]:
        """The secrets by which the two players find each other.

        If the words are compared, secrets of games that were left count too.
        """
        return tuple(dict.fromkeys(self.secrets + (self.begun if self.compared else ())))

    def count(self, outcome: GameResult) -> int:
        """Return how many games have ended in ``outcome``."""
        return Counter(self.games.values())[outcome]

    def met(self, says: str, day: date, game: str, outcome: GameResult | None) -> Self:
        """Return this friend after another game, or after the end of a game left earlier.

        outcome: None if a third player left the game.
        """
        games = {**self.games, game: outcome}
        known = [(each, result) for each, result in games.items() if result is not None]
        return replace(self, says=says, last_met=day, games=dict(known[-MOST_GAMES:]))

    def moved_on(self, secret: bytes) -> Self:
        """Return this friend with a new secret; the secret before stays valid.

        If the friend's program crashes before storing the new secret, the old secret is needed.
        """
        return replace(self, secrets=_newest_first(secret, self.secrets))

    def left(self, secret: bytes) -> Self:
        """Return this friend with the secret of a game that was left unfinished."""
        return replace(self, begun=_newest_first(secret, self.begun))


class Book(NamedTuple):
    """A book of friends. tables: finished games with friends, the latest last."""

    friends: tuple[Friend, ...] = ()
    tables: tuple[PlayedTable, ...] = ()


def read_friends(home: Home) -> tuple[Friend, ...]:
    """Return the friends of this player; raise the error of ``read_book``."""
    return read_book(home).friends


def read_book(home: Home) -> Book:
    """Return the book of this player.

    Raises:
        HomeError: the book cannot be read or is damaged.
    """
    with home_errors(home.friends):
        try:
            content = read_file(home.friends, _MOST + 1, follow=False)
        except FileNotFoundError:
            return Book()
    try:
        return parse_book(content)
    except ValueError:
        raise HomeError(
            "{path} is damaged. Restore the file from a backup, or remove it: then all "
            "players are new to you.",
            code="friends-damaged",
            path=home.friends,
        ) from None


def write_book(home: Home, book: Book) -> None:
    """Replace the stored book by ``book``; of too many friends, keep the last met.

    Raises:
        HomeError: the system refuses.
    """
    friends = sorted(book.friends, key=lambda friend: friend.last_met, reverse=True)
    home.store_friends(format_book(book._replace(friends=tuple(friends[:MOST_FRIENDS]))))


def change_friends(
    home: Home, change: Callable[[tuple[Friend, ...]], Iterable[Friend]]
) -> None:
    """Store the friends after ``change``; forget the tables of each forgotten friend.

    Raises:
        HomeError: as ``change_book``.
    """

    def of_book(book: Book) -> Book:
        friends = tuple(change(book.friends))
        known = [{friend.identity for friend in each} for each in (book.friends, friends)]
        gone = known[0] - known[1]
        return Book(friends, tuple(each for each in book.tables if not gone & each.people))

    change_book(home, of_book)


def change_book(home: Home, change: Callable[[Book], Book]) -> None:
    """Store the book after ``change``; no other program changes the book meanwhile.

    Raises:
        HomeError: the book cannot be read or written, or is damaged.
    """
    with home_errors(home.friends):
        make_folder(home.friends.parent)
        with locked(home.friends):
            write_book(home, change(read_book(home)))


def by_identity(friends: Sequence[Friend], identity: bytes) -> Friend | None:
    """Return the friend with the key ``identity``, or None."""
    return next((friend for friend in friends if friend.identity == identity), None)


def by_name(friends: Sequence[Friend], name: str) -> Friend | None:
    """Return the friend named ``name``, or with a name that looks the same, or None.

    This player's names for friends go before the friends' own names.
    """
    called = [friend for friend in friends if friend.name == name]
    alike = [friend for friend in friends if look_alike(friend.name, name)]
    saying = [friend for friend in friends if look_alike(friend.says, name)]
    return next(iter((*called, *alike, *saying)), None)


def _newest_first(secret: bytes, before: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return before if secret in before else (secret, *before)[:MOST_SECRETS]


def _written(friend: Friend) -> dict[str, object]:
    return {
        "identity": friend.identity.hex(),
        "name": friend.name,
        "says": friend.says,
        "first_met": friend.first_met.isoformat(),
        "last_met": friend.last_met.isoformat(),
        "games": {game: outcome.value for game, outcome in friend.games.items()},
        "endpoints": [[str(each.address), each.port] for each in friend.endpoints],
        "secrets": [secret.hex() for secret in friend.secrets],
        "begun": [secret.hex() for secret in friend.begun],
        "compared": friend.compared,
    }


def _written_table(table: PlayedTable) -> dict[str, object]:
    keys = [None if key is None else key.hex() for key in table.seats]
    return {**asdict(table), "seats": keys}


def format_book(book: Book) -> str:
    """Return the text of ``book``."""
    friends, tables = map(_written, book.friends), map(_written_table, book.tables)
    return json.dumps({"version": 1, "friends": list(friends), "tables": list(tables)})


def parse_book(content: bytes) -> Book:
    """Read a book of friends.

    Raises:
        ValueError: it is none.
    """
    if len(content) > _MOST:
        raise ValueError("too long")
    try:
        book = _mapping(json.loads(content))
        if book.get("version") != 1:
            raise ValueError("not a book of friends")
        friends = tuple(map(_read, _list(book.get("friends"))))
        tables = _list(book.get("tables", []))[-MOST_TABLES:]
        return Book(friends, tuple(map(_read_table, tables)))
    except (RecursionError, EncodingError) as error:
        raise ValueError("not a book of friends") from error


def _read(value: object) -> Friend:
    """Read one friend.

    Raises:
        ValueError, EncodingError: it is none.
    """
    fields = _mapping(value)
    games = _mapping(fields.get("games"))
    return Friend(
        _key(fields.get("identity")),
        _name(fields.get("name")),
        _name(fields.get("says")),
        date.fromisoformat(_text(fields.get("first_met"))),
        date.fromisoformat(_text(fields.get("last_met"))),
        {game: GameResult(outcome) for game, outcome in games.items()},
        tuple(map(_endpoint, _list(fields.get("endpoints"))[:MOST_ENDPOINTS])),
        tuple(map(_key, _list(fields.get("secrets"))[:MOST_SECRETS])),
        tuple(map(_key, _list(fields.get("begun", []))[:MOST_SECRETS])),
        fields.get("compared") is True,
    )


def _read_table(value: object) -> PlayedTable:
    """Read a finished game.

    Raises:
        ValueError: it is none.
    """
    fields = _mapping(value)
    seats = [None if key is None else _key(key) for key in _list(fields.get("seats"))]
    teams, winners = (
        [number for number in _list(fields.get(name)) if isinstance(number, int)]
        for name in ("teams", "winners")
    )
    if len(teams) != len(seats) or not {*winners} <= {*range(len(seats))}:
        raise ValueError("not a table")
    return PlayedTable(
        _text(fields.get("id")),
        _text(fields.get("game")),
        _text(fields.get("variant")),
        tuple(seats),
        tuple(teams),
        tuple(map(Seat, winners)),
    )


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("not a list")  # noqa: TRY004 -- as of any other wrong content
    return cast("list[object]", value)


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 -- as of any other wrong content
    return cast("dict[str, object]", value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")  # noqa: TRY004 -- as of any other wrong content
    return value


def _name(value: object) -> str:
    name = _text(value)
    check_name(name)
    return name


def _key(value: object) -> bytes:
    key = bytes.fromhex(_text(value))
    if len(key) != 32:
        raise ValueError("not a key")
    return key


def _endpoint(value: object) -> Endpoint:
    match value:
        case [str(address), int(port)] if 0 < port < 65536:
            return Endpoint(ip_address(address), port)
        case _:
            raise ValueError("not an endpoint")
