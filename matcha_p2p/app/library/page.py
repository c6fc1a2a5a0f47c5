"""Write games as pages that verify themselves in a browser."""

import os
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library.check_files import CheckedFile, check_file
from matcha_p2p.app.library.transcripts import Progress, read_file, unreadable
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.errors import TranscriptError, UnknownGameError
from matcha_p2p.games import USUAL, game_of
from matcha_p2p.games.game import Game
from matcha_p2p.language import LANGUAGES, Sentence, reason_of, sentence_of
from matcha_p2p.review import told as review_told
from matcha_p2p.review.analysis import page_mistakes
from matcha_p2p.review.page import build
from matcha_p2p.review.told import ToldGame, ToldMistakes
from matcha_p2p.seats import Seat
from matcha_p2p.session.storage.files import read_file as read_start
from matcha_p2p.session.storage.files import write_whole
from matcha_p2p.store.home import Home

WRITTEN: Final = Sentence(
    "{page}: {verdict}. Open the page in a browser: it checks the game itself."
)
NO_GAME: Final = Sentence("{file} gets no page: the file is not a game of matcha.")
NO_GAME_CODE: Final = "page-no-game"
NOT_JUDGED: Final = Sentence(
    "The page of {file} has no judgement: the file shows no hidden cards, and yours are "
    "not known here; or nobody has had a turn."
)
LONG: Final = Sentence("The game is long, so the page has {size} kB.")

COMMON_SIZE: Final = 400_000
"""The most bytes of a page of a game with up to ten sets."""

_LONGEST: Final = 2**27
"""Bytes of a page; a longer file is not ours."""

_MARKS: Final = (*build.MARKS, build.SHARED_MARK.encode())
_MARKED: Final = max(map(len, _MARKS))


def run(
    out: Output, home: Home, files: Sequence[Path], folder: Path, *, judges: bool = False
) -> int:
    """Write the page of each file into ``folder``; return the exit code.

    judges: whether decisions are judged, so that the page steps from mistake to mistake. home:
    may know our game key; then our own decisions are judged too.

    The page of an invalid game says so. A file without a game gets no page.
    """
    codes: set[int] = set()
    written: set[Path] = set()
    for file in files:
        try:
            transcript = read_file(file)
            found = check_file(transcript)
            if found.is_no_game:
                out.fail(NO_GAME(file=file), Exit.INVALID, NO_GAME_CODE)
                codes.add(Exit.INVALID)
                continue
            page = folder / page_name(file)
            if page in written:
                raise same_name(file, page)
            judged = _mistakes(out, found, transcript, home.own_key(file)) if judges else None
            if judges and judged is None:
                out.say(NOT_JUDGED(file=file))
            size = write_page(page, page_of(transcript, found, judged))
        except (TranscriptError, UnknownGameError) as error:
            why = unreadable(file, error) if isinstance(error, UnknownGameError) else error
            out.fail(sentence_of(why), Exit.UNREADABLE, why.code)
            codes.add(Exit.UNREADABLE)
            continue
        written.add(page)
        codes.add(Exit.DONE if found.failure is None else Exit.INVALID)
        out.fact("page", file=str(file), page=str(page), verdict=found.verdict.value, size=size)
        out.say(WRITTEN(page=page, verdict=found.verdict.value))
        if size > COMMON_SIZE:
            out.say(LONG(size=round(size / 1000)))
    return Exit.INVALID if Exit.INVALID in codes else max(codes)


def show_page(page: Path) -> bool:
    """Open ``page`` in the browser; tell whether a browser with a window was found."""
    windows = sys.platform in ("darwin", "win32", "cygwin")
    shown = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if not windows and not any(map(os.environ.get, shown)):
        return False  # a browser in the terminal would take the screen
    show = webbrowser.open
    if sys.platform == "win32":  # other browsers would be looked for in the current folder, too
        show = webbrowser.get("windows-default").open
    return show(page.absolute().as_uri())


