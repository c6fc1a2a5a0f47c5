"""The questions of the menu: keys in, answers out; drawn on any terminal, or line by line."""

import os
import random
from contextlib import suppress
from dataclasses import replace

import pytest
import segno
import trio
import trio.testing
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import fragment_list_width
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from matcha_p2p.console.menu.asker import InputClosedError, LineAsker
from matcha_p2p.console.menu.bowl import BEAT
from matcha_p2p.console.menu.codes import large_digits, qr_lines
from matcha_p2p.console.menu.menu import (
    LONGEST,
    Back,
    Chosen,
    Large,
    Menu,
    MenuQuestion,
    Pressed,
    QrCode,
    TextField,
    TextPage,
    Wait,
    Written,
    draw,
    paste,
    press,
    write,
)
from matcha_p2p.console.menu.screen import Asking, MenuView, screen_asker
from matcha_p2p.console.terminal.cells import CUT, key_of, width
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.console.terminal.looks import THEMES, Bell, Look
from matcha_p2p.console.terminal.screen import NAMED_KEYS
from matcha_p2p.console.terminal.skins import ASCII, SYMBOLS
from tests.console.frames import ask, lines_of

MENU = Menu("Title", ("Something is said.",), ("host", "join", "quit"))
FIELD = TextField("Title", ("How to fill it in.",), "Name:", default="Taro")
PAGE = TextPage("Title", tuple(f"Paragraph {number} " * 5 for number in range(40)))
LONG = Menu("茶" * 50, ("s" * 300,) * 3, tuple(f"entry {n} " + "湯" * 20 for n in range(30)))
WAIT = Wait("Title", ("Let them come.",), "matcha1" + "q" * 106, (("c", "copy"),))
CODE = QrCode("Title", ("Look.",), WAIT.text)
QUESTIONS = {
    "wait": WAIT,
    "code": CODE,
    "menu": MENU,
    "field": FIELD,
    "page": PAGE,
    "long": LONG,
    "last": Menu("", (), LONG.entries, at=29),
    "draft": TextField("", LONG.said, "p" * 70, draft="茶" * 90),
}
SIZES = [(1, 1), (2, 2), (20, 5), (59, 15), (60, 16), (80, 24), (300, 100)]


def after(question, *keys):
    for key in keys:
        question = press(question, key)
    return question


def text_of(lines) -> list[str]:
    return ["".join(text for _, text in line) for line in lines]


def shown(question, columns=80, rows=24, skin=SYMBOLS) -> list[str]:
    lines = ask(question, columns, rows, skin)
    return ["".join(text for _, text in line).rstrip() for line in lines]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["enter"], Chosen(0)),
        (["down", "enter"], Chosen(1)),
        (["２"], Chosen(1)),
        (["up", "enter"], Chosen(2)),
        (["right", "right", "right", "enter"], Chosen(0)),
        (["end", "enter"], Chosen(2)),
        (["end", "home", "enter"], Chosen(0)),
        (["3"], Chosen(2)),
        (["4", "0", "x", "²", "tab", "enter"], Chosen(0)),
        (["escape"], Back()),
        (["c-c"], Back()),
        (["f10"], Back()),
        (["q"], Back()),
    ],
)
def test_a_menu_is_chosen_from_with_arrows_digits_and_enter(keys, answer):
    assert after(MENU, *keys) == answer


def test_a_menu_that_takes_a_text_takes_its_first_letter_for_no_choice():
    tables = MENU._replace(writes=True)
    assert after(tables, "m") == Written("m")
    assert after(tables, "M") == Written("M")
    assert after(tables, "2") == Chosen(1)
    assert after(tables, "q") == Back()
    assert after(MENU, "m") == MENU


def test_a_pasted_text_is_an_answer_where_one_may_be_pasted():
    assert paste(MENU._replace(writes=True), "matcha1") == Written("matcha1")
    assert paste(WAIT._replace(prompt="Paste it"), "reply") == Written("reply")
    assert [paste(each, "matcha1") for each in (MENU, WAIT, PAGE, CODE, FIELD)] == [None] * 5


