"""The analysis of a game: its page on the full screen, its lines, and when it is asked for."""

import re
from dataclasses import replace

import pytest

from matcha_p2p.console.review.findings import Findings
from matcha_p2p.console.table.focus import AtTable, Page, Reading
from matcha_p2p.console.table.frame import AskAnalysis
from matcha_p2p.console.terminal.cells import key_of
from matcha_p2p.console.terminal.skins import ASCII, KANJI, PLAIN, SYMBOLS
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.review.analysis import Analysis, JudgedDecision
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.judgement import Decision, JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.analysis import Analyse, mistake, notes
from matcha_p2p.games.matcha.screen.scene import Waiting, hear
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


def test_a_mistake_is_told_with_both_values_and_a_reason():
    found = game(1).judged[0]
    told = mistake(found, NAMES, None)
    assert told.where == f"Set 1, round 1, {NAMES[found.seat]}"
    assert mistake(found, NAMES, found.seat).where == "Set 1, round 1"
    assert told.cost == "15% (60% to 45%)"
    assert told.why[0].startswith("A good player would ")
    assert told.board == found
    fine = replace(found, decision=replace(found.decision, made=found.judgement.moves[0].move))
    assert mistake(fine, NAMES, None) is None


@pytest.mark.parametrize(
    ("values", "cost"),
    [((0.994, 0.626), "36% (99% to 63%)"), ((0.934, 0.466), "46% (93% to 47%)")],
)
def test_the_loss_is_the_difference_of_the_figures_beside_it(values, cost):
    (seen,) = (it.decision.observation for it in game(1).judged)
    assert mistake(judged(seen, values), NAMES, None).cost == cost


def test_notes_have_a_line_a_player_and_a_line_a_round():
    whole = game()
    lines = notes(whole, None)
    rounds = {it.round for it in whole.judged}
    chances = [line for line in lines if re.match(r"Set \d+, round \d: ", line)]
    assert len(chances) == len(rounds)
    assert [line.split(":")[0] for line in lines if ": accuracy" in line] == [*NAMES]
    assert notes(Analysis(NAMES), None) == []
    ours = notes(whole, SEATS[0])
    assert [line.split(":")[0] for line in ours if ": accuracy" in line] == ["you", "Taro"]
    assert not any("Mina" in line for line in ours)


def over():
    return hear(conceded(), Settled(b"transcript"))


def test_key_at_the_end_asks_for_the_analysis_once():
    scene, asked = press(over(), "a")
    assert asked == AskAnalysis(Analyse(b"transcript", scene.seat, {1: MINE}))
    assert scene.focus == Reading(Page.ANALYSIS)
    assert "being read" in text(draw(scene, 80, 24, ASCII))
    assert press(scene, "a") == (scene, None)
    closed, _ = press(scene, "escape")
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
    assert press(scene, "a")[1] == AskAnalysis(Analyse(b"all", 0, hands))
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


def test_file_that_has_grown_is_judged_anew():
    """Books were opened meanwhile."""
    scene, _ = press(over(), "a")
    grown = hear(scene, Settled(b"transcript and books"))
    assert grown.focus == AtTable()
    scene, asked = press(grown, "a")
    assert asked.asked.transcript == b"transcript and books"
    assert scene.findings == Findings(asked.asked)


def test_line_mode_asks_for_it_when_the_game_is_over():
    talk = Conversation(0, MATCHA)
    assert talk.read("analyse").lines == ("Ask again when the game is over.",)
    talk.hear(Settled(b"transcript"))
    assert talk.read("analyse").task == Analyse(b"transcript", 0, {})
    talk.hear(NextGame((1, 0)))
    assert talk.read("analyse").task is None


def studied(count=6):
    """Return the page of a game with two mistakes among ``count`` decisions."""
    seen = [it.decision.observation for it in game(count).judged]
    worst = [0.6, 0.3, 0.6, 0.45, 0.6, 0.6]
    found = tuple(judged(it, (0.6, worse)) for it, worse in zip(seen, worst, strict=True))
    judged_ = tuple((it.loss, mistake(it, NAMES, None)) for it in found)
    page = Reading(Page.ANALYSIS)
    findings = Findings(b"whole", count, judged_)
    return replace(conceded(), names=NAMES, findings=findings, focus=page)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
def test_mistakes_are_stepped_through_on_the_board(size):
    scene = studied()
    assert "a" in {key_of(style) for style, _ in draw(scene, *size, PLAIN)[-1]}
    scene, _ = press(scene, "a")
    first, second = scene.mistakes
    assert [round(it.loss, 2) for it in (first, second)] == [0.3, 0.15]

    def shown(scene):
        return " ".join(text(draw(scene, *size, PLAIN)).split())

    assert "Mistake 1 of 2" in shown(scene)
    assert "Lost: 30%" in shown(scene)
    scene, _ = press(scene, "a")
    assert "Mistake 2 of 2" in shown(scene)
    assert "Lost: 15%" in shown(scene)
    board = draw(scene, *size, PLAIN)
    seen, made = second.board.decision.observation, second.board.decision.made
    for sign, move in (("!", made), ("?", second.board.judgement.moves[0].move)):
        if isinstance(move, Play):
            assert f"{signs_of(PLAIN).card(seen.hand[move.slot])}{sign}" in text(board)
    scene, _ = press(scene, "a")
    assert "Mistake 1 of 2" in shown(scene)
    scene, _ = press(scene, "A")
    assert "Mistake 2 of 2" in shown(scene)
    scene, _ = press(scene, "escape")
    assert scene.focus == Reading(Page.ANALYSIS)
    scene, _ = press(scene, "escape")
    assert scene.focus == AtTable()


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
@pytest.mark.parametrize("skin", [PLAIN, SYMBOLS, KANJI, ASCII])
def test_two_cards_for_one_mat_are_whole(size, skin):
    seen = game(1).judged[0].decision.observation
    made, better = (move for move in seen.legal_moves() if move in (Play(0, 0), Play(0, 1)))
    worths = JudgedMove(better, 0.6, 0.004), JudgedMove(made, 0.3, 0.004)
    found = JudgedDecision(Decision(seen, made, 0), Judgement(worths, exact=False))
    findings = Findings(b"whole", 1, ((found.loss, mistake(found, NAMES, None)),))
    scene = replace(conceded(), names=NAMES, findings=findings, focus=Reading(Page.ANALYSIS))
    board = text(draw(press(scene, "a")[0], *size, skin))
    signs = signs_of(skin)
    first, second = (signs.letters(seen.hand[move.slot]) for move in (made, better))
    assert f"{second}?" in board
    assert f"{first}!" in board or (skin, size) == (KANJI, (60, 16))


def test_game_without_mistakes_has_none_to_step_through():
    scene = studied()
    scene = replace(scene, findings=Findings(b"whole", 1, ((0.0, None),)))
    board = text(draw(scene, 80, 24, PLAIN))
    assert "none to step to" in board
    assert "a mistakes" not in board
    assert press(scene, "a")[0] == scene
