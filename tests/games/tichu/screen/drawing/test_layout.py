"""What is drawn of Tichu: exactly as wide and high as the terminal, and as reviewed."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from matcha_p2p.console.table.focus import Reading
from matcha_p2p.console.terminal.cells import CUT, Line, key_of, line_width
from matcha_p2p.console.terminal.looks import THEMES
from matcha_p2p.console.terminal.screen import NAMED_KEYS
from matcha_p2p.console.terminal.skins import (
    ASCII,
    KANJI,
    PLAIN,
    SYMBOLS,
    Skin,
    with_ascii_frames,
    with_framed_cards,
)
from matcha_p2p.games.tichu.rules.cards import FACES, NUMBERS, SUITS, TEXTS
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.screen.drawing import layout
from matcha_p2p.games.tichu.screen.drawing.cards import SMALL, TALL, USUAL, WIDE, Size, block
from matcha_p2p.games.tichu.screen.drawing.pixels import large
from matcha_p2p.games.tichu.screen.drawing.table import unseen_line
from matcha_p2p.games.tichu.screen.keys import press
from matcha_p2p.games.tichu.screen.scene import Scene, Trick
from matcha_p2p.games.tichu.words.card_words import card_text
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.signs import by_letters
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import TalkHeard
from tests.console.frames import assert_as_reviewed, lines_of
from tests.games.tichu.screen import scenes
from tests.games.tichu.screen.scenes import BEA, CARL, DORA, MINE, SCENES, YOU, Story, leading

SCREENS = Path(__file__).parents[2] / "screens"
SKINS = {
    "plain": PLAIN,
    "kanji": KANJI,
    "ascii": ASCII,
    "framed": with_framed_cards(SYMBOLS),
    "kanji-framed": with_framed_cards(with_ascii_frames(KANJI)),
}
SIZES = [(60, 16), (79, 23), (80, 22), (80, 24), (110, 36), (120, 40), (200, 60)]
REVIEWED = [(80, 24), (120, 40), (60, 16)]


def drawn(scene: Scene, columns: int, rows: int, skin: Skin = SYMBOLS) -> list[str]:
    lines = lines_of(layout.draw(scene, columns, rows, skin), columns, rows)
    return ["".join(text for _, text in line) for line in lines]


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("name", SCENES)
def test_each_screen_fits_every_terminal(name, skin):
    scene = SCENES[name]()
    for columns, rows in SIZES:
        frame = layout.draw(scene, columns, rows, SKINS[skin])
        assert all(line_width(line) <= columns for line in frame.body), (columns, rows)
        assert len(frame.body) <= rows or frame.scrolls


@pytest.mark.parametrize("name", SCENES)
def test_each_style_is_defined(name):
    known = {"[field]"}
    known |= {f"class:{name}" for style in THEMES["dark"] for name in style.split()}
    for columns, rows in SIZES:
        frame = layout.draw(SCENES[name](), columns, rows, SYMBOLS)
        for line in (*frame.head, *frame.body, *frame.foot):
            for style, _ in line:
                assert {name for name in style.split() if key_of(name) is None} <= known


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("columns", "rows"), REVIEWED)
def test_each_screen_looks_as_reviewed(name, columns, rows):
    path = SCREENS / f"{name}-{columns}x{rows}.txt"
    text = "\n".join(line.rstrip() for line in drawn(SCENES[name](), columns, rows)) + "\n"
    assert_as_reviewed(path, text)


@pytest.mark.parametrize("name", ["giving", "wish_met", "round_over"])
def test_cards_have_frames_where_paper_has_no_colour(name):
    text = "\n".join(line.rstrip() for line in drawn(SCENES[name](), 80, 24, ASCII)) + "\n"
    assert_as_reviewed(SCREENS / f"{name}-80x24.ascii.txt", text)


def test_a_terminal_that_is_too_small_is_told():
    assert "Please enlarge" in " ".join(drawn(leading().scene, 59, 20))


def losses(name: str, columns: int, rows: int, skin: Skin) -> list[str]:
    """Return the lines of a scene that lose words, and the parts without a place.

    A page scrolls; elsewhere the last line has the keys, which are whole.
    """
    scene = SCENES[name]()
    lines = drawn(scene, columns, rows, skin)
    lost = [line for line in lines if CUT in line]
    frame = layout.draw(scene, columns, rows, skin)
    panel = "".join(line[1:] for line in panes(frame.body))
    shown = "".join(f"{''.join(lines)} {panel}".split())
    if isinstance(scene.focus, Reading):
        return lost
    told = scene.advice.split("\n")
    told += lines_told(layout.draw(scene, columns, 99, skin).body[-1:])
    if skin.icons in ("plain", "ascii"):
        told = [*map(by_letters, told)]
    return lost + [text for text in told if "".join(text.split()) not in shown]


def panes(lines: Sequence[Line]) -> list[str]:
    """Return the lines of the pane."""
    styled = [[text for style, text in line if "class:panel" in style] for line in lines]
    return ["".join(texts) for texts in styled if texts]


def lines_told(lines: Sequence[Line]) -> list[str]:
    return ["".join(text for _, text in line) for line in lines]


@pytest.mark.parametrize("skin", ["plain", "ascii"])
@pytest.mark.parametrize(("columns", "rows"), REVIEWED)
def test_no_word_of_a_scene_is_lost(columns, rows, skin):
    for name in SCENES:
        assert losses(name, columns, rows, SKINS[skin]) == [], name


@pytest.mark.parametrize(("columns", "rows"), [*REVIEWED, (100, 30), (110, 36)])
def test_no_word_of_a_scene_is_lost_beside_bots_with_long_names(columns, rows, monkeypatch):
    monkeypatch.setattr(
        scenes, "NAMES", ("Anna", "Bot 1 (club)", "Bot 2 (club)", "Bot 3 (club)")
    )
    for name in SCENES:
        assert losses(name, columns, rows, SYMBOLS) == [], name


def test_the_number_of_a_bot_stays_with_its_name_above_a_gift(monkeypatch):
    monkeypatch.setattr(
        scenes, "NAMES", ("Anna", "Bot 1 (club)", "Bot 2 (club)", "Bot 3 (club)")
    )
    shown = "\n".join(drawn(SCENES["giving"](), 80, 24))
    for number in (1, 2, 3):
        assert f"to Bot {number}" in shown


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("skin", SKINS)
def test_no_word_of_a_scene_is_lost_in_any_language(language, skin):
    speak(language)
    try:
        for name in SCENES:
            for columns, rows in SIZES:
                assert losses(name, columns, rows, SKINS[skin]) == [], (name, columns)
    finally:
        speak("en")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_table_is_whole_at_every_size(columns, rows):
    """All seats, what lies, the wish, the hand, the question and the keys have a place."""
    text = "\n".join(drawn(SCENES["wish_bound"](), columns, rows))
    for words in ("Bea, partner", "Dora", "Carl", "a pair of nines", "a queen", "q leave"):
        assert words in text
    assert ("fits: n" in text) == (rows > 16)
    for card in MINE.split():
        assert card_text(TEXTS.index(card)) in text
    assert "The wish binds you" in text


@pytest.mark.parametrize(
    ("points", "full"), [(-100, 0), (200, 8), (999, 39), (1000, 40), (1100, 40)]
)
def test_the_end_of_a_round_shows_how_far_each_team_is(points, full):
    scene = SCENES["round_over"]()
    *_, last = scene.rounds
    scene = replace(scene, rounds=(replace(last, totals=(points, 500)),))
    mine, other = (line for line in drawn(scene, 80, 24) if "▯" in line or "▮" in line)
    assert (mine.count("▮"), mine.count("▯")) == (full, 40 - full)
    assert (other.count("▮"), other.count("▯")) == (20, 20)
    alone = replace(scene, game=scene.game._replace(target=None))
    assert "▮" not in "".join(drawn(alone, 80, 24))


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 22), (80, 24)])
def test_a_long_hint_hides_no_player_and_no_card(columns, rows):
    scene = replace(SCENES["hinted"](), hint="\n".join(["A reason that is long enough."] * 6))
    text = "\n".join(drawn(scene, columns, rows))
    assert text.count("A reason that is long enough.") == 6
    for words in ("Bea, partner", "Dora", "Carl", "2✦", "Phx"):
        assert words in text


def test_the_field_says_whose_trick_it_is_and_a_wedge_stands_at_that_side():
    for seat, wedge in ((YOU, "▾"), (CARL, "◂"), (BEA, "▴"), (DORA, "▸")):
        story = SCENES["lead"]()
        laid = Laid(seat, scenes.faces("RT GT P"), 10, 0, leads=True)
        shown = drawn(replace(story, trick=((seat, laid),)), 80, 24)
        (head,) = [line for line in shown if "a triple of tens   0 points" in line]
        assert (wedge in "".join(shown)) == (seat != YOU)
        assert f"{story.words.name_of(seat)}: a triple" in head


def test_a_high_card_shows_its_suit_or_what_it_is():
    def picture(card: str, skin: Skin, size: Size = USUAL) -> str:
        lines = block(TEXTS.index(card), skin, size)
        return "".join(text for line in lines[1:] for _, text in line)

    assert picture("R2", SYMBOLS) == picture("RA", KANJI)
    cards = ("R2", "G2", "B2", "K2", "M", "H", "P", "D")
    for size in (SMALL, USUAL):
        assert len({picture(card, PLAIN, size) for card in cards}) == len(cards)
    assert picture("R2", with_ascii_frames(SYMBOLS)).strip() == ""


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("size", [USUAL, TALL, WIDE])
def test_each_card_has_exactly_its_size(skin, size):
    for face in FACES:
        lines = block(face, SKINS[skin], size)
        assert [line_width(line) for line in lines] == [size.width] * size.height


def test_a_framed_card_has_its_rank_above_and_its_suit_below():
    lines = block(TEXTS.index("KT"), with_framed_cards(SYMBOLS), USUAL)
    assert lines_told(lines) == ["┌──┐", "│10│", "│ ⍏│", "└──┘"]


def test_the_key_that_calls_tichu_is_shown_while_tichu_can_be_called():
    keys = {name: drawn(SCENES[name](), 80, 24)[-2] for name in ("wish_bound", "lead")}
    assert "t Tichu" in keys["wish_bound"]
    assert "t Tichu" not in keys["lead"]


def test_each_team_stands_over_its_points():
    lines = drawn(SCENES["won"](), 80, 24)
    now = next(line for line in lines if line.strip().startswith("now"))
    heads = lines[lines.index(now) - 2]
    for team, points in (("you and Bea", "-100"), ("Carl and Dora", "200")):
        assert heads.index(team) + len(team) == now.index(points) + len(points)


def test_cards_that_are_left_are_shown_at_the_end_of_a_round():
    scene = SCENES["round_over"]()
    assert scene.finished is not None
    hands = tuple(map(tuple, scenes.hands()))
    shown = drawn(replace(scene, finished=scene.finished._replace(hands=hands)), 80, 24)
    (mine,) = [line for line in shown if line.startswith("   3  you")]
    assert mine.rstrip().endswith("cards left: 10  2✦ 3◉ 5⌂ 8⍏ 9⌂ 10✦ 10⍏ Q◉ A⍏ Phx")


@pytest.mark.parametrize("length", [9, 90])
def test_the_pane_shows_the_news_before_those_below_the_table(length):
    told = tuple(f"News {each:02} {'x' * length}." for each in range(40))
    lines = drawn(replace(SCENES["lead"](), lately=told), 120, 40, SKINS["framed"])
    beside = [line.split("│")[-1] for line in lines if "│" in line]
    table = [line for line in lines if "│" not in line]
    below, earlier = (re.findall(r"News (\d\d)", "\n".join(each)) for each in (table, beside))
    shown = [f"{each:02}" for each in range(40)]
    assert earlier
    assert [*earlier, *below] == shown[-len(earlier) - len(below) :]
    assert any(line.strip() == "EARLIER" for line in beside)


def test_a_pane_without_earlier_news_has_no_heading_for_them():
    lines = drawn(replace(SCENES["lead"](), lately=("News.",)), 120, 40)
    assert not any("EARLIER" in line for line in lines)


def test_large_letters_give_way_to_one_line():
    assert len(large("TICHU", SYMBOLS, 14)) == 3
    assert all(len(row) == 14 for row in large("TICHU", SYMBOLS, 14))
    one = ["T I C H U"]
    assert large("TICHU", SYMBOLS, 13) == large("TICHU", ASCII, 40) == one
    assert large("爆弾", SYMBOLS, 40) == ["爆 弾"]


def told_unseen(scene: Scene, cells: int = 69) -> str:
    return "".join(lines_told([unseen_line(scene, SYMBOLS, cells)]))


def test_places_of_unseen_cards_never_move():
    scene = SCENES["lead"]()
    assert told_unseen(scene) == "10 .◉⌂.  J ✦◉⌂⍏  Q ✦.⌂⍏  K ✦◉⌂⍏  A ✦◉⌂.  Drg  ...  Dog"
    assert told_unseen(scene, 50).startswith("J ✦◉⌂⍏  Q ")
    assert scene.game is not None
    high = tuple(face for face in FACES if NUMBERS[face] >= 10 or SUITS[face] is None)
    laid = Laid(YOU, high, 0, 0, leads=True)
    seen = replace(scene, game=scene.game._replace(laid=(laid,)))
    assert told_unseen(seen) == "10 ....  J ....  Q ....  K ....  A ....  ...  ...  ..."


def test_no_card_of_another_seat_is_seen_before_it_is_laid():
    text = "\n".join(drawn(SCENES["grand"](), 120, 40))
    assert "1⌂" not in text
    assert "J✦" not in text


@pytest.mark.parametrize("text", ["茶" * 200, "x" * 300, "class:title", "%s{0}"])
def test_a_hostile_line_of_talk_moves_nothing(text):
    stormy = leading().tell(TalkHeard(text, "Taro", Seat(1))).scene
    both = leading().scene, stormy
    shown = (layout.draw(each, 120, 40, SYMBOLS).body[:-2] for each in both)
    for before, after in zip(*shown, strict=True):
        assert beside_panel(before) == beside_panel(after)


def beside_panel(line: Line) -> Line:
    return [(style, text) for style, text in line if "class:panel" not in style]


def test_the_pane_has_a_ground_of_its_own_where_cards_have_colours():
    for skin, edge in ((SYMBOLS, " "), (SKINS["framed"], "│")):
        frame = layout.draw(SCENES["lead"](), 120, 40, skin)
        inside = panes(frame.body)
        assert panes(frame.body[1 : len(inside) + 1]) == inside
        assert {(len(pane), pane[0]) for pane in inside} == {(35, edge)}


@pytest.mark.parametrize(("columns", "rows", "cells"), [(80, 24, 80), (120, 40, 85)])
@pytest.mark.parametrize("name", ["lead", "proposed", "wish_bound"])
def test_own_hand_stands_in_the_middle_of_the_table(name, columns, rows, cells):
    scene = SCENES[name]()
    lines = lines_of(layout.draw(scene, columns, rows, SYMBOLS), columns, rows)
    hand = max(lines, key=lambda line: sum("card" in style for style, _ in line))
    mouse = [at for at, (style, _) in enumerate(hand) if "card" in style]
    left, whole = (line_width(hand[:at]) for at in (mouse[0], mouse[-1] + 1))
    assert abs(left - (cells - whole)) <= 1
    size = USUAL if columns == 80 else WIDE
    assert whole - left == size.row(len(scene.held))


def test_long_names_leave_the_hand_in_its_place():
    scene = Story().first_eight().scene
    words = scene.words
    words.around = words.around._replace(right="W" * 24, partner="茶" * 12, left="class:at")
    lines = drawn(replace(scene, words=words), 60, 16)
    assert "".join(lines).count("7✦") == 1


@pytest.mark.slow
def test_no_keys_in_no_terminal_break_the_screen():
    rng = random.Random(4)
    for name, build in SCENES.items():
        scene = build()
        for _ in range(100):
            key = rng.choice((*NAMED_KEYS, *"1234567890JQKAMHPDnNpbtgsxyq? ", "card3", "gift1"))
            columns, rows = rng.choice(SIZES)
            scene = press(scene, key)[0]
            frame = layout.draw(scene, columns, rows, SYMBOLS)
            assert all(line_width(line) <= columns for line in frame.body), (name, key)
            assert len(frame.body) <= rows or frame.scrolls, (name, key)


def test_a_long_play_is_shown_whole_in_the_pane():
    trick = Trick(YOU, "3✦ 3◉ 3⌂ 4✦ 4◉ 4⌂ 5✦ 5◉", 30)
    scene = replace(leading().scene, tricks=(trick,))
    shown = "\n".join(drawn(scene, 120, 40))
    assert CUT not in shown
    assert "5✦ 5◉" in shown


@pytest.mark.parametrize("name", ["grand", "lead", "round_over", "won"])
def test_the_question_has_its_place_above_the_news_in_a_high_terminal(name):
    scene = replace(SCENES[name](), lately=tuple(f"News {each}." for each in range(6)))
    lines = drawn(scene, 100, 60)
    assert lines[53].lstrip().startswith("> ")
    assert [line.strip() for line in lines[54:58]] == [f"News {each}." for each in range(2, 6)]


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("RK GK BK R9 G9", "a full house"),
        ("RJ GJ RQ GQ RK GK", "stairs"),
        ("RK GK", "a pair of kings"),
    ],
)
def test_a_narrow_field_names_the_player_and_the_kind_of_what_lies(cards, kind):
    scene = leading().scene
    laid = Laid(CARL, scenes.faces(cards), 0, 0, leads=True)
    scene = replace(scene, trick=((CARL, laid),))
    assert f"Carl: {kind} " in "\n".join(drawn(scene, 60, 16))
    assert CUT not in "\n".join(drawn(scene, 60, 16))


def test_a_hint_about_a_wish_leaves_the_hand_in_sight():
    scene = replace(SCENES["wishing"](), hint="\n".join(f"{at}. {WHY}" for at in (1, 2, 3)))
    shown = drawn(scene, 60, 16)
    hand = next(line for line in shown if "Drg" in line)
    assert all(card_text(face) in hand for face in scene.held.values())
    assert "(1/2: Space)" in "\n".join(shown)
    assert "(2/2: Space)" in "\n".join(drawn(press(scene, " ")[0], 60, 16))


WHY = (
    "the Mah Jong: about +20 points. It breaks up a straight of 5 to the five. 8 are left then."
)
