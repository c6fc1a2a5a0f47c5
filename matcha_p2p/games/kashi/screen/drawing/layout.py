"""Kashi-ichi's table: the forms of the board, the facts and the pane."""

from collections.abc import Iterator
from typing import Final

from matcha_p2p.console.table import bars
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.layout import BoardForm, FactLines, Lines, TableLayout, text_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.drawing import board as board_drawing
from matcha_p2p.games.kashi.screen.drawing.board import BoardPainter
from matcha_p2p.games.kashi.screen.drawing.finale import finale
from matcha_p2p.games.kashi.screen.drawing.pages import page_lines
from matcha_p2p.games.kashi.screen.drawing.pane import areas, orders, players
from matcha_p2p.games.kashi.screen.drawing.prompts import prompt, state_lines
from matcha_p2p.games.kashi.screen.drawing.tinted import TintedPainter
from matcha_p2p.games.kashi.screen.keys import FRAME
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.screen.study import studied
from matcha_p2p.games.kashi.words import replay_sentences
from matcha_p2p.narration.after_game import SCORE

_LOGO: Final = "K A S H I - I C H I"


class _Layout(TableLayout[Scene]):
    keys = FRAME
    pane_cells = 40, 60
    pane_stays = True
    lined = False

    def title(self, scene: Scene, columns: int) -> terminal_cells.Line:
        return bars.title_bar(scene, _progress(scene.game), _players(scene), columns)

    def heading(self, scene: Scene, page: Page) -> str:
        del scene
        return captions.RULES_TITLE() if page is Page.RULES else ""

    def page(self, scene: Scene, page: Page, columns: int, skin: Skin) -> Lines:
        return page_lines(scene, page, columns, skin)

    def studied(self, scene: Scene, at: int) -> Scene:
        return scene if scene.judging is None else studied(scene, scene.judging, at)

    def boards(self, scene: Scene, columns: int, rows: int, skin: Skin) -> Iterator[BoardForm]:
        del rows
        game = scene.shown
        if game is None:
            logo = terminal_cells.centred(_LOGO, columns)
            yield BoardForm([[[("class:head", logo)]]], columns)
            return
        painter = BoardPainter if skin.framed else TintedPainter
        for size in (board_drawing.LARGE, board_drawing.MIDDLE):
            drawn = painter(scene, game, skin, size).lines()
            yield BoardForm([drawn], size.columns(game.board), beside=True)
        below = _below(scene, game, columns - 2, skin)
        for size in (board_drawing.NUMBERED, board_drawing.SMALL):
            left = size.columns(game.board)
            drawn = painter(scene, game, skin, size).lines()
            beside = orders(scene, game, columns - left - 2, skin)
            beside += [[]] * (len(drawn) - len(beside))
            upper = [
                [*terminal_cells.fit_line(line, left), ("", "  "), *other]
                for line, other in zip(drawn, beside, strict=True)
            ]
            if size.numbered or scene.end is not None:
                yield BoardForm([upper, below], columns, news=2 if size.numbered else 0)
            for count in range(0 if size.numbered else len(below), 0, -1):
                yield BoardForm([upper, below[1:count]], columns, news=1)

    def prompt(self, scene: Scene, skin: Skin) -> Listing | terminal_cells.Fragment:
        del skin
        return prompt(scene)

    def facts(self, scene: Scene, cells: int, skin: Skin, *, beside: bool) -> list[FactLines]:
        del beside
        game, facts = scene.shown, list[FactLines]()
        if game is not None and not scene.is_talking:
            told = [state_lines(scene, game, skin, short=short) for short in (False, True)]
            facts.append(FactLines([text_lines(each, cells) for each in told], must=True))
        answer = text_lines([scene.answer], cells, "class:lesson")
        return [*facts, FactLines([answer], must=True)]

    def pane(self, scene: Scene, cells: int, skin: Skin) -> list[Lines]:
        game = scene.shown
        if game is None:
            return []
        end: Lines = []
        if scene.end is not None:
            end = finale(scene, scene.end, skin, cells, pictured=True)
        around = orders(scene, game, cells, skin), players(scene, game, cells, skin)
        return [end, *around, areas(scene, game, cells)]

    def steps(self, scene: Scene) -> str:
        return replay_sentences.KEYS() if scene.judging is None else ""


LAYOUT: Final = _Layout()
draw: Final = LAYOUT.draw


def _below(scene: Scene, game: GameState, cells: int, skin: Skin) -> Lines:
    """Return the players below a small board, at the end with all points."""
    if scene.end is not None:
        lines = finale(scene, scene.end, skin, cells, pictured=False)
    else:
        lines = players(scene, game, cells, skin)
    return [[("", " "), *line] for line in lines]


def _players(scene: Scene) -> str:
    if not scene.names:
        return ""
    if scene.watched is not None:
        return scene.name
    if not scene.score:
        return captions.PLAYERS(names=scene.name)
    ours, *theirs = scene.score
    return SCORE(ours=ours, theirs=", ".join(map(str, theirs)), name=scene.name)


def _progress(game: GameState | None) -> str:
    if game is None:
        return ""
    played = game.turns // len(game.players) + 1
    return captions.TITLE(board=game.board.name, round=played, settlements=game.settlements)
