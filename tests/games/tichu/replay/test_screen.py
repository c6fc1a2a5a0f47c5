"""A game of Tichu on the screen of a replay: what is shown, what is not, and the keys."""

import sys
from collections.abc import Iterator
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
from matcha_p2p.console.review.replay import ReplayView, follow, position_at
from matcha_p2p.console.terminal.cells import line_width
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import ASCII, KANJI, SYMBOLS, Skin
from matcha_p2p.games import game_of
from matcha_p2p.games.tichu.replay.state import TichuPlace, watch
from matcha_p2p.games.tichu.replay.steps import TichuReplay, replay_of
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.screen.scene import order_of
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.words.card_words import card_text
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.review.steps import Viewpoint, viewpoints
from matcha_p2p.wire.watching import Visibility
from tests.console.frames import assert_as_reviewed, lines_of
from tests.console.pseudo_terminal import Terminal
from tests.games.tichu.party import course
from tests.games.tichu.review.test_export import report

pytestmark = pytest.mark.slow

FILE = Path(__file__).parents[4] / "protocol" / "vectors" / "tichu" / "random.matcha"
SCREENS = Path(__file__).parents[1] / "screens"
SIZES = [(60, 16), (80, 24), (120, 40)]


@cache
def verified() -> Report:
    return verified_transcript(FILE.read_bytes())


@cache
def replayed() -> TichuReplay:
    return replay_of(verified())


@cache
def rounds() -> TichuReplay:
    """Return a game of several rounds."""
    return replay_of(report(course(1, "300")))


def views(own: int = 0) -> list[Viewpoint]:
    return [*viewpoints(4, SEATS[own]).values()]


def drawn(place: TichuPlace, columns: int = 80, rows: int = 24, skin: Skin = SYMBOLS) -> str:
    lines = lines_of(place.picture(place.scene(), columns, rows, skin), columns, rows)
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines) + "\n"


def pressed(place: TichuPlace, *keys: str) -> TichuPlace:
    for key in keys:
        place = place.press(key)
    return place


def places(replay: TichuReplay, view: Viewpoint) -> Iterator[TichuPlace]:
    return (watch(replay, view, at) for at in range(len(replay.steps)))