@pytest.mark.parametrize("question", [MENU, FIELD, PAGE], ids=lambda each: type(each).__name__)
def test_a_wide_terminal_has_the_question_in_its_middle(question):
    narrow, wide = (shown(question, columns, 36)[2:-2] for columns in (100, 120))
    assert wide == [f"{' ' * 10}{line}".rstrip() for line in narrow]


def test_a_text_is_written_and_taken():
    assert press(write(FIELD, " z "), "enter") == Written("z")
    assert after(FIELD, "enter") == Written("Taro")
    assert press(write(FIELD, " "), "enter") == Written("Taro")
    assert press(write(FIELD, "Mina"), "escape") == Back()
    assert after(FIELD, "left", "f1", "enter") == Written("Taro")


def test_written_text_is_one_line_without_control_characters():
    field = write(FIELD, "matcha1\x1b[2J\n abc\u202e\x00\n")
    assert press(field, "enter") == Written("matcha1[2J  abc")
    assert write(MENU, "3") == MENU
    assert write(PAGE, "q") == PAGE
    assert len(write(FIELD, "x" * 10_000).draft) == LONGEST


def test_a_page_is_closed_and_a_wait_has_keys():
    assert shown(PAGE)[2].startswith(" Paragraph 0")
    assert after(PAGE, "x", "down", "enter") == Back()
    assert after(WAIT, "x", "c") == Pressed("c")
    assert after(WAIT, "с") == Pressed("c")  # as a Ukrainian keyboard has it
    assert after(WAIT, "escape") == Back()
    assert after(CODE, "enter") == Back()


def test_changing_status_is_told_below_the_question():
    told = {"At the door": ("Mina knocks.",), "Places": ()}
    for question in (MENU, FIELD, PAGE, WAIT):
        lines = [line.strip() for line in text_of(ask(question, 80, 70, SYMBOLS, told))]
        said = lines.index("At the door")
        assert lines[said + 1] == "Mina knocks."
        assert "Places" not in lines
        assert said > lines.index(question.said[-1].strip())


def test_large_digits_stand_above_all_else_and_are_five_lines_high():
    told = {"Places": ("Here.",), "At the door": ("Tell Ivo: 123 456", Large("123 456"))}
    lines = [line.rstrip() for line in text_of(ask(WAIT, 60, 16, ASCII, told))]
    assert lines[2:4] == [" At the door", " Tell Ivo: 123 456"]
    assert lines[4:9] == [
        "   ##    ######  ######      ##  ##  ######  ######",
        " ####        ##      ##      ##  ##  ##      ##",
        "   ##    ######  ######      ######  ######  ######",
        "   ##    ##          ##          ##      ##  ##  ##",
        " ######  ######  ######          ##  ######  ######",
    ]
    assert lines[10] == f" {WAIT.said[0]}"
    assert lines[-2].endswith("more lines")


async def test_large_digits_are_not_said_twice_line_by_line(pipe):
    pipe.asker.tell("At the door", ("Tell Ivo: 123 456", Large("123 456")))
    assert pipe.written == ["Tell Ivo: 123 456\n"]


@pytest.mark.parametrize("skin", [SYMBOLS, ASCII])
def test_large_digits_differ_and_are_as_wide_as_each_other(skin):
    drawn = {digit: tuple(text_of(large_digits(digit, skin))) for digit in "0123456789"}
    assert len(set(drawn.values())) == 10
    assert {(len(rows), width(row)) for rows in drawn.values() for row in rows} == {(5, 7)}


