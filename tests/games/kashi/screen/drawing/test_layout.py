"""What is drawn: exactly as wide and high as the terminal, and as reviewed."""

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from prompt_toolkit.formatted_text import fragment_list_width

from matcha_p2p.console.terminal.cells import CUT, Line, key_of, width
from matcha_p2p.console.terminal.looks import THEMES
from matcha_p2p.console.terminal.screen import NAMED_KEYS
from matcha_p2p.console.terminal.skins import ASCII, PLAIN, SYMBOLS, Skin
from matcha_p2p.games.kashi.lessons.lessons import LESSONS, ON_SCREEN
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.drawing import layout
from matcha_p2p.games.kashi.screen.keys import press
from matcha_p2p.games.kashi.screen.scene import Scene, hear
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.lessons import lesson_text
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Settled, TalkHeard, Wishes
from tests.classroom import as_drawn
from tests.console.frames import assert_as_reviewed, lines_of
from tests.games.kashi.rules.positions import BOARD, begun, position
from tests.games.kashi.scenes import SCENES, Story, market

SCREENS = Path(__file__).parents[2] / "screens"
SIZES = [(60, 16), (79, 23), (80, 16), (80, 24), (100, 35), (120, 40), (300, 100)]
REVIEWED = [(60, 16), (80, 24), (120, 40)]
EVERY_KEY = (
    *NAMED_KEYS,
    *"12345bgsdnceazqx/? 茶",
    *(f"at{each}" for each in range(55) if BOARD.squares >> each & 1),
)


def draw(scene: Scene, columns: int, rows: int, skin: Skin = ASCII) -> list[Line]:
    return lines_of(layout.draw(scene, columns, rows, skin), columns, rows)


def drawn(scene: Scene, columns: int, rows: int, skin: Skin = ASCII) -> list[str]:
    return ["".join(text for _, text in line) for line in draw(scene, columns, rows, skin)]


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("columns", "rows"), REVIEWED)
def test_each_screen_looks_as_reviewed(name, columns, rows):
    text = "\n".join(line.rstrip() for line in drawn(SCENES[name](), columns, rows)) + "\n"
    assert text.isascii() == (name != "four")
    assert_as_reviewed(SCREENS / f"{name}-{columns}x{rows}.txt", text)


@pytest.mark.parametrize("name", ["four", "helped", "way_lit"])
@pytest.mark.parametrize(("columns", "rows"), REVIEWED)
def test_each_screen_in_colours_looks_as_reviewed(name, columns, rows):
    lines = drawn(SCENES[name](), columns, rows, SYMBOLS)
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    assert_as_reviewed(SCREENS / f"{name}-{columns}x{rows}.colours.txt", text)


@pytest.mark.parametrize("skin", [PLAIN, SYMBOLS, ASCII])
@pytest.mark.parametrize("name", SCENES)
def test_each_screen_fills_a_terminal_of_any_size_exactly(name, skin):
    scene = SCENES[name]()
    for columns, rows in [*SIZES, (1, 1), (59, 16), (200, 15)]:
        lines = draw(scene, columns, rows, skin)
        assert [fragment_list_width(line) for line in lines] == [columns] * rows


@pytest.mark.parametrize("skin", [SYMBOLS, ASCII])
@pytest.mark.parametrize("name", SCENES)
def test_each_style_is_defined(name, skin):
    known = {"[field]"}
    known |= {f"class:{name}" for style in THEMES["dark"] for name in style.split()}
    for columns, rows in REVIEWED:
        for line in draw(SCENES[name](), columns, rows, skin):
            for style, _ in line:
                assert {name for name in style.split() if key_of(name) is None} <= known


@pytest.mark.parametrize("skin", [SYMBOLS, ASCII])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_each_square_is_drawn_and_can_be_clicked(columns, rows, skin):
    lines = draw(SCENES["own_turn"](), columns, rows, skin)
    keys = {key_of(style) for line in lines for style, _ in line}
    squares = {f"at{each}" for each in range(60) if BOARD.squares >> each & 1}
    assert squares <= keys
    assert set("ge12345") <= keys


