"""Tables of keys: what the bar shows works, and the help has it."""

import re
from dataclasses import replace
from functools import partial

import click
import pytest

from matcha_p2p.cli.topics import TOPICS, page
from matcha_p2p.console.review import findings
from matcha_p2p.console.table import captions, keymap
from matcha_p2p.console.table.focus import AtTable, OpenList
from matcha_p2p.console.table.show import GO_ON, SKIPS
from matcha_p2p.console.terminal.cells import key_of, line_width, width
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.rules.moves import TakeTurn
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.screen import captions as kashi_captions
from matcha_p2p.games.kashi.screen.keys import FRAME as KASHI
from matcha_p2p.games.matcha.screen.keys import FRAME as MATCHA
from matcha_p2p.games.matcha.words import captions as matcha_captions
from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.screen.keys import FRAME as TICHU
from matcha_p2p.games.tichu.words import captions as tichu_captions
from matcha_p2p.language import Sentence
from matcha_p2p.session.news import MakeMove
from tests.console.hints import press_hinted
from tests.console.scenes import SCENES as MATCHA_SCENES
from tests.games.kashi.scenes import SCENES as KASHI_SCENES
from tests.games.kashi.scenes import Story, market
from tests.games.tichu.screen.scenes import SCENES as TICHU_SCENES

FRAMES = {"matcha": MATCHA, "kashi": KASHI, "tichu": TICHU}

CAPTIONS = ((MATCHA, matcha_captions), (KASHI, kashi_captions), (TICHU, tichu_captions))


def built(scenes):
    for name, scene in scenes.items():
        made = scene() if callable(scene) else scene
        yield name, getattr(made, "scene", made)


def asked_also(frame, scenes):
    """Yield the scenes, and those of practice in which undo is asked about."""
    for name, scene in built(scenes):
        yield name, scene
        if scene.coached and scene.focus == AtTable():
            yield f"{name}-undo", frame.press(replace(scene, decided=1), "u")[0]


CASES = [
    pytest.param(frame, scene, id=f"{game}-{name}")
    for game, frame, scenes in (
        ("matcha", MATCHA, MATCHA_SCENES),
        ("kashi", KASHI, KASHI_SCENES),
        ("tichu", TICHU, TICHU_SCENES),
    )
    for name, scene in asked_also(frame, scenes)
    if isinstance(scene.focus, AtTable | OpenList) and scene.watched is None
]


def tables(frame, scene):
    return frame.first(scene), frame.common


@pytest.mark.parametrize(("frame", "scene"), CASES)
def test_each_key_of_the_bar_has_an_effect(frame, scene):
    for table in tables(frame, scene):
        for key in keymap.shown(table, scene):
            assert frame.press(scene, key.names[0]) != (scene, None), key.on


@pytest.mark.parametrize(("frame", "scene"), CASES)
def test_bar_names_undo_while_a_decision_can_be_taken_back_but_not_at_the_end(frame, scene):
    coached = replace(scene, advise=str, decided=1)
    labels = [key.on for key in keymap.shown(frame.common, coached)]
    assert ("u" in labels) is not frame.over(coached)


@pytest.mark.parametrize(("frame", "scene"), CASES)
def test_click_on_a_bar_is_the_key(frame, scene):
    for table in tables(frame, scene):
        clicks = {key_of(style) for style, _ in keymap.bar(table, scene, 400)} - {None}
        assert clicks == {key.names[0] for key in keymap.shown(table, scene)}


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize(("frame", "scene"), CASES)
def test_help_and_leave_stay_in_a_narrow_bar(frame, scene, columns):
    line = keymap.bar((*frame.first(scene), *frame.common), scene, columns)
    assert line_width(line) == columns
    assert {"?", "q"} <= {key_of(style) for style, _ in line}


@pytest.mark.parametrize(("frame", "scene"), CASES)
def test_bar_answers_whatever_is_asked(frame, scene):
    if scene.asked:
        assert keymap.shown(frame.first(scene), scene)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_help_has_each_key_of_the_bar(frame):
    helped = {key.shown for table in frame.help() for key in table if key.help is not None}
    assert {key.shown for table in frame.help() for key in table if key.label} <= helped


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_help_has_one_row_for_each_key(frame):
    lines = keymap.help_lines(frame.help(), 78)
    left = max(width(key.shown) for table in frame.help() for key in table if key.help)
    signs = [line[:left].strip() for line in lines if line[:left].strip()]
    assert len(signs) == len({*signs})
    told = " ".join(line[left:].strip() for line in lines)
    assert all(key.help() in told for table in frame.help() for key in table if key.help)
    assert not any(f" {sign}: " in told for sign in signs)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_no_game_takes_a_key_of_the_frame(frame):
    own = {name for key in frame.own for name in key.names}
    assert own & {name for key in frame.common for name in key.names} == set()


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_key_of_all_games_has_one_meaning(frame):
    keys = [name for key in (*frame.ending, *frame.common) for name in key.names]
    assert len(keys) == len({*keys})


def keys_in(text):
    """Return the letters that stand alone: in English none but a and I is a word."""
    return {*re.findall(r"(?<!\S)[b-z]\b(?!')", text.replace("{seconds} s", ""))}