def test_a_qr_code_holds_the_text_in_capitals():
    """As many rows as segno makes, each seen once, two in a line."""
    code = segno.make_qr(CODE.text.upper(), error="l", boost_error=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=2)]
    drawn = ["".join(text for _, text in line) for line in qr_lines(CODE.text, SYMBOLS)]
    seen = [
        [character in marks for character in line] for line in drawn for marks in ("▀█", "▄█")
    ]
    assert seen[: len(rows)] == rows
    assert len("".join(drawn[0])) <= 45
    assert "too narrow" in "\n".join(shown(CODE, 30))
    assert {len(text) for line in qr_lines(CODE.text, ASCII) for _, text in line} == {
        2 * len(rows)
    }


@pytest.mark.parametrize("skin", [SYMBOLS, ASCII])
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_never_takes_more_than_the_terminal(name, skin):
    for columns, rows in SIZES:
        lines = ask(QUESTIONS[name], columns, rows, skin)
        assert len(lines) == rows
        for line in lines:
            assert fragment_list_width(line) == columns


@pytest.mark.parametrize("name", QUESTIONS)
def test_drawn_text_has_defined_styles(name):
    known = {"", "[field]", *(f"class:{style}" for style in THEMES["dark"])}
    for line in ask(QUESTIONS[name], 80, 24, SYMBOLS):
        for style, _ in line:
            assert {part for part in style.split() if key_of(part) is None} <= known


def test_the_chosen_entry_is_in_sight_and_marked_at_any_size():
    for at in range(30):
        for columns, rows in [(60, 16), (30, 7), (80, 24)]:
            lines = shown(Menu("", LONG.said, LONG.entries, at), columns, rows)
            (marked,) = (line for line in lines if line.startswith("  > "))
            assert f" entry {at} " in f"{marked} "


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
def test_all_answers_are_in_sight_below_any_news_if_they_fit(at, size):
    """At the door of a host, the invite and the ways to the host take the whole screen."""
    entries = tuple(f"answer {number}" for number in range(4))
    told = {"Where guests reach you": [f"way {number}" for number in range(30)]}
    question = Menu("At the door", ("Let them in?",), entries, at, rings=True)
    frame = draw(question, told, size, ASCII)
    lines = ["".join(text for _, text in line) for line in lines_of(frame, *size)]
    assert [sum(entry in line for line in lines) for entry in entries] == [1] * 4


@pytest.mark.parametrize("at", range(11))
def test_words_of_a_menu_stay_whole_while_many_entries_scroll(at):
    """Also what the last action said, above the entry under the cursor."""
    entries = tuple(f"entry {number}." for number in range(11))
    said = "You have won. " * 12
    lines = text_of(ask(Menu("Matcha", (said,), entries, at), 60, 16, SYMBOLS))
    assert said.split() == " ".join(lines[2:5]).split()
    assert any(entries[at] in line for line in lines)


def test_entry_wider_than_the_menu_goes_on_below_and_keeps_its_click():
    lines = ask(Menu("", (), ("a " * 40 + "end", "next")), 60, 16, SYMBOLS)
    (last,) = (line for line in lines if "end" in "".join(text for _, text in line))
    assert [key_of(style) for style, text in last if "end" in text] == ["1"]
    assert CUT not in "".join(text for line in lines for _, text in line)


def test_a_click_is_the_number_of_the_entry():
    clicks = {
        key_of(style): text
        for line in ask(MENU, 80, 24, SYMBOLS)
        for style, text in line
        if key_of(style) is not None
    }
    assert {key: text.strip(" >123") for key, text in clicks.items()} == {
        "1": "host",
        "2": "join",
        "3": "quit",
    }


def test_a_letter_of_the_last_line_stands_out_and_a_click_presses_it():
    (*_, last) = ask(WAIT, 80, 24, SYMBOLS)
    letters = [(key_of(style), text) for style, text in last if "class:letter" in style]
    assert letters == [("c", "c")]
    assert all("class:keys" in style or "class:letter" in style for style, _ in last)


