"""The pages over the table: help, the rules, and the past events."""

from collections.abc import Iterator

from matcha_p2p.console.review import study
from matcha_p2p.console.table import keymap
from matcha_p2p.console.table.captions import NOTHING_REFUSED, STARTING
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.scene import review
from matcha_p2p.console.terminal.cells import Fragment, Line, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.kashi.lessons.pages import paragraphs, titles
from matcha_p2p.games.kashi.review.mistakes import AnalysisProgress
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.keys import FRAME
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.table.steps import VARIANT
from matcha_p2p.games.kashi.words import replay_sentences
from matcha_p2p.narration.quick_phrases import phrases_help


def page_lines(scene: Scene, page: Page, columns: int, skin: Skin) -> list[Line]:
    """Return a page in lines of at most ``columns`` cells, a margin of one at either side."""
    return [
        [(style, f" {line}")]
        for style, text in _paragraphs(scene, page, columns - 2, skin)
        for line in wrapped(text, columns - 2)
    ]


def _paragraphs(scene: Scene, page: Page, columns: int, skin: Skin) -> list[Fragment]:
    match page:
        case Page.RULES:
            heads = titles(VARIANT)
            return [("class:now" if p in heads else "", p) for p in paragraphs(VARIANT)]
        case Page.REVIEW:
            return review(scene)
        case Page.WHY:
            return [("", scene.refused or NOTHING_REFUSED())]
        case Page.ANALYSIS if scene.judging is not None:
            return list(_analysis(scene.judging))
        case _:
            return [("", text) for text in _help(scene, columns, skin)]


def _analysis(judging: AnalysisProgress) -> Iterator[Fragment]:
    """Yield the progress, the mistakes in order, and at the end the summary."""
    done, of_all, mistakes, told = judging
    if not of_all and not told:
        yield "class:now", STARTING()
    elif not told:
        yield "class:now", study.PROGRESS(done=done, all=of_all)
    yield from (("", sentence) for sentence in told)
    if mistakes:
        yield from (("", ""), ("class:now", study.LEADS_ON()))
    for mistake in mistakes:
        yield from (("", ""), ("", mistake.listed))


def _help(scene: Scene, columns: int, skin: Skin) -> list[str]:
    if scene.watched is not None:
        return [sentence() for sentence in replay_sentences.HELP]
    told = keymap.help_lines(FRAME.help(), columns)
    signs = captions.HELP_SIGNS if skin.framed else captions.HELP_TINTS
    return [*told, "", *(each() for each in signs), "", *phrases_help()]
