"""What is drawn: exactly as wide and high as the terminal, and as reviewed."""

import random
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from prompt_toolkit.formatted_text import fragment_list_width

from matcha_p2p.console.terminal.cells import CUT, Line, key_of, width
from matcha_p2p.console.terminal.looks import THEMES
from matcha_p2p.console.terminal.screen import NAMED_KEYS
from matcha_p2p.console.terminal.skins import (
    ASCII,
    KANJI,
    PLAIN,
    SYMBOLS,
    with_ascii_frames,
    with_framed_cards,
)
from matcha_p2p.games.matcha.rules.edition import EDITION_2020
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.drawing.tokens import winning
from matcha_p2p.games.matcha.screen.keys import press
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.table.events import ended_by
from matcha_p2p.narration.news import Checked, Recognised, Recognition
from matcha_p2p.narration.standing import ALARMING
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import LineTimed, NextGame, Settled, TalkHeard, Wishes
from tests.console.frames import assert_as_reviewed, draw
from tests.console.scenes import SCENES, Story, conceded, first_move, second_round

SCREENS = Path(__file__).parents[2] / "screens"
SKINS = {
    "plain": PLAIN,
    "symbols": SYMBOLS,
    "kanji": KANJI,
    "ascii": ASCII,
    "framed": with_framed_cards(SYMBOLS),
    "kanji-ascii": with_ascii_frames(KANJI),
}
SIZES = [
    (60, 16),
    (60, 24),
    (79, 23),
    (80, 16),
    (80, 24),
    (100, 35),
    (100, 40),
    (110, 40),
    (160, 50),
    (300, 100),
]
LONGEST = "茶" * 8


def drawn(scene: Scene, columns: int, rows: int, skin=SYMBOLS) -> list[str]:
    lines = draw(scene, columns, rows, skin)
    return ["".join(text for _, text in line) for line in lines]


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("name", SCENES)
def test_each_screen_fills_a_terminal_of_any_size_exactly(name, skin):
    scene = SCENES[name]()
    for columns, rows in [*SIZES, (1, 1), (2, 50), (59, 16), (200, 15), (20, 5)]:
        lines = draw(scene, columns, rows, SKINS[skin])
        assert [fragment_list_width(line) for line in lines] == [columns] * rows


@pytest.mark.parametrize("name", SCENES)
def test_each_style_is_defined(name):
    known = {"[field]"}
    known |= {f"class:{name}" for style in THEMES["dark"] for name in style.split()}
    for columns, rows in SIZES:
        for line in draw(SCENES[name](), columns, rows, SYMBOLS):
            for style, _ in line:
                assert {name for name in style.split() if key_of(name) is None} <= known


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 16), (110, 40)])
def test_each_screen_looks_as_reviewed(name, columns, rows, request):
    path = SCREENS / f"{name}-{columns}x{rows}.txt"
    text = "\n".join(line.rstrip() for line in drawn(SCENES[name](), columns, rows)) + "\n"
    assert_as_reviewed(path, text)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", ["first_move", "second_round", "keeping", "conceded"])
def test_the_table_is_whole_at_every_size(name, columns, rows):
    """Both players, all six mats, the question and the keys have a place."""
    text = "\n".join(drawn(SCENES[name](), columns, rows))
    for words in ("Mina", "you", "a = 3", "f = ", "⚘T3", "≋W1", "◡B2", "⚲S4", "q leave"):
        assert words in text
    assert text.count(" K▫▫▫▫") == 2


@pytest.mark.slow
def test_no_keys_in_no_terminal_break_the_screen():
    """Two thousand keys and resizes at random, from every scene."""
    rng = random.Random(4)
    for name, build in SCENES.items():
        scene = build()
        for _ in range(150):
            key = rng.choice((*NAMED_KEYS, *"12345abcdefpwq/? 茶"))
            columns, rows = rng.choice([*SIZES, (1, 1), (20, 5), (59, 15)])
            scene = press(scene, key)[0]
            lines = draw(scene, columns, rows, SYMBOLS)
            assert {fragment_list_width(line) for line in lines} == {columns}, (name, key)
            assert len(lines) == rows


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
@pytest.mark.parametrize(
    "text",
    ["茶" * 200, "e\u0301\u0301" * 60, "x" * 200, "class:title", "</style>", "%s{0}"],
)
def test_a_hostile_line_of_talk_stays_in_its_pane(text, columns, rows):
    """It comes cleaned; the width of what is left is measured, whatever it is."""
    story = Story().deal()
    story.scene = second_round()
    heard = story.tell(TalkHeard(text, "Taro", Seat(1))).scene
    shown = (draw(each, columns, rows, SYMBOLS) for each in (second_round(), heard))
    for before, after in zip(*shown, strict=True):
        assert split(before)[0] == split(after)[0]


