"""Stores the finished games of a player in this home, against peers and against bots.

The module imports no part of the protocol, so practice loads little.
"""

import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import trio

from matcha_p2p.app.command.output import Output
from matcha_p2p.errors import HomeError
from matcha_p2p.language import Sentence
from matcha_p2p.narration.news import Inform, News
from matcha_p2p.session.news import Ending, Settled, TakenUp
from matcha_p2p.session.storage.files import is_file
from matcha_p2p.store.home import Home

if TYPE_CHECKING:
    from matcha_p2p.console.menu.asker import OpenAsker
    from matcha_p2p.session.chain import Chain

_KEPT: Final = Sentence("The game is saved. Anybody can check the file: matcha verify {path}")
_KEPT_HERE: Final = Sentence("The game is saved among the finished games.")

_UNSAVED: Final = Sentence("The game is not saved yet")
_AGAIN: Final = Sentence("Try again")
_GIVE_UP: Final = Sentence("Go on without saving the game")

Result = TypeVar("Result")

_Play: TypeAlias = Callable[[Inform], Awaitable[Ending]]
"""Plays to the end, and gives all news to a function."""


class SavedGames:
    """Stores each game of a player, and again when the game has grown.

    A program that is killed once the result is signed loses no game. Every function blocks, but
    for ``playing``.
    """

    def __init__(self, home: Home, out: Output) -> None:
        self._home: Final = home
        self._out: Final = out
        self._turn: Final = Lock()
        self._of: bytes | None = None
        self._path: Path | None = None
        self._items = 0

    def store(self, chain: "Chain") -> Path:
        """Store the game as it stands, in place of an earlier state; return the path.

        Raises:
            HomeError: the system refuses.
        """
        gid, items = chain.table.gid, len(chain.entries) + len(chain.records)
        with self._turn:
            earlier = self._path if self._of == gid else None
            if earlier is not None and items <= self._items and is_file(earlier):
                return earlier
            path = self._home.store_transcript(gid, chain.transcript, earlier)
            self._of, self._path, self._items = gid, path, items
            self._note(chain, path)
        return path

    def _note(self, chain: "Chain", path: Path) -> None:
        ended = chain.ended
        with suppress(HomeError):  # the game itself is safe; it is listed without a score
            if ended is None:
                self._home.note_game(path, chain.seat, None)
            else:
                points = ended.points
                self._home.note_game(path, chain.seat, ended.how, chain.game_key, points)

    def conclude(self, chain: "Chain") -> Path:
        """Store the game at its end, and tell programs where; return the path.

        Raises:
            HomeError: the system refuses.
        """
        path = self.store(chain)
        self._out.fact("transcript", path=str(path))
        return path

    def withdraw(self, chain: "Chain") -> None:
        """Remove the game if it is stored: its last decision is taken back.

        Raises:
            HomeError: the system refuses.
        """
        with self._turn:
            if self._path is not None and self._of == chain.table.gid:
                self._items = 0  # if the system refuses, any other end replaces the file
                self._home.withdraw(self._path)
                self._path = None

    async def playing(
        self, play: _Play, newest: Callable[[], "Chain | None"], inform: Inform
    ) -> Ending:
        """Return the ending of ``play``, and store each game as soon as it is over.

        newest: returns the game that is played now. If the disk is full, the game is stored at
        the end, where the person can try again.
        """
        told, heard = trio.open_memory_channel[Callable[[], object]](math.inf)

        def tell(piece: News) -> None:
            chain = newest() if isinstance(piece, Settled | TakenUp) else None
            if chain is not None:
                work = self.store if isinstance(piece, Settled) else self.withdraw
                told.send_nowait(partial(work, chain))
            inform(piece)

        async def keep() -> None:
            async for work in heard:
                with suppress(HomeError):
                    await trio.to_thread.run_sync(work)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep)
            with told:
                return await play(tell)


def kept(path: Path, out: Output) -> str:
    """Return the sentence about the game's place at ``path``."""
    return _KEPT_HERE() if out.before_menu else _KEPT(path=path)


async def trying(work: Callable[[], Result], ask: "OpenAsker | None", out: Output) -> Result:
    """Return the result of ``work``, which stores a game; if that fails, offer to try again.

    work: blocks. ask: asks the person; None without a person.

    Raises:
        HomeError: the system refuses, and the person gives up.
    """
    while True:
        try:
            return await trio.to_thread.run_sync(work)
        except HomeError as error:
            why, entries = (out.sentence_of(error),), (_AGAIN(), _GIVE_UP())
            if ask is None or not await chooses_first(ask, _UNSAVED(), why, entries):
                raise


async def chooses_first(
    ask: "OpenAsker", title: str, said: tuple[str, ...], entries: tuple[str, str]
) -> bool:
    """Ask the person to choose one of ``entries``; return whether it is the first."""
    # Imported late: few games meet a full disk, or end in the greetings.
    from matcha_p2p.console.menu.asker import InputClosedError
    from matcha_p2p.console.menu.menu import Chosen, Menu

    async with ask() as asker:
        with suppress(InputClosedError):
            return await asker.ask(Menu(title, said, entries)) == Chosen(0)
    return False