@pytest.mark.parametrize(("columns", "rows"), REVIEWED)
def test_costs_of_a_long_way_are_shown_before_its_stops(columns, rows):
    scene = Story(position(gold=0), practice=True).ask().press("5").scene
    text = " ".join(" ".join(drawn(scene, columns, rows)).split())
    assert "21 AP; walk 15, buy 3, gold 2;" in text


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_way_is_lit_square_by_square(columns, rows):
    """Over the chain of another player, from the person to the chosen square."""
    scene = SCENES["way_lit"]()
    text = "\n".join(drawn(scene, columns, rows))
    assert text.count("(m") == 2
    assert text.count("(s") == 1
    assert "[THE" in text
    assert "Over Mina's shops to theatre: 1 AP" in text


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", ["way_lit", "marked", "provisional"])
def test_a_step_of_the_way_does_not_touch_the_next_square(name, columns, rows):
    """A cell of the same square follows, empty or with a person."""
    steps = 0
    for line in draw(SCENES[name](), columns, rows, SYMBOLS):
        for (style, _), (after, text) in pairwise(line):
            if "class:call" in style.split():
                steps += 1
                assert key_of(style) == key_of(after)
                assert not text.strip() or "☻" in text
    assert steps


@pytest.mark.parametrize("skin", [SYMBOLS, ASCII])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_numbers_of_the_row_and_column_of_the_chosen_square_are_lit(size, skin):
    scene = Story(position(person="3,4")).ask().press("down").scene
    lines = draw(scene, *size, skin)
    lit = [t.strip(" -") for line in lines[1:20] for style, t in line if style == "class:now"]
    assert [text for text in lit if text.isdigit()] == ["4", "4"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_roof_of_a_shop_on_a_way_has_the_ground_of_the_way(size):
    roofs = [
        style.split()
        for line in draw(SCENES["way_lit"](), *size, SYMBOLS)
        for style, text in line
        if "▟▙" in text and "class:way" in style.split()
    ]
    assert roofs
    assert not [each for style in roofs for each in style if "seat" in each]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize(("owners", "persons"), [(1, 1), (2, 2), (3, 3), (4, 1), (0, 4)])
def test_all_shops_and_persons_of_a_square_are_seen(owners, persons, size):
    game, square = begun(4), BOARD.square(4, 1)
    players = [
        player._replace(
            shops=(square,) * (1 + seat % 2) * (seat < owners),
            person=square if seat < persons else None,
        )
        for seat, player in enumerate(game.players)
    ]
    story = Story(game._replace(players=tuple(players)))
    story.scene = replace(story.scene, names=("Taro", "Mina", "Jun", "Yuki"))
    scene = story.ask().scene
    drawn_here = [
        (style, text)
        for line in draw(scene, *size, SYMBOLS)
        for style, text in line
        if f"class:key-at{square}" in style.split()
    ]
    for seat in range(4):
        own = [text for style, text in drawn_here if f"class:seat{seat}" in style.split()]
        assert ("☻" in "".join(own)) == (seat < persons)
        told = any(text[0] in {"TMJY"[seat], "⌂"} for text in own)
        assert told == (seat < owners)
    assert sum(text in {"▟▙", "⌂"} for _, text in drawn_here) == owners


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("seats", [3, 4])
def test_no_heading_of_the_pane_moves_when_shops_stand_in_each_area(seats, size):
    game = begun(seats)
    squares = tuple((ground & -ground).bit_length() - 1 for ground in BOARD.grounds)
    full = game._replace(players=tuple(p._replace(shops=2 * squares) for p in game.players))
    places = []
    for shown in (game, full):
        story = Story(shown)
        story.scene = replace(story.scene, names=("Taro", "Mina", "Jun", "Yuki")[:seats])
        lines = drawn(story.ask().scene, *size, SYMBOLS)
        heads = (captions.ORDERS(), captions.PLAYER(), captions.AREAS())
        places.append([next(at for at, x in enumerate(lines) if head in x) for head in heads])
        shops = lines[places[-1][-1] + 2][36:]
        seen = {shops.count(f"{mark}2") for mark in "TMJY"[:seats]}
        assert seen == ({5} if shown is full else {0})
    assert places[0] == places[1]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_marks_of_a_mistake_leave_the_names_of_tiles_whole(size):
    tiles = [each for each in range(60) if BOARD.tiles >> each & 1]
    way = tuple((square, 3) for square in (0, *tiles))
    scene = replace(Story(market()).scene, lit=way, made=way)
    text = "\n".join(drawn(scene, *size, SYMBOLS))
    assert text.count("!?3") == len(tiles)
    assert CUT not in text


@pytest.mark.parametrize(("columns", "rows"), REVIEWED)
@pytest.mark.parametrize("text", ["茶" * 200, "x" * 200, "class:title", "%s{0}"])
def test_a_hostile_line_of_talk_leaves_the_board_in_its_place(text, columns, rows):
    story = Story(market()).ask()
    calm = drawn(story.scene, columns, rows)
    stormy = drawn(story.tell(TalkHeard(text, "Mina", Seat(1))).scene, columns, rows)
    for before, after in zip(calm[:8], stormy[:8], strict=True):
        assert after[:30] == before[:30]


@pytest.mark.parametrize("name", ["茶" * 8, "W" * 24, "{name}", "class:at"])
def test_any_name_leaves_the_board_in_its_place(name):
    scene = replace(Story(market()).ask().scene, names=("Taro", name, "Jun"))
    for columns, rows in SIZES:
        lines = draw(scene, columns, rows)
        assert {fragment_list_width(line) for line in lines} == {columns}


@pytest.mark.slow
def test_no_keys_in_no_terminal_break_the_screen():
    rng = random.Random(4)
    for name, build in SCENES.items():
        scene = build()
        for _ in range(60):
            key = rng.choice(EVERY_KEY)
            columns, rows = rng.choice([*SIZES, (1, 1), (59, 15)])
            scene = press(scene, key)[0]
            lines = draw(scene, columns, rows)
            assert {fragment_list_width(line) for line in lines} == {columns}, (name, key)
            assert len(lines) == rows


def test_earlier_events_are_beside_a_large_board_the_newest_below():
    told = tuple(f"Event {number} {'of this game ' * 5}." for number in range(30))
    lines = drawn(replace(SCENES["their_turn"](), lately=told), 120, 40)
    first = next(at for at, line in enumerate(lines) if "EARLIER" in line)
    asked = lines.index(next(line for line in lines if "Jun has the turn" in line))
    beside, below = "\n".join(lines[first:asked]), "\n".join(lines[asked:])
    assert "Event 28 " in below
    assert below.index("Event 28 ") < below.index("Event 29 ")
    assert "Event 27 " in beside + below
    assert beside.count("Event") > 2


def test_first_words_of_a_practice_are_in_sight_before_the_orders_come():
    scene = replace(SCENES["starting"](), lately=(captions.FIRST(), "Jun starts on 5,5."))
    lines = drawn(scene, 80, 24)
    assert captions.FIRST() in " ".join(" ".join(line[38:] for line in lines).split())
    assert any("Jun starts on 5,5." in line for line in lines)


@pytest.mark.parametrize("skin", [SYMBOLS, ASCII])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["own_turn", "way_lit", "four"])
def test_board_keeps_its_form_and_place_beside_long_advice(name, size, skin):
    """Advice without room has pages; the keys to press are on the last."""
    scene = replace(SCENES[name](), advise=lambda _: None)
    cells = layout.board_drawing.SMALL.columns(BOARD)
    board = [line[:cells] for line in drawn(scene, *size, skin)[1:9]]
    long = "A good player would do this: to 3,4, 3,5; taking 1 gold. " * 8
    pages = set()
    for turned in range(9):
        advised = replace(scene, hint=long, turned=(long, turned))
        lines = drawn(advised, *size, skin)
        assert [line[:cells] for line in lines[1:9]] == board
        pages.add("\n".join(lines))
    assert (len(pages) > 1) == (size[1] < 35)


