"""Hints say what speaks for a move; in practice alone there are hints and a way back."""

from dataclasses import replace

import pytest

from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.table.focus import AtTable, OpenList, Page, Reading
from matcha_p2p.console.terminal.cells import wrapped
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.skins import PLAIN
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Play
from matcha_p2p.games.matcha.rules.notation import parse_move
from matcha_p2p.games.matcha.rules.observation import Observation, observe
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.coach import explained, reason
from matcha_p2p.games.matcha.screen.scene import Picking, Ready, Scene, Waiting, ask, hear
from matcha_p2p.games.matcha.screen.screen import TableView
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.news import Checked, Decisions, TakeBack
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import (
    LineTimed,
    MakeMove,
    MoveDue,
    Propose,
    Settled,
    TakenUp,
    TalkHeard,
)
from matcha_p2p.wire.talk import Proposal
from tests.console.frames import draw, press
from tests.console.scenes import MINE, Story, conceded, hinted

NAMES = ("Taro", "Mina")


def seen(*moves: str) -> Observation:
    return observe(Story().deal().play(*moves).game, SEATS[0], MINE)


@pytest.mark.parametrize(
    ("moves", "move", "sentence"),
    [
        ((), "1a", "lay bowl 3 on mat a: it matches the number there."),
        ((), "2b", "lay water 2 on mat b: it matches the suit there."),
        ((), "3a", "lay zero on mat a, as a bluff: if the other player lays no card there"),
        (("4b", "1a"), "1a", "lay bowl 3 on mat a: it matches the number there."),
        (
            ("4b", "1a"),
            "2a",
            "lay water 2 on mat a: the card does not match, but you take a whisk",
        ),
        (("1a", "p"), "2b", "lay water 2 on mat b, to take it alone."),
        (("1a", "p"), "3b", "lay zero on mat b, to take it alone."),
        ((), "p", "pass, to save cards for later rounds."),
        (("2a", "1a"), "p", "pass: nothing matches."),
        (("p", "p", "p", "p"), "p", "pass: no card promises a gain here."),
    ],
)
def test_each_kind_of_reason(moves, move, sentence):
    told = reason(seen(*moves), parse_move(move))
    assert told.startswith(f"A good player would {sentence}")


def test_kept_card_has_its_reason():
    keeping = seen("1a", "1a", "p", "p", "p", "2d", "p", "p", "p")
    first, *_, last = keeping.legal_moves()
    assert reason(keeping, first) == "A good player would keep no card: these cards rarely win."
    assert reason(keeping, last).startswith(
        "A good player would keep water 2, zero, scoop 1, leaf 4:"
    )


def advise(_: Observation):
    return Judgement((JudgedMove(PASS, 0.5, 0.01),), exact=False)


def judged(*moves: tuple[str, float, float]) -> Judgement:
    known = tuple(JudgedMove(parse_move(move), *rest) for move, *rest in moves)
    return Judgement(known, exact=False)


def hint(*moves: tuple[str, float, float]) -> str:
    return explained(seen(), judged(*moves))


def test_hint_compares_with_the_next_best():
    """Moves that are nearer to each other than twice the error count as equal."""
    clear = hint(("1a", 0.58, 0.01), ("p", 0.51, 0.01), ("2b", 0.4, 0.01))
    assert "This wins about 58%; passing, 51%." in clear
    equal = hint(("1a", 0.58, 0.03), ("2b", 0.56, 0.03), ("p", 0.4, 0.03))
    assert "This wins about 58%; water 2 on mat b is as good." in equal


def test_hint_counts_possible_matches():
    """Of the twelve cards that are not on the table five are one's own."""
    assert "of the 7 cards you have not seen" in hint(("1a", 0.58, 0.01))
    assert "not seen" not in hint(("p", 0.5, 0.01))


def coached() -> Scene:
    scene = Story().deal().scene
    return replace(scene, advise=advise, decided=1)


def pressed(scene: Scene, *keys: str):
    wishes = []
    for key in keys:
        scene, wish = press(scene, key)
        wishes += [] if wish is None else [wish]
    return scene, wishes