def keys_of(frame):
    return {name for table in frame.help() for key in table for name in key.names}


@pytest.mark.parametrize(("frame", "sentences"), CAPTIONS, ids=FRAMES)
def test_a_letter_in_a_sentence_of_the_screen_is_a_key(frame, sentences):
    said = [*vars(captions).values(), *vars(sentences).values()]
    named = [keys_in(each.english) for each in said if isinstance(each, Sentence)]
    assert any(named)
    assert set().union(*named) <= {*keys_of(frame), findings.TURNS}


def test_a_letter_in_help_is_a_key_of_a_game():
    named = [keys_in(page(topic, click.HelpFormatter())) for topic in TOPICS]
    assert any(named)
    assert set().union(*named) <= set().union(*map(keys_of, FRAMES.values()))


@pytest.mark.parametrize(("frame", "scene"), CASES)
def test_talk_is_in_the_bar_of_the_smallest_terminal_wherever_one_can_talk(frame, scene):
    (speak,) = (key for key in frame.common if "/" in key.names)
    line = "".join(text for _, text in keymap.bar(frame.common, scene, 60))
    assert ("/ talk" in line) == bool(speak.called(scene)) == (not scene.is_silent)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_keys_of_an_act_answer_nothing(frame):
    scene = next(scene for each, scene in map(values, CASES) if each is frame)
    acts = frame.first(replace(scene, focus=AtTable(), acting=True))
    assert {name for key in acts for name in key.names} <= {*GO_ON, SKIPS}


def without_hint(frame, scene):
    return replace(frame.press(scene, "escape")[0], hint="")


COACHED = {
    MATCHA: lambda: (without_hint(MATCHA, MATCHA_SCENES["hinted"]()), "right"),
    KASHI: lambda: (Story(market(), practice=True).ask().scene, "g"),
    TICHU: lambda: (without_hint(TICHU, TICHU_SCENES["hinted"]()), "right"),
}
"""A scene of practice, and a key of an own answer."""


def values(case):
    return case.values


@pytest.mark.parametrize(("frame", "scene"), CASES)
def test_list_is_answered_by_its_keys(frame, scene):
    for option in scene.question.options if isinstance(scene.question, Listing) else ():
        assert frame.press(scene, option.key) != (scene, None)


def advised():
    """Yield scenes of practice in which a move is due, and the good player's move."""
    for name, scene in built(KASHI_SCENES):
        if scene.asked and scene.game is not None and scene.focus == AtTable():
            draft = scene.draft
            made = () if draft is None else draft.made
            seen = Outlook(scene.game if draft is None else draft.game, scene.seat)
            move = advise(seen).move
            move = TakeTurn((*made, *move.actions)) if isinstance(move, TakeTurn) else move
            coached = replace(scene, advise=advise)
            yield pytest.param(KASHI, coached, move, id=f"kashi-{name}")
    for name, scene in built(TICHU_SCENES):
        if scene.asked and scene.focus == AtTable():
            moves = scene.due.legal_moves()
            for at in {0, len(moves) // 4, len(moves) - 1}:
                coached = replace(scene, advise=partial(judged, moves[at]))
                yield pytest.param(TICHU, coached, moves[at], id=f"tichu-{name}-{at}")


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_hint_comes_later_and_not_upon_an_own_answer(frame):
    scene, key = COACHED[frame]()
    waiting, asked = frame.press(scene, "h")
    judgement = asked.advise(asked.seen)
    assert (waiting.advice, waiting.question) == ("A hint is coming.", scene.question)
    assert frame.press(waiting, "h") == (waiting, None)
    hinted, choice = frame.hinted(waiting, asked, judgement)
    assert (hinted.advice in ("", waiting.advice), choice) == (False, None)
    assert frame.hinted(scene, asked, judgement) == (scene, None)
    answered, _ = frame.press(waiting, key)
    assert frame.hinted(answered, asked, judgement) == (answered, None)
    assert answered == frame.press(scene, key)[0]


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_enter_waits_for_the_hint_and_gives_its_answer(frame):
    scene, _ = COACHED[frame]()
    waiting, asked = frame.press(scene, "h")
    judgement = asked.advise(asked.seen)
    entered, choice = frame.press(waiting, "enter")
    assert (entered.question, choice) == (scene.question, None)
    assert frame.press(entered, "enter") == (entered, None)
    hinted, _ = frame.hinted(waiting, asked, judgement)
    after = frame.hinted(entered, asked, judgement)
    assert after == frame.press(hinted, "enter") != (hinted, None)
    talking, _ = frame.press(entered, "l")
    assert frame.hinted(talking, asked, judgement)[1] is None


def judged(move, _):
    return Judgement((JudgedMove(move, None),))


@pytest.mark.parametrize(("frame", "scene", "move"), [*advised()])
def test_enter_gives_what_the_hint_says(frame, scene, move):
    """A play with a wish, or a call, is asked about first; a turn has several steps."""
    scene, choice = press_hinted(frame, scene, "h")
    for _ in range(12):
        if choice is None:
            scene, choice = frame.press(scene, "enter")
    assert choice == MakeMove(move)