NO_TABLE = {"analysed", "helped", "met", "studied", "talking", "won"}


@pytest.mark.parametrize("name", sorted({*SCENES} - NO_TABLE))
def test_small_terminal_has_each_row_order_player_and_area(name):
    """Also while a coach speaks; then the action points stand in place of the areas."""
    scene = SCENES[name]()
    for lesson in ("", "A sentence of the teacher, who explains. " * 8):
        lines = drawn(replace(scene, lesson=lesson), 60, 16, SYMBOLS)
        beside = [line[37:] for line in lines]
        assert [line[0] for line in lines if line[0].isdigit()] == list("1234567")
        assert "".join(lines[1].split()).startswith("1234567")
        placed = [line[1:2] for line in beside if line[1:2].isdigit()]
        assert placed[:5] == ([] if name == "starting" else list("12345"))
        marks = "TMJ\u041e" if name == "four" else "TMJ"
        assert all(any(line[1:3] == f"☻{mark}" for line in beside) for mark in marks)
        if not scene.advice and not lesson:
            assert {"n3-2-1", "m6-3-1"} <= {*" ".join(lines).split()}


@pytest.mark.parametrize(
    ("laid", "hand", "told"), [(0, 10, "0/10"), (12, 3, "12/3"), (12, 10, "12")]
)
def test_shops_of_a_player_are_not_cut_in_a_small_terminal(laid, hand, told):
    game = market()
    own = game.players[0]._replace(
        shops=(BOARD.square(3, 4),) * laid, hand=hand, gold=123, goods=(8, 0, 0, 0, 0)
    )
    scene = Story(game._replace(players=(own, *game.players[1:]))).ask().scene
    line = next(line for line in drawn(scene, 60, 16) if "T@" in line[37:41])
    assert CUT not in line
    assert "".join(line.split()).endswith("123" + "r" * 8 + told)


