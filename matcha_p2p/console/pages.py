"""What can be read over the table: help, the rules, and all that has happened."""

from matcha_p2p.console import captions, words
from matcha_p2p.console.cells import wrapped
from matcha_p2p.console.scene import Page, Scene
from matcha_p2p.console.why import explain


def page_title(scene: Scene, page: Page) -> str:
    """Return the heading of a page."""
    match page:
        case Page.HELP:
            return captions.HELP_TITLE
        case Page.RULES:
            name = "2015" if scene.game is None else scene.game.edition.name
            return captions.RULES_TITLE.format(edition=name)
        case Page.REVIEW:
            return captions.REVIEW_TITLE
        case Page.WHY:
            return captions.WHY_TITLE


def page_lines(scene: Scene, page: Page, columns: int) -> list[str]:
    """Return a page in lines of at most ``columns`` cells, a margin of one at either side."""
    return [
        f" {line}"
        for sentence in _sentences(scene, page)
        for line in wrapped(sentence, columns - 2)
    ]


def _sentences(scene: Scene, page: Page) -> tuple[str, ...]:
    match page:
        case Page.HELP:
            return captions.HELP
        case Page.RULES:
            keeps = scene.game is None or scene.game.edition.keeps
            edition = words.RULES_2015 if keeps else words.RULES_2020
            return (*words.RULES, *captions.RULES_LOOPS, *edition)
        case Page.REVIEW:
            return scene.told
        case Page.WHY:
            return explain(scene.game, scene.seat, scene.name)
