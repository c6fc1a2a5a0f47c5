"""The book of friends: who was met, what became of the games, and the secret shared with each.

It holds secrets: a thief of it can open a line to a friend, but does not pass for its owner,
who has the identity key. It is this player's own record, and proves nothing to others.
Every function here that takes a home blocks.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from ipaddress import ip_address
from typing import Final, Self, cast

from matcha_p2p.errors import EncodingError, HomeError
from matcha_p2p.session.files import read_file
from matcha_p2p.store.home import Home, told
from matcha_p2p.transport.endpoints import MOST_ENDPOINTS, Endpoint
from matcha_p2p.wire.text import check_name

MOST_FRIENDS: Final = 200
MOST_GAMES: Final = 1000
"""How many friends are remembered, and games with each; the latest."""

MOST_SECRETS: Final = 2
_MOST: Final = 16 * 2**20


class Outcome(Enum):
    """What became of a game, for who keeps the book."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    LEFT_BY_US = "left by us"  # unfinished, and our turn
    LEFT_BY_THEM = "left by them"


@dataclass(frozen=True, slots=True)
class Friend:
    """Somebody who was met.

    identity: the public key, 32 bytes. name: what this player calls them. says: the name that
    they gave last. games: by the number of the game, in hex. endpoints: where they waited last.
    secrets: that of the last finished game, and the one before, 32 bytes each.
    """

    identity: bytes
    name: str
    says: str
    first_met: date
    last_met: date
    games: Mapping[str, Outcome] = field(default_factory=dict[str, Outcome])
    endpoints: tuple[Endpoint, ...] = ()
    secrets: tuple[bytes, ...] = field(default=(), repr=False)

    def count(self, outcome: Outcome) -> int:
        """Return how many games have come to that."""
        return Counter(self.games.values())[outcome]

    def met(self, says: str, day: date, game: str, outcome: Outcome) -> Self:
        """Return this friend after another game, or after the end of one that was left."""
        games = dict([*self.games.items(), (game, outcome)][-MOST_GAMES:])
        return replace(self, says=says, last_met=day, games=games)

    def moved_on(self, secret: bytes) -> Self:
        """Return this friend with a new secret; the one before stays good.

        One of two may crash before it has the new one.
        """
        if secret in self.secrets:
            return self
        return replace(self, secrets=(secret, *self.secrets)[:MOST_SECRETS])


def read_friends(home: Home) -> tuple[Friend, ...]:
    """Return the friends of this player.

    Raises:
        HomeError: the book cannot be read or is damaged.
    """
    with told(home.friends):
        try:
            content = read_file(home.friends, _MOST + 1, follow=False)
        except FileNotFoundError:
            return ()
    try:
        return _parsed(content)
    except (ValueError, RecursionError, EncodingError):
        raise HomeError(
            "{path} is damaged. Put it back from a backup; or remove it, and everybody is new "
            "to you.",
            code="friends-damaged",
            path=home.friends,
        ) from None


def write_friends(home: Home, friends: Iterable[Friend]) -> None:
    """Store ``friends`` in place of those before; of too many those met last.

    Raises:
        HomeError: the system refuses.
    """
    latest = sorted(friends, key=lambda friend: friend.last_met, reverse=True)[:MOST_FRIENDS]
    home.store_friends(json.dumps({"version": 1, "friends": list(map(_written, latest))}))


def by_identity(friends: Sequence[Friend], identity: bytes) -> Friend | None:
    """Return the friend who has this key."""
    return next((friend for friend in friends if friend.identity == identity), None)


def by_name(friends: Sequence[Friend], name: str) -> Friend | None:
    """Return the friend who is called ``name`` or says so, or whose name looks the same."""
    wanted = _looks(name)
    return next(
        (each for each in friends if wanted in (_looks(each.name), _looks(each.says))), None
    )


def _looks(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


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
    }


def _parsed(content: bytes) -> tuple[Friend, ...]:
    """Read a book of friends.

    Raises:
        ValueError, RecursionError, EncodingError: it is none.
    """
    if len(content) > _MOST:
        raise ValueError("too long")
    book = _mapping(json.loads(content))
    if book.get("version") != 1:
        raise ValueError("not a book of friends")
    return tuple(map(_read, _list(book.get("friends"))))


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
        {game: Outcome(outcome) for game, outcome in games.items()},
        tuple(map(_endpoint, _list(fields.get("endpoints"))[:MOST_ENDPOINTS])),
        tuple(map(_key, _list(fields.get("secrets"))[:MOST_SECRETS])),
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
