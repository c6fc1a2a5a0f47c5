"""The tutorial: its script holds to the rules, and both front ends play it to the end."""

import re

import pytest
import trio.testing

from matcha_p2p.console.terminal.cells import wrapped
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.lessons import lessons
from matcha_p2p.games.matcha.lessons.lessons import BY_LINE, HANDS, LESSONS, ON_SCREEN, TABLE
from matcha_p2p.games.matcha.lessons.tutorial import lesson_text, opening
from matcha_p2p.games.matcha.rules.cards import DECK, DEMANDS, ZERO, Demand, Token, matches
from matcha_p2p.games.matcha.rules.game import advance, legal_moves
from matcha_p2p.games.matcha.rules.moves import PASS, Play
from matcha_p2p.games.matcha.rules.notation import face, parse_move
from matcha_p2p.games.matcha.rules.phases import Ended, How, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.keys import press
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.news import Taught
from matcha_p2p.session.news import GameEvent, MakeMove
from matcha_p2p.wire.talk import Say
from tests.classroom import Class, as_drawn
from tests.console.frames import draw

PLAYED = [parse_move(text) for text in ("5a", "3b", "1c", "p", "4e", "2f")]


def games(*moves):
    """Return the game before each lesson, and after the last one."""
    game, seen = opening(), []
    for lesson, move in zip(LESSONS, moves, strict=True):
        seen.append(game)
        game = advance(game, move, HANDS)
        for reply in lesson.replies:
            game = advance(game, reply, HANDS)
    return [*seen, game]


