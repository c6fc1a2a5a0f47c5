"""The analysis of one's own decisions as soon as a round is over, in practice."""

from dataclasses import replace

import pytest

from matcha_p2p.chain.verify import Report
from matcha_p2p.console.review.findings import Findings, judge_all
from matcha_p2p.console.table.focus import AtTable, Page, Reading
from matcha_p2p.console.table.frame import AskAnalysis
from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.replay import analyse
from matcha_p2p.games.tichu.replay.analyse import analysis_of
from matcha_p2p.games.tichu.review.analysis import MISTAKE, Decision, JudgedDecision, of_round
from matcha_p2p.games.tichu.review.mistakes import AnalyseRound, BetterMove, recorded
from matcha_p2p.games.tichu.rules.actions import Pass
from matcha_p2p.games.tichu.rules.moves import legal_plays
from matcha_p2p.games.tichu.rules.round import SEATS, Ask
from matcha_p2p.games.tichu.screen.keys import FRAME, press
from matcha_p2p.games.tichu.screen.scene import Scene, hear
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import Mixing
from matcha_p2p.games.tichu.words.analysis_sentences import mistake
from matcha_p2p.games.tichu.words.hints import reasons, why
from matcha_p2p.games.tichu.words.seat_words import Around
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.session.news import GameEvent, MakeMove, MoveDue
from matcha_p2p.wire.names import GameId
from tests.games.tichu.party import course
from tests.games.tichu.review.test_export import report
from tests.games.tichu.screen.drawing.test_layout import drawn
from tests.games.tichu.screen.scenes import NAMES, SCENES, YOU, following, leading


def answers(seat, number=1):
    """Return the recorded answers of ``seat`` in a round played at random."""
    found = ()
    for seen, move in course(number).decided:
        if seen.seat == seat:
            found = recorded(found, seen, move)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
def test_recorded_answers_give_the_decisions_of_the_verified_game(seat):
    found: Report = report(course(1))
    judged = analysis_of(found, seat=seat).decisions
    asked = AnalyseRound(("a", "b", "c", "d"), answers(seat))
    own = of_round(asked).decisions
    assert [(it.seen.state, it.made) for it in own] == [
        (it.seen.state, it.made) for it in judged
    ]
    assert analyse.begin(asked) == of_round(asked)


@pytest.mark.slow
async def test_mistakes_of_a_round_are_found_in_order():
    found = max((answers(seat, 2) for seat in SEATS), key=len)  # with mistakes that cost much
    seat = found[0][0].seat
    findings = await judge_all(analyse, AnalyseRound(("a", "b", "c", "d"), found), seat)
    assert findings.count == len(findings.judged) > 0
    assert findings.mistakes
    tricks = [it.board.seen.trick for it in findings.mistakes]
    assert tricks == sorted(tricks)
    assert [it.where for it in findings.mistakes] == [f"Round 1, trick {it}" for it in tricks]
    assert all(it.loss >= MISTAKE for it in findings.mistakes)


async def test_round_without_a_judged_decision_has_no_mistake():
    findings = await judge_all(analyse, AnalyseRound(NAMES, ()), YOU)
    assert "No mistake" in findings.verdict()


def test_trick_is_counted_from_its_lead():
    lies = following().game
    below = leading().view()._replace(laid=lies.laid, state=lies.round)
    assert (below.trick, leading().view().trick) == (2, 2)


def test_record_keeps_one_round_and_drops_what_was_taken_back():
    seen = leading().view()
    later = seen._replace(state=seen.state._replace(wish=5))
    both = recorded(recorded((), seen, Pass()), later, Pass())
    assert [it for it, _ in both] == [seen, later]
    assert recorded(both, seen, Pass(tichu=True)) == ((seen, Pass(tichu=True)),)
    next_round = seen._replace(number=seen.number + 1)
    assert recorded(both, next_round, Pass()) == ((next_round, Pass()),)
    asked = seen.state._replace(asked=((YOU, Ask.PUSH),))
    assert recorded(both, seen._replace(state=asked), Pass()) == both


def test_an_answer_by_keys_is_recorded():
    scene, wish = press(leading().press("n").scene, "enter")
    ((seen, move),) = scene.answers
    assert seen.state == leading().game.round
    assert wish == MakeMove(move)


def test_key_a_asks_for_the_analysis_after_a_round_in_practice_alone():
    over = SCENES["round_over"]()
    assert press(over, "a") == (over, None)
    own = ((leading().view(), Pass()),)
    coached = replace(over, advise=lambda _: None, answers=own)
    scene, asked = press(coached, "a")
    assert asked == AskAnalysis(AnalyseRound(NAMES, own))
    assert scene.focus == Reading(Page.ANALYSIS)
    assert "Analysis of the round" in board(scene)
    back, _ = press(scene, "escape")
    assert back.focus == AtTable()
    assert back.finished is not None
    later = replace(back, answers=own * 2)
    assert press(back, "a")[1] is None
    assert press(later, "a")[1] == AskAnalysis(AnalyseRound(NAMES, own * 2))