def test_coach_keys_mean_nothing_outside_practice():
    scene = Story().deal().scene
    for key in "hu":
        assert press(scene, key) == (scene, None)
    for shown in (scene, replace(scene, focus=Reading(Page.HELP))):
        text = "".join(text for line in draw(shown, 110, 60, PLAIN) for _, text in line)
        assert "undo" not in text
        assert "greedy" not in text


def test_practice_lists_its_keys():
    for shown in (coached(), replace(coached(), focus=Reading(Page.HELP))):
        text = "".join(text for line in draw(shown, 110, 60, PLAIN) for _, text in line)
        assert "undo" in text or "take back your last decision" in text


def test_hint_marks_its_move_and_escape_brings_the_own_choice_back():
    scene, wishes = pressed(coached(), "1", "h")
    assert wishes == []
    assert scene.advice == "A good player would pass, to save cards for later rounds."
    assert scene.told == coached().told
    assert pressed(scene, "enter")[1] == [MakeMove(PASS)]
    assert pressed(scene, "escape")[0].question == press(coached(), "1")[0].question
    waiting, _ = press(replace(coached(), question=Waiting()), "h")
    assert waiting.lately[-1] == "No decision is due now."


def test_answer_to_a_key_stands_until_the_next_key_and_not_in_the_log():
    waiting = replace(coached(), question=Waiting())
    refused, _ = press(waiting, "h")
    assert refused.lately == (*waiting.lately, "No decision is due now.")
    assert refused.told == waiting.told
    again, _ = press(refused, "h")
    assert again.lately == refused.lately
    log, _ = press(again, "l")
    assert log.lately == waiting.lately
    view = TableView(Look(PLAIN))
    state = replace(view.begin(Seat(0)), scene=refused)
    timed, _ = view.hear(state, LineTimed(0.1), 0.0)
    assert timed.scene.lately == refused.lately
    due, _ = view.hear(timed, MoveDue(seen()), 0.0)
    assert due.scene.lately == waiting.lately


def test_hint_marks_its_move_while_nothing_is_chosen():
    """Enter makes the move, and Escape goes back to the hand."""
    picking = replace(coached(), advise=lambda _: judged(("2b", 0.5, 0.01)))
    scene, wishes = pressed(picking, "right", "h")
    assert wishes == []
    assert scene.question == Ready(seen(), Play(1, 1), Picking(seen(), 1))
    assert pressed(scene, "enter")[1] == [MakeMove(Play(1, 1))]
    assert pressed(scene, "escape")[0].question == Picking(seen(), 1)


def test_hint_marks_the_cards_to_keep():
    keeping = seen("1a", "1a", "p", "p", "p", "2d", "p", "p", "p")
    best = Keep(frozenset({1, 3}))
    judgement = Judgement((JudgedMove(best, 0.5, 0.01),), exact=False)
    asked = replace(coached(), question=ask(keeping), advise=lambda _: judgement)
    assert pressed(asked, "h", "enter")[1] == [MakeMove(best)]
    chosen, _ = pressed(asked, "2")
    assert pressed(chosen, "h", "enter")[1] == [MakeMove(best)]


def test_hint_is_over_with_the_move():
    scene, _ = pressed(coached(), "h", "1", "a")
    assert scene.advice
    scene, _ = pressed(scene, "enter")
    assert not scene.advice
    assert not hear(scene, MoveDue(seen())).advice


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize(
    ("size", "cells", "keys"), [((80, 24), 27, ""), ((80, 24), 27, "2"), ((60, 16), 59, "")]
)
def test_hint_is_shown_whole(spoken, size, cells, keys, restored):
    """Beside the table also while a mat is chosen for a card, and there is talk."""
    speak(spoken)
    scene, _ = pressed(hear(hinted(), TalkHeard("well?", "Taro", Seat(1))), *keys)
    drawn = "\n".join("".join(text for _, text in line) for line in draw(scene, *size, PLAIN))
    assert all(line in drawn for line in wrapped(scene.advice, cells))


def test_a_decision_is_taken_back_after_one_enter():
    scene, wishes = pressed(replace(coached(), decided=0), "u")
    assert scene.focus == AtTable()
    assert scene.lately[-1] == "You have no decision to take back."
    scene, _ = pressed(scene, "1", "a", "enter")
    scene, wishes = pressed(hear(scene, Decisions(1)), "u")
    assert isinstance(scene.focus, OpenList)
    assert pressed(scene, "escape")[0].focus == AtTable()
    scene, wishes = pressed(scene, "enter")
    assert wishes == [TakeBack()]
    assert scene.lately[-1] == "You take back your last decision."
    assert pressed(hear(scene, Decisions(0)), "u", "enter")[1] == []


