"""Matcha's table: the forms of the board, the facts and the pane."""

from collections.abc import Iterator
from typing import Final

from matcha_p2p.console.menu.bowl import CELLS, bowl
from matcha_p2p.console.table import bars
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.layout import BoardForm, FactLines, Lines, TableLayout, text_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.seats import opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen.drawing.board import Board
from matcha_p2p.games.matcha.screen.drawing.cards import Size
from matcha_p2p.games.matcha.screen.drawing.finale import finale
from matcha_p2p.games.matcha.screen.drawing.pages import heading, page_lines
from matcha_p2p.games.matcha.screen.drawing.pane import goal_words, pane
from matcha_p2p.games.matcha.screen.drawing.prompts import foreseen, prompt
from matcha_p2p.games.matcha.screen.keys import FRAME
from matcha_p2p.games.matcha.screen.mistakes import on_board
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.words import captions, replay_sentences
from matcha_p2p.narration import after_game
from matcha_p2p.review.analysis import Mistake

_SIZES: Final = (Size(15, 7), Size(11, 5), Size(7, 5), Size(7, 3), Size(7, 1))
_NARROW: Final = 7  # cells of cards in a table without a pane
_AROUND: Final = 6  # rows of a table besides four cards
_LOGO: Final = "M A T C H A"


class _Layout(TableLayout[Scene]):
    keys = FRAME
    pane_cells = 27, 44
    steps = replay_sentences.KEYS
    ground = "cloth"

    def title(self, scene: Scene, columns: int) -> terminal_cells.Line:
        return bars.title_bar(scene, _progress(scene.game), _players(scene), columns)

    def heading(self, scene: Scene, page: Page) -> str:
        return heading(scene, page)

    def page(self, scene: Scene, page: Page, columns: int, skin: Skin) -> Lines:
        return page_lines(scene, page, columns, skin)

    def before(self, scene: Scene, mistake: Mistake) -> Scene:
        return on_board(scene, mistake.board)

    def boards(self, scene: Scene, columns: int, rows: int, skin: Skin) -> Iterator[BoardForm]:
        del columns
        game = scene.game
        for size in _SIZES:
            beside = size.width > _NARROW
            high = _AROUND + 4 * size.height
            if game is None or not game.table:
                for shown in _welcome(skin, size):
                    yield BoardForm([shown], size.table, beside)
            elif high <= rows or size.height == 1:
                free = 2 if high + 2 <= rows else 0
                yield BoardForm(_parts(scene, game, skin, size), size.table, beside, free)

    def prompt(self, scene: Scene, skin: Skin) -> terminal_cells.Fragment:
        return prompt(scene, skin)

    def facts(self, scene: Scene, cells: int, skin: Skin, *, beside: bool) -> list[FactLines]:
        told = foreseen(scene, skin)
        forms = [text_lines(sentences, cells, "class:now") for sentences in told]
        facts = [FactLines(forms, instead=True)]
        if beside or scene.talk or scene.end is not None:
            return facts
        if scene.game is not None and scene.game.table:
            goal: Lines = [[("class:faint", f" {goal_words(scene.game, skin)}")]]
            facts.append(FactLines([goal]))
        return facts

    def pane(self, scene: Scene, cells: int, skin: Skin) -> list[Lines | FactLines]:
        game = scene.game
        return [] if game is None or not game.table else pane(scene, game, skin, cells)

    def ends(self, scene: Scene) -> bool:
        return scene.end is not None and not scene.moment.runs


LAYOUT: Final = _Layout()
draw: Final = LAYOUT.draw


def _parts(scene: Scene, game: GameState, skin: Skin, size: Size) -> list[Lines]:
    """Return the table and the hand in parts."""
    board = Board(scene, game, skin, size)
    other = opposite(scene.seat)
    theirs = [] if scene.watched is None else [board.other_hand()]
    high = size.height > 1
    field = [
        board.demands(),
        *board.laid(other),
        *([board.strip(other)] if high else []),
        *board.mats(),
        *([board.strip(scene.seat)] if high else []),
        *board.laid(scene.seat),
    ]
    hand = board.hand()
    if scene.end is not None:
        hand = finale(scene, scene.end, skin, size.table, max(2, len(hand)))
    return [[*theirs, board.player(other)], field, [board.player(scene.seat)], hand]


def _welcome(skin: Skin, size: Size) -> Iterator[Lines]:
    """Yield the title below a bowl, and the title alone."""
    texts = (_LOGO, "", captions.WELCOME())
    words: Lines = [
        [("class:head", terminal_cells.centred(text, size.table))] for text in texts
    ]
    if skin.half_blocks:
        margin = ("", " " * ((size.table - CELLS) // 2))
        yield [*([margin, *line] for line in bowl(0.0)), [], *words]
    yield words


def _players(scene: Scene) -> str:
    if not scene.name:
        return ""
    if scene.watched is not None:
        return replay_sentences.TITLE(first=scene.names[0], second=scene.names[1])
    if not scene.wins:
        return captions.PLAYERS(name=scene.name)
    ours, theirs = scene.wins
    return after_game.SCORE(ours=ours, theirs=theirs, name=scene.name)


def _progress(game: GameState | None) -> str:
    if game is None:
        return captions.TITLE_FIRST()
    if not game.rounds:
        return captions.TITLE_BEFORE(edition=game.edition.name)
    return captions.TITLE(
        edition=game.edition.name, number=game.number, round=game.rounds[-1].number
    )
