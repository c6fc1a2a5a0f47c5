"""Remembers in the home which pages an index has made, so that only changes are made again.

A memory in the folder itself could be a stranger's, and would be believed about games that
nobody has checked.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self, cast

from matcha_p2p.app.library.check_files import CheckedFile
from matcha_p2p.games import USUAL, game_of
from matcha_p2p.session.storage import files
from matcha_p2p.store.home import Home, home_errors

_PACKAGE: Final = Path(__file__).parents[2]
_MOST: Final = 2**30
"""Bytes of a memory; a larger file is not ours."""


@dataclass(frozen=True, slots=True)
class KnownGame:
    """What an index knows of a checked file.

    group: in hex, or None. rank: of several files of a group the highest gets the page. game:
    its name for readers. edition: None where the game has one edition. The rest is as in an
    IndexedGame.
    """

    group: str | None
    rank: tuple[bool, int, int]
    verdict: str
    names: tuple[str, ...]
    game: str
    edition: str | None
    sets: int
    over: bool
    winners: tuple[int, ...]

    @classmethod
    def of(cls, found: CheckedFile) -> Self:
        """Return what the index needs of the result of verifying a file."""
        game = found.game or USUAL
        return cls(
            group=None if found.group is None else found.group.hex(),
            rank=(found.failure is None, found.entries, found.records),
            verdict=found.verdict.value,
            names=found.names or (),
            game=game_of(game).title,
            edition=found.edition if len(game_of(game).variants) > 1 else None,
            sets=found.sets,
            over=found.result is not None,
            winners=() if found.result is None else found.result.winners,
        )


class MadePages:
    """The games and the pages of the last index of a folder; empty for another program.

    games: by the digest of the file. pages: the seal of each page, by the page's name.
    """

    def __init__(self, home: Home, folder: Path) -> None:
        name = sha256(bytes(folder.absolute())).hexdigest()[:32]
        self._file: Final = home.pages / f"{name}.json"
        self.games: Mapping[str, KnownGame] = {}
        self.pages: Mapping[str, str] = {}
        try:
            content: Any = json.loads(files.read_file(self._file, _MOST))
            if content["program"] == _program():
                self.games = {str(key): _known(game) for key, game in content["games"].items()}
                self.pages = {str(key): str(page) for key, page in content["pages"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass  # missing, of an earlier version, or damaged: every page is made again

    def keep(
        self,
        games: Mapping[str, KnownGame],
        listed: Iterable[str],
        written: Mapping[str, str],
    ) -> None:
        """Remember ``games``, and the pages ``listed``, for the next index.

        written: the seals of the new pages; the other pages have their seals.

        Raises:
            HomeError: the system refuses.
        """
        kept = {key: astuple(game) for key, game in games.items()}
        every = {**self.pages, **written}
        pages = {name: every[name] for name in listed}
        content = {"program": _program(), "games": kept, "pages": pages}
        with home_errors(self._file):
            files.make_folder(self._file.parent)
            files.write_whole(self._file, json.dumps(content).encode(), mode=0o600)


def seal(digest: str, page: bytes) -> str:
    """Return the hash that binds a page to the file with ``digest``."""
    return sha256(digest.encode() + page).hexdigest()


def _known(fields: Sequence[object]) -> KnownGame:
    """Return the game that ``fields`` of the memory describe.

    Raises:
        ValueError, TypeError: they describe no game.
    """
    match fields:
        case [
            str() | None as group,
            [bool(valid), int(entries), int(records)],
            str(verdict),
            names,
            str(game),
            str() | None as edition,
            int(sets),
            bool(over),
            winners,
        ]:
            return KnownGame(
                group,
                (valid, entries, records),
                verdict,
                tuple(map(str, cast("list[object]", names))),
                game,
                edition,
                sets,
                over,
                tuple(map(int, cast("list[int]", winners))),
            )
        case _:
            raise ValueError("no game")


@cache
def _program() -> str:
    """Return the digest of this program: another version may judge and draw differently."""
    digest = sha256()
    for file in sorted(_PACKAGE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(sha256(bytes(file.relative_to(_PACKAGE))).digest())
            digest.update(sha256(file.read_bytes()).digest())
    return digest.hexdigest()