def test_headings_of_a_page_stand_out():
    page = TextPage("", ("A TITLE", "Some text."), frozenset({"A TITLE"}))
    styles = {
        text.strip(): style for line in ask(page, 80, 24, SYMBOLS) for style, text in line
    }
    assert styles["A TITLE"] == "class:now"
    assert styles["Some text."] == ""


@pytest.mark.parametrize(("columns", "rows"), [(76, 20), (80, 24), (120, 40), (200, 60)])
def test_a_bowl_steams_beside_the_first_menu(columns, rows):
    first = MENU._replace(teaches="Leaf beats bowl.")
    frames = [
        text_of(lines_of(draw(first, {}, (columns, rows), SYMBOLS, now), columns, rows))
        for now in (0.1, 1.1 * BEAT, 2.1 * BEAT, 3.1 * BEAT)
    ]
    assert len({tuple(frame) for frame in frames[:3]}) == 3
    assert frames[3] == frames[0]
    for frame in frames:
        text = "\n".join(frame)
        assert all(each in text for each in ("█" * 20, "1  host", "Leaf beats bowl."))
        assert CUT not in text
        assert {width(line) for line in frame} == {columns}


def test_first_menu_has_a_bowl_only_with_room_and_half_blocks():
    first = MENU._replace(teaches="Leaf beats bowl.")
    for lines in (shown(first, 60, 16), shown(first, skin=ASCII)):
        assert "█" not in "\n".join(lines)
        assert any("Leaf beats bowl." in line for line in lines)


def test_meaning_of_an_empty_answer_is_in_sight():
    assert "Name: [Taro]" in "\n".join(shown(FIELD))


def test_the_end_of_a_long_draft_is_in_sight():
    draft = "a" * 200 + "matcha"
    for columns in (20, 40, 80):
        lines = shown(TextField("", (), "Invite:", draft=draft), columns)
        assert any(line.endswith("matcha") and width(line) <= columns for line in lines)


@pytest.mark.slow
def test_any_keys_lead_to_a_question_or_an_answer():
    rng = random.Random(1)
    keys = [*NAMED_KEYS, *"0123456789qxaZ茶 "]
    for question in QUESTIONS.values():
        for _ in range(50):
            now = question
            for _ in range(20):
                now = press(now, rng.choice(keys))
                if isinstance(now, Chosen | Written | Pressed | Back):
                    break
                assert type(now) is type(question)
                ask(now, 80, 24, SYMBOLS)


class Pipe:
    """A person at a pipe, and the text written to the person."""

    def __init__(self) -> None:
        end, self.typing = os.pipe()
        self.keyboard = Keyboard(end)
        self.written: list[str] = []
        self.asker = LineAsker(self.written.append, self.keyboard, rings=True)

    def type(self, text: str) -> None:
        os.write(self.typing, text.encode())

    async def ask(self, question):
        with trio.fail_after(10):
            return await self.asker.ask(question)


@pytest.fixture
def pipe():
    pipe = Pipe()
    yield pipe
    with suppress(OSError):  # a test may have closed it
        os.close(pipe.typing)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("2\n", Chosen(1)),
        ("\n9\n0\n-1\nx\n 3 \n", Chosen(2)),
        ("q\n", Back()),
        ("²\nQ\n", Back()),
        ("３\n", Chosen(2)),
    ],
)
async def test_a_menu_line_by_line(pipe, typed, answer):
    pipe.type(typed)
    assert await pipe.ask(MENU) == answer
    text = "".join(pipe.written)
    assert text.startswith("Title\nSomething is said.\n1: host\n2: join\n3: quit\n> ")
    wrong = typed.count("\n") - 1
    assert text.count("Type a number from 1 to 3, or q to go back.") == wrong