def split(line: Line) -> tuple[Line, str]:
    """Return a line without the pane, and the text of the pane."""
    table = [each for each in line if "class:panel" not in each[0]]
    return table, "".join(text for style, text in line if "class:panel" in style)


@pytest.mark.parametrize("name", [LONGEST, "W" * 24, "{name}", "class:at"])
def test_any_name_leaves_the_table_in_its_place(name):
    for edition in (Story().game.edition, EDITION_2020):
        scene = Story(edition, name).deal().scene
        lines = drawn(scene, 60, 16)
        assert all(width(line) == 60 for line in lines)
        assert "".join(lines).count("⚘T3") == 1


def test_small_terminal_is_told_and_loses_nothing():
    assert "Please enlarge" in " ".join(drawn(first_move(), 59, 20))
    assert "Your move" in "\n".join(drawn(first_move(), 60, 16))


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40), (160, 50)])
def test_the_own_cards_face_down_are_seen_and_those_of_the_other_are_not(columns, rows):
    story = Story().deal().play("1a", "1b")
    lines = drawn(story.scene, columns, rows)
    assert any("▚" in line and "◡B3" in line for line in lines)
    assert "⚲S3" not in "\n".join(lines)


def test_without_icons_every_card_keeps_letter_and_number():
    text = "\n".join(drawn(first_move(), 80, 24, ASCII))
    assert text.isascii()
    assert all(card in text for card in ("T3", "W1", "B2", "S4", "W4", "T1", "Z0"))


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
def test_trouble_with_the_line_is_told_above_the_question_or_the_news(columns, rows):
    scene = replace(first_move(), troubles={"": "Nothing has come."})
    lines = [line.strip() for line in drawn(scene, columns, rows)]
    below = lines[lines.index("Nothing has come.") + 1]
    assert below.startswith(("> Your move", "Set 1. You deal"))


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
def test_the_title_says_how_far_away_the_other_player_is(columns, rows):
    """As long as the line stands; in another game of the same two as well."""
    scene = Story().deal().tell(LineTimed(0.0244)).scene
    for each in (scene, hear(scene, NextGame((1, 0)))):
        assert drawn(each, columns, rows)[0].endswith(" 24 ms ")
    assert " 1 ms " in drawn(Story().deal().tell(LineTimed(0.0)).scene, columns, rows)[0]
    lost = replace(scene, troubles={"": "Nothing has come."})
    assert " ms" not in drawn(lost, columns, rows)[0]


def test_news_are_shown_in_whole_sentences():
    """None begins in the middle, however little room there is."""
    told = tuple(f"Sentence {number} goes on and {'on and ' * 20}on." for number in range(9))
    for columns, rows in SIZES:
        text = "\n".join(drawn(replace(first_move(), lately=told), columns, rows))
        assert text.count("goes on") == len(re.findall(r"Sentence \d goes on", text)) > 0


def test_a_mark_says_that_the_last_sentence_goes_on():
    hint, ends = f"{'Lay it there, ' * 60}is the end.", set[bool]()
    for columns, rows in SIZES:
        lines = drawn(replace(first_move(), lately=(hint,)), columns, rows)
        last = [each for each in map(str.strip, lines[:-2]) if each][-1]
        assert last.endswith(("~", "the end.")), (columns, rows)
        ends.add("the end." in last)
    assert ends == {True, False}


@pytest.mark.parametrize(
    ("columns", "rows", "high"),
    [
        (60, 16, 1),
        (60, 23, 1),
        (79, 24, 3),
        (80, 24, 3),
        (80, 33, 3),
        (80, 34, 5),
        (110, 36, 5),
        (160, 50, 7),
    ],
)
def test_cards_grow_with_the_terminal(columns, rows, high):
    """The paper of the second card of the hand, in rows."""
    lines = draw(first_move(), columns, rows, SYMBOLS)
    on_paper = [line for line in lines if any("key-2" in style for style, _ in line)]
    assert len(on_paper) == high


def test_chosen_card_tells_its_effect_at_each_mat():
    for columns, rows in SIZES:
        text = "\n".join(drawn(Story().deal().press("1").scene, columns, rows))
        assert "On a it matches. No hidden card beats it." in text
        assert "On b it is a bluff: b wants water. Beaten by ≋W3." in text
    text = "\n".join(drawn(Story().deal().press("2").scene, 80, 24))
    assert "On a it is a bluff: a wants a 3. Beaten by ≋W3, ⚲S3." in text