@pytest.mark.parametrize(("name", "shown"), [("Mina", "you, Mina"), ("Taro", "A you, B Taro")])
def test_title_of_a_small_terminal_says_whose_a_letter_is(name, shown):
    scene = replace(SCENES["own_turn"](), names=("Taro", name, "Jun"))
    assert shown in drawn(scene, 60, 16)[0]
    assert f"you, {name}" in drawn(scene, 80, 24)[0]


def test_offer_is_lit_as_a_question_and_trouble_as_an_alarm():
    offered = hear(hear(SCENES["won"](), Settled(b"")), Wishes(("Mina",), ("Jun",)))
    troubled = SCENES["lost_line"]()
    for scene, words, style in (
        (offered, "Another game: Mina would like", "class:due"),
        (troubled, troubled.trouble[:20], "class:alarm"),
    ):
        lines = draw(scene, 80, 24)
        assert {look for line in lines for look, text in line if words in text} == {style}


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["own_turn", "their_turn", "four"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_rows_and_columns_have_heads_also_while_the_coach_speaks(size, name, language):
    speak(language)
    coach = max((lesson_text(lesson, ON_SCREEN) for lesson in LESSONS), key=width)
    for says in ("", coach):
        lines = drawn(replace(SCENES[name](), lesson=says), *size)
        at = next(at for at, line in enumerate(lines) if captions.ORDERS() in line)
        head, board = lines[at].split(captions.ORDERS())[0], lines[at + 1 :]
        assert "".join(filter(str.isdigit, head)) == "1234567"
        assert [line[0] for line in board if line[0].isdigit()] == list("1234567")
        assert any(captions.PLAYER() in line for line in lines)
        assert "".join(as_drawn(says).split()) in "".join("".join(lines).split())


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 16), (80, 24), (120, 40)])
def test_rows_have_numbers_at_every_size(columns, rows):
    lines = drawn(SCENES["own_turn"](), columns, rows)
    assert [line[0] for line in lines if line[0].isdigit()] == list("1234567")