def same_name(file: Path, page: Path) -> TranscriptError:
    """Return the error of a file whose page is the page of another game, too."""
    return TranscriptError(
        "{file} gets no page: {page} belongs to another game. Choose another folder.",
        code="page-twice",
        file=file,
        page=page,
    )


def page_of(transcript: bytes, found: CheckedFile, judged: ToldMistakes | None = None) -> str:
    """Return the page of a game. found: what verifying it has shown. judged: the mistakes."""
    game = found.game or USUAL
    page = replace(_game_page(game, _told(game, transcript), found.edition), mistakes=judged)
    return build.build_page(transcript, page, LANGUAGES)


def light_page_of(transcript: bytes, found: CheckedFile) -> str:
    """Return the page of a game, which runs beside the files of ``shared_of``."""
    game = found.game or USUAL
    page = _game_page(game, _told(game, transcript))
    return build.build_light_page(transcript, page, shared_of(game))


@cache
def shared_of(game: str) -> build.SharedFiles:
    """Return the files that the light pages of a game share."""
    page = _game_page(game, None, *game_of(game).variants)
    return build.shared_files(page, LANGUAGES)


def _game_page(game: str, told: ToldGame | None, *editions: str | None) -> build.GamePage:
    """Return the parts of a page. editions: whose games the script can judge."""
    played = game_of(game)
    sentences = played.needed(Game.page)
    return build.GamePage(
        game,
        played.title,
        sentences.MARK,
        sentences.page_texts(),
        told,
        _networks(game, editions),
    )


def _told(game: str, transcript: bytes) -> ToldGame:
    """Return the steps of a game."""
    played = game_of(game)
    report, replay = verify_transcript(transcript), played.needed(Game.replay)
    events = played.telling.facts(None).events
    return review_told.told_game(
        lambda: review_told.page_steps(replay(report, written=review_told.isolated), events)
    )


def _mistakes(
    out: Output, found: CheckedFile, transcript: bytes, own: tuple[Seat, int] | None
) -> ToldMistakes | None:
    """Return the mistakes of a valid game; None if no decision can be judged.

    own: our seat and our game key. If judging takes long, print the progress.
    """
    game = game_of(found.game or USUAL)
    if not game.has(Game.analysis) or found.failure is not None:
        return None
    report = verify_transcript(transcript)
    mistakes = page_mistakes(game, report, own, count=Progress(out).judged)
    return None if mistakes is None else review_told.told_mistakes(tuple(mistakes))


def _networks(game: str, editions: Sequence[str | None]) -> dict[str, build.NetworkWeights]:
    network = game_of(game).network
    if network is None:
        return {}
    return {each: network(each) for each in editions if each is not None}


def page_name(file: Path) -> str:
    """Return the name of the page of ``file``, always different from an index."""
    plain = file.suffix == ".matcha" and file.stem != "index"
    return f"{file.stem if plain else file.name}.html"


def read_page(path: Path) -> bytes:
    """Return the content of a page, b"" if there is none; no link is followed."""
    try:
        return read_start(path, _LONGEST, follow=False)
    except OSError:
        return b""


def write_page(path: Path, page: str) -> int:
    """Write ``page`` to ``path``, whole or not at all; return the bytes written.

    The folder may be a stranger's: only an earlier page is replaced, and no link is followed.

    Raises:
        TranscriptError: the page cannot be written, or another file has this name.
    """
    try:
        if path.exists() and not read_start(path, _MARKED).startswith(_MARKS):
            raise TranscriptError(
                "{page} exists and is not a page of matcha; the file stays as it is.",
                code="page-exists",
                page=path,
            )
        data = page.encode()
        write_whole(path, data)
    except OSError as error:
        raise unwritable(path, error) from error
    return len(data)


def make_folder(folder: Path) -> None:
    """Make the folder for pages, unless it is there.

    Raises:
        TranscriptError: the system refuses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(path: Path, error: OSError) -> TranscriptError:
    """Return the error of a page or a folder that the system refuses."""
    return TranscriptError(
        "{page} cannot be written: {reason}.",
        code="page-unwritable",
        page=path,
        reason=reason_of(error),
    )
