"""Write the pages of all games in a folder, and a list of the pages."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from matcha_p2p.app.library.check_files import CheckedFile, check_files
from matcha_p2p.app.library.page import (
    NO_GAME,
    NO_GAME_CODE,
    page_name,
    page_of,
    write_page,
)
from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.errors import TranscriptError
from matcha_p2p.games import USUAL, part
from matcha_p2p.language import LANGUAGES, Counted, sentence_of
from matcha_p2p.narration.page_sentences import index_texts
from matcha_p2p.review.page.build import IndexedGame, build_index
from matcha_p2p.store.game_list import day_of

WRITTEN: Final = Counted(
    "{index} lists {count} game; its page is beside the list.",
    "{index} lists {count} games; their pages are beside the list.",
)
SUFFIXES: Final = (".matcha", ".dispute")


@dataclass(frozen=True, slots=True)
class _Game:
    file: Path
    day: str
    checked: CheckedFile


def run(out: Output, folder: Path) -> int:
    """Write a page of each game in ``folder``, and the list; return the exit code.

    If a game has several files, the page shows the fullest file.

    Raises:
        TranscriptError: the folder, or a page, cannot be written.
    """
    files = sorted(file for file in folder.glob("*") if file.suffix in SUFFIXES)
    unreadable = 0
    games: list[_Game] = []
    for file, checked in check_files(files):
        if isinstance(checked, TranscriptError):
            out.fail(sentence_of(checked), Exit.UNREADABLE, checked.code)
            unreadable += 1
        elif checked.is_no_game:
            out.fail(NO_GAME(file=file), Exit.UNREADABLE, NO_GAME_CODE)
            unreadable += 1
        else:
            games.append(_Game(file, day_of(file), checked))
    listed = sorted(_fullest(games), key=lambda game: (game.day, game.file.name), reverse=True)
    for game in listed:
        page = folder / page_name(game.file)
        write_page(page, page_of(read_file(game.file), game.checked))
        verdict = game.checked.verdict.value
        out.fact("page", file=str(game.file), page=str(page), verdict=verdict)
    index = folder / "index.html"
    indexed = [_indexed(game) for game in listed]
    write_page(index, build_index(indexed, index_texts(), LANGUAGES))
    out.fact("index", path=str(index), games=len(listed))
    out.say(WRITTEN(len(listed), index=index))
    return Exit.UNREADABLE if unreadable else Exit.DONE


def _fullest(games: Iterable[_Game]) -> Iterator[_Game]:
    """Yield the games; if a game has several files, yield the fullest file alone."""
    best: dict[bytes, _Game] = {}
    for game in games:
        gid = game.checked.gid
        if gid is None:
            yield game
        elif gid not in best or _rank(game) > _rank(best[gid]):
            best[gid] = game
    yield from best.values()


def _rank(game: _Game) -> tuple[bool, int, int]:
    found = game.checked
    return found.failure is None, found.entries, found.records


def _indexed(game: _Game) -> IndexedGame:
    found = game.checked
    return IndexedGame(
        page=quote(os.fsencode(page_name(game.file))),
        date=game.day,
        names=found.names or (),
        game=part(found.game or USUAL, "words.page_sentences").NAME,
        edition=found.edition,
        sets=found.sets,
        valid=found.failure is None,
        over=found.result is not None,
        winners=() if found.result is None else found.result.winners,
    )
