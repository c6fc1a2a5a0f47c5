"""The analysis of a game: its page on the full screen, its lines, and when it is asked for."""

import re
from dataclasses import replace

import pytest
import trio

from matcha_p2p.console.review import study
from matcha_p2p.console.review.study import judge_all
from matcha_p2p.console.table.focus import AtTable, Page, Reading
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.cells import key_of, line_width
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.console.terminal.skins import ASCII, PLAIN, with_framed_cards
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.review.analysis import Analysis, JudgedDecision
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.judgement import Decision, JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.analysis import (
    Analyse,
    analysis_page,
    decision_lines,
    summary,
)
from matcha_p2p.games.matcha.screen.scene import Waiting, hear
from matcha_p2p.games.matcha.screen.screen import analysed
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.screen.signs import signs_of
from matcha_p2p.session.news import MoveDue, NextGame, Settled
from tests.console.frames import draw, press
from tests.console.scenes import MINE, THEIRS, Story, conceded
from tests.games.matcha.bots.positions import observations

NAMES = ("Mina", "Taro")


def judged(seen, values=(0.6, 0.45)):
    """Return the decision for the second best of the legal moves."""
    moves = seen.legal_moves()
    better, worse = values
    known = [JudgedMove(move, worse, 0.004) for move in moves]
    known[0] = JudgedMove(moves[0], better, 0.004)
    return JudgedDecision(Decision(seen, moves[-1], 0), Judgement(tuple(known), exact=False))


def test_mistakes_come_first_and_the_largest_loss_before_the_others():
    seen = [it.decision.observation for it in game(6).judged]
    worst = [0.52, 0.3, 0.58, 0.1, 0.6, 0.45]
    found = tuple(judged(it, (0.6, worse)) for it, worse in zip(seen, worst, strict=True))
    whole = Analysis(NAMES, tuple(it.decision for it in found), found)
    assert [round(it.loss, 2) for it in whole.mistakes()] == [0.5, 0.3, 0.15, 0.08]
    shown = text(analysis_page(whole, 0, 160, PLAIN))
    order = [shown.index(f", {value}%; ") for value in (10, 30, 45, 52, 58)]
    assert order == sorted(order)
    assert shown.index("largest loss first") < order[0]
    assert order[3] < shown.index("All other decisions, in order") < order[4]
    told = [line for line in summary(whole) if " had 60%: a " in line]
    assert [line.split(", ")[3][:3] for line in told] == ["10%", "30%", "45%", "52%"]
    fine = Analysis(NAMES, whole.decisions, (found[4],))
    assert "largest loss" not in text(analysis_page(fine, 0, 160, PLAIN))
    assert not any("largest loss" in line for line in summary(fine))


def game(count=200):
    seen = [
        it
        for it in observations(EDITION_2015, "analysed", games=1)
        if isinstance(it.game.phase, Placing) and len(it.legal_moves()) > 1
    ][:count]
    found = tuple(map(judged, seen))
    return Analysis(NAMES, tuple(it.decision for it in found), found)


def text(lines):
    return "\n".join("".join(part for _, part in line) for line in lines)


def test_a_decision_is_told_with_the_values_of_its_moves_and_a_reason():
    said, values, why = decision_lines(game(1).judged[0], NAMES)
    assert re.match(r"Set 1, round 1, (Mina|Taro): .*, 45%; .* had 60%: a blunder\.$", said)
    assert re.search(r"60% \(\+-0\.4%\), .*45% \(\+-0\.4%\)", values)
    assert why.startswith("A good player would ")
    assert "This wins about 60%; " in why


def test_summary_has_a_line_a_round_and_a_line_a_player():
    whole = game()
    lines = summary(whole)
    rounds = {it.round for it in whole.judged}
    chances = [line for line in lines if re.match(r"Set \d+, round \d: ", line)]
    assert len(chances) == len(rounds)
    assert [line.split(":")[0] for line in lines if ": accuracy" in line] == [*NAMES]
    assert summary(Analysis(NAMES)) == ["No cards are known, so no decision can be judged."]