@pytest.mark.parametrize("key", ["3", "4"])
async def test_entries_are_chosen_by_their_own_numbers(pipe, key):
    menu = Menu("Title", (), ("3 players", "4 players"), numbers=(3, 4))
    assert after(menu, key) == Chosen(int(key) - 3)
    assert after(menu, "1") == menu
    assert " 3  3 players" in shown(menu, 80, 24)[2]
    pipe.type(f"1\n{key}\n")
    assert await pipe.ask(menu) == Chosen(int(key) - 3)
    assert "3: 3 players\n4: 4 players\n" in "".join(pipe.written)
    assert "Type a number from 3 to 4" in "".join(pipe.written)


@pytest.mark.parametrize(("teaches", "entry"), [("", "2: join (now)"), ("A.", "2: join")])
async def test_cursor_of_the_first_menu_marks_no_setting(pipe, teaches, entry):
    pipe.type("q\n")
    await pipe.ask(MENU._replace(at=1, teaches=teaches))
    assert f"\n{entry}\n" in "".join(pipe.written)


async def test_wait_in_line_mode_tells_changes_and_reads_nothing(pipe):
    pipe.type("2b\n")
    with trio.move_on_after(0.05):
        await pipe.asker.ask(WAIT)
    pipe.asker.tell("Door", ("Mina comes.",))
    pipe.asker.tell("Door", ("Mina comes.", "Kiku comes."))
    text = "".join(pipe.written)
    assert text.endswith("Ctrl-C ends the wait.\nMina comes.\nKiku comes.\n")
    assert WAIT.text in text.splitlines()
    assert await pipe.keyboard.read() == "2b"


