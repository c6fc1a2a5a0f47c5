"""The tutorial: its script holds to the rules, and both front ends play it to the end."""

import pytest
import trio.testing

from matcha_p2p.console.table.captions import OVER
from matcha_p2p.console.table.focus import AtTable, Gone
from matcha_p2p.console.table.stage import Staged, leave_alone
from matcha_p2p.games.kashi.conversation import Conversation
from matcha_p2p.games.kashi.game import GAME as KASHI
from matcha_p2p.games.kashi.lessons import lessons
from matcha_p2p.games.kashi.lessons.lessons import BY_LINE, LESSONS, ON_SCREEN
from matcha_p2p.games.kashi.lessons.tutorial import STUDENT, Classroom
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.moves import StartAt, TakeTurn
from matcha_p2p.games.kashi.rules.state import Paying
from matcha_p2p.games.kashi.screen.keys import press
from matcha_p2p.games.kashi.screen.scene import fresh, hear
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.games.kashi.table.events import UpkeepPaid
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.lessons import AGAIN, lesson_text
from matcha_p2p.narration.news import Taught
from matcha_p2p.session.news import GameEvent, MakeMove
from tests.classroom import Class, as_drawn
from tests.console.table.test_layout import LEAF
from tests.games.kashi.screen.drawing.test_layout import draw, drawn


@pytest.fixture(params=LANGUAGES)
def language(request):
    speak(request.param)
    yield request.param
    speak("en")


def before(wanted):
    """Return the game before a lesson."""
    room = Classroom(lambda _: None, "Olena")
    for lesson in LESSONS:
        for line in lesson.before:
            room.play(line)
        if lesson is wanted:
            return room.game
        room.play(lesson.wanted[0])
    raise AssertionError


@pytest.mark.parametrize(
    ("columns", "rows"), [(60, 16), (80, 24), pytest.param(120, 40, marks=pytest.mark.slow)]
)
async def test_the_screen_plays_it_to_the_end(language, nursery, columns, rows):
    lesson, scene = Class("kashi"), fresh(STUDENT)
    nursery.start_soon(lesson.run)
    for one in LESSONS:
        for piece in await lesson.until_due():
            scene = hear(scene, piece)
        assert scene.lesson == lesson_text(one, ON_SCREEN)
        for key in one.keys.replace("Enter", "enter").split():
            assert words(as_drawn(scene.lesson)) in words(read(scene, columns, rows))
            scene, choice = press(scene, key)
            if choice is not None:
                lesson.choices.send_nowait(choice)
    for piece in await lesson.until_due():
        scene = hear(scene, piece)
    await trio.testing.wait_all_tasks_blocked()
    assert lesson.over
    assert (scene.game.settlements, scene.is_over) == (1, True)
    assert scene.lesson == lessons.END()
    assert words(as_drawn(scene.lesson)) in words(read(scene, columns, rows))


def read(scene, columns, rows):
    """Return the text of the teacher on all pages, which Space turns; no page is the last."""
    pages = []
    while True:
        lines = draw(scene, columns, rows)
        coach = [line for line in lines if any("lesson" in style for style, _ in line)]
        told = "".join(
            text
            for line in coach
            for style, text in line
            if "lesson" in style or "letter" in style
        )
        if told in pages:
            return LEAF.sub("", words(*pages))
        pages.append(told)
        scene, _ = press(scene, " ")


def words(*lines: str) -> str:
    return "".join("".join(lines).split())


async def test_the_lines_play_it_to_the_end(nursery):
    lesson, talk = Class("kashi", BY_LINE), Conversation(STUDENT, KASHI)
    nursery.start_soon(lesson.run)
    shown: list[str] = []
    for typed in (*(one.typed for one in LESSONS), ()):
        for piece in await lesson.until_due():
            shown += talk.hear(piece)
        for line in typed:
            answer = talk.read(line)
            shown += answer.lines
            if answer.choice is not None:
                lesson.choices.send_nowait(answer.choice)
    await trio.testing.wait_all_tasks_blocked()
    assert lesson.over
    assert all(lesson_text(one, BY_LINE) in shown for one in LESSONS)
    assert shown[-1] == lessons.END()
    assert any("Settlement 1" in line for line in shown[-12:])