@pytest.mark.parametrize("columns", [60, 80, 160])
@pytest.mark.parametrize("skin", [PLAIN, ASCII, with_framed_cards(PLAIN)])
def test_page_fits_and_has_every_round_in_the_plot(columns, skin):
    whole = game()
    lines = analysis_page(whole, 0, columns, skin)
    assert max(map(line_width, lines)) <= columns
    shown = text(lines)
    for number, played in {it.round for it in whole.judged}:
        assert f" {number}.{played} " in shown


def test_bars_are_as_high_as_the_chances():
    one = game(1)
    for value, rows in ((0.99, 8), (0.5, 4), (0.01, 0)):
        found = judged(one.decisions[0].observation, (value, 0.0))
        analysis = Analysis(NAMES, one.decisions, (found,))
        lines = analysis_page(analysis, found.seat, 60, with_framed_cards(PLAIN))
        assert sum("###" in text([line]) for line in lines) == rows


def test_page_tells_how_far_it_has_got():
    whole = game(5)
    part = Analysis(NAMES, whole.decisions, whole.judged[:2])
    assert "2 of 5" in text(analysis_page(part, 0, 80, PLAIN))
    assert "of 5" not in text(analysis_page(whole, 0, 80, PLAIN))
    assert "being read" in text(analysis_page(Analysis(NAMES, reading=True), 0, 80, PLAIN))


def over():
    return hear(conceded(), Settled(b"transcript"))


def test_key_at_the_end_asks_for_the_analysis_once():
    scene, asked = press(over(), "a")
    assert asked == Analyse(b"transcript", scene.seat, {1: MINE})
    assert scene.focus == Reading(Page.ANALYSIS)
    assert "being read" in text(draw(scene, 80, 24, ASCII))
    closed, nothing = press(scene, "a")
    assert (closed.focus, nothing) == (AtTable(), None)
    assert press(closed, "a") == (scene, None)


def hands_of_two_sets():
    """Return what seat 0 is asked in two sets, and its hand of each set."""
    first = Observation(Story().deal().game, SEATS[0], MINE)
    second = Observation(first.game._replace(number=2), SEATS[0], THEIRS)
    return (MoveDue(first), MoveDue(second), Settled(b"all")), {1: MINE, 2: THEIRS}


def test_analysis_after_a_game_knows_the_own_hand_of_each_set():
    told, hands = hands_of_two_sets()
    scene = replace(conceded(), hands={})
    for piece in told:
        scene = hear(scene, piece)
    scene = replace(scene, question=Waiting())
    assert press(scene, "a")[1] == Analyse(b"all", 0, hands)
    assert hear(scene, NextGame((0, 1))).hands == {}


def test_line_mode_analyses_with_the_own_hand_of_each_set():
    told, hands = hands_of_two_sets()
    talk = Conversation(0, MATCHA)
    for piece in told:
        talk.hear(piece)
    assert talk.read("analyse").task == Analyse(b"all", 0, hands)
    talk.hear(NextGame((0, 1)))
    talk.hear(Settled(b"next"))
    assert talk.read("analyse").task == Analyse(b"next", 0, {})


def test_key_means_nothing_before_the_game_is_complete():
    assert press(conceded(), "a") == (conceded(), None)


def test_analysis_that_is_late_is_not_shown():
    """Books were opened or another game has begun meanwhile."""
    scene, asked = press(over(), "a")
    whole = game(3)

    def shown(scene):
        state = Staged(scene, Show(Speed.OFF))
        return analysed(state, asked, whole).scene.analysis

    assert shown(scene) == whole
    grown = hear(scene, Settled(b"transcript and books"))
    assert grown.focus == AtTable()
    assert shown(grown) is None
    assert shown(hear(scene, NextGame((0, 1)))) is None
    assert press(grown, "a")[1].transcript == b"transcript and books"