async def test_an_answer_code_is_pasted_while_a_wait_goes_on_line_by_line(pipe):
    """Empty lines are no code. A question asked meanwhile gets the next line."""
    answers = {}

    async def wait():
        answers["wait"] = await pipe.asker.ask(
            Wait("Waiting", (), "matcha1xyz", prompt="Paste here.")
        )

    async def knock():
        answers["door"] = await pipe.asker.ask(
            Menu("Let them in?", (), ("Yes", "No"), rings=True)
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(knock)
        await trio.testing.wait_all_tasks_blocked()
        pipe.type("2\n\n  matchareply1abc \n")
    assert answers == {"door": Chosen(1), "wait": Written("matchareply1abc")}
    text = "".join(pipe.written)
    assert "matcha1xyz\nPaste here.\n" in text
    assert text.count("\a") == 1


async def test_a_wait_without_a_prompt_reads_no_line_and_one_with_it_ends_with_the_input(pipe):
    """At the end of the input the wait goes on: a host with closed input is still present."""
    pipe.type("left for later\n")
    with trio.move_on_after(0.05):
        await pipe.asker.ask(Wait("Waiting", ()))
    assert await pipe.keyboard.read() == "left for later"
    os.close(pipe.typing)
    with trio.move_on_after(0.1) as limit:
        await pipe.asker.ask(Wait("Waiting", (), prompt="Paste here."))
    assert limit.cancelled_caught


def test_a_question_that_comes_unexpectedly_rings_unless_told_not_to():
    asked = Asking(7, Menu("Mina calls.", (), ("Play",), rings=True), {})
    for bell, rung in ((Bell.TURN, {"7"}), (Bell.ALL, {"7"}), (Bell.NONE, set())):
        look = Look(SYMBOLS, bell=bell)
        assert MenuView(look).status(asked, 0.0).calls == rung
        assert not MenuView(look).status(replace(asked, number=None), 0.0).calls


async def test_texts_and_pages_line_by_line(pipe):
    pipe.type("\n  Mina \n")
    assert await pipe.ask(FIELD) == Written("Taro")
    assert await pipe.ask(FIELD) == Written("Mina")
    assert await pipe.ask(TextPage("Rules", ("one", "two"))) == Back()
    assert "".join(pipe.written).endswith("Rules\none\ntwo\n")


async def test_the_end_of_the_pipe_is_the_end_of_the_questions(pipe):
    os.close(pipe.typing)
    with pytest.raises(InputClosedError):
        await pipe.ask(MENU)


async def test_interrupted_reader_loses_no_line(pipe):
    """As when a game ends while a line is awaited, and the menu goes on reading."""
    for _ in range(3):
        with trio.move_on_after(0.01):
            await pipe.asker.ask(FIELD)
    pipe.type("Mina\nKiku\n")
    assert await pipe.ask(FIELD) == Written("Mina")
    assert await pipe.ask(FIELD) == Written("Kiku")


class Glass(DummyOutput):
    def __init__(self) -> None:
        self.raw: list[str] = []

    def write_raw(self, data: str) -> None:
        if "]52" in data:
            self.raw.append(data)

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


async def test_screen_answers_keys_typed_before_the_question():
    with create_pipe_input() as keyboard, create_app_session(keyboard, Glass()):
        async with screen_asker(Look(SYMBOLS)) as asker:
            keyboard.send_text("2Mina\r\x1b[A\r")
            with trio.fail_after(10):
                assert await asker.ask(MENU) == Chosen(1)
                assert await asker.ask(FIELD) == Written("Mina")
                assert await asker.ask(MENU) == Chosen(2)


def test_paste_answers_a_question_for_pasted_text():
    view = MenuView(Look(SYMBOLS))
    asking = Asking(7, WAIT._replace(prompt="Paste it"), {})
    assert view.paste(asking, "reply") == (replace(asking, number=None), (7, Written("reply")))
    answered = replace(asking, number=None)
    assert view.paste(answered, "reply") == (answered, None)


def test_title_of_the_terminal_names_the_question_or_the_player():
    view = MenuView(Look(SYMBOLS))
    nothing = Asking(None, TextPage("matcha", ()), {})
    assert view.status(nothing, 0).title == "matcha"
    assert (
        view.status(replace(nothing, number=1, shown=MENU), 0).title == f"matcha: {MENU.title}"
    )


async def test_a_terminal_that_is_gone_ends_the_questions(nursery):
    with create_pipe_input() as keyboard, create_app_session(keyboard, Glass()):
        async with screen_asker(Look(SYMBOLS)) as asker:
            keyboard.close()
            with trio.fail_after(10), pytest.raises(InputClosedError):
                await asker.ask(MENU)


async def test_a_question_that_comes_later_stands_in_front(nursery):
    with create_pipe_input() as keyboard, create_app_session(keyboard, Glass()):
        async with screen_asker(Look(SYMBOLS)) as asker:
            answers = []

            async def ask(question: MenuQuestion) -> None:
                answers.append(await asker.ask(question))

            async def press(key: str) -> None:
                count = len(answers)
                keyboard.send_text(key)
                with trio.fail_after(60):
                    while len(answers) == count:
                        await trio.lowlevel.checkpoint()

            for question in (WAIT, MENU):
                nursery.start_soon(ask, question)
                await trio.testing.wait_all_tasks_blocked()
            await press("2")
            await press("c")
            assert answers == [Chosen(1), Pressed("c")]


async def test_copied_text_goes_to_the_clipboard_of_the_terminal():
    glass = Glass()
    with create_pipe_input() as keyboard, create_app_session(keyboard, glass):
        async with screen_asker(Look(SYMBOLS)) as asker:
            asker.copy("matcha1")
            with trio.fail_after(10):
                while not glass.raw:
                    await trio.lowlevel.checkpoint()
    assert glass.raw == ["\x1b]52;c;bWF0Y2hhMQ==\x07"]


@pytest.mark.parametrize("rings", [True, False])
async def test_line_mode_rings_for_an_unexpected_menu_only_if_asked(rings):
    end, typing = os.pipe()
    os.write(typing, b"1\n")
    said: list[str] = []
    asked = Menu("Let them in?", (), ("Yes", "No"), rings=True)
    answer = await LineAsker(said.append, Keyboard(end), rings=rings).ask(asked)
    assert answer == Chosen(0)
    assert ("\a" in said) is rings
    os.close(typing)
    os.close(end)
