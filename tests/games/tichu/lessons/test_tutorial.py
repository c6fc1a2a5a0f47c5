"""The tutorial: its script holds to the rules, and both front ends play it to the end."""

import pytest
import trio.testing

from matcha_p2p.console.terminal.cells import CUT, wrapped
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.lessons import lessons
from matcha_p2p.games.tichu.lessons.lessons import BY_LINE, DEALS, ON_SCREEN
from matcha_p2p.games.tichu.lessons.tutorial import STUDENT
from matcha_p2p.games.tichu.rules.actions import GiveCards
from matcha_p2p.games.tichu.rules.cards import FACES, TEXTS
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.screen.keys import press
from matcha_p2p.games.tichu.screen.scene import hear, opening
from matcha_p2p.games.tichu.screen.screen import TichuView
from matcha_p2p.games.tichu.table.events import RoundCounted
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.lessons import AGAIN, lesson_text
from matcha_p2p.narration.news import Taught
from matcha_p2p.session.news import GameEvent, MakeMove
from tests.classroom import Class, as_drawn
from tests.games.tichu.screen.drawing.test_layout import drawn

LESSONS = [lesson for deal in DEALS for lesson in deal.lessons]


@pytest.fixture(params=LANGUAGES)
def language(request):
    speak(request.param)
    yield request.param
    speak("en")


@pytest.mark.parametrize("deal", DEALS)
def test_hands_are_the_whole_deck(deal):
    assert sorted(TEXTS.index(card) for hand in deal.hands for card in hand.split()) == [*FACES]


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
async def test_the_screen_plays_it_to_the_end(language, nursery, columns, rows):
    lesson, scene = Class("tichu"), opening(STUDENT)
    nursery.start_soon(lesson.run)
    for one in LESSONS:
        for piece in await lesson.until_due():
            scene = hear(scene, piece)
        lines = drawn(scene, columns, rows)
        cells = {60: 59, 80: 79, 120: 33}[columns]
        shown = "\n".join(lines)
        assert scene.lesson == lesson_text(one, ON_SCREEN)
        assert [
            line for line in wrapped(scene.lesson, cells) if as_drawn(line) not in shown
        ] == []
        assert CUT not in shown
        for key in one.keys.replace("Enter", "enter").split():
            scene, choice = press(scene, key)
            if choice is not None:
                lesson.choices.send_nowait(choice)
    for piece in await lesson.until_due():
        scene = hear(scene, piece)
    await trio.testing.wait_all_tasks_blocked()
    assert lesson.over
    assert (scene.end.winners, scene.end.totals) == ((0, 2), (350, 50))
    assert scene.lesson == lessons.END()


async def test_each_card_of_each_round_is_seen_to_be_laid(nursery):
    lesson, scene, told = Class("tichu"), opening(STUDENT), []
    nursery.start_soon(lesson.run)
    for one in (*LESSONS, None):
        for piece in await lesson.until_due():
            scene = hear(scene, piece)
            told += [piece] if isinstance(piece, GameEvent) else []
        for key in one.keys.replace("Enter", "enter").split() if one else ():
            scene, choice = press(scene, key)
            if choice is not None:
                lesson.choices.send_nowait(choice)
    laid: list[int] = []
    rounds = 0
    for event, game in told:
        if isinstance(event, Laid):
            laid += event.cards
        if isinstance(event, RoundCounted):
            left = sum(map(len, game.counted.round.held))
            assert len({*laid}) == len(laid) == len(FACES) - left
            laid, rounds = [], rounds + 1
    assert rounds == len(DEALS)


async def test_the_end_of_a_round_is_seen_before_its_result(nursery):
    lesson, view = Class("tichu"), TichuView(Look(SYMBOLS, speed=Speed.NORMAL))
    state = view.begin(STUDENT)
    nursery.start_soon(lesson.run)
    for one in LESSONS:
        for piece in await lesson.until_due():
            state, _ = view.hear(state, piece, 0.0)
        if one is lessons.TICHU:
            break
        state = state.over()
        for key in one.keys.replace("Enter", "enter").split():
            state, choice = view.press(state, key, 0.0)
            if choice is not None:
                lesson.choices.send_nowait(choice)
    seen, now = [], 0.0
    while state.lasts(now):
        scene = state.seen(now)
        seen.append((scene.game.number, scene.finished, scene.held))
        now += 0.05
    assert [each for each in seen if each != (1, None, {})] == []
    assert seen
    shown = "\n".join(drawn(state.seen(now), 80, 24))
    assert "ROUND 1 IS OVER" in shown
    assert "Dora was last" in shown
    assert "Space go on" not in shown


async def test_the_lines_play_it_to_the_end(nursery):
    lesson, talk = Class("tichu", BY_LINE), Conversation(STUDENT, TICHU)
    nursery.start_soon(lesson.run)
    shown: list[str] = []
    for typed in (*(one.typed for one in LESSONS), ()):
        for piece in await lesson.until_due():
            shown += talk.hear(piece)
        for line in typed:
            answer = talk.read(line)
            if answer.choice is not None:
                lesson.choices.send_nowait(answer.choice)
    await trio.testing.wait_all_tasks_blocked()
    assert lesson.over
    assert "You and Bea win, 350 to 50." in shown
    assert all(lesson_text(one, BY_LINE) in shown for one in LESSONS)
    assert shown[-1] == lessons.END()


async def test_another_answer_gets_a_kind_word_and_another_try(nursery):
    lesson = Class("tichu")
    nursery.start_soon(lesson.run)
    first = (await lesson.until_due())[-1].view
    lesson.choices.send_nowait(MakeMove(first.legal_moves()[1]))
    said, due = await lesson.until_due()
    assert said == Taught(AGAIN(hint=ON_SCREEN(lessons.GRAND)))
    assert due.view == first
    lesson.choices.send_nowait(MakeMove(first.legal_moves()[0]))
    await lesson.until_due()
    lesson.choices.send_nowait(MakeMove(GiveCards((0, 1, 2))))
    assert (await lesson.until_due())[0] == Taught(AGAIN(hint=ON_SCREEN(lessons.EXCHANGE)))