def test_line_mode_asks_for_it_when_the_game_is_over():
    talk = Conversation(0, MATCHA)
    assert talk.read("analyse").lines == ("Ask again when the game is over.",)
    talk.hear(Settled(b"transcript"))
    assert talk.read("analyse").task == Analyse(b"transcript", 0, {})
    talk.hear(NextGame((1, 0)))
    assert talk.read("analyse").task is None


class Quick:
    """An analyst that judges at once, in a thread as any other."""

    def begin(self, asked):
        assert asked.transcript == b"whole"
        whole = game(3)
        return Analysis(NAMES, whole.decisions)

    def judge(self, decision):
        return judged(decision.observation)


async def test_decisions_are_shown_one_after_another():
    shown = []
    with trio.fail_after(30):
        await judge_all(Quick(), Analyse(b"whole", 0, {}), shown.append)
    assert [len(it.judged) for it in shown] == [0, 1, 2, 3]
    assert [it.done for it in shown] == [False, False, False, True]


def studied(count=6):
    """Return the page of a game with two mistakes among ``count`` decisions."""
    seen = [it.decision.observation for it in game(count).judged]
    worst = [0.6, 0.3, 0.6, 0.45, 0.6, 0.6]
    found = tuple(judged(it, (0.6, worse)) for it, worse in zip(seen, worst, strict=True))
    whole = Analysis(NAMES, tuple(it.decision for it in found), found)
    page = Reading(Page.ANALYSIS)
    return replace(conceded(), names=NAMES, analysis=whole, focus=page), whole


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
def test_mistakes_are_stepped_through_on_the_board(size):
    scene, whole = studied()
    assert "a" in {key_of(style) for style, _ in draw(scene, *size, PLAIN)[-1]}
    scene, _ = press(scene, "a")
    first, second = whole.mistakes_in_order()
    assert [round(it.loss, 2) for it in (first, second)] == [0.3, 0.15]

    def shown(scene):
        return " ".join(text(draw(scene, *size, PLAIN)).split())

    assert "Mistake 1 of 2" in shown(scene)
    assert "30%; " in shown(scene)
    scene, _ = press(scene, "a")
    assert "Mistake 2 of 2" in shown(scene)
    assert "45%; " in shown(scene)
    board = draw(scene, *size, PLAIN)
    best = second.judgement.moves[0].move
    card = second.decision.observation.hand[best.slot]
    assert f"{signs_of(PLAIN).card(card)}?" in text(board)
    scene, _ = press(scene, "a")
    assert "Mistake 1 of 2" in shown(scene)
    scene, _ = press(scene, "A")
    assert "Mistake 2 of 2" in shown(scene)
    scene, _ = press(scene, "escape")
    assert scene.focus == Reading(Page.ANALYSIS)
    scene, _ = press(scene, "escape")
    assert scene.focus == AtTable()


def test_the_only_mistake_has_no_other_after_it():
    scene, whole = studied()
    first, *_ = whole.mistakes_in_order()
    scene, _ = press(replace(scene, analysis=replace(whole, judged=(first,))), "a")
    board = text(draw(scene, 80, 24, PLAIN))
    assert "No other mistake" in board
    assert "a next" not in board


def test_game_without_mistakes_has_none_to_step_through():
    scene, _ = studied()
    seen = game(2)
    fine = replace(
        seen,
        judged=tuple(
            replace(it, decision=replace(it.decision, made=it.judgement.moves[0].move))
            for it in seen.judged
        ),
    )
    scene = replace(scene, analysis=fine)
    assert "a mistakes" not in text(draw(scene, 80, 24, PLAIN))
    assert press(scene, "a")[0].focus == AtTable()
    assert study.LEADS_ON() not in text(analysis_page(fine, 0, 160, PLAIN))
