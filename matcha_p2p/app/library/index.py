"""Write the pages of many games, and a list of the pages; write only what has changed."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library import page as library_page
from matcha_p2p.app.library.check_files import (
    CheckedFile,
    check_file,
    check_files,
)
from matcha_p2p.app.library.made_pages import KnownGame, MadePages, seal
from matcha_p2p.app.library.named_files import STDIN, named_files
from matcha_p2p.app.library.transcripts import (
    CHECKED,
    Progress,
    read_transcript,
    unreadable,
)
from matcha_p2p.app.workers import in_order
from matcha_p2p.errors import HomeError, TranscriptError
from matcha_p2p.games import USUAL
from matcha_p2p.language import LANGUAGES, Counted, sentence_of
from matcha_p2p.narration.page_sentences import index_texts
from matcha_p2p.review.page.build import (
    IndexedGame,
    build_index,
    is_whole,
    named_shared_files,
)
from matcha_p2p.session.storage.files import is_file
from matcha_p2p.store.game_list import day_of
from matcha_p2p.store.home import Home

WRITTEN: Final = Counted(
    "{index} lists {count} game; its page is beside the list.",
    "{index} lists {count} games; their pages are beside the list.",
)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game to list. checked: None if an earlier index has checked the file."""

    file: Path
    day: str
    digest: str
    known: KnownGame
    checked: CheckedFile | None

    @property
    def page(self) -> str:
        """The name of its page."""
        return library_page.page_name(self.file)


def run(
    out: Output,
    home: Home,
    names: Sequence[Path],
    folder: Path | None,
) -> int:
    """Write a page of each game, and the list, into ``folder``; return the exit code.

    names: as for ``named_files``. folder: by default the only name. If a game has several
    files, the page shows the fullest file. Files and pages that have not changed since the last
    index are neither checked nor written; a page that is written shows what one check of its
    file has found in this run.

    Raises:
        TranscriptError: the folder, or a page, cannot be written.
        CommandError: ``folder`` is lacking.
    """
    place = _place(names) if folder is None else folder
    if folder is not None:
        library_page.make_folder(folder)
    made = MadePages(home, place)
    codes = {Exit.DONE}
    games: list[_Game] = []
    for found in _games(out, made, names):
        if isinstance(found, _Game):
            games.append(found)
        else:
            codes.add(found)
    if not games and len(codes) > 1:
        return max(codes)  # told already; an earlier list stays
    ordered = sorted(_fullest(games), key=lambda game: (game.day, game.file.name), reverse=True)
    listed: dict[str, _Game] = {}
    for game in ordered:
        if listed.setdefault(game.page, game) is not game:
            codes.add(_fail(out, library_page.same_name(game.file, place / game.page)))
    written = _write_pages(place, made, listed.values())
    for name, game in listed.items():
        fields = {"verdict": game.known.verdict, "written": name in written}
        out.fact("page", file=str(game.file), page=str(place / name), **fields)
    index = place / "index.html"
    text = build_index([_indexed(game) for game in listed.values()], index_texts(), LANGUAGES)
    if library_page.read_page(index) != text.encode():
        library_page.write_page(index, text)
    try:
        made.keep({game.digest: game.known for game in games}, listed, written)
    except HomeError as error:
        out.warn(sentence_of(error))
    out.fact("index", path=str(index), games=len(listed))
    out.say(WRITTEN(len(listed), index=index))
    return max(codes)


def _place(names: Sequence[Path]) -> Path:
    if len(names) > 1 or names[0] == STDIN or is_file(names[0]):
        raise CommandError(
            Exit.USAGE, "Name the folder for the pages: --output FOLDER.", code="no-folder"
        )
    return names[0]


def _games(out: Output, made: MadePages, names: Sequence[Path]) -> Iterator[_Game | Exit]:
    """Yield each game; of a file without a game, say so, and yield the exit code."""
    progress = Progress(out)
    before: list[_Game] = []

    def changed() -> Iterator[Path]:
        for file in named_files(names):
            digest = _digest(file)
            if digest in made.games:
                before.append(_Game(file, day_of(file), digest, made.games[digest], None))
            else:
                yield file

    for number, (file, found) in enumerate(check_files(changed()), start=1):
        progress.say(CHECKED, count=number)
        if isinstance(found, TranscriptError):
            yield _fail(out, found)
        elif found.is_no_game:
            out.fail(
                library_page.NO_GAME(file=file), Exit.UNREADABLE, library_page.NO_GAME_CODE
            )
            yield Exit.UNREADABLE
        else:
            known = KnownGame.of(found)
            yield _Game(file, day_of(file), found.digest.hex(), known, found)
    yield from before


def _fail(out: Output, error: TranscriptError) -> Exit:
    out.fail(sentence_of(error), Exit.UNREADABLE, error.code)
    return Exit.UNREADABLE


def _digest(file: Path) -> str:
    """Return the digest of the content of ``file``, "" if the file cannot be read."""
    try:
        return sha256(read_transcript(file)).hexdigest()
    except OSError:
        return ""


def _fullest(games: Iterable[_Game]) -> Iterator[_Game]:
    """Yield the games; if a game has several files, yield the fullest file alone."""
    best: dict[str, _Game] = {}
    for game in sorted(games, key=lambda game: game.file):
        group = game.known.group
        if group is None:
            yield game
        elif group not in best or game.known.rank > best[group].known.rank:
            best[group] = game
    yield from best.values()


def _write_pages(place: Path, made: MadePages, games: Iterable[_Game]) -> dict[str, str]:
    """Write the pages that are missing or differ, and the files that the pages share.

    Return the seals by the page's name.
    """

    @cache
    def is_beside(name: str) -> bool:
        return is_whole(name, library_page.read_page(place / name))

    def is_fresh(game: _Game) -> bool:
        page = library_page.read_page(place / game.page)
        sealed = made.pages.get(game.page) == seal(game.digest, page)
        return sealed and all(map(is_beside, named_shared_files(page)))

    stale = [game for game in games if not is_fresh(game)]
    written: dict[str, str] = {}
    shared: set[str] = set()
    tasks = ((game.file, game.checked) for game in stale)
    for game, found in zip(stale, in_order(_page, tasks), strict=True):
        if isinstance(found, OSError):
            raise unreadable(game.file, found)
        page, game_of_page = found
        library_page.write_page(place / game.page, page)
        written[game.page] = seal(game.digest, page.encode())
        shared.add(game_of_page)
    for each in shared:
        for name, text in library_page.shared_of(each).by_name().items():
            library_page.write_page(place / name, text)
    return written


def _page(task: tuple[Path, CheckedFile | None]) -> tuple[str, str] | OSError:
    """Return the page of a file, and its game; another process may do so."""
    file, checked = task
    try:
        transcript = read_transcript(file)
    except OSError as error:
        return error
    found = checked or check_file(transcript)
    return library_page.light_page_of(transcript, found), found.game or USUAL


def _indexed(game: _Game) -> IndexedGame:
    known = game.known
    return IndexedGame(
        page=quote(os.fsencode(game.page)),
        date=game.day,
        names=known.names,
        game=known.game,
        edition=known.edition,
        sets=known.sets,
        valid=known.rank[0],
        over=known.over,
        winners=known.winners,
    )
