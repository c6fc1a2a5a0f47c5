"""The names that the shell completes: of bots, variants, friends, unfinished games and topics.

A shell asks at each Tab, so that nothing is loaded but the lists of names. Damaged files of the
home give no names: the command itself tells what is wrong.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from matcha_p2p.store.home import Home

_PLAIN: Final = "-_."


def bots(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Return the names of bots of the game, or of all games if no option names a game."""
    from matcha_p2p import games

    asked = (ctx.params["game"],) if ctx.params.get("game") else games.FOLDERS
    names = (name for game in asked for name in games.game_of(game).bots.names)
    return _fitting(dict.fromkeys(names), begun)


def variants(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Return the variants of the game."""
    from matcha_p2p.games import USUAL, game_of

    return _fitting(game_of(ctx.params.get("game") or USUAL).variants, begun)


def friends(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Return the names of the friends."""
    from matcha_p2p.errors import HomeError
    from matcha_p2p.store.friends import read_friends

    try:
        return _fitting((friend.name for friend in read_friends(_home(ctx))), begun)
    except HomeError:
        return []


def unfinished(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Return the names of the unfinished games, the latest first."""
    from matcha_p2p.errors import HomeError

    try:
        journals = _home(ctx).journals(None)
    except HomeError:
        return []
    return _fitting((journal.parent.name for journal in journals), begun)


def topics(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Return the topics of help, and the commands, each name once."""
    from matcha_p2p.cli.topics import TOPICS

    group = ctx.find_root().command
    commands = group.list_commands(ctx) if isinstance(group, click.Group) else []
    return _fitting(dict.fromkeys((*TOPICS, *commands)), begun)


def _home(ctx: click.Context) -> "Home":
    from matcha_p2p.cli.options import home_of
    from matcha_p2p.store.home import Home

    return Home.find(home_of(ctx, ctx.params.get("home")))


def _fitting(names: Iterable[str], begun: str) -> list[str]:
    """Return the names that begin with ``begun``.

    bash puts a name into the command line as it stands. A stranger has chosen the name of a
    friend, so only names without a meaning for a shell are returned.
    """
    return [
        name
        for name in names
        if name.startswith(begun)
        and name[0].isalnum()
        and all(character.isalnum() or character in _PLAIN for character in name)
    ]
