"""The pages over the table: help, the rules, and the past events."""

from collections.abc import Iterable

from matcha_p2p.console.table import keymap
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.scene import review
from matcha_p2p.console.terminal.cells import Fragment, Line, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.lessons.rulebook import rulebook
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, Edition
from matcha_p2p.games.matcha.screen.drawing.marked import marked_move
from matcha_p2p.games.matcha.screen.keys import FRAME
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.signs import signs_of
from matcha_p2p.games.matcha.words import captions, replay_sentences
from matcha_p2p.games.matcha.words.narrator import explain, point_of_view, resolved
from matcha_p2p.games.matcha.words.words import TOKENS, ZERO
from matcha_p2p.language import Sentence
from matcha_p2p.narration.quick_phrases import phrases_help
from matcha_p2p.narration.sentences import listed


def heading(scene: Scene, page: Page) -> str:
    """Return the heading of a page, or "" for the usual one."""
    match page:
        case Page.RULES:
            edition = EDITION_2015 if scene.game is None else scene.game.edition
            return captions.RULES_TITLE(edition=edition.name)
        case Page.WHY:
            over = scene.watched is not None or resolved(scene.game) or not marked_move(scene)
            return (captions.WHY_TITLE if over else captions.WHY_MARKED)()
        case _:
            return ""


def page_lines(scene: Scene, page: Page, columns: int, skin: Skin) -> list[Line]:
    """Return a page in lines of at most ``columns`` cells, a margin of one at either side."""
    return [
        [(style, f" {line}")]
        for style, sentence in _paragraphs(scene, page, skin, columns - 2)
        for line in wrapped(sentence, columns - 2)
    ]


def _paragraphs(scene: Scene, page: Page, skin: Skin, columns: int) -> list[Fragment]:
    """Return the paragraphs of a page, headings in a style of their own."""
    match page:
        case Page.RULES:
            return _rules(EDITION_2015 if scene.game is None else scene.game.edition)
        case Page.REVIEW:
            return review(scene)
        case Page.HELP | Page.WHY | Page.ANALYSIS:
            return [("", sentence) for sentence in _sentences(scene, page, skin, columns)]


def _rules(edition: Edition) -> list[Fragment]:
    paragraphs: list[Fragment] = []
    for chapter in rulebook(edition):
        paragraphs += [("class:now", chapter.title), *(("", p) for p in chapter.paragraphs)]
        paragraphs.append(("", ""))
    return paragraphs[:-1]


def _sentences(scene: Scene, page: Page, skin: Skin, columns: int) -> tuple[str, ...]:
    match page:
        case Page.HELP if scene.watched is not None:
            return _spoken(replay_sentences.HELP)
        case Page.WHY if scene.watched is not None:
            return scene.watched.why
        case Page.WHY:
            return _why(scene)
        case _:
            told = keymap.help_lines(FRAME.help(), columns)
            looks = (each() for each in captions.HELP_LOOKS)
            return (*told, "", *looks, _signs(skin), "", *phrases_help())


def _why(scene: Scene) -> tuple[str, ...]:
    """Return why the last round ended as it did, and what the marked move does."""
    marked, told = (
        marked_move(scene),
        explain(scene.game, point_of_view(scene.seat, scene.name)),
    )
    if not marked:
        return told
    return (*told, "", captions.WHY_MARKED(), *marked) if resolved(scene.game) else marked


def _signs(skin: Skin) -> str:
    """Return the meaning of the signs on cards and tokens."""
    signs = signs_of(skin)
    meant = [f"{signs.token(token)} {word()}" for token, word in TOKENS.items()]
    return captions.SIGNS(signs=listed((*meant, f"{signs.zero()} {ZERO()}")))


def _spoken(sections: Iterable[tuple[Sentence, ...]]) -> tuple[str, ...]:
    """Return the paragraphs of all sections, and an empty paragraph between two sections."""
    first, *rest = (tuple(sentence() for sentence in section) for section in sections)
    return first + tuple(paragraph for section in rest for paragraph in ("", *section))
