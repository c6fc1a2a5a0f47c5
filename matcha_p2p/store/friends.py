"""The book of friends: known players, the results of games, and the secrets shared with each.

The book holds secrets. A thief of the file can connect to a friend, but cannot pass for the
owner, because the identity key is kept elsewhere. The book is this player's own record, and
proves nothing to others.

Every function here that takes a home blocks.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from ipaddress import ip_address
from typing import Final, Self, cast

from matcha_p2p.errors import EncodingError, HomeError
from matcha_p2p.narration.names import look_alike
from matcha_p2p.session.storage.files import locked, make_folder, read_file
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


def read_friends(home: Home) -> tuple[Friend, ...]:
    """Return the friends of this player.

    Raises:
        HomeError: the book cannot be read or is damaged.
    """
    with home_errors(home.friends):
        try:
            content = read_file(home.friends, _MOST + 1, follow=False)
        except FileNotFoundError:
            return ()
    try:
        return parse_friends(content)
    except ValueError:
        raise HomeError(
            "{path} is damaged. Restore the file from a backup, or remove it: then all "
            "players are new to you.",
            code="friends-damaged",
            path=home.friends,
        ) from None


def write_friends(home: Home, friends: Iterable[Friend]) -> None:
    """Replace the stored friends by ``friends``; if there are too many, keep the last met.

    Raises:
        HomeError: the system refuses.
    """
    latest = sorted(friends, key=lambda friend: friend.last_met, reverse=True)[:MOST_FRIENDS]
    home.store_friends(format_friends(latest))


def change_friends(
    home: Home, change: Callable[[tuple[Friend, ...]], Iterable[Friend]]
) -> None:
    """Store the friends after ``change``; no other program changes the book meanwhile.

    Raises:
        HomeError: the book cannot be read or written, or is damaged.
    """
    with home_errors(home.friends):
        make_folder(home.friends.parent)
        with locked(home.friends):
            write_friends(home, change(read_friends(home)))


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


def format_friends(friends: Iterable[Friend]) -> str:
    """Return the text of the book of ``friends``."""
    return json.dumps({"version": 1, "friends": list(map(_written, friends))})


def parse_friends(content: bytes) -> tuple[Friend, ...]:
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
        return tuple(map(_read, _list(book.get("friends"))))
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
