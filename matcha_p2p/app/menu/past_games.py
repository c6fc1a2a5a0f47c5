"""The games of this home in the menu: resume unfinished games, replay finished games."""

from functools import partial
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.library.games import NONE, SCORE
from matcha_p2p.app.menu.user import MenuAction, MenuStep, MenuUser
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu, Pressed
from matcha_p2p.games import game_of
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.session.storage.journal import is_older
from matcha_p2p.store.game_list import (
    StoredGame,
    UnfinishedGame,
    scores,
    stored_games,
    unfinished_games,
)
from matcha_p2p.store.home import Home

if TYPE_CHECKING:
    from matcha_p2p.app.game.run_game import SeatSetup

GO_ON_YOURS: Final = Sentence("Go on: {game} with {names}, your turn")
GO_ON_THEIRS: Final = Sentence("Go on: {game} with {names}, {due}'s turn")
GO_ON_OVER: Final = Sentence("Go on: {game} with {names}, send the last message")
GO_ON_WITH: Final = Counted(
    "Go on with {count} unfinished game", "Go on with one of {count} unfinished games"
)
RESUME: Final = Sentence("Go on with the game")
RESUME_OPENLY: Final = Sentence("Go on without the proxy: others learn your addresses")
CLAIM: Final = Sentence("Close the game: {name} has made no move")
REMOVE: Final = Sentence("Remove the game")
STAY: Final = Sentence("Leave the game as it is")
REMOVE_Q: Final = Sentence("Remove this game?")
REMOVED_FOR_GOOD: Final = Sentence("Its cards and keys will be gone, and nobody can go on.")
OLDER_Q: Final = Sentence("Go on with an older copy of this game?")
OLDER_RISK: Final = Sentence(
    "Messages that you signed later are missing. Going on can make you look like a cheat and "
    "show your cards."
)
RESUME_OLDER: Final = Sentence("Go on all the same")
REMOVED: Final = Sentence("The game is removed.")
PAGE: Final = Sentence("page")
_PAGE: Final = "p"
WHICH_GAME: Final = Sentence("Which game?")
WON_AGAINST: Final = Sentence("{when}  {game}  won against {name}")
LOST_TO: Final = Sentence("{when}  {game}  lost to {name}")
DRAWN_WITH: Final = Sentence("{when}  {game}  drawn with {name}")
UNFINISHED_WITH: Final = Sentence("{when}  {game}  unfinished with {name}")
OF_OTHERS: Final = Sentence("{when}  {game}  {names}")


def to_go_on(home: Home) -> tuple[str, MenuStep]:
    """Return the menu's entry for the unfinished games; ``home`` has at least one journal."""
    games = [game for game in unfinished_games(home) if isinstance(game, UnfinishedGame)]
    label = _unfinished_sentence(games[0]) if len(games) == 1 else GO_ON_WITH(len(games))
    return label, partial(_choose, games)


def _unfinished_sentence(game: UnfinishedGame) -> str:
    summary = game.summary
    due, names = summary.due, listed(summary.others)
    game_named = game_of(summary.kind).named(summary.edition)
    if due is None:
        return GO_ON_OVER(game=game_named, names=names)
    if due == summary.seat:
        return GO_ON_YOURS(game=game_named, names=names)
    return GO_ON_THEIRS(game=game_named, names=names, due=summary.names[due])


async def _choose(
    games: list[UnfinishedGame], asker: Asker, user: MenuUser
) -> MenuAction | None:
    """If there are several games, ask which; then ask for the action."""
    at = 0
    if len(games) != 1:
        labels = tuple(_unfinished_sentence(game) for game in games)
        match await asker.ask(Menu(WHICH_GAME(), (), labels)):
            case Chosen(at):
                pass
            case _:
                return None
    return await _treat(games[at], asker, user)


async def _treat(game: UnfinishedGame, asker: Asker, user: MenuUser) -> MenuAction | None:
    """Ask whether to go on with ``game``, to remove it, or to close it.

    A game can be closed while another player owes a move.
    """
    summary = game.summary
    entries = [RESUME(), REMOVE(), STAY()]
    if summary.due is not None and summary.due != summary.seat:
        entries.append(CLAIM(name=summary.names[summary.due]))
    if summary.proxy is not None:
        entries.append(RESUME_OPENLY())
    match await asker.ask(Menu(_unfinished_sentence(game), (), tuple(entries))):
        case Chosen(at):
            chosen = entries[at]
        case _:
            return None
    if chosen in {RESUME(), RESUME_OPENLY()}:
        return await _go_on(game, asker, user, openly=chosen == RESUME_OPENLY())
    if chosen == REMOVE():
        await _remove(game, asker, user)
        return None
    return None if chosen == STAY() else partial(_claim, game, user)