def test_tutorial_ends_on_the_board_of_the_first_settlement():
    """All have paid, and have more shops in hand; Enter closes the table."""
    old_hands, told, scene = before(lessons.UPKEEP).players, [], fresh(STUDENT)
    room = Classroom(told.append, "Olena")
    for lesson in LESSONS:
        room.lead_to(lesson)
        room.play(lesson.wanted[0])
    room.close()
    for piece in (*told, Taught(lessons.END(), last=True)):
        scene = hear(scene, piece)
    assert told[-1].event == UpkeepPaid(STUDENT, 4, 0)
    pairs = zip(old_hands, scene.game.players, strict=True)
    assert all(old.hand < new.hand for old, new in pairs)
    assert (scene.game.settlements, scene.winners) == (1, None)
    assert any(OVER() in line for line in drawn(scene, 80, 24))
    assert press(scene, "enter")[0].focus == press(scene, "q")[0].focus == Gone()
    assert leave_alone(Staged(scene, Show())).scene.focus == AtTable()


async def test_another_way_to_the_same_square_will_do(nursery):
    lesson = Class("kashi")
    nursery.start_soon(lesson.run)
    first = (await lesson.until_due())[-1].view
    board = first.game.board
    lesson.choices.send_nowait(MakeMove(StartAt(board.named(3, 3))))
    said, due = await lesson.until_due()
    assert said == Taught(AGAIN(hint=ON_SCREEN(lessons.START)))
    assert due.view == first
    lesson.choices.send_nowait(MakeMove(StartAt(board.named(3, 5))))
    await lesson.until_due()
    lesson.choices.send_nowait(MakeMove(TakeTurn()))
    assert (await lesson.until_due())[0] == Taught(AGAIN(hint=ON_SCREEN(lessons.WALK)))
    steps = [moves.Go(board.named(*square)) for square in ((2, 5), (2, 4), (1, 4))]
    lesson.choices.send_nowait(MakeMove(TakeTurn(tuple(steps))))
    news = await lesson.until_due()
    assert news[0] == Taught("")
    assert isinstance(news[1], GameEvent)
    assert news[-2] == Taught(lesson_text(lessons.BUY, ON_SCREEN))


def test_statements_of_the_lessons_are_those_of_the_game():
    toll = before(lessons.TOLL)
    assert toll.players[0].gold == before(lessons.CHAIN).players[0].gold + 3 - 2 - 3 + 1
    assert before(lessons.DELIVER).players[0].goods == (1, 1, 0, 0, 0)
    fetched = before(lessons.FETCH)
    assert [len(own.orders) for own in fetched.players] == [1, 1, 1]
    upkeep = before(lessons.UPKEEP)
    assert upkeep.phase == Paying((STUDENT,))
    assert len(upkeep.players[0].shops) == 4
    assert upkeep.board.order(upkeep.drawn[-1]).settle


def test_points_and_upkeep_are_told_as_they_are():
    told = []
    room = Classroom(told.append, "Olena")
    for lesson in LESSONS[:-1]:
        for line in (*lesson.before, *lesson.wanted):
            room.play(line)
    ours = room.game.players[0].points
    room.play("DRAW 29")
    board = room.game.board
    values = {area.letter: area.values for area in board.areas}
    assert values["b"][0] == 3
    assert room.game.players[0].points == ours + values["b"][0] + sum(values["c"][:2]) // 2
    for _ in range(2):
        room.play("UPKEEP 4")
    assert [(it.event.seat, it.event.gold, it.event.points) for it in told[-2:]] == [
        (2, 4, 0),
        (1, 4, 1),
    ]