def test_a_decision_that_was_taken_back_is_asked_for_again():
    asked = coached()
    passed, _ = pressed(asked, "/", "x", "enter", "p", "enter")
    going_back, _ = pressed(hear(passed, Decisions(1)), "u", "enter")
    back = hear(hear(going_back, Decisions(0)), TakenUp(seen().game, NAMES, MINE))
    assert back.talk == ((0, "x"),)
    assert (back.game, back.question, back.end) == (seen().game, Waiting(), None)
    assert hear(back, MoveDue(seen())).question == asked.question


def test_a_finished_game_that_is_taken_up_has_no_end():
    ended = conceded()
    assert hear(ended, TakenUp(seen().game, NAMES, MINE)).end is None


def test_at_the_end_of_a_game_the_last_decision_can_be_taken_back():
    ended = replace(conceded(), advise=advise, decided=2)
    ended = hear(hear(ended, Settled(b"")), Checked(""))
    assert pressed(ended, "h")[0].lately[-1] == "No decision is due now."
    scene, wishes = pressed(ended, "u", "enter")
    assert wishes == [TakeBack()]
    assert (scene.end, scene.after_game) == (None, None)
    assert pressed(scene, "r", "o")[1] == []
    assert not hear(hear(scene, Checked("")), TakenUp(seen().game, NAMES, MINE)).checked


def test_player_wanting_another_game_takes_nothing_back():
    ended = hear(replace(conceded(), advise=advise, decided=2), Settled(b""))
    assert pressed(ended, "o", "u", "enter")[1] == [Propose(Proposal.BOOKS), TakeBack()]
    scene, wishes = pressed(ended, "r")
    assert wishes == [Propose(Proposal.REMATCH)]
    assert pressed(hear(scene, Decisions(0)), "u", "enter")[1] == []
    talk = Conversation(0, MATCHA, advise)
    talk.hear(Settled(b""))
    assert talk.read("again") == Answer(("You offer another game.",), Propose(Proposal.REMATCH))
    talk.hear(Decisions(0))
    assert talk.read("undo").lines == ("You have no decision to take back.",)


def test_line_mode_takes_a_finished_game_up_again():
    talk = Conversation(0, MATCHA, advise)
    for piece in (Settled(b""), Decisions(2)):
        talk.hear(piece)
    talk.read("undo")
    assert talk.read("y").choice == TakeBack()
    talk.hear(TakenUp(seen().game, NAMES, MINE))
    assert not talk.waiting
    assert talk.read("open").choice is None


def test_line_mode_takes_back_after_a_yes():
    talk = Conversation(0, MATCHA, advise)
    talk.hear(TakenUp(seen().game, NAMES, MINE))
    talk.hear(MoveDue(seen()))
    assert talk.read("undo").lines == ("You have no decision to take back.",)
    typed, reason = talk.read("hint").lines
    assert typed == "A good player would type: p"
    assert reason.startswith("A good player would pass")
    assert talk.read("h").lines[0].startswith("Hand:")
    assert "undo: take back your last decision." in talk.read("help").lines
    talk.read("1 a")
    talk.read("y")
    talk.hear(Decisions(1))
    assert talk.read("hint").lines == ("No decision is due now.",)
    assert talk.read("u").lines == ("Take back your last decision? y: yes, n: no",)
    assert talk.read("y").choice == TakeBack()
    talk.hear(Decisions(0))
    assert not talk.waiting
    talk.hear(TakenUp(seen().game, NAMES, MINE))
    assert talk.hear(MoveDue(seen()))
    assert talk.waiting


def test_leaving_practice_warns_that_nothing_is_kept():
    for scene, kept in ((coached(), "save nothing"), (Story().deal().scene, "another day")):
        leaving = pressed(scene, "q")[0]
        for columns, rows in ((60, 16), (80, 24)):
            lines = [
                "".join(t for _, t in line) for line in draw(leaving, columns, rows, PLAIN)
            ]
            assert any(kept in line and "concede" in line and "stay" in line for line in lines)
