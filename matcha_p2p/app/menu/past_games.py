"""The games of this home in the menu: unfinished ones to resume, finished ones to replay."""

from functools import partial
from typing import Final

import trio

from matcha_p2p.app.library.games import NONE, SCORE, stored_sentence
from matcha_p2p.app.menu.user import Action, MenuStep, MenuUser
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.rules.seats import opposite
from matcha_p2p.store.home import Home
from matcha_p2p.store.library import (
    StoredGame,
    UnfinishedGame,
    scores,
    stored_games,
    unfinished_games,
)

GO_ON_YOURS: Final = Sentence("Go on with {name}: it is your turn")
GO_ON_THEIRS: Final = Sentence("Go on with {name}: it is their turn")
GO_ON_OVER: Final = Sentence("Go on with {name}: they may lack the last message")
GO_ON_WITH: Final = Counted(
    "Go on with {count} unfinished game", "Go on with one of {count} unfinished games"
)
WHICH_GAME: Final = Sentence("Which game?")


def to_go_on(home: Home) -> list[tuple[str, MenuStep]]:
    """Return the entries for the unfinished games of ``home``, if there are any."""
    games = [game for game in unfinished_games(home) if isinstance(game, UnfinishedGame)]
    match games:
        case []:
            return []
        case [game]:
            return [(_unfinished_sentence(game), partial(_go_on, game))]
        case _:
            return [(GO_ON_WITH(len(games)), partial(_go_on_with, games))]


def _unfinished_sentence(game: UnfinishedGame) -> str:
    summary = game.summary
    if summary.due is None:
        sentence = GO_ON_OVER
    else:
        sentence = GO_ON_YOURS if summary.due == summary.seat else GO_ON_THEIRS
    return sentence(name=summary.names[opposite(summary.seat)])


async def _go_on(game: UnfinishedGame, _: Asker, user: MenuUser) -> Action:
    from matcha_p2p.app.game import resume

    return lambda: resume.run(user.set_up_seat(None), game.name)


async def _go_on_with(
    games: list[UnfinishedGame], asker: Asker, user: MenuUser
) -> Action | None:
    labels = tuple(_unfinished_sentence(game) for game in games)
    match await asker.ask(Menu(WHICH_GAME(), (), labels)):
        case Chosen(at):
            return await _go_on(games[at], asker, user)
        case _:
            return None


def _finished(home: Home) -> list[StoredGame]:
    return [
        game
        for game in stored_games(home)
        if isinstance(game, StoredGame) and not game.disputed
    ]


async def look_again(asker: Asker, user: MenuUser) -> Action | None:
    """Ask which finished game to replay; None if there is none, or none is chosen."""
    games = await trio.to_thread.run_sync(_finished, user.home)
    if not games:
        user.out.last = NONE(folder=user.home.games)
        return None
    said = tuple(
        SCORE(name=name, won=score.won, lost=score.lost, drawn=score.drawn)
        for name, score in sorted(scores(games).items())
    )
    labels = tuple(stored_sentence(game) for game in games)
    match await asker.ask(Menu(WHICH_GAME(), said, labels)):
        case Chosen(at):
            return partial(_replay, games[at], user)
        case _:
            return None


def _replay(game: StoredGame, user: MenuUser) -> int:
    from matcha_p2p.app.library import replay

    return replay.run(user.out, game.file, "both", 1, **user.display())
