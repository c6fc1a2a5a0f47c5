"""Finished games counted for each group: the people at a table, and the teams."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.seats import Seat

Team: TypeAlias = frozenset[bytes]
"""The identity keys of the people in a team; no key in a team of bots."""

MOST_TABLES: Final = 1000
"""The most games in the book: the latest are remembered."""


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A finished game of people with keys.

    id: of the game, in hex. variant: a member of ``Game.variants``. seats: the identity key at
    each seat, 32 bytes, None for a bot. teams: the number of the team of each seat. winners:
    empty in a draw.
    """

    id: str
    game: str
    variant: str
    seats: tuple[bytes | None, ...]
    teams: tuple[int, ...]
    winners: tuple[Seat, ...]

    @property
    def people(self) -> Team:
        """Everybody at the table."""
        return frozenset(key for key in self.seats if key is not None)

    @property
    def sides(self) -> Mapping[int, Team]:
        """The people of each team, by its number."""
        return {
            team: frozenset(
                key
                for key, of in zip(self.seats, self.teams, strict=True)
                if of == team and key is not None
            )
            for team in self.teams
        }

    @property
    def won(self) -> frozenset[Team]:
        """The winning teams."""
        return frozenset(self.sides[self.teams[seat]] for seat in self.winners)

    def places(self, own: bytes) -> dict[bytes, Seat]:
        """Return the seat of each other player when the player with the key ``own`` has seat 0.

        The order is the order of the game, and partners stay partners.
        """
        count, first = len(self.seats), self.seats.index(own)
        return {
            key: Seat((seat - first) % count)
            for seat, key in enumerate(self.seats)
            if key not in (None, own)
        }


@dataclass(frozen=True, slots=True)
class PeopleGroup:
    """A group of people, and the finished games of a kind.

    last: the latest game. games: how many. won: by each team. drawn: games without a winner.
    """

    last: PlayedTable
    games: int
    won: Mapping[Team, int]
    drawn: int


def groups_of(games: Iterable[PlayedTable]) -> tuple[PeopleGroup, ...]:
    """Return the groups of ``games``, the group of the latest game first.

    games: the latest last. The same people in other teams are another group.
    """
    found = dict[tuple[str, frozenset[Team]], list[PlayedTable]]()
    for game in games:
        name = game.game, frozenset(game.sides.values())
        found[name] = [*found.pop(name, ()), game]
    return tuple(map(_group, reversed(found.values())))


def _group(games: list[PlayedTable]) -> PeopleGroup:
    won = Counter(team for game in games for team in game.won)
    drawn = sum(not game.winners for game in games)
    teams = dict.fromkeys(games[-1].sides.values())
    return PeopleGroup(games[-1], len(games), {team: won[team] for team in teams}, drawn)


def with_game(games: Iterable[PlayedTable], game: PlayedTable) -> tuple[PlayedTable, ...]:
    """Return ``games`` with ``game`` as the latest; a game counts once."""
    return (*(each for each in games if each.id != game.id), game)[-MOST_TABLES:]