def test_a_gained_token_has_its_own_colour():
    """Not that of the card which has gained it."""
    scene = Story().deal().play("1a", "1a", "2b", "p").scene
    for columns, rows in SIZES:
        gains = [
            style
            for line in draw(scene, columns, rows, SYMBOLS)
            for style, text in line
            if text.strip().startswith(("+⚘T", "+T"))
        ]
        assert gains
        assert all("class:leaf" in style for style in gains)


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
def test_a_long_message_keeps_its_speaker(columns, rows):
    story = Story().deal().tell(TalkHeard("well well " * 60, "Taro", Seat(1)))
    whole = draw(story.scene, columns, rows, SYMBOLS)
    lines = [(split(line)[1] or "".join(text for _, text in line)).strip() for line in whole]
    at = next(n for n, line in enumerate(lines) if line.startswith("well"))
    assert lines[at - 1].startswith("Mina: well")


def test_the_check_of_the_transcript_is_a_mark_and_the_result_stays_the_last_word():
    story = Story()
    story.scene = SCENES["won"]()
    lines = drawn(story.tell(Checked("")).scene, 80, 24)
    assert "checked" in lines[0]
    assert lines[-3].strip() == "You win: 4 leaf tokens."


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24)])
def test_tie_break_shows_the_condition_and_then_the_deciding_tokens(columns, rows):
    text = " ".join(" ".join(drawn(SCENES["tie_break"](), columns, rows, PLAIN)).split())
    assert text.index(" T B W S K ") < text.index(" T 1:0 ")
    assert "more leaf tokens, 1 to 0, after both met a condition (all five kinds; 4" in text


@pytest.mark.parametrize(
    ("how", "tokens", "lit"),
    [
        (How.ALIKE, (4, 1, 1, 1, 1), "TTTT"),
        (How.FIVE_KINDS, (2, 1, 1, 1, 1), "TBWSK"),
        (How.TIE_BREAK, (2, 1, 1, 1, 1), "TBWSKT"),
        (How.TIE_BREAK, (2, 0, 0, 0, 4), "KKKKTT"),
        (How.FURTHER_ROUNDS, (5, 0, 0, 0, 0), "TTTTT"),
        (How.LAST_SET, (2, 0, 0, 1, 1), "TT"),
        (How.RESIGNED, (2, 0, 0, 1, 1), ""),
    ],
)
def test_tokens_that_meet_a_condition_light_up_before_those_that_decide(how, tokens, lit):
    end = ended_by(Ended(SEATS[0], how), (tokens, (1, 0, 0, 0, 4)))
    assert "".join(token.letter for token in winning(end)) == lit


def test_nothing_lights_up_in_a_draw():
    tokens = (1, 1, 0, 0, 0)
    assert winning(ended_by(Ended(None, How.DRAW), (tokens, tokens))) == ()


def test_a_click_on_a_key_of_the_last_lines_presses_it():
    for scene, keys in (
        (first_move(), "enter p ? m / l w q"),
        (conceded(), "enter ? m / l w q"),
    ):
        bars = draw(scene, 80, 24, SYMBOLS)[-2:]
        clicks = {key_of(style) for bar in bars for style, _ in bar}
        assert clicks - {None} == set(keys.split())


@pytest.mark.parametrize("standing", [each for each in Recognition if each in ALARMING])
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (160, 50)])
def test_doubtful_identity_is_told_in_red_until_our_own_move(standing, size):
    def alarms(scene):
        lines = draw(scene, *size, SYMBOLS)
        return [text.rstrip() for line in lines for style, text in line if "alarm" in style]

    story = Story()
    story.tell(Recognised(standing, "Mina", "Mina", date(2026, 5, 3)))
    before = alarms(story.scene)
    assert "".join(before).lstrip() == story.scene.told[-1]
    assert ("NOT" in before[0]) == (standing is not Recognition.OWN_KEY)
    story.deal()
    assert alarms(story.scene) == before
    story.play("1a")
    (after,) = alarms(story.scene)
    assert after[:-1] in "".join(before)
    assert after.endswith(CUT) == (len(before) > 1)


@pytest.mark.parametrize("standing", [each for each in Recognition if each not in ALARMING])
def test_known_or_new_player_is_told_without_alarm(standing):
    story = Story().tell(Recognised(standing, "Mina", "Mina", date(2026, 5, 3)))
    shown = draw(story.scene, 80, 24, SYMBOLS)
    assert not any(style == "class:alarm" for line in shown for style, _ in line)
    assert "Mina" in story.scene.told[-1]


def test_offer_is_lit_as_a_question_and_trouble_as_an_alarm():
    offered = hear(hear(conceded(), Settled(bytes(32))), Wishes(("Mina",), ("Taro",)))
    troubled = SCENES["lost_line"]()
    for scene, words, style in (
        (offered, "Another game: Mina would like", "class:due"),
        (troubled, troubled.trouble[:20], "class:alarm"),
    ):
        lines = draw(scene, 80, 24, PLAIN)
        assert {look for line in lines for look, text in line if words in text} == {style}
