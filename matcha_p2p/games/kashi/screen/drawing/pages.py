"""The pages over the table: help, the rules, and the past events."""

from matcha_p2p.console.table import keymap
from matcha_p2p.console.table.captions import NOTHING_REFUSED
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.scene import review
from matcha_p2p.console.terminal.cells import Fragment, Line, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.kashi.lessons.pages import paragraphs, titles
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
        case _:
            return [("", text) for text in _help(scene, columns, skin)]


def _help(scene: Scene, columns: int, skin: Skin) -> list[str]:
    if scene.watched is not None:
        return [sentence() for sentence in replay_sentences.HELP]
    told = keymap.help_lines(FRAME.help(), columns)
    signs = captions.HELP_SIGNS if skin.framed else captions.HELP_TINTS
    return [*told, "", *(each() for each in signs), "", *phrases_help()]
