"""The analysis of one's own decisions as soon as a round is over, in practice."""

from dataclasses import replace

import pytest

from matcha_p2p.chain.verify import Report
from matcha_p2p.console.table.focus import AtTable, Page, Reading
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.judging import judge
from matcha_p2p.games.tichu.replay import analyse
from matcha_p2p.games.tichu.replay.analyse import analysis_of
from matcha_p2p.games.tichu.review.analysis import of_round
from matcha_p2p.games.tichu.review.mistakes import AnalyseRound, BetterMove, Mistake, recorded
from matcha_p2p.games.tichu.rules.actions import Pass
from matcha_p2p.games.tichu.rules.round import SEATS, Ask
from matcha_p2p.games.tichu.screen import screen
from matcha_p2p.games.tichu.screen.drawing.pages import page_lines
from matcha_p2p.games.tichu.screen.keys import press
from matcha_p2p.games.tichu.screen.scene import Scene, hear
from matcha_p2p.games.tichu.screen.show import Show
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import Mixing
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
async def test_dearest_decisions_of_a_round_are_told():
    found = max((answers(seat, 2) for seat in SEATS), key=len)  # with mistakes that cost much
    told: list[str] = []
    mistakes: list[Mistake] = []

    def show(sentences, found):
        told.extend(sentences)
        mistakes.extend(found)

    await judge(analyse, AnalyseRound(("a", "b", "c", "d"), found), show)
    assert told[0].startswith("You lost ")
    assert "Decisions judged: " in told[0]
    assert all(line.startswith("Round 1: ") for line in told[1:-1])
    assert len(told) <= 5
    assert mistakes
    assert all(it.said.startswith("Round 1: ") for it in mistakes)


async def test_round_without_a_judged_decision_says_why():
    told: list[str] = []
    await judge(analyse, AnalyseRound(NAMES, ()), lambda said, _: told.extend(said))
    assert told == ["You had no decision in this round that can be judged."]


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
    assert asked == AnalyseRound(NAMES, own)
    assert scene.focus == Reading(Page.ANALYSIS)
    shown = replace(scene, analysis=("Anna: nothing lost.",))
    assert "nothing lost" in str(page_lines(shown, Page.ANALYSIS, 80))
    back, _ = press(shown, "escape")
    assert back.focus == AtTable()
    assert back.finished is not None


def mistaken() -> Scene:
    """Return the scene of a round that is over, with the page of its two mistakes."""
    seen = leading().view()
    low = seen._replace(state=following().game.round, laid=following().game.laid)
    mistakes = (
        Mistake(BetterMove(seen, frozenset({9, 10})), "Round 1: a two (R2), +3."),
        Mistake(BetterMove(low, frozenset()), "Round 1: a queen (GQ), +1."),
    )
    over = replace(SCENES["round_over"](), advise=lambda _: None)
    return replace(press(over, "a")[0], mistakes=mistakes)


def board(scene: Scene) -> str:
    return "\n".join(drawn(scene, 80, 24))


def test_key_a_on_the_page_of_the_analysis_shows_the_mistakes_on_the_board():
    page = mistaken()
    assert "a: the mistakes on the board" in str(page_lines(page, Page.ANALYSIS, 80))
    first, _ = press(page, "a")
    assert "Mistake 1 of 2: the better answer is marked." in board(first)
    assert "Round 1: a two (R2), +3." in board(first)
    assert "cards: 10" in board(first)
    assert "IS OVER" not in board(first)
    assert "POINTS" not in "".join(drawn(first, 120, 40))
    second, _ = press(first, "a")
    assert "Mistake 2 of 2: it was better to lay no card." in board(second)
    assert "Carl: a pair of nines" in board(second)
    assert "cards: 14" in board(second)
    assert "t calls Tichu" not in board(second)
    assert press(second, "a")[0] == press(second, "A")[0] == first
    assert "a next" in board(second)
    alone = board(replace(first, mistakes=page.mistakes[:1]))
    assert "No other mistake" in alone
    assert "a next" not in alone
    listed, _ = press(second, "escape")
    assert listed == page
    assert "ROUND 1 IS OVER" in board(press(listed, "escape")[0])


def test_the_next_round_that_begins_leaves_the_mistake_on_the_board():
    first, _ = press(mistaken(), "a")
    assert first.game is not None
    begun = first.game._replace(number=2, stage=Mixing())
    after = hear(first, GameEvent(events.RoundBegun(2, YOU), begun))
    assert board(after) == board(first)


def test_a_late_analysis_of_other_answers_is_dropped():
    """A decision was taken back while the analysis ran, and the round has ended otherwise."""
    first, _ = press(mistaken(), "a")
    second, _ = press(first, "a")
    state = Staged(second, Show())
    other = AnalyseRound(NAMES, ((leading().view(), Pass()),))
    assert screen.judged(state, other, ("late",), second.mistakes[:1]) == state
    asked = AnalyseRound(NAMES, second.answers)
    assert screen.judged(state, asked, ("new",), second.mistakes).scene.analysis == ("new",)


def test_a_page_without_mistakes_has_none_on_the_board():
    page = replace(mistaken(), mistakes=())
    assert "on the board" not in str(page_lines(page, Page.ANALYSIS, 80))
    assert press(page, "a")[0].focus == AtTable()


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
