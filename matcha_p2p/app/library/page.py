"""Write games as pages that verify themselves in a browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matcha_p2p.app.library.judging import judged
from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.errors import TranscriptError
from matcha_p2p.language import LANGUAGES, Sentence, reason_of, sentence_of
from matcha_p2p.narration.page_sentences import page_texts
from matcha_p2p.review.page.build import MARKS, build_page
from matcha_p2p.session.storage.files import read_file as read_start
from matcha_p2p.session.storage.files import write_whole

WRITTEN: Final = Sentence("{page}: {verdict}. Open it in a browser; it checks itself there.")

_MARKED: Final = max(map(len, MARKS))


def run(out: Output, files: Sequence[Path], folder: Path) -> int:
    """Write the page of each file into ``folder``; return the exit code.

    A game that is not valid gets its page too, which says so.
    """
    texts = page_texts()
    codes: set[int] = set()
    for file in files:
        try:
            transcript = read_file(file)
            page = folder / page_name(file)
            write_page(page, build_page(transcript, texts, LANGUAGES))
        except TranscriptError as error:
            out.fail(sentence_of(error), Exit.UNREADABLE, error.code)
            codes.add(Exit.UNREADABLE)
            continue
        found = judged(transcript)
        codes.add(Exit.DONE if found.failure is None else Exit.INVALID)
        out.fact("page", file=str(file), page=str(page), verdict=found.verdict.value)
        out.say(WRITTEN(page=page, verdict=found.verdict.value))
    return Exit.INVALID if Exit.INVALID in codes else max(codes)


def page_name(file: Path) -> str:
    """Return the name of the page of ``file``, which is never that of an index."""
    plain = file.suffix == ".matcha" and file.stem != "index"
    return f"{file.stem if plain else file.name}.html"


def write_page(path: Path, page: str) -> None:
    """Write ``page`` to ``path``, at once or not at all; only a page is ever replaced.

    The folder may be a stranger's: no other file there is written, and no link is followed.

    Raises:
        TranscriptError: it cannot be written, or another file has this name.
    """
    try:
        if path.exists() and not read_start(path, _MARKED).startswith(MARKS):
            raise TranscriptError(
                "{page} exists and is no page of matcha; it stays as it is.",
                code="page-exists",
                page=path,
            )
        write_whole(path, page.encode())
    except OSError as error:
        raise TranscriptError(
            "{page} cannot be written: {reason}.",
            code="page-unwritable",
            page=path,
            reason=reason_of(error),
        ) from error
