"""Kashi-ichi's table: the forms of the board, the facts and the pane."""

from collections.abc import Iterator
from typing import Final

from matcha_p2p.console.table import bars
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.layout import BoardForm, FactLines, Lines, TableLayout, text_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi.rules.state import ROW, GameState
from matcha_p2p.games.kashi.screen import captions, phrases
from matcha_p2p.games.kashi.screen.drawing import board as board_drawing
from matcha_p2p.games.kashi.screen.drawing.board import BoardPainter
from matcha_p2p.games.kashi.screen.drawing.finale import finale
from matcha_p2p.games.kashi.screen.drawing.pages import page_lines
from matcha_p2p.games.kashi.screen.drawing.pane import areas, orders, players
from matcha_p2p.games.kashi.screen.drawing.prompts import left_words, prompt, state_lines
from matcha_p2p.games.kashi.screen.drawing.tinted import TintedPainter
from matcha_p2p.games.kashi.screen.keys import FRAME
from matcha_p2p.games.kashi.screen.mistakes import on_board
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.words import replay_sentences
from matcha_p2p.language import Sentence
from matcha_p2p.narration.after_game import SCORE
from matcha_p2p.narration.sentences import listed
from matcha_p2p.review.analysis import Mistake

_NAMED: Final = 80  # least columns of a table that names the players beside their letters
_LOGO: Final = "K A S H I - I C H I"


class _Layout(TableLayout[Scene]):
    keys = FRAME
    pane_cells = 40, 60
    pane_stays = True
    lined = False
    steps = replay_sentences.KEYS

    def title(self, scene: Scene, columns: int) -> terminal_cells.Line:
        names = _players(scene, columns)
        progress = _progress(scene.game, captions.TITLE)
        if terminal_cells.width(progress) + terminal_cells.width(names) + 3 > columns:
            progress = _progress(scene.game, captions.TITLE_SHORT)
        return bars.title_bar(scene, progress, names, columns)

    def heading(self, scene: Scene, page: Page) -> str:
        del scene
        return captions.RULES_TITLE() if page is Page.RULES else ""

    def page(self, scene: Scene, page: Page, columns: int, skin: Skin) -> Lines:
        return page_lines(scene, page, columns, skin)

    def before(self, scene: Scene, mistake: Mistake) -> Scene:
        return on_board(scene, mistake.board)

    def boards(self, scene: Scene, columns: int, rows: int, skin: Skin) -> Iterator[BoardForm]:
        game = scene.shown
        if game is None:
            logo = terminal_cells.centred(_LOGO, columns)
            yield BoardForm([[[("class:head", logo)]]], columns)
            return
        painter = BoardPainter if skin.framed else TintedPainter
        for size in (board_drawing.LARGE, board_drawing.MIDDLE):
            drawn = painter(scene, game, skin, size).lines()
            cells = size.columns(game.board)
            yield BoardForm([drawn], cells, beside=True, paged=True)
        yield from _narrow(scene, game, (columns, rows), skin)

    def prompt(self, scene: Scene, skin: Skin) -> Listing | terminal_cells.Fragment:
        del skin
        return prompt(scene)

    def facts(self, scene: Scene, cells: int, skin: Skin, *, beside: bool) -> list[FactLines]:
        game, facts = scene.shown, list[FactLines]()
        if game is not None and not scene.is_talking and (beside or not scene.advice):
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


LAYOUT: Final = _Layout()
draw: Final = LAYOUT.draw


def _narrow(
    scene: Scene, game: GameState, size: tuple[int, int], skin: Skin
) -> Iterator[BoardForm]:
    """Yield the board, orders and players beside it, areas or the action points below it.

    Where rows are few, advice takes the rows of headings.
    """
    columns, rows = size
    painter = BoardPainter if skin.framed else TintedPainter
    for numbered, more in ((True, 2), (True, 1), (True, 0), (False, 0)):
        form = board_drawing.NUMBERED if numbered else board_drawing.SMALL
        left = form.columns(game.board)
        drawn = painter(scene, game, skin, form).lines()
        beside = orders(scene, game, columns - left - 1, skin)
        beside += [[]] * (1 + ROW - len(beside))  # the players keep their place
        below = list[Lines]()
        if scene.end is not None:
            ended = finale(scene, scene.end, skin, columns - 2, pictured=False)
            below = [[[("", " "), *line] for line in ended]]
        else:
            drawn += _corner(scene, game, left, skin)[:more]
            others = players(scene, game, columns - left - 1, skin)
            beside += others if len(beside) + len(others) <= len(drawn) else others[1:]
            beside = beside[len(beside) > len(drawn) :]
        beside = (beside + [[]] * len(drawn))[: len(drawn)]
        upper = [
            [*terminal_cells.fit_line(line, left), ("", " "), *other]
            for line, other in zip(drawn, beside, strict=True)
        ]
        heads = more > len(game.seats) - 2  # a row more than players
        if not (scene.advice and heads and rows <= len(upper)):
            yield BoardForm([upper, *below], columns, news=1, paged=True)


def _corner(scene: Scene, game: GameState, cells: int, skin: Skin) -> Lines:
    """Return the areas without a heading; beside advice, the action points left."""
    if not scene.advice:
        return areas(scene, game, cells)[1:]
    left = "" if scene.draft is None else left_words(scene.draft, skin)
    return [[("", f" {left}")], []]


def _players(scene: Scene, columns: int) -> str:
    """Return all players; in few columns with the letters that stand for their names."""
    if not scene.names:
        return ""
    if scene.wins:
        ours, *theirs = scene.wins
        return SCORE(ours=ours, theirs=", ".join(map(str, theirs)), name=scene.name)
    if columns < _NAMED and scene.game is not None:
        seats = scene.game.around(scene.seat)
        marks = phrases.marks(seats, scene.names)
        if any(mark != scene.names[seat][:1].upper() for seat, mark in marks.items()):
            return listed(f"{marks[seat]} {scene.called(seat)}" for seat in seats)
    return scene.name if scene.watched is not None else captions.PLAYERS(names=scene.name)


def _progress(game: GameState | None, says: Sentence) -> str:
    if game is None:
        return ""
    played = game.turns // len(game.players) + 1
    return says(board=game.board.name, round=played, settlements=game.settlements)
