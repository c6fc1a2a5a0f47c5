"""The analysis of a finished game on the screen: when it is asked for, and on the board."""

from dataclasses import replace

import pytest

from matcha_p2p.console.review.findings import Findings, judge_all
from matcha_p2p.console.table.focus import Page, Reading
from matcha_p2p.console.table.frame import AskAnalysis
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.bots.judge import JudgedTurn
from matcha_p2p.games.kashi.bots.keen import Plan
from matcha_p2p.games.kashi.replay import analyse
from matcha_p2p.games.kashi.review.analysis import Analysis, Decision, JudgedDecision
from matcha_p2p.games.kashi.review.mistakes import Analyse
from matcha_p2p.games.kashi.rules.moves import TAKE_GOLD
from matcha_p2p.games.kashi.screen.keys import press
from matcha_p2p.games.kashi.screen.scene import hear
from matcha_p2p.session.news import NextGame, Settled
from tests.games.kashi.rules.positions import position
from tests.games.kashi.scenes import NAMES, OWN, analysed, won
from tests.games.kashi.screen.drawing.test_layout import drawn

ASKED = Analyse(b"file", OWN)


class Judge:
    """Finds three turns; the second loses points."""

    mistake = staticmethod(analyse.mistake)
    notes = staticmethod(analyse.notes)

    def begin(self, asked):
        assert asked == ASKED
        return Analysis(NAMES, tuple(Decision(at, position(), OWN, ()) for at in range(3)))

    def judge(self, decision):
        lead = -9.0 if decision.entries == 1 else 0.0
        return JudgedDecision(decision, JudgedTurn(Plan((TAKE_GOLD,), None, 0), lead, 0.0, 1.0))


def shown(scene, size=(100, 30)):
    return "\n".join(drawn(scene, *size))


def over():
    return hear(won(), Settled(ASKED.transcript))


def test_analysis_is_asked_for_once_and_after_the_game_alone():
    assert press(won(), "a") == (won(), None)
    assert "a analysis" in shown(over())
    scene, asked = press(over(), "a")
    assert (scene.focus, asked) == (Reading(Page.ANALYSIS), AskAnalysis(ASKED))
    scene, _ = press(scene, "escape")
    assert press(scene, "a")[1] is None


async def test_turns_are_told_as_in_each_game():
    told: list[Findings] = []
    await judge_all(Judge(), ASKED, OWN, told.append)
    assert [len(it.judged) for it in told] == [0, 1, 2, 3]
    assert [len(it.mistakes) for it in told] == [0, 0, 1, 1]
    (mistake,) = told[-1].mistakes
    assert mistake.where == "Round 2"
    assert (mistake.made, mistake.cost) == ("ending the turn at once", "9 points (+-1)")
    assert "twice its error" in told[-1].notes[0]


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
def test_board_marks_the_way_that_was_gone_and_the_better_one(size):
    scene, _ = press(analysed(), "a")
    board = shown(scene, size)
    assert "Mistake 1 of 2: Round 4. Lost: 9 points (+-2)." in board
    flat = " ".join(board.split())
    assert "! played: to 3,5; taking 1 gold" in flat
    assert "? better: taking 1 gold; to 3,4; a shop on 3,4" in flat
    assert (board.count("!"), board.count("?")) == (2, 2 + board.count("? help"))


def test_next_game_asks_anew():
    scene = hear(analysed(), NextGame((1, 0, 0)))
    assert scene.transcript == b""
    assert press(hear(won(), Settled(b"next")), "a")[1] == AskAnalysis(Analyse(b"next", OWN))


def test_decision_taken_back_forgets_the_file():
    scene = replace(over(), advise=advise, decided=1)
    for key in ("u", "enter"):
        scene, _ = press(scene, key)
    assert scene.transcript == b""
