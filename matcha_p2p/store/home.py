"""The home folder: where the files of a player are.

    games/<date>-<gid8>.matcha    transcripts of finished games.
    games/<date>-<gid8>.dispute   a game up to, and with, the breach of the protocol.
    web/<date>-<gid8>.html        the page of a game, made from the menu.
    games.index                   our seat in each game and, after the game, our game
                                  key, which shows our hidden cards; a JSON object a line.
    unfinished/<id>/journal       games that are not over, with their secrets.
    unfinished/<id>/talk          the talk of each game.
    unfinished/<id>/bots/<seat>/  the journal of a bot of this program, and the bot's name.
    marks/<id>                    the length of each journal, also of past games.
    identity                      the key by which other players recognise this player.
    friends.json                  known players, and the secrets shared with each.
    friends.json.lock             locked while friends.json is changed.
    pages/                        what each index has checked and written.
    log/                          traces of this program's own failures.
    config.toml                   the settings.

Every function here blocks.
"""

import json
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, cast

from matcha_p2p import wall_clock
from matcha_p2p.errors import HomeError, shown, shown_word
from matcha_p2p.language import reason_of
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.session.storage import files
from matcha_p2p.wire.names import GameId, RosterId

_APP: Final = "matcha_p2p"
_MOST: Final = 16 * 2**20
"""Bytes of an index; a larger file is not ours."""


_KEY: Final = re.compile("[0-9a-f]{1,64}")
_LONGEST_BOT: Final = 2**16


