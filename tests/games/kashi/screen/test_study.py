"""The analysis of a finished game on the screen: the page, and each mistake on the board."""

from dataclasses import replace

import pytest

from matcha_p2p.console.table.focus import AT_TABLE, Page, Reading
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.bots.judge import JudgedTurn
from matcha_p2p.games.kashi.bots.keen import Plan
from matcha_p2p.games.kashi.review.analysis import Analysis, Decision, JudgedDecision
from matcha_p2p.games.kashi.review.judging import judge
from matcha_p2p.games.kashi.review.mistakes import Analyse, AnalysisProgress
from matcha_p2p.games.kashi.rules.moves import TAKE_GOLD
from matcha_p2p.games.kashi.screen import screen
from matcha_p2p.games.kashi.screen.keys import press
from matcha_p2p.games.kashi.screen.scene import hear
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.session.news import NextGame, Settled
from tests.games.kashi.rules.positions import position
from tests.games.kashi.scenes import NAMES, OWN, analysed, won
from tests.games.kashi.screen.drawing.test_layout import drawn

ASKED = Analyse(b"file", OWN)


class Judge:
    """Finds three turns; the second loses points."""

    def begin(self, asked):
        assert asked == ASKED
        return Analysis(NAMES, tuple(Decision(at, position(), OWN, ()) for at in range(3)))

    def judge(self, decision):
        lead = -9.0 if decision.entries == 1 else 0.0
        return JudgedDecision(decision, JudgedTurn(Plan((TAKE_GOLD,), None, 0), lead, 0.0, 1.0))


def shown(scene):
    return "\n".join(drawn(scene, 100, 30))


def over():
    return hear(won(), Settled(ASKED.transcript))


def test_analysis_is_asked_for_once_and_after_the_game_alone():
    assert press(won(), "a") == (won(), None)
    assert "a analysis" in shown(over())
    scene, asked = press(over(), "a")
    assert (scene.focus, asked) == (Reading(Page.ANALYSIS), ASKED)
    scene, _ = press(scene, "a")
    assert scene.focus == AT_TABLE
    assert press(scene, "a")[1] is None


async def test_progress_is_told_after_each_turn_and_the_summary_at_the_end():
    told: list[AnalysisProgress] = []
    await judge(Judge(), ASKED, told.append)
    assert [it.done for it in told] == [0, 1, 2, 3]
    assert [len(it.mistakes) for it in told] == [0, 0, 1, 1]
    assert told[-1].told[0].startswith("Your mistakes: 1, points lost by them: 9.")
    scene = replace(press(over(), "a")[0], judging=told[1])
    assert "Decisions judged so far: 1 of 3." in shown(scene)


async def test_game_without_an_own_turn_is_told():
    class Nothing(Judge):
        def begin(self, asked):
            return replace(super().begin(asked), decisions=())

    told: list[AnalysisProgress] = []
    await judge(Nothing(), ASKED, told.append)
    assert ["no turn can be judged" in it.told[0] for it in told] == [True]


@pytest.mark.parametrize(
    ("pressed", "place"), [("a", 1), ("aa", 2), ("aaa", 1), ("aA", 2)], ids=str
)
def test_keys_step_from_mistake_to_mistake(pressed, place):
    scene = analysed()
    for key in pressed:
        scene, _ = press(scene, key)
    assert f"Mistake {place} of 2." in shown(scene)
    assert "Taro loses 9 points by this turn" in shown(scene)
    scene, _ = press(scene, "escape")
    assert "Decisions judged so far: 9 of 21." in shown(scene)


def test_the_only_mistake_has_no_other_after_it():
    scene, _ = press(analysed(), "a")
    assert "a next" in shown(scene)
    only = scene.judging._replace(mistakes=scene.judging.mistakes[:1])
    assert "No other mistake" in shown(replace(scene, judging=only))
    assert "a next" not in shown(replace(scene, judging=only))


def test_judgement_of_another_game_is_dropped():
    state = Staged(over(), Show())
    assert screen.judged(
        state, ASKED, AnalysisProgress(1, 3)
    ).scene.judging == AnalysisProgress(1, 3)
    assert screen.judged(state, Analyse(b"other", OWN), AnalysisProgress(1, 3)) == state


def test_next_game_forgets_the_analysis():
    scene = hear(analysed(), NextGame((1, 0, 0)))
    assert (scene.transcript, scene.judging) == (b"", None)


def test_decision_taken_back_forgets_the_analysis():
    scene = replace(over(), advise=advise, decided=1, judging=AnalysisProgress(1, 3))
    for key in ("u", "enter"):
        scene, _ = press(scene, key)
    assert (scene.transcript, scene.judging) == (b"", None)
