"""A game of Kashi-ichi on the screen of a replay: what is shown, and the keys."""

import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from matcha_p2p.app.watching.watch import POSITIONS
from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.console.review.replay import MistakeSearch, ReplayView, follow, position_at
from matcha_p2p.console.terminal.cells import line_width
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import ASCII, SYMBOLS, Skin
from matcha_p2p.games import game_of
from matcha_p2p.games.kashi.replay.state import KashiPlace, watch
from matcha_p2p.games.kashi.replay.steps import KashiReplay, replay_of
from matcha_p2p.games.kashi.review.mistakes import BetterMove
from matcha_p2p.games.kashi.table import events
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.review.steps import Viewpoint, viewpoints
from matcha_p2p.review.told import PageMistake
from matcha_p2p.seats import Seat
from matcha_p2p.wire.watching import Visibility
from tests.console.frames import assert_as_reviewed, lines_of
from tests.console.pseudo_terminal import Terminal

pytestmark = pytest.mark.slow

FILES = Path(__file__).parents[3] / "protocol" / "vectors" / "kashi"
FILE = FILES / "four.matcha"
SCREENS = Path(__file__).parent / "screens"


@cache
def verified(name: str = "four") -> Report:
    return verified_transcript((FILES / f"{name}.matcha").read_bytes())


@cache
def replayed() -> KashiReplay:
    return replay_of(verified())


def in_front(seat: int) -> Viewpoint:
    return viewpoints(4, Seat(seat))["both"]


def drawn(place: KashiPlace, columns: int = 80, rows: int = 24, skin: Skin = SYMBOLS) -> str:
    lines = lines_of(place.picture(place.scene(), columns, rows, skin), columns, rows)
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines) + "\n"


def pressed(place: KashiPlace, *keys: str) -> KashiPlace:
    for key in keys:
        place = place.press(key)
    return place


SHOWN = {
    "replay_turn": lambda: pressed(watch(replayed()), *["pagedown"] * 9),
    "replay_settled": lambda: pressed(watch(replayed()), "v", "n"),
    "replay_ended": lambda: pressed(watch(replayed()), "end"),
    "replay_helped": lambda: pressed(watch(replayed()), "?"),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (60, 16)])
def test_each_screen_looks_as_reviewed(name, columns, rows):
    path = SCREENS / f"{name}-{columns}x{rows}.txt"
    assert_as_reviewed(path, drawn(SHOWN[name](), columns, rows))


def test_the_screen_without_colour_looks_as_reviewed():
    text = drawn(SHOWN["replay_turn"](), 80, 24, ASCII)
    assert text.isascii()
    assert_as_reviewed(SCREENS / "replay_turn-80x24.ascii.txt", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_fits_the_smallest_terminal_in_each_language(language):
    speak(language)
    try:
        replay = replay_of(verified())
        for at in range(0, len(replay.steps), 5):
            place = watch(replay, at=at)
            frame = place.picture(place.scene(), 60, 16, SYMBOLS)
            assert len(frame.body) <= 16
            assert all(line_width(line) <= 60 for line in frame.body)
    finally:
        speak("en")


def test_replay_calls_no_player_you():
    for at in range(0, len(replayed().steps), 5):
        text = drawn(watch(replayed(), in_front(at % 4), at))
        assert " you " not in text.lower().replace(",", " ")


@pytest.mark.parametrize(
    ("key", "back", "kind"),
    [("pagedown", "pageup", events.TurnTaken), ("n", None, events.AreasSettled)],
)
def test_keys_go_to_turns_and_settlements(key, back, kind):
    steps = replayed().steps
    wanted = [at for at, step in enumerate(steps) if isinstance(step.event, kind)]
    place = watch(replayed())
    for at in wanted:
        place = place.press(key)
        assert place.at == at
    assert place.press(key).at == len(steps) - 1
    if back is not None:
        assert pressed(place, *[back] * len(wanted)).at == 0


def test_rounds_begin_with_the_first_player():
    first = replayed().steps[0].event.seat
    place = pressed(watch(replayed()), "s", "s")
    assert place.event.seat == first
    turns = [
        it for it in replayed().steps[: place.at + 1] if isinstance(it.event, events.TurnTaken)
    ]
    assert len(turns) == 5
    assert place.press("S").at == watch(replayed()).press("s").at


def test_d_goes_to_the_next_decision_of_the_player_in_front():
    place = pressed(watch(replayed(), in_front(2)), "d", "d")
    assert place.event.seat == 2


def test_v_puts_each_player_in_front():
    place = watch(replayed(), at=40)
    seen = [pressed(place, *"v" * count).scene().seat for count in range(5)]
    assert seen == [0, 1, 2, 3, 0]
    assert "seat 1 in front" in drawn(place.press("v"))


def test_way_of_a_turn_is_lit_and_walked_at_normal_speed():
    place = pressed(watch(replayed()), *["pagedown"] * 9)
    assert place.scene().lit
    before = watch(replayed(), at=place.at - 1)
    looking: ReplayView = ReplayView(SYMBOLS)
    state, _ = looking.press(position_at(before, Speed.NORMAL), "right", 0.0)
    assert len(state.staged.seen(0.1).lit) < len(state.staged.seen(99.0).lit)


def test_a_resignation_is_the_last_step():
    place = pressed(watch(replay_of(verified("resigned"))), "end")
    assert place.scene().is_over


async def test_a_screen_follows_a_live_game_until_it_is_closed():
    reports = [verified("starting"), verified("opening")]

    async def seen():
        while reports:
            yield reports.pop(0), POSITIONS[Visibility.AT_ONCE]
        keyboard.send_text("q")
        await trio.sleep_forever()

    with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
        with trio.fail_after(30):
            await follow(game_of("kashi"), Look(SYMBOLS), seen())
    assert not reports


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_keys_step_jump_turn_and_leave_on_a_terminal(tmp_path):
    with Terminal(tmp_path, "replay", str(FILE), "--view", "second") as terminal:
        terminal.until("Step 1 of 200, seat 1 in front.")
        terminal.type("\x1b[C")  # Right
        terminal.until("Step 2 of 200")
        terminal.type("\x1b[F")  # End
        terminal.until("THE END")
        terminal.type("q")
        assert terminal.end() == 0
        terminal.assert_restored()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
def test_a_long_mistake_on_the_board_has_pages_and_takes_nothing_of_the_board(size, language):
    speak(language)
    try:
        place = pressed(watch(replay_of(verified())), *["pagedown"] * 9)
        made, better = (" ".join([f"{word} 3,4;"] * 30) for word in ("made", "advised"))
        board = BetterMove(place.scene().shown, Seat(0), (), ())
        told = Mistake("Round 3", "", made, better, 9.0, "9 points (+-2)", board)
        found = (PageMistake(place.at, lambda: told),)
        place = replace(place, judging=MistakeSearch(found, done=True))
        pages = list[str]()
        for _ in range(20):
            pages.append(drawn(place, *size))
            place = place.press("p")
    finally:
        speak("en")
    assert "(2/" in "".join(pages).replace("\uff08", "(")
    for page in pages:
        lines = page.splitlines()
        assert [line[0] for line in lines if line[:1].isdigit()] == list("1234567")
        assert "".join(lines[1][:37].split()) == "1234567"
        assert set(re.findall(r"\u263b([A-D])(?: [^\u263b\n]*)? \d+/\d", page)) == {*"ABCD"}
    whole = " ".join(pages)
    assert whole.count("made") >= 30
    assert whole.count("advised") >= 30