def gained(game, mat) -> tuple[Token | None, Token | None]:
    return game.rounds[mat // 2].resolutions[mat % 2].gain


def test_cards_of_a_lesson_form_one_deck():
    dealt = [*TABLE, *HANDS[0], *HANDS[1]]
    for card in dealt:
        assert dealt.count(card) <= DECK.count(card)


def test_lessons_begin_a_game():
    game = opening()
    assert (game.number, game.dealer, game.rounds[-1].number) == (1, SEATS[0], 1)
    assert not any(map(any, game.tokens))


def test_every_wanted_move_is_legal_and_the_student_moves_in_every_lesson():
    for game, lesson in zip(games(*PLAYED), LESSONS, strict=False):
        assert game.phase == Placing(0)
        assert {*map(parse_move, lesson.wanted)} & set(legal_moves(game))


@pytest.mark.parametrize("zeros", ["14", "41"])
def test_any_choice_that_is_left_wins_by_five_kinds(zeros):
    moves = ["5a", "3b", f"{zeros[0]}c", "p", f"{zeros[1]}e", "2f"]
    assert games(*map(parse_move, moves))[-1].phase == Ended(0, How.FIVE_KINDS)


def test_the_lesson_on_the_number_mat():
    assert "Mat a asks for the number 2, mat b for a leaf" in lessons.NUMBER_MAT.says.english
    assert (DEMANDS[0], TABLE[0].number) == (Demand.NUMBER, 2)
    assert (DEMANDS[1], TABLE[1].suit) == (Demand.SUIT, Token.LEAF)
    assert HANDS[0][4] == face("S2")


def test_lesson_on_the_suit_mat_tells_the_results_of_both_mats():
    game = games(*PLAYED)[2]
    assert HANDS[0][2] == face("T1")
    first, second = game.rounds[0].resolutions
    assert first.cards == (face("S2"), face("T2"))  # scoop beat leaf
    assert second.cards == (face("T1"), face("T4"))  # 1 beat 4
    assert (first.gain, second.gain) == ((Token.BOWL, None), (Token.LEAF, None))
    assert first.gain[0] == TABLE[0].suit  # the suits of the mats' own cards
    assert second.gain[0] == TABLE[1].suit


def test_the_lesson_on_the_whisk():
    assert all(HANDS[0][slot] == ZERO for slot in (0, 3))
    assert lessons.BLUFF.wanted == ("1c", "4c")
    assert gained(games(*PLAYED)[4], 2) == (Token.WHISK, TABLE[2].suit)


def test_the_lesson_on_passing():
    game = games(*PLAYED)[3]
    left = [HANDS[0][slot] for slot in sorted(game.hands[0])]
    assert (DEMANDS[3], TABLE[3].suit) == (Demand.SUIT, Token.BOWL)
    assert not any(matches(DEMANDS[3], TABLE[3], card) for card in left)
    assert game.tokens[0][Token.BOWL] == 1
    assert len(left) == 2
    assert [turn.move for turn in games(*PLAYED)[4].rounds[1].turns if turn.seat == 0][1:] == [
        PASS
    ]


def test_the_lesson_on_being_alone():
    game = games(*PLAYED)[4]
    assert gained(game, 3) == (None, TABLE[3].suit)
    assert not game.rounds[1].resolutions[1].revealed
    lacking = [token for token in Token if not game.tokens[0][token]]
    assert lacking == [Token.WATER, Token.SCOOP]
    assert (DEMANDS[4], TABLE[4]) == (Demand.NUMBER, face("S4"))
    assert not any(HANDS[0][slot].number == 4 for slot in game.hands[0])
    last = games(*PLAYED)[-1]
    assert gained(last, 4) == (Token.SCOOP, None)
    assert not last.rounds[2].resolutions[0].revealed


def test_the_last_lesson_and_the_end():
    game = games(*PLAYED)[5]
    assert game.rounds[-1].turns[-1].move == PASS
    assert game.rounds[-1].turns[-1].seat == 1
    assert game.hands[0] == {1}  # card 2
    last = games(*PLAYED)[-1]
    assert gained(last, 5) == (Token.WATER, None)
    assert all(last.tokens[0])
    assert "all five kinds" in lessons.END()


@pytest.mark.parametrize("key_hints", [ON_SCREEN, BY_LINE], ids=["screen", "line"])
def test_every_lesson_fits_beside_the_table_and_in_a_small_terminal_below_it(key_hints):
    texts = [lesson_text(lesson, key_hints) for lesson in LESSONS]
    for text in (*texts, *(lesson.again() for lesson in LESSONS), lessons.END()):
        assert len(wrapped(text, 27)) <= 19
        assert len(wrapped(text, 59)) <= 5


@pytest.mark.parametrize(("size", "cells"), [((60, 16), 59), ((80, 24), 27)])
@pytest.mark.parametrize("zero", "14")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_screen_plays_it_to_the_end(nursery, size, cells, zero, language, restored):
    """The keys are those that the lesson names; of two zeros either will do.

    All words of the teacher are in sight, and beside the table what beats what.
    """
    speak(language)
    lesson, scene = Class("matcha"), Scene(0)
    nursery.start_soon(lesson.run)
    for one in (*LESSONS, None):
        for piece in await lesson.until_due():
            scene = hear(scene, piece)
        lines = ["".join(text for _, text in line) for line in draw(scene, *size, SYMBOLS)]
        text = "\n".join(lines)
        assert all(as_drawn(line) in text for line in wrapped(scene.lesson, cells))
        order = ("⚘T > ◡B ≋W      4 > 3 2", "⚘T>◡B≋W ◡B>≋W⚲S ≋W>⚲S ⚲S>⚘T")
        assert size == (60, 16) or one is None or any(line in text for line in order)
        named = re.findall(r"\[(\S+)\]", scene.lesson)
        for key in [zero, *named[1:]] if one is lessons.BLUFF else named:
            scene, choice = press(scene, key.lower())
            if choice is not None:
                lesson.choices.send_nowait(choice)
    await trio.testing.wait_all_tasks_blocked()
    assert lesson.over
    assert scene.end.ended == Ended(0, How.FIVE_KINDS)
    assert scene.lesson == lessons.END()


async def test_the_lines_play_it_to_the_end(nursery):
    lesson, talk = Class("matcha", BY_LINE), Conversation(0, MATCHA)
    nursery.start_soon(lesson.run)
    shown: list[str] = []
    for line in ("5 a", "3 b", "4 c", "p", "1 e", "2 f", ""):
        for piece in await lesson.until_due():
            shown += talk.hear(piece)
        for typed in (line, "y") if line else ():
            answer = talk.read(typed)
            if answer.choice is not None:
                lesson.choices.send_nowait(answer.choice)
    await trio.testing.wait_all_tasks_blocked()
    assert lesson.over
    assert not any("proofs" in line or "goes on" in line for line in shown)
    assert "You win: one token of each of the five kinds." in shown
    for one in LESSONS:
        told = lesson_text(one, BY_LINE)
        assert told.replace("Type 4 e", "Type 1 e") in shown  # the other zero is gone
    assert shown[-1] == lessons.END()


async def test_another_move_gets_a_kind_word_and_another_try(nursery):
    lesson = Class("matcha")
    nursery.start_soon(lesson.run)
    await lesson.until_due()
    for wrong in (PASS, Play(1, 2), Play(0, 1)):
        lesson.choices.send_nowait(MakeMove(wrong))
        said, due = await lesson.until_due()
        assert said == Taught(lessons.NUMBER_MAT.again())
        assert due.view.game == opening()
    lesson.choices.send_nowait(Say("why?"))
    lesson.choices.send_nowait(MakeMove(Play(0, 4)))
    heard = await lesson.until_due()
    assert not [each for each in heard if each == Taught(lessons.NUMBER_MAT.again())]
    assert len([each for each in heard if isinstance(each, GameEvent)]) == 2


def test_a_lesson_names_the_keys_of_its_front_end():
    assert re.search(r"Press \[5\] \[a\] \[Enter\]\.$", lesson_text(LESSONS[0], ON_SCREEN))
    assert re.search(r"Type 5 a, then y\.$", lesson_text(LESSONS[0], BY_LINE))
