"""The pages over the table: help, the rules, the past events with the points, and why."""

from matcha_p2p.console.table import keymap
from matcha_p2p.console.table.captions import NOTHING_REFUSED
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.scene import review
from matcha_p2p.console.terminal.cells import Fragment, Line, wrapped
from matcha_p2p.games.tichu.answers import PAGES
from matcha_p2p.games.tichu.lessons import pages
from matcha_p2p.games.tichu.screen import marking
from matcha_p2p.games.tichu.screen.drawing.pane import score
from matcha_p2p.games.tichu.screen.keys import FRAME
from matcha_p2p.games.tichu.screen.scene import Scene
from matcha_p2p.games.tichu.words import captions, line_sentences, replay_sentences
from matcha_p2p.narration.quick_phrases import phrases_help


def heading(scene: Scene, page: Page) -> str:
    """Return the heading of a page, or "" for the usual one."""
    match page:
        case Page.RULES:
            return captions.RULES_TITLE()
        case Page.ANALYSIS:
            return captions.ANALYSIS_TITLE()
        case Page.WHY if scene.watched is not None:
            return replay_sentences.WHY_TITLE()
        case _:
            return ""


def page_lines(scene: Scene, page: Page, columns: int) -> list[Line]:
    """Return a page in lines of at most ``columns`` cells, a margin of one at either side."""
    lines: list[Line] = [
        [(style, f" {line}")]
        for style, sentence in _paragraphs(scene, page, columns - 2)
        for line in wrapped(sentence, columns - 2)
    ]
    points = score(scene, columns - 2) if page is Page.REVIEW else []
    return [*lines, *([[]] if points else []), *([("", " "), *line] for line in points)]


def _paragraphs(scene: Scene, page: Page, columns: int) -> list[Fragment]:
    """Return the paragraphs of a page, headings in a style of their own."""
    match page:
        case Page.HELP:
            return [("", sentence) for sentence in _help(scene, columns)]
        case Page.RULES:
            titles = pages.titles("")
            return [
                ("class:now" if text in titles else "", text) for text in pages.paragraphs("")
            ]
        case Page.REVIEW:
            return review(scene)
        case Page.ANALYSIS:
            return []  # before it is asked for
        case Page.WHY:
            return [("", sentence) for sentence in _why(scene)]


def _help(scene: Scene, columns: int) -> list[str]:
    if scene.watched is None:
        told = keymap.help_lines(FRAME.help(), columns)
        return [*told, "", captions.HELP_SIGNS(), "", *phrases_help()]
    return [sentence() for sentence in replay_sentences.HELP]


def _why(scene: Scene) -> list[str]:
    """Return why the marked cards are refused, or the last answer, and the page of the rule."""
    if scene.watched is not None:
        return [*scene.watched.why]
    marked = marking.judged(scene).refused if scene.marked else None
    refused = marked or scene.refused
    if refused is None:
        return [NOTHING_REFUSED()]
    page = PAGES.get(refused.rule)
    told = line_sentences.REFUSED(rule=refused.rule, why=refused.why())
    return [told] if page is None else [told, page().removeprefix("- ")]