SHOWN = {
    "replay_lead": lambda: pressed(watch(replayed()), "pagedown"),
    "replay_trick": lambda: pressed(watch(replayed()), *["pagedown"] * 4, "right", "right"),
    "replay_public": lambda: watch(replayed(), Viewpoint(SEATS[2], ()), 11),
    "replay_seat": lambda: watch(replayed(), Viewpoint(SEATS[3], (SEATS[3],)), 11),
    "replay_counted": lambda: pressed(watch(replayed()), "n"),
    "replay_helped": lambda: pressed(watch(replayed()), "?"),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_each_screen_looks_as_reviewed(name, columns, rows):
    path = SCREENS / f"{name}-{columns}x{rows}.txt"
    assert_as_reviewed(path, drawn(SHOWN[name](), columns, rows))


def test_the_screen_without_colour_looks_as_reviewed():
    text = drawn(SHOWN["replay_trick"](), 80, 24, ASCII)
    assert text.isascii()
    assert_as_reviewed(SCREENS / "replay_trick-80x24.ascii.txt", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("skin", [SYMBOLS, KANJI])
def test_each_step_fits_the_smallest_terminal_in_each_language(language, skin):
    speak(language)
    try:
        replay = replay_of(verified())
        for view in views()[:3]:
            for place in list(places(replay, view))[::3]:
                frame = place.picture(place.scene(), 60, 16, skin)
                assert len(frame.body) <= 16
                assert all(line_width(line) <= 60 for line in frame.body)
    finally:
        speak("en")


@pytest.mark.parametrize("view", views())
def test_hands_outside_the_view_change_no_cell(view):
    """The other hands are replaced by others."""

    def disguised(step):
        hands = [
            hand if seat in view.shown else tuple(sorted(hand, reverse=True))
            for seat, hand in enumerate(step.hands)
        ]
        return replace(step, hands=tuple(hands))

    replay = replayed()
    other = replace(replay, steps=tuple(map(disguised, replay.steps)))
    for place, alike in list(zip(places(replay, view), places(other, view), strict=True))[::4]:
        assert drawn(place) == drawn(alike)


def test_all_cards_that_are_still_held_are_seen_with_open_hands():
    for place in places(replayed(), views()[0]):
        scene = place.scene()
        if place.replay.steps[place.at].game.round.leader is None or scene.finished:
            continue
        step, text = place.replay.steps[place.at], drawn(place)
        for hand, held in zip(step.hands, step.game.round.held, strict=True):
            faces = sorted((hand[it] for it in held), key=order_of)
            assert " ".join(map(card_text, faces)) in " ".join(text.split())


def test_hands_of_a_round_in_play_stay_closed():
    played = replay_of(report(course(1), 200))
    assert not any(any(place.scene().hands) for place in places(played, views()[0]))


def test_replay_calls_no_player_you():
    for view in views(1)[::2]:
        for place in list(places(replayed(), view))[::4]:
            assert " you " not in drawn(place).lower()


def test_points_are_those_of_the_teams_from_each_side():
    over = len(replayed().steps) - 1
    counted = next(
        it.event for it in replayed().steps if isinstance(it.event, events.RoundCounted)
    )
    one, other = counted.points
    first, second = (f"seat {seat} and seat {seat + 2}" for seat in (0, 1))
    assert f"{first} {one} : {other} {second}" in drawn(watch(replayed(), None, over))
    turned = drawn(watch(replayed(), None, over, SEATS[1]))
    assert f"{second} {other} : {one} seat 2 and seat 0" in turned


# Keys.


def test_pages_go_from_trick_to_trick_and_back_again():
    place, there = watch(replayed()), [0]
    while not place.is_last:
        place = place.press("pagedown")
        there.append(place.at)
    steps = replayed().steps
    leads = [at for at, it in enumerate(steps) if isinstance(it.event, Laid) and it.event.leads]
    assert there == [0, *leads, len(steps) - 1]
    back = [place.at]
    while place.at:
        place = place.press("pageup")
        back.append(place.at)
    assert back == there[::-1]


@pytest.mark.parametrize(
    ("key", "back", "kind"),
    [("s", "S", events.RoundBegun), ("n", None, events.RoundCounted)],
)
def test_keys_go_from_round_to_round(key, back, kind):
    steps = rounds().steps
    wanted = [at for at, step in enumerate(steps) if at and isinstance(step.event, kind)]
    place = watch(rounds())
    for at in wanted:
        place = place.press(key)
        assert place.at == at
    assert place.press(key).at == len(steps) - 1
    if back is not None:
        assert pressed(place, *[back] * len(wanted)).at == 0


def test_last_cards_of_a_round_lie_until_the_next_round_begins():
    for step in rounds().steps:
        if isinstance(step.event, Laid):
            assert step.event in step.game.laid
        if isinstance(step.event, events.RoundCounted):
            assert step.game.round.is_over


def test_table_comes_back_after_the_points_of_a_round():
    counted = pressed(watch(rounds()), "n")
    assert "ROUND 1 IS OVER" in drawn(counted)
    begun = drawn(counted.press("right"))
    assert "IS OVER" not in begun
    assert "round 2" in begun


def test_d_goes_to_the_next_decision_of_the_seat_in_front():
    place = watch(replayed(), Viewpoint(SEATS[2], SEATS)).press("d")
    assert place.at
    assert place.event.seat == 2


def test_v_goes_round_through_all_views():
    place = watch(replayed(), at=20)
    seen = [pressed(place, *"v" * count).view for count in range(7)]
    assert seen == [*views(), views()[0]]


def test_w_tells_how_the_last_round_was_counted():
    assert "No round is over" in drawn(pressed(watch(replayed()), "w"))
    told = drawn(pressed(watch(replayed()), "n", "w"))
    assert "How the last round was counted" in told
    assert "Round 1: " in told


def test_listed_steps_end_at_the_shown_step():
    listed = drawn(pressed(watch(replayed()), "pagedown", "l"), 80, 200)
    assert listed.count("cards left: ") == 1
    assert "ROUND 1" in listed


@pytest.mark.parametrize("speed", [Speed.OFF, Speed.NORMAL])
def test_replay_plays_by_itself_to_its_end(speed):
    looking: ReplayView = ReplayView(SYMBOLS)
    state, _ = looking.press(position_at(watch(replayed()), speed), " ", 0.0)
    seen, now = {0}, 0.0
    while state.due is not None:
        now = state.due
        state, _ = looking.by(state, now)
        looking.draw(state, 80, 24, now)
        seen.add(state.place.at)
    assert seen == set(range(len(replayed().steps)))


def test_taken_trick_lies_for_a_moment():
    steps = replayed().steps
    taken = next(at for at, it in enumerate(steps) if isinstance(it.event, events.TrickTaken))
    looking: ReplayView = ReplayView(SYMBOLS)
    state = position_at(watch(replayed(), None, taken - 1), Speed.NORMAL)
    state, _ = looking.press(state, "right", 0.0)
    assert state.staged.seen(0.1).trick
    assert not state.staged.seen(9.0).trick


# A live game, and a terminal.


async def test_a_screen_follows_a_live_game_until_it_is_closed():
    glass, ends = DummyOutput(), [60, 200, None]

    async def seen():
        while ends:
            yield report(course(1), ends.pop(0)), POSITIONS[Visibility.AT_ONCE]
        keyboard.send_text("q")
        await trio.sleep_forever()

    with create_pipe_input() as keyboard, create_app_session(keyboard, glass):
        with trio.fail_after(30):
            await follow(game_of("tichu"), Look(SYMBOLS), seen())
    assert not ends


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_keys_step_jump_turn_and_leave_on_a_terminal(tmp_path):
    with Terminal(tmp_path, "replay", str(FILE), "--view", "second") as terminal:
        terminal.until("Step 1 of 97, as seat 1 saw it.")
        terminal.type("\x1b[C")  # Right
        terminal.until("Step 2 of 97")
        terminal.type("n")
        terminal.until("ROUND 1 IS OVER")
        terminal.type("\x1b[H")  # Home
        terminal.until("Step 1 of 97")
        terminal.type("q")
        assert terminal.end() == 0
        terminal.assert_restored()