WHERE = "Round 1, trick 1"


def mistaken() -> Scene:
    """Return the scene of a round that is over, with the page of its two mistakes."""
    seen = leading().view()
    low = seen._replace(state=following().game.round, laid=following().game.laid)
    boards = (
        BetterMove(seen, frozenset({9, 10}), frozenset({10})),
        BetterMove(low, frozenset(), frozenset({3})),
    )
    found = tuple(
        (
            loss,
            Mistake("Round 1, trick 1", "", "a two", "passing", loss, f"{loss} points", each),
        )
        for loss, each in zip((20, 30), boards, strict=True)
    )
    over = replace(SCENES["round_over"](), advise=lambda _: None)
    scene, _ = press(over, "a")
    return replace(scene, findings=Findings(FRAME.analysis(scene), 2, found))


def board(scene: Scene) -> str:
    return "\n".join(drawn(scene, 80, 24))


def test_key_a_on_the_page_of_the_analysis_shows_the_mistakes_on_the_board():
    page = mistaken()
    assert "The dearest is number 2: 30 points." in board(page)
    first, _ = press(page, "a")
    assert "Mistake 1 of 2: Round 1, trick 1. Lost: 20 points." in board(first)
    assert "! played: a two" in board(first)
    assert "? better: passing" in board(first)
    assert "cards: 10" in board(first)
    assert "IS OVER" not in board(first)
    assert "POINTS" not in "".join(drawn(first, 120, 40))
    second, _ = press(first, "a")
    assert "Mistake 2 of 2: Round 1, trick 1. Lost: 30 points." in board(second)
    assert "Carl: a pair of nines" in board(second)
    assert "cards: 14" in board(second)
    assert "t calls Tichu" not in board(second)
    assert press(second, "a")[0] == press(second, "A")[0] == first
    assert "a next" in board(second)
    alone = board(
        replace(first, findings=replace(page.findings, judged=page.findings.judged[:1]))
    )
    assert "No other mistake" in alone
    assert "a next" not in alone
    listed, _ = press(second, "escape")
    assert listed == page
    assert "ROUND 1 IS OVER" in board(press(listed, "escape")[0])


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
def test_cards_that_were_laid_and_better_cards_have_different_marks(size):
    scene, _ = press(mistaken(), "a")
    shown = drawn(scene, *size)
    marks = "".join(line for line in shown if "played" not in line and "better" not in line)
    assert marks.count("!") == 1
    assert marks.count("?") == 2


def test_the_next_round_that_begins_leaves_the_mistake_on_the_board():
    first, _ = press(mistaken(), "a")
    assert first.game is not None
    begun = first.game._replace(number=2, stage=Mixing())
    after = hear(first, GameEvent(events.RoundBegun(2, YOU), begun))
    assert board(after) == board(first)


def test_a_page_without_mistakes_says_that_none_can_be_stepped_to():
    page = mistaken()
    page = replace(page, findings=Findings(page.findings.asked, 1, ((0.0, None),)))
    assert "there is none to step to on the board" in board(page)
    assert "a mistakes" not in board(page)
    assert press(page, "a")[0] == page


def test_command_analyse_judges_a_round_that_is_over_in_practice_alone():
    story = leading()
    for advise in (None, lambda _: None):
        talk, seen = Conversation(YOU, TICHU, advise), story.view()
        talk.hear(GameEvent(events.Met(GameId(bytes(32)), "1000", NAMES), story.game))
        talk.hear(MoveDue(seen))
        answer = talk.read("P").choice
        assert talk.read("analyse").task is None
        next_round = story.game._replace(number=story.game.number + 1)
        talk.hear(GameEvent(events.RoundBegun(next_round.number, YOU), next_round))
        task = AnalyseRound(NAMES, ((seen, answer.move),))
        assert talk.read("analyse").task == (task if advise else None)


def test_a_mistake_of_ones_own_has_the_reasons_of_a_hint_for_the_better_move():
    seen = leading().view()
    best = JudgedMove(seen.lay(legal_plays(seen.state, seen.held.values())[0]), 40.0)
    made = JudgedMove(Pass(), 0.0)
    judgement = Judgement((best, made))
    it = JudgedDecision(Decision(seen, made.move), judgement, made)
    around = Around(*NAMES[1:])
    own, others = (mistake(it, NAMES, seat) for seat in (YOU, None))
    assert own is not None
    assert others is not None
    assert own.why == (why(seen, best.move, around),)
    assert reasons(seen, judgement, around)[0].endswith(own.why[0])
    assert own.why[0]
    assert others.why == ()