@dataclass(frozen=True, slots=True)
class Note:
    """Our seat in a stored game, and the ending, as the value of a How.

    seat: None if several seats were ours: two players share this home. key: our game key, which
    opens our own hand in a replay, or None. points: of each team, () if unknown.
    """

    seat: Seat | None
    how: str | None
    key: int | None = None
    points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of a player, and the settings file; each is made when first needed.

    games: finished games, and evidence. unfinished: journals. marks: see ``Journal``. log:
    traces. config: the settings. option: the option by which a command finds this home, or "".
    typed: the typed options of this command that a resumed game needs again.
    """

    games: Path
    unfinished: Path
    marks: Path
    log: Path
    config: Path
    option: str = ""
    typed: tuple[str, ...] = ()

    @classmethod
    def find(cls, folder: Path | None) -> Self:
        """Return the home under ``folder``, an absolute path, or at the system's usual place.

        Raises:
            HomeError: the system tells no absolute path of the usual place.
        """
        data, state, settings = _usual_folders() if folder is None else (folder,) * 3
        if not all(place.is_absolute() for place in (data, state, settings)):
            raise _no_home()
        option = "" if folder is None else f" --home {shown(data)}"
        config = settings / "config.toml"
        return cls(
            data / "games", state / "unfinished", state / "marks", state / "log", config, option
        )

    def command(self, name: str, *words: str) -> str:
        """Return the command line that goes on here with the command ``name``."""
        windows = sys.platform == "win32"
        again = self.typed if name == "resume" else ()
        line = [shown_word(each, windows=windows) for each in (name, *words, *again)]
        return f"matcha {' '.join(line)}{self.option}"

    def new_journal(self) -> Path:
        """Return the path for the journal of a new game, in a new folder."""
        return self.unfinished / f"{_stamp()}-{secrets.token_hex(4)}" / "journal"

    def unfinished_journals(self) -> list[Path]:
        """Return the journals of all unfinished games, the oldest first.

        Raises:
            HomeError: the system refuses.
        """
        journals = (folder / "journal" for folder in _listed(self.unfinished))
        return [journal for journal in journals if os.path.lexists(journal)]

    def stored_files(self) -> list[Path]:
        """Return the files in the folder of finished games, by name.

        Raises:
            HomeError: the system refuses.
        """
        return _listed(self.games)

    def journals(self, name: str | None) -> list[Path]:
        """Return the journal of the unfinished game ``name``, or all, the latest first.

        Raises:
            HomeError: there is none, or the system refuses.
        """
        names = [journal.parent.name for journal in self.unfinished_journals()]
        if not names:
            raise self.without_games()
        if name is None:
            return [self.unfinished / known / "journal" for known in reversed(names)]
        if name not in names:
            raise HomeError(
                "There is no unfinished game {name!r}. The unfinished games are: {names}.",
                code="game-unknown",
                name=name,
                names=tuple(map(Path, names)),
            )
        return [self.unfinished / name / "journal"]

    def without_games(self) -> HomeError:
        """Return the error for a home without unfinished games."""
        return HomeError(
            "There are no unfinished games in {folder}.",
            code="game-none",
            folder=self.unfinished,
        )

    def forget(self, journal: Path) -> None:
        """Remove a game that is over, or never began, with its secrets; the mark stays.

        The journal goes first: a program that is killed here leaves no game to go on with.
        What is gone already need not be removed.

        Raises:
            HomeError: the system refuses.
        """
        with home_errors(journal.parent):
            journal.unlink(missing_ok=True)
            while journal.parent.exists():
                with suppress(FileNotFoundError):
                    shutil.rmtree(journal.parent)

    def keep_bot(self, journal: Path, seat: Seat, bot: str) -> Path:
        """Note that ``bot`` plays ``seat`` of a game; return the path of the seat's journal.

        journal: of the player's own seat.

        Raises:
            HomeError: the system refuses.
        """
        folder = journal.parent / "bots" / str(seat)
        with home_errors(folder):
            files.make_folder(folder)
            files.write_whole(folder / "bot", bot.encode(), mode=0o600)
        return folder / "journal"

    def bot_of(self, journal: Path, seat: Seat) -> tuple[Path, str]:
        """Return the path of the seat's journal, and the bot that plays ``seat``.

        journal: of the player's own seat.

        Raises:
            HomeError: the bot's part of the game is missing.
        """
        folder = journal.parent / "bots" / str(seat)
        try:
            bot = files.read_file(folder / "bot", _LONGEST_BOT, follow=False).decode()
        except (OSError, ValueError):
            bot = ""
        if not bot or not (folder / "journal").exists():
            raise HomeError(
                "The bot's part of this game is missing in {folder}, so the game cannot go on. "
                "Put the whole folder back, or begin another game.",
                code="game-bot",
                folder=folder,
            )
        return folder / "journal", bot

    def store_transcript(
        self, gid: GameId, transcript: bytes, earlier: Path | None = None
    ) -> Path:
        """Store a finished game, durably and whole or not at all; return where.

        earlier: the file of an earlier state of the game, which is replaced.

        Raises:
            HomeError: the system refuses.
        """
        if earlier is None:
            return self._store(f"{_date()}-{gid.hex()[:8]}", ".matcha", transcript)
        with home_errors(earlier):
            files.write_whole(earlier, transcript)
        return earlier

    def withdraw(self, transcript: Path) -> None:
        """Remove a stored game whose last decision was taken back.

        Raises:
            HomeError: the system refuses.
        """
        with home_errors(transcript):
            transcript.unlink(missing_ok=True)
            files.sync_folder(transcript.parent)

    def store_evidence(self, game: GameId | RosterId, transcript: bytes) -> Path:
        """Store a game in which a player broke the protocol; return the path.

        Raises:
            HomeError: the system refuses.
        """
        return self._store(f"{_date()}-{game.hex()[:8]}", ".dispute", transcript)

    def note_game(
        self,
        path: Path,
        seat: Seat,
        how: str | None,
        key: int | None = None,
        points: tuple[int, ...] = (),
    ) -> None:
        """Note in the index our ``seat`` in the game stored at ``path``, and ``how`` it ended.

        key: our game key, if the game is over. points: of each team. The transcript
        holds no part of the note: anybody can read and verify a transcript without the index.

        Raises:
            HomeError: the system refuses.
        """
        note = {"file": path.name, "seat": seat, "how": how}
        note |= {} if key is None else {"key": f"{key:x}"}
        note |= {"points": points} if points else {}
        # A line end goes first, because a crash may have cut the line before.
        line = b"\n" + json.dumps(note).encode() + b"\n"
        with home_errors(self.index):
            file = files.open_safely(self.index, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            try:
                if sys.platform != "win32":
                    os.fchmod(file, 0o600)  # the file may be older than its keys, or not ours
                os.write(file, line)
                files.sync_file(file)
            finally:
                os.close(file)

    def own_key(self, file: Path) -> tuple[Seat, int] | None:
        """Return our seat and our game key of the game in ``file``, or None."""
        note = self.notes().get(file.name)
        if note is None or note.seat is None or note.key is None:
            return None
        return note.seat, note.key

    def notes(self) -> dict[str, Note]:
        """Return the index entry of each file, by file name; leave out unreadable entries."""
        noted: dict[str, Note] = {}
        for line in _lines(self.index):
            match note := _parsed(line):
                case {"file": str(name), "seat": int(seat), "how": str() | None as how} if (
                    0 <= seat < MOST_SEATS
                ):
                    before = noted.get(name)
                    both = before is not None and before.seat != seat
                    ours = None if both else Seat(seat)
                    noted[name] = Note(ours, how, _key(note), _points(note))
                case _:
                    pass
        return noted

    @property
    def identity(self) -> Path:
        """The file of the key by which other players recognise this player."""
        return self.unfinished.with_name("identity")

    @property
    def friends(self) -> Path:
        """The file of the friends."""
        return self.unfinished.with_name("friends.json")

    @property
    def web(self) -> Path:
        """The folder of the pages of single games."""
        return self.games.with_name("web")

    @property
    def pages(self) -> Path:
        """The folder of the memories of indexes."""
        return self.unfinished.with_name("pages")

    def calls_of(self, identity: bytes) -> Path:
        """Return the path of the remembered calls of the friend with the key ``identity``."""
        return self.unfinished.with_name("calls") / identity.hex()

    def queries_of(self, identity: bytes) -> Path:
        """Return the path of the friend's remembered searches for us on the network."""
        return self.unfinished.with_name("queries") / identity.hex()

    @property
    def index(self) -> Path:
        """The file of our seats in the stored games."""
        return self.games.with_name("games.index")

    def store_trace(self, trace: str) -> Path:
        """Store the trace of a failure of this program; return the path.

        Raises:
            HomeError: the system refuses.
        """
        path = self.log / f"{_stamp()}-{secrets.token_hex(4)}.txt"
        with home_errors(path):
            files.make_folder(self.log)
            path.write_text(trace, encoding="utf-8", errors="backslashreplace")
        return path

    def store_settings(self, text: str) -> None:
        """Store the settings, durably and whole or not at all.

        Raises:
            HomeError: the system refuses.
        """
        with home_errors(self.config):
            files.make_folder(self.config.parent)
            files.write_whole(self.config, text.encode())

    def keep_identity(self, seed: bytes) -> None:
        """If no identity exists, store the seed of a new identity, for the owner's eyes only.

        Raises:
            HomeError: the system refuses.
        """
        with home_errors(self.identity):
            files.make_folder(self.identity.parent)
            with files.locked(self.identity):
                if not os.path.lexists(self.identity):
                    files.write_whole(self.identity, seed, mode=0o600)

    def store_friends(self, text: str) -> None:
        """Store the friends, for the owner's eyes only, durably and whole or not at all.

        Raises:
            HomeError: the system refuses.
        """
        with home_errors(self.friends):
            files.make_folder(self.friends.parent)
            files.write_whole(self.friends, text.encode(), mode=0o600)

    def _store(self, name: str, ending: str, content: bytes) -> Path:
        """Write ``content`` to games/ and return the path; never overwrite another game.

        Both players of a game may share this home. Then the game is stored twice, with equal
        content. If a kill came after an earlier state was stored, ``content`` begins with it.
        """
        path = self.games / (name + ending)
        with home_errors(path):
            files.make_folder(self.games)
            number = 1
            while os.path.lexists(path) and not _begins(path, content):
                number += 1
                path = self.games / f"{name}-{number}{ending}"
            files.write_whole(path, content)
        return path


