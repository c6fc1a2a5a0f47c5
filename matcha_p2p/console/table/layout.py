"""The layout of every table: the choice of parts, and their places.

The title is the first row. From the bottom up stand the keys of the table, the keys of the
question, the news, the question and the facts. The board has the rest of the rows, and if the
terminal is wide enough a pane at the right. A game gives the parts, in several sizes.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from matcha_p2p.console.review import findings
from matcha_p2p.console.table import bars, captions, keymap, leaves
from matcha_p2p.console.table.focus import AT_TABLE, Page, Reading, Talking
from matcha_p2p.console.table.frame import TableKeys
from matcha_p2p.console.table.scene import Replaying, TableScene
from matcha_p2p.console.table.talk import phrases, talk_lines, talk_section
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal import skins
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.asking import Listing
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import Mistake

S = TypeVar("S", bound=TableScene)
Lines: TypeAlias = list[terminal_cells.Line]

_HIGH: Final = 32  # least rows of a high terminal
_LOW: Final = 21  # rows of a low terminal, at most
_NEWS: Final = 2  # rows of news
_HIGH_NEWS: Final = 4
_FACTS: Final = 2  # rows of facts, usually
_DRAFT: Final = 5  # rows of phrases and talk beside a line of talk
_LEAF: Final = 2  # least rows of a page of advice
_TALK: Final = 3  # least rows of talk in a pane, with the heading
_TEXT: Final = 80  # cells of texts without a pane, at most
_APART: Final = 2  # cells between the board and the pane
_PRESSED: Final = re.compile(r"\[(\S+?)\]")  # keys in the text of a lesson


_HEADINGS: Final = {
    Page.HELP: captions.HELP_TITLE,
    Page.REVIEW: captions.REVIEW_TITLE,
    Page.ANALYSIS: findings.TITLE,
    Page.WHY: captions.WHY_TITLE,
}


class BoardForm(NamedTuple):
    """A form of the board, ``cells`` wide, in parts that may stand apart.

    beside: whether this form needs a pane. free: rows kept free for facts, to
    keep the board in place; no rows in a low terminal. news: the least rows for news.
    paged: whether advice without room has several pages.
    """

    parts: Sequence[Lines]
    cells: int
    beside: bool = False
    free: int = _FACTS
    news: int = _NEWS
    paged: bool = False

    @property
    def rows(self) -> int:
        """The least rows."""
        return sum(map(len, self.parts))


class FactLines(NamedTuple):
    """Lines near the question or in the pane, in several forms, the largest first.

    must: whether the last form is never left out. instead: whether the lines may take the
    place of the news.
    """

    forms: Sequence[Lines]
    must: bool = False
    instead: bool = False


class _Place(NamedTuple):
    """How many facts stand above the question, and the rows below the question."""

    above: int
    below: int


class TableLayout(ABC, Generic[S]):
    """The screen of a game: a scene, a size and a skin in, a frame out.

    pane_cells: the least and the most cells of a pane. pane_stays: whether the sections of the
    pane stay, and advice stands elsewhere. lined: whether a line stands before a pane
    without a ground. ground: the style under the board. steps: the game's own keys in a replay.
    """

    keys: ClassVar[TableKeys[Any]]
    pane_cells: ClassVar[tuple[int, int]]
    pane_stays: ClassVar[bool] = False
    lined: ClassVar[bool] = True
    ground: ClassVar[str] = ""
    steps: ClassVar[Sentence]

    # For a game to add.

    @abstractmethod
    def title(self, scene: S, columns: int) -> terminal_cells.Line:
        """Return the first line."""

    @abstractmethod
    def heading(self, scene: S, page: Page) -> str:
        """Return the heading of a page, or "" for the usual one."""

    @abstractmethod
    def page(self, scene: S, page: Page, columns: int, skin: Skin) -> Lines:
        """Return the lines of a page."""

    @abstractmethod
    def before(self, scene: S, mistake: Mistake) -> S:
        """Return the board before ``mistake``, with both moves marked."""

    @abstractmethod
    def boards(self, scene: S, columns: int, rows: int, skin: Skin) -> Iterable[BoardForm]:
        """Return the forms of the board, the largest first. rows: for the board, usually."""

    @abstractmethod
    def prompt(self, scene: S, skin: Skin) -> Listing | terminal_cells.Fragment:
        """Return the question, or the reason for waiting, by ``bars.asks`` or ``tells``."""

    def facts(self, scene: S, cells: int, skin: Skin, *, beside: bool) -> list[FactLines]:
        """Return the facts, the most important first. beside: whether a pane is drawn."""
        del scene, cells, skin, beside
        return []

    def pane(self, scene: S, cells: int, skin: Skin) -> Sequence[Lines | FactLines]:
        """Return the sections of the pane, the most important first, perhaps in forms."""
        del scene, cells, skin
        return []

    def ends(self, scene: S) -> bool:
        """Tell whether the last sentence tells the end of the game."""
        return scene.end is not None

    # The same in all games.

    def draw(
        self, scene: S, columns: int, rows: int, skin: Skin
    ) -> terminal_cells.TerminalFrame:
        """Return the frame of ``columns`` and ``rows``, both at least 1."""
        if not skins.have_room(columns, rows):
            return terminal_cells.TerminalFrame(tuple(bars.too_small(columns)))
        match scene.focus:
            case Reading(_, int(at)) if scene.mistakes:
                return self.draw(self._at_mistake(scene, at), columns, rows, skin)
            case Reading(page):
                title = self.heading(scene, page) or _HEADINGS[page]()
                if page is Page.ANALYSIS and scene.findings is not None:
                    lines = findings.page(scene.findings, columns, skin)
                else:
                    lines = self.page(scene, page, columns, skin)
                return bars.page_frame(scene, page, title, lines, (columns, skin))
            case _:
                return terminal_cells.TerminalFrame(
                    tuple(self._table(scene, columns, rows, skin))
                )

    def _at_mistake(self, scene: S, at: int) -> S:
        """Return the board before mistake ``at`` of the analysis."""
        found = scene.mistakes
        mistake = found[at]
        words = findings.position(mistake, at, len(found)), findings.keys_words(len(found))
        bare = replace(
            scene,
            focus=AT_TABLE,
            told=(),
            headings=(),
            lately=(),
            talk=(),
            unread=0,
            end=None,
            hint="",
            warning="",
            work="",
            after_game=None,
            troubles={},
        )
        shown = self.before(bare, mistake)
        return replace(
            shown,
            lesson=findings.beside(mistake),
            lately=mistake.why,
            watched=Replaying(*words),
        )

    def _table(self, scene: S, columns: int, rows: int, skin: Skin) -> Lines:
        asks = self.asks(scene, columns, skin)
        news = _HIGH_NEWS if rows >= _HIGH else _NEWS
        sized = _Sized(self, scene, (columns, rows, len(asks), news), skin)
        for board in self.boards(scene, columns, rows - 4 - news, skin):
            if sized.takes(board):
                break
        body, below = sized.lines()
        left = sized.margin
        room = columns - left
        inner = self.asks(scene, room, skin)
        if len(inner) == len(asks):  # else the whole width is needed
            asks = [_indented(line, left) for line in inner]
        title = _indented(self.title(scene, room - left), left)
        return [
            [*title, ("class:title", " " * left)],
            *body,
            *asks,
            *below,
            _indented(self._keys_of_question(scene, room), left),
            _indented(self._keys_of_table(scene, room), left),
        ]

    def asks(self, scene: S, columns: int, skin: Skin) -> Lines:
        """Return the question in lines as wide as the terminal, at least one."""
        framed = bars.framed_question(scene.focus, columns)
        if framed is not None:
            return framed
        if scene.watched is not None:
            return bars.asked(("class:due", f" {scene.watched.position}"), columns)
        match self.prompt(scene, skin):
            case Listing() as listed:
                return bars.listed(listed, columns)
            case _, str(text) if scene.acting and text.startswith(bars.MARK):
                return bars.asked(bars.asks(captions.SHOWN()), columns)
            case asked:
                return bars.asked(asked, columns)

    def _keys_of_question(self, scene: S, columns: int) -> terminal_cells.Line:
        if scene.watched is not None:
            steps = "" if scene.findings else self.steps()
            return bars.keys_bar(steps, columns)
        return keymap.bar(self.keys.first(scene), scene, columns)

    def _keys_of_table(self, scene: S, columns: int) -> terminal_cells.Line:
        if scene.is_talking:
            return bars.keys_talking(columns)
        if scene.watched is not None:
            return bars.keys_bar(scene.watched.keys, columns)
        return keymap.bar(self.keys.common, scene, columns)


class _Sized(Generic[S]):
    """A board among what stands around it, in a terminal of a size.

    size: the columns, the rows, and the rows of the question and of news; the further lines of
    a question take those of news.
    """

    def __init__(
        self, layout: TableLayout[S], scene: S, size: tuple[int, int, int, int], skin: Skin
    ) -> None:
        self._layout, self._scene, self._skin = layout, scene, skin
        self._columns, rows, asks, news = size
        self._low: Final = rows <= _LOW
        self._room: Final = rows - 3 - asks  # for all but the title, question and keys
        self._above: Final = rows - 4 - news  # usually above the question
        self._usually: Final = max(0, news + 1 - asks)  # rows below the question
        self._news = self._usually  # the same, at least
        self._board, self._pane = BoardForm([], self._columns), 0
        self._advised: Lines = []  # in the pane
        self._facts: list[Lines] = []
        self._place = _Place(0, self._news)

    @property
    def _cells(self) -> int:
        """The cells of the board with the pane, and of the texts."""
        if self._pane:
            return self._board.cells + _APART + self._pane
        return max(self._board.cells, min(_TEXT, self._columns))

    @property
    def margin(self) -> int:
        """The cells at the left of all lines."""
        return (self._columns - self._cells) // 2

    @property
    def _usual(self) -> int:
        """The rows of the board, the same with few facts and with more."""
        return max(self._board.rows, self._above - self._board.free)

    @property
    def _kept(self) -> int:
        """The least rows that leave the board, in the middle of its rows, in its place."""
        return self._usual - (self._usual - self._board.rows) % 2

    @property
    def _paged(self) -> bool:
        return self._board.paged and bool(self._scene.advice)

    def takes(self, board: BoardForm) -> bool:
        """Take a form of the board; tell whether the form fits, together with the facts."""
        least, most = self._layout.pane_cells
        free = self._columns - board.cells - _APART
        if board.beside and free < least:
            return False
        self._board = board
        self._pane = min(most, free) if free >= least else 0
        facts = self._all_facts()
        self._facts = [fact.forms[-1] if fact.must else [] for fact in facts]
        newest, self._news = self._newest(), self._usually
        placed = self._first(newest)
        most = self._above + 1 + self._scene.is_over  # a row more than usual, at the end two
        if placed is None and self._low and board.rows <= most:
            self._news = 0
            placed = self._first(newest)
        if placed is None or (not self._low and board.rows > self._above - board.free):
            self._place = _Place(0, max(self._usually, sum(map(len, self._facts))))
            return False
        if self._placed(self._facts, newest) is None:
            newest = min(newest, self._board.news)
        self._place = self._placed(self._facts, newest) or placed
        for at, fact in enumerate(facts):
            for form in fact.forms:
                more = [*self._facts[:at], form, *self._facts[at + 1 :]]
                better = self._placed(more, newest)
                if better is None and fact.instead:
                    better = self._placed(more, 0, hides=True)
                if better is None or better.below > self._place.below:
                    continue
                up = sum(map(len, more[: better.above]))
                if not self._paged or self._room - better.below - up >= self._kept:
                    self._facts, self._place = more, better
                    break
        return True

    def _newest(self) -> int:
        """Return the rows of the last sentence."""
        told = self._scene.lately
        return len(terminal_cells.wrapped(told[-1], self._cells - 1)) if told else 0

    def _first(self, newest: int) -> _Place | None:
        """Return the place of the facts beside some news; if room lacks, without news."""
        beside = self._placed(self._facts, min(newest, self._board.news))
        return beside or self._placed(self._facts, 0, hides=True)

    def _placed(
        self, facts: Sequence[Lines], newest: int, *, hides: bool = False
    ) -> _Place | None:
        """Return the place of the facts, best where all stands as usual, or None.

        If room lacks above the question, the last facts stand below. newest:
        the rows of the last sentence. hides: whether facts take the place of the news.
        """
        found: list[tuple[int, int, _Place]] = []
        kept = self._kept if self._paged else 0
        told = self._scene.is_over  # the board tells the end, too
        for above in range(len(facts), -1, -1):
            up, down = (sum(map(len, each)) for each in (facts[:above], facts[above:]))
            below = max(self._news, down + newest)
            if self._board.rows + up + below <= self._room and (told or not hides or down):
                lacks = max(0, kept - (self._room - up - below))
                found.append((lacks, abs(below - self._usually), _Place(above, below)))
        return min(found, key=lambda each: each[:2])[2] if found else None

    def _all_facts(self) -> list[FactLines]:
        """Return the game's facts, the advice, the alarm and, without a pane, the talk."""
        scene, cells = self._scene, self._cells - 1
        self._advised = []
        match scene.focus:
            case Talking(draft) if not self._pane:
                lines = bars.beside_draft(scene, draft, cells, _DRAFT)
                return [FactLines([[*lines, *([[]] * (_DRAFT - len(lines)))]], must=True)]
            case _:
                pass
        facts = self._layout.facts(scene, cells, self._skin, beside=bool(self._pane))
        alarm = FactLines([bars.alarm_lines(scene, cells)], must=True)
        least = sum(len(fact.forms[-1]) for fact in (*facts, alarm) if fact.must)
        free = max(_LEAF, self._room - self._kept - least) if self._paged else 0
        told = leaves.shown(scene, cells, free)
        if self._pane and not scene.is_talking and not self._layout.pane_stays:
            advised = _coach_lines(told, self._pane, "")
            self._advised = advised if len(advised) <= self._usual else []
        if not self._advised:
            facts.append(FactLines([_coach_lines(told, cells + 1)], must=True))
        facts.append(alarm)
        if scene.talk and not scene.is_talking and not self._talks_beside():
            said = (talk_lines(scene, cells, rows) for rows in (2, 1))
            forms = [[[("", " "), *line] for line in lines] for lines in said]
            facts.append(FactLines(forms, must=bool(scene.unread)))
        return facts

    def _talks_beside(self) -> bool:
        """Tell whether the talk stands in the pane."""
        if not self._pane or not self._layout.pane_stays:
            return self._pane > 0
        stay = [len(section.forms[0]) + 1 for section in self._sections()]
        return sum(stay) + _TALK <= self._usual

    def _sections(self) -> list[FactLines]:
        found = self._layout.pane(self._scene, self._pane, self._skin)
        return [
            each if isinstance(each, FactLines) else FactLines([each]) for each in found if each
        ]

    def lines(self) -> tuple[Lines, Lines]:
        """Return the lines above and below the question."""
        above, below = self._place
        up = [line for fact in self._facts[:above] for line in fact]
        down = [line for fact in self._facts[above:] for line in fact]
        rows = max(0, self._room - below - len(up))
        body = self._beside(self._spread(rows, min(rows, self._usual)))
        told = bars.news_lines(
            self._scene,
            self._cells - 1,
            below - len(down),
            ends=self._layout.ends(self._scene),
        )
        margin = ("", " " * self.margin)
        blank: Lines = [[]] * (below - len(down) - len(told))
        return (
            [[margin, *line] for line in [*body, *up]],
            [[margin, *line] for line in [*down, *told, *blank]],
        )

    def _spread(self, rows: int, usual: int) -> Lines:
        """Return the board in exactly ``rows`` rows, its parts in the first ``usual`` ones."""
        lines = _squeezed(_apart(self._board.parts, usual), usual)
        top = (usual - len(lines)) // 2
        lines = [*([[]] * top), *lines]
        lines += [[]] * (rows - len(lines))
        fitted = [terminal_cells.fit_line(line, self._board.cells) for line in lines[:rows]]
        ground = self._layout.ground
        return [terminal_cells.on(ground, line) for line in fitted] if ground else fitted

    def _beside(self, left: Lines) -> Lines:
        """Return the board with the pane at its right."""
        if not self._pane:
            margin = ("", " " * ((self._cells - self._board.cells) // 2))
            return [[margin, *line] for line in left]
        skin = self._skin
        lined = skin.framed and self._layout.lined
        edge = "class:faint", f"{skin.down if lined else ' '} "
        return [
            [
                *line,
                *terminal_cells.on(
                    "panel", terminal_cells.fit_line([edge, *other], self._pane + _APART)
                ),
            ]
            for line, other in zip(left, self._pane_lines(len(left)), strict=True)
        ]

    def _pane_lines(self, rows: int) -> Lines:
        scene, cells = self._scene, self._pane
        sections = [FactLines([self._advised]), *self._sections()]
        if scene.is_talking:
            sections = [FactLines([phrases(cells)])]
        room = rows - (_TALK if scene.talk and not self._layout.pane_stays else 0)
        shown: list[Lines] = []
        for section in sections:
            free = room - sum(map(len, shown))
            fitting = [form for form in section.forms if len(form) <= free or not shown]
            shown += filter(None, fitting[:1])
        taken = sum(map(len, shown))
        said = scene.talk or scene.muted is not None
        if said and (scene.is_talking or self._talks_beside()):
            free = min(rows - taken, max(_TALK, rows - taken - len(shown)))
            shown.append(talk_section(scene, cells, free))
        lines = _apart(shown, rows, 1)
        lines += self._earlier(rows - len(lines))
        return (lines + [[]] * rows)[:rows]

    def _earlier(self, rows: int) -> Lines:
        """Return the sentences before those below the question, under a heading."""
        told = list(self._scene.lately)
        below = self._place.below - sum(map(len, self._facts[self._place.above :]))
        while told and below > 0:  # as in bars.news_lines
            below -= len(terminal_cells.wrapped(told[-1], self._cells - 1))
            if below >= 0 or len(told) == len(self._scene.lately):
                told.pop()
        shown: Lines = []
        for sentence in reversed(told):
            lines = text_lines([sentence], self._pane, "class:faint", "")
            if len(shown) + len(lines) > rows - 2:
                break
            shown = lines + shown
        return [[], [("class:head", captions.TOLD())], *shown] if shown else []


def _indented(line: terminal_cells.Line, cells: int) -> terminal_cells.Line:
    """Return a line after a margin on the ground of its first words."""
    ground = line[0][0].split()[:1] if line else []
    return [("".join(ground), " " * cells), *line]


def text_lines(texts: Iterable[str], cells: int, style: str = "", margin: str = " ") -> Lines:
    """Return texts in lines of at most ``cells`` cells, each line after the margin."""
    room = cells - len(margin)
    lines = (line for text in texts if text for line in terminal_cells.wrapped(text, room))
    return [[(style, f"{margin}{line}")] for line in lines]


def _coach_lines(texts: Iterable[str], cells: int, margin: str = " ") -> Lines:
    """Return a lesson or a hint in lines; a key to press, [Enter], is drawn as in a bar."""
    return [
        [
            piece
            for at, part in enumerate(_PRESSED.split(line[0][1]))
            for piece in ([bars.key(part)] if at % 2 else [("class:lesson", part)])
        ]
        for line in text_lines(texts, cells, "", margin)
    ]


def _apart(sections: Iterable[Lines], rows: int, most: int = 2) -> Lines:
    """Return the parts with empty lines between, at most ``most``, if ``rows`` suffice."""
    parts = [part for part in sections if part]
    spare = rows - sum(map(len, parts))
    lines: Lines = list(parts[0]) if parts else []
    for number, part in enumerate(parts[1:], 1):
        left = len(parts) - number
        gap = min(most, 2 if spare >= 3 * left else spare >= left)
        spare -= gap
        lines += [*([[]] * gap), *part]
    return lines


def _squeezed(lines: Lines, rows: int) -> Lines:
    """Return the lines. If there are more than ``rows``, empty lines are left out."""
    over = len(lines) - rows
    kept: Lines = []
    for line in lines:
        if over > 0 and not any(text.strip() for _, text in line):
            over -= 1
        else:
            kept.append(line)
    return kept
