"""Time: what has happened is shown beat by beat, and never holds anything up."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from matcha_p2p.console.table.focus import Talking
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.screen.moments import Caption
from matcha_p2p.games.matcha.screen.scene import Scene, Waiting, hear
from matcha_p2p.games.matcha.screen.screen import TableView
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.table.events import RoundResolved
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.news import Taught
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDown
from matcha_p2p.session.news import GameEvent, LineChanged, TakenUp, TalkHeard
from tests.console.frames import assert_as_reviewed, draw
from tests.console.scenes import MINE, Story

SCREENS = Path(__file__).parents[1] / "screens"


class Played(Story):
    """A story that is also shown; ``now`` is what a clock shows."""

    def __init__(self, speed=Speed.NORMAL, **more) -> None:
        self.show, self.now = Show(speed), 100.0
        super().__init__(**more)

    def tell(self, *news):
        for piece in news:
            before = self.scene if hasattr(self, "scene") else Scene(0)
            self.scene = hear(before, piece)
            if isinstance(piece, GameEvent):
                self.show = self.show.follow(before, self.scene, piece.event, self.now)
        return self

    @property
    def shown(self) -> Scene:
        return self.show.shown(self.scene, self.now)

    def rest(self) -> None:
        """Let everything be shown."""
        self.show, self.now = self.show.over(), self.now + 60

    def frames(self) -> list[tuple[float, Scene]]:
        """Return every scene that is shown until the last one, and when it begins."""
        begun, seen = self.now, []
        while True:
            seen.append((round(self.now - begun, 2), self.shown))
            if not self.show.at(self.now).acts:
                return seen
            self.now += self.show.next_change(self.scene, self.now) + 1e-9


def revealed(**more) -> Played:
    """Both mats hold cards of both: on a both match, on b the own card is a bluff."""
    story = Played(**more).deal().play("1a", "1a", "3b")
    story.rest()
    return story.play("4b")


def ended(**more) -> Played:
    story = Played(**more)
    story.game = story.game._replace(tokens=((3, 1, 0, 0, 0), (0, 2, 1, 1, 1)))
    story.deal().play("1a", "1a", "2b")
    story.rest()
    return story.play("p")


def lines(scene: Scene, columns=80, rows=24) -> list[str]:
    drawn = draw(scene, columns, rows, SYMBOLS)
    return ["".join(text for _, text in line).rstrip() for line in drawn]


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("name", ["revealed", "ended"])
def test_each_frame_looks_as_reviewed(name, columns):
    """The first frame is kept whole, of the others the lines that differ from it."""
    story = {"revealed": revealed, "ended": ended}[name]()
    rows = {60: 16, 80: 24, 120: 40}[columns]
    text, before = "", [""] * rows
    for at, scene in story.frames():
        frame = lines(scene, columns, rows)
        text += f"{at:.2f} s\n"
        for row, line in enumerate(frame):
            text += f"{row:2} {line}".rstrip() + "\n" if line != before[row] else ""
        before = frame
    path = SCREENS / f"{name}-{columns}x{rows}.frames.txt"
    assert_as_reviewed(path, text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
def test_gain_of_a_mat_is_told_whole(columns, rows, language, restored):
    speak(language)
    told = set()
    for _, scene in revealed().frames():
        if scene.moment.runs:
            spaceless = "".join("".join(lines(scene, columns, rows)).split())
            assert "".join(scene.work.split()) in spaceless
            told.add(scene.work)
    assert len(told) > 4


def test_closed_card_is_not_announced_as_opened():
    """Mat b holds one card alone."""
    told = [scene.work for _, scene in ended().frames()]
    assert "Mat a is opened." in told
    assert "Mat b stays closed." in told
    assert "Mat b is opened." not in told


def test_the_last_lay_comes_first_then_one_mat_then_the_other():
    story = revealed()
    frames = [scene for _, scene in story.frames()]
    laying = [n for n, scene in enumerate(frames) if scene.moment.laying is not None]
    first = [n for n, scene in enumerate(frames) if scene.moment.mat == 0]
    second = [n for n, scene in enumerate(frames) if scene.moment.mat == 1]
    assert laying
    assert laying[-1] < first[0]
    assert first[-1] < second[0]
    assert frames[-1] == story.scene


def test_no_card_token_or_sentence_is_seen_before_its_time():
    story = revealed()
    for _, scene in story.frames()[:-1]:
        shown = {each.mat for each in scene.game.rounds[0].resolutions}
        light = scene.moment.mat
        assert shown <= ({0, 1} if light == 1 else {0} if light == 0 else set())
        text = "\n".join(lines(scene))
        if light is not None and scene.moment.said is not Caption.GAIN:
            assert not [line for line in lines(scene) if line[53:55] == f"{'ab'[light]} "]
        if light != 1:
            assert "Mat b" not in text
            assert sum(scene.game.tokens[1]) == 0
        assert not scene.asked
    assert story.scene.asked


def test_a_mat_takes_between_one_second_and_two():
    story = revealed()
    times = {0: [], 1: []}
    frames = story.frames()
    for (at, scene), (until, _) in pairwise(frames):
        if scene.moment.mat is not None:
            times[scene.moment.mat].append(until - at)
    assert all(1 < sum(spent) < 2 for spent in times.values())


def test_the_tokens_that_win_light_up_one_after_another():
    frames = [scene for _, scene in ended().frames()]
    lit = [scene.moment.lit for scene in frames if scene.moment.lit is not None]
    assert lit == [0, 1, 2, 3, 4]
    assert "YOU WIN!" not in "\n".join(lines(frames[-2]))
    assert "YOU WIN!" in "\n".join(lines(frames[-1]))


def test_off_shows_everything_at_once():
    story = revealed(speed=Speed.OFF)
    assert story.shown == story.scene
    assert story.show.next_change(story.scene, story.now) is None
    waiting = Played(Speed.OFF).deal().play("1a")
    assert waiting.shown == waiting.scene


def test_fast_is_faster():
    assert revealed(speed=Speed.FAST).frames()[-1][0] < revealed().frames()[-1][0] / 2


def test_shown_table_is_at_most_two_events_behind():
    story = Played().deal()
    for _ in range(9):  # nine rounds in no time
        for move in ("1a", "1a", "2b", "p"):
            story.play(move)
            assert len(story.show.at(story.now).acts) <= 3
        story.game = Story().deal().game
        story.scene = replace(story.scene, game=story.game)


def test_news_outside_the_game_is_shown_unchanged():
    story = revealed()
    story.tell(TalkHeard("well?", "Taro", Seat(1)), LineChanged(LineDown("x", Seat(1)), "Taro"))
    story.press("/", "x")
    shown = story.shown
    assert shown.game != story.scene.game
    assert shown.talk == ((1, "well?"),)
    assert shown.focus == Talking("x")
    assert shown.trouble


def test_lesson_waits_for_the_reveal():
    story = Played().deal().tell(Taught("Lay a card."))
    story.play("1a")
    story.rest()
    story.play("1a").tell(Taught("Your card beat theirs."))
    assert story.shown.lesson == "Lay a card."
    story.rest()
    assert story.shown.lesson == "Your card beat theirs."


def test_a_key_that_goes_on_does_nothing_else():
    story = revealed()
    for key in ("enter", "escape", " ", "left", "down"):
        assert staged(story).finish(key, story.now)[1]
    for key in ("1", "b", "p", "f10", "/"):
        assert not staged(story).finish(key, story.now)[1]
    assert story.show.over().shown(story.scene, story.now) == story.scene


def test_enter_ends_one_act_and_escape_ends_all():
    story = revealed()
    stage, now = staged(story), story.now
    stage = replace(stage, show=replace(stage.show, acts=stage.show.acts * 2))
    whole = stage.lasts(now)
    assert stage.finish("enter", now)[0].lasts(now) == pytest.approx(whole / 2)
    assert stage.finish("escape", now)[0].lasts(now) == 0


@pytest.mark.parametrize("key", ["q", "?", "/"])
def test_what_is_open_during_an_act_takes_the_keys(key):
    story = revealed().press(key)
    stage = staged(story)
    assert stage.finish("enter", story.now) == (stage, False)


def test_while_the_other_thinks_dots_come_and_go():
    story = Played().deal().play("1a")
    story.rest()
    dots = set()
    for _ in range(6):
        dots.add(story.shown.moment.dots)
        story.now += story.show.next_change(story.scene, story.now) + 1e-9
    assert dots == {1, 2, 3}
    assert "Mina is to move. . " in "\n".join(line + " " for line in lines(story.shown))


@pytest.mark.parametrize("speed", Speed)
def test_thinking_time_of_the_other_is_told(speed):
    """From the last event on, and where nothing is to move without dots, every ten seconds."""
    story = Played(speed).deal().play("1a")
    story.rest()
    told = []
    story.now = story.show.thinks_since + 9.9
    for _ in range(4):
        (asked,) = (line for line in lines(story.shown) if "Mina is to move." in line)
        told.append(asked.strip().replace(" .", ""))
        story.now += 10
    assert told[0] == "Mina is to move."
    assert [each.split()[-1] for each in told[1:]] == (
        ["0:10", "0:20", "0:30"] if speed is Speed.OFF else ["0:19", "0:29", "0:39"]
    )
    assert story.show.next_change(story.scene, story.now) <= (10 if speed is Speed.OFF else 0.5)


def test_broken_line_or_own_choice_hides_the_thinking_time():
    story = Played().deal().play("1a")
    story.rest()
    lost = replace(story.scene, troubles={"": "Nothing has come."})
    assert story.show.shown(lost, story.now + 60) == lost
    kept = Played().deal().play("1a", "1a", "p", "p", "p", "2d", "p", "p", "p")
    kept.rest()
    assert kept.shown == kept.scene
    kept.scene = replace(kept.scene, question=Waiting())
    assert kept.shown.moment.dots


def test_a_game_that_is_taken_up_begins_to_wait_anew():
    story = Played().deal().play("1a")
    taken = TakenUp(story.game, ("Taro", "Mina"), MINE)
    staged = Staged(story.scene, story.show)
    state, _ = TableView(Look(SYMBOLS)).hear(staged, taken, 500.0)
    assert state.show.thinks_since == 500.0


def test_shown_or_not_the_game_is_the_same():
    quick, shown = Played(Speed.OFF).deal(), Played().deal()
    for move in ("1a", "1a", "2b", "4b", "p", "2d", "p", "p", "p"):
        quick.play(move)
        shown.play(move)
        assert quick.scene == shown.scene
    assert shown.game.rounds[0].turns[0].move == Play(0, 0)
    assert any(isinstance(t.move, Pass) for r in shown.game.rounds for t in r.turns)


def test_a_mat_where_nobody_laid_a_card_takes_no_time():
    story = Played().deal().play("p")
    story.rest()
    story.play("p")
    assert any(isinstance(t.move, Pass) for t in story.game.rounds[0].turns)
    assert story.shown.game == story.scene.game


def staged(story: Played) -> Staged:
    """Return the story on a stage; its last event has just begun."""
    before = Story().deal().play("1a", "1a", "3b").scene
    event = RoundResolved(story.scene.game.rounds[0])
    return Staged(before, Show(Speed.NORMAL)).follow(story.scene, event, story.now)


def test_enter_finishes_the_animation_and_then_answers():
    story = revealed()
    stage = staged(story)
    assert stage.seen(story.now) != story.scene
    stage, taken = stage.finish("enter", story.now)
    assert taken
    assert stage.seen(story.now) == story.scene
    assert stage.finish("enter", story.now) == (stage, False)


def test_a_key_that_chooses_finishes_and_chooses_at_once():
    story = revealed()
    stage, taken = staged(story).finish("1", story.now)
    assert not taken
    assert stage.seen(story.now) == story.scene


def test_talk_is_written_while_something_runs():
    story = revealed().press("/")
    stage = staged(story)
    for key in ("x", "enter"):
        assert stage.finish(key, story.now) == (stage, False)
    assert stage.seen(story.now) != story.scene


def counts(scene: Scene) -> tuple[int, int]:
    """Return how many cards of the table and of the hand are on the screen."""
    shown = "\n".join(lines(scene))
    table = sum(f" {mat} = " in shown or f">{mat} = " in shown for mat in "abcdef")
    return table, sum(bool(re.search(rf"\b{n}\b", lines(scene)[-5])) for n in range(1, 6))


def test_cards_are_dealt_one_by_one():
    story = Played()
    story.rest()
    story.deal()
    seen = [counts(scene)[0] for _, scene in story.frames()]
    assert seen[:7] == [0, 1, 2, 3, 4, 5, 6]
    assert set(seen[6:]) == {6}
    hands = [scene.moment.dealt for _, scene in story.frames()]
    assert hands == [None]


def test_hand_is_dealt_after_the_table_and_before_the_question():
    story = Played()
    story.rest()
    story.deal()
    dealt = [scene.moment.dealt for _, scene in story.frames()]
    assert dealt == [*((n, 0) for n in range(6)), *((6, n) for n in range(5)), None]
    times = [Played().deal().frames()[n][0] for n in (1, 11)]
    assert 0.1 <= times[0] <= 0.15
    assert times[1] < 1.5


@pytest.mark.parametrize("speed", [Speed.FAST, Speed.OFF])
def test_nothing_moves_at_other_speeds(speed):
    story = Played(speed)
    assert story.deal().frames() == [(0.0, story.scene)]
    story.play("1a")
    moving = [scene.moment.laying for _, scene in story.frames()]
    assert {each.part for each in moving if each} <= {3}


def test_a_key_ends_the_dealing():
    state = Played()
    state.rest()
    state.deal()
    view = Staged(state.scene, state.show)
    assert view.seen(state.now).moment.dealt == (0, 0)
    after, taken = view.finish("1", state.now)
    assert not taken
    assert after.seen(state.now).moment.dealt is None


def test_a_reveal_that_may_decide_takes_a_longer_breath():
    def breath(story):
        hushed = [
            (at, each.moment.mat)
            for at, each in story.frames()
            if each.moment.mat is not None and each.moment.said is Caption.NOTHING
        ]
        return round(hushed[1][0] - hushed[0][0], 2)

    close = Played()
    close.game = close.game._replace(tokens=((3, 1, 0, 0, 0), (0, 2, 1, 1, 1)))
    close.deal().play("1a", "1a", "3b")
    close.rest()
    assert breath(revealed()) == 0.5
    assert breath(close.play("4b")) == 1.2