def store_trace_anywhere(trace: str) -> Path:
    """Store the trace of a failure in the system's folder for such files; return the path.

    Raises:
        HomeError: the system refuses.
    """
    with home_errors(Path(tempfile.gettempdir())):
        file, name = tempfile.mkstemp(".txt", f"{_APP}-")
        with os.fdopen(file, "w", encoding="utf-8", errors="backslashreplace") as opened:
            opened.write(trace)
    return Path(name)


def _usual_folders() -> tuple[Path, Path, Path]:
    """Return the system's folders for data, for state and for settings.

    Raises:
        HomeError: the system knows no folder of this user.
    """
    import platformdirs

    try:
        return (
            platformdirs.user_data_path(_APP, appauthor=False),
            platformdirs.user_state_path(_APP, appauthor=False),
            platformdirs.user_config_path(_APP, appauthor=False),
        )
    except RuntimeError as error:
        raise _no_home() from error


def _no_home() -> HomeError:
    return HomeError(
        "The system knows no home folder of this user. Name a folder with --home.",
        code="home-unknown",
    )


def _listed(folder: Path) -> list[Path]:
    """Return the paths in ``folder``, by name. A missing folder has no paths.

    Raises:
        HomeError: the system refuses.
    """
    with home_errors(folder):
        try:
            return sorted(folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []


def _begins(path: Path, content: bytes) -> bool:
    """Tell whether ``content`` begins with the whole file."""
    try:
        return content.startswith(files.read_file(path, len(content) + 1, follow=False))
    except OSError:
        return False


def _lines(index: Path) -> list[bytes]:
    """Return the lines of the index; if the index is missing or not ours, return none."""
    try:
        content = files.read_file(index, _MOST + 1, follow=False)
    except OSError:
        return []
    return content.splitlines() if len(content) <= _MOST else []


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


@contextmanager
def home_errors(path: Path) -> Generator[None]:
    """Turn an OSError of the body into a HomeError about ``path``."""
    try:
        yield
    except OSError as error:
        reason = reason_of(error)
        raise HomeError(
            "{path} cannot be used: {reason}. Free some disk space, correct the file's "
            "permissions, or name another folder with --home.",
            code="home-disk",
            path=path,
            reason=reason,
        ) from error


def _key(note: object) -> int | None:
    """Return the game key of a note, or None unless the key is a number of at most 32 bytes."""
    match note:
        case {"key": str(text)} if _KEY.fullmatch(text):
            return int(text, 16)
        case _:
            return None


def _points(note: object) -> tuple[int, ...]:
    """Return the points of a note; () if they are not numbers."""
    values = cast("dict[str, object]", note).get("points") if isinstance(note, dict) else None
    points = cast("list[object]", values) if isinstance(values, list) else []
    numbers = tuple(each for each in points if isinstance(each, int))
    return numbers if len(numbers) == len(points) else ()


def _date() -> str:
    return wall_clock.now().strftime("%Y-%m-%d")


def _stamp() -> str:
    return wall_clock.now().strftime("%Y-%m-%d-%H%M%S")