async def _go_on(
    game: UnfinishedGame, asker: Asker, user: MenuUser, *, openly: bool = False
) -> MenuAction | None:
    """Return how to go on with ``game``; with an older copy only if the person insists."""
    journal = user.home.unfinished / game.name / "journal"
    older = await trio.to_thread.run_sync(is_older, journal, user.home.marks)
    sure = Menu(OLDER_Q(), (OLDER_RISK(),), (STAY(), RESUME_OLDER()))
    if older and await asker.ask(sure) != Chosen(1):
        return None
    return partial(_resume, game, user, older=older, openly=openly)


def _resume(game: UnfinishedGame, user: MenuUser, *, older: bool, openly: bool) -> int:
    from matcha_p2p.app.game import resume
    from matcha_p2p.app.menu.choices import ChosenTable

    def set_up(kind: str, seats: int) -> "SeatSetup":
        return user.set_up_seat(ChosenTable(kind, None, seats))

    router, proxy = user.settings.asks_routers, user.servers.proxy
    wish = resume.ResumeWish(older, router, proxy, openly)
    return resume.run(user.home, set_up, game.name, wish)


def _claim(game: UnfinishedGame, user: MenuUser) -> int:
    from matcha_p2p.app.game import claim

    return claim.run(user.out, user.home, game.name)


async def _remove(game: UnfinishedGame, asker: Asker, user: MenuUser) -> None:
    """If the person is sure, forget ``game``: then nobody can go on with the game."""
    sure = Menu(REMOVE_Q(), (REMOVED_FOR_GOOD(),), (STAY(), REMOVE()))
    if await asker.ask(sure) == Chosen(1):
        (journal,) = user.home.journals(game.name)
        await trio.to_thread.run_sync(user.home.forget, journal)
        user.out.last = REMOVED()


def finished_label(game: StoredGame) -> str:
    """Return the date, the rules, the opponents and the winner of ``game``, in short."""
    summary, opponent = game.summary, game.opponent
    game_named = game_of(summary.kind).named(summary.edition)
    if opponent is None:
        return OF_OTHERS(when=game.when, game=game_named, names=listed(summary.names))
    sentence = WON_AGAINST if game.seat in summary.winners else LOST_TO
    if not summary.winners:
        sentence = DRAWN_WITH if summary.over else UNFINISHED_WITH
    return sentence(when=game.when, game=game_named, name=opponent)


def _finished(home: Home) -> list[StoredGame]:
    return [
        game
        for game in stored_games(home)
        if isinstance(game, StoredGame) and not game.disputed
    ]


async def look_again(asker: Asker, user: MenuUser, first: int = 0) -> MenuAction | None:
    """Ask which finished game to replay; without a game or a choice, return None.

    After the replay, or after the page was made, the menu asks again. first: the number of the
    game under the cursor.
    """
    games = await trio.to_thread.run_sync(_finished, user.home)
    if not games:
        user.out.last = NONE(folder=user.home.games)
        return None
    said = tuple(
        SCORE(name=name, won=score.won, lost=score.lost, drawn=score.drawn)
        for name, score in sorted(scores(games).items())
    )
    if user.out.last:
        said, user.out.last = (user.out.last, *said), ""
    labels = tuple(finished_label(game) for game in games)
    first = min(first, len(games) - 1)  # files can go away meanwhile
    match await asker.ask(Menu(WHICH_GAME(), said, labels, first, keys=((_PAGE, PAGE()),))):
        case Chosen(at):
            action = partial(user.replay, games[at].file)
        case Pressed(at=at):
            action = partial(_make_page, games[at], user)
        case _:
            return None
    user.left = partial(look_again, first=at)
    return action


def _make_page(game: StoredGame, user: MenuUser) -> int:
    """Make the page of ``game`` in the home, and open the page; return the exit code."""
    from matcha_p2p.app.library import page

    page.make_folder(user.home.web)
    code = page.run(user.out, user.home, [game.file], user.home.web)
    if not code:
        page.show_page(user.home.web / page.page_name(game.file))
    return code
