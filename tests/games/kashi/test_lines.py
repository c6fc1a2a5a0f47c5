"""Kashi-ichi in line mode: whole games typed by three seats, and a turn as a draft."""

import re
from dataclasses import replace

import pytest

from matcha_p2p.games.game import Telling
from matcha_p2p.games.kashi import telling
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.conversation import Conversation
from matcha_p2p.games.kashi.game import GAME as KASHI
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import GameState, Paying, Questioning, Starting, Turn
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.told import ending
from matcha_p2p.narration.news import Decisions, TakeBack
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.wire.names import GameId
from matcha_p2p.wire.talk import Proposal
from tests.games.kashi.rules.positions import at, begun, position

TELLING: Telling = telling  # the type checker compares each function
NAMES = ("Ann", "Bea", "Carl")
MET = events.Met(GameId(bytes(16)), NAMES)
FULL = (1, 1, 1, 1, 1)


@pytest.mark.parametrize("resigned", [None, Seat(1)])
def test_score_after_the_end_is_the_final_one(resigned):
    game = position()
    talk = asked(game)
    assert all("if the game ended now" in line for line in talk.read("score").lines)
    end = replace(ending(game), resigned=resigned)
    *_, first, second, third, _ = talk.hear(news.GameEvent(end, game))
    assert talk.read("score").lines == (first, second, third)
    assert not any("if the game ended now" in line for line in (first, second, third))
    talk.hear(news.TakenUp(game, NAMES, ()))
    assert all("if the game ended now" in line for line in talk.read("score").lines)


def asked(game: GameState, *, coached: bool = False) -> Conversation:
    """Return the dialogue of the seat that is due."""
    assert game.due is not None
    talk = Conversation(game.due, KASHI, advise if coached else None)
    talk.hear(news.GameEvent(MET, game))
    talk.hear(news.GameEvent(events.FirstDrawn(Seat(0)), game))
    talk.hear(news.MoveDue(Outlook(game, game.due)))
    return talk


def typed(talk: Conversation, *texts: str) -> tuple[str, ...]:
    """Type lines; return the answer to the last line."""
    answer: tuple[str, ...] = ()
    for text in texts:
        answer = talk.read(text).lines
    return answer


def made(talk: Conversation, *texts: str) -> moves.Move:
    """Type lines; return the move of the last line."""
    for text in texts[:-1]:
        assert talk.read(text).choice is None
    choice = talk.read(texts[-1]).choice
    assert isinstance(choice, news.MakeMove)
    return choice.move


def test_turn_is_typed_in_words():
    game = position(person="1,2")
    assert made(asked(game), "go tea", "buy 2", "gold 2", "end") == moves.TakeTurn(
        (moves.Go(at("1,1")), moves.Buy(), moves.Buy(), moves.TAKE_GOLD, moves.TAKE_GOLD)
    )


def test_actions_on_a_line_stop_at_the_first_refusal():
    talk = asked(position(person="1,2"))
    told = typed(talk, "go tea; deliver 1; gold")
    assert told[0] == "to tea (1,1). Action points left: 4; gold: 9."
    assert told[1].startswith("Rule K25: ")
    assert typed(talk, "turn") == ("Your turn so far: to tea (1,1). Action points left: 4.",)
    assert typed(talk, "why") == told[1:]


def test_turn_with_points_left_ends_after_a_yes():
    talk = asked(position())
    assert typed(talk, "go 2,3", "end") == (
        "Action points left: 4. End the turn? y: yes, n: no",
    )
    assert typed(talk, "n")[0] == "Cancelled."
    assert talk.waiting
    assert made(talk, "end", "y") == moves.TakeTurn((moves.Go(at("2,3")),))
    assert not talk.waiting


def test_actions_are_taken_back_before_the_end():
    talk = asked(position())
    assert typed(talk, "gold 2", "shop", "undo")[0] == "Taken back: a shop on 3,3."
    assert typed(talk, "turn") == (
        "Your turn so far: taking 3 gold; taking 3 gold. Action points left: 3.",
    )
    assert typed(talk, "shop", "undo all")[0] == (
        "Taken back: taking 3 gold; taking 3 gold; a shop on 3,3."
    )
    assert typed(talk, "turn") == ("You have done nothing yet in this turn. Action points: 5.",)
    assert typed(talk, "undo") == ("You have no decision to take back.",)


def test_draft_outlives_a_lost_line():
    """A game that goes on asks again; if the turn is the same, its actions are kept."""
    game = position()
    talk = asked(game)
    typed(talk, "gold")
    talk.hear(news.TakenUp(game, NAMES, ()))
    assert talk.hear(news.MoveDue(Outlook(game, Seat(0))))[0].startswith(
        "Your turn. Action points: 4"
    )
    talk.hear(news.MoveDue(Outlook(game._replace(quiet=1), Seat(0))))
    assert typed(talk, "turn")[0].startswith("You have done nothing")


def test_way_goes_as_far_as_points_last():
    talk = asked(position())
    assert typed(talk, "go plum")[-1] == "Action points from here to plum (7,7): 3."
    assert typed(talk, "go 4,4")[0].startswith("Rule K15: ")


def test_way_leads_over_the_shops_of_a_named_player():
    game = position(person="2,1", others=("2,2", "2,3", "2,4"))
    over = moves.Go(at("2,5"), Seat(1))
    talk = asked(game)
    assert typed(talk, "go 2,5 over be") == (
        "over Bea's shops to 2,5, 1 gold for Bea. Action points left: 4; gold: 9.",
    )
    assert made(talk, "end", "y") == moves.TakeTurn((over,))
    assert typed(asked(game), "go 2,5 over Dora")[0].startswith("Type the player")
    assert typed(asked(game), "go nowhere")[0].startswith("Type a square")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("buy rice", "Type buy, or buy 2."),
        ("buy back nothing", "Type buy, or buy 2."),
        ("gold much", "Type gold, or gold 2."),
        ("shop there", "Type shop."),
        ("deliver much", "Type the number of an open order"),
        ("deliver 31", "Type the number of an open order"),
        ("gold 3", "Rule K24: "),
        ("buy", "Rule K21: "),
        ("go:9,9", "Rule K2: "),
        ("go:here", "Rule K49: "),
        ("start 3,3", "Your turn."),
        ("", "Your turn."),
        ("dance", "There is no such command here."),
        ("hint", "There is no such command here."),
        ("open", "There is no such command here."),
        ("last", "The coin has chosen you"),
        ("again", "This can be offered once"),
    ],
)
def test_answer_to_a_wrong_line_says_what_to_type(line, answer):
    talk = asked(position())
    assert typed(talk, line)[0].startswith(answer)
    assert typed(talk, "turn")[0].startswith("You have done nothing")


def test_full_bag_gives_a_good_back():
    game = position(person="1,1", goods=(4, 4, 0, 0, 0))
    given = "giving rice back and buying tea"
    assert typed(asked(game), "buy back rice")[0].startswith(given)
    talk = asked(game)
    (question,) = typed(talk, "buy")
    assert question == "You hold 8 goods. Give back which: 1 to 5? 1: rice, 2: chestnut"
    assert typed(talk, "5")[0].startswith("There is no such command here.")
    assert typed(talk, "buy", "rice")[0].startswith(given)
    assert typed(talk, "buy 2")[0].startswith("Rule K23: ")


def test_shop_without_hand_is_taken_from_the_board():
    game = position(shops=("2,2",), hand=0)
    assert typed(asked(game), "shop from 2,2")[0].startswith("the shop of 2,2 to 3,3.")
    assert typed(asked(game), "shop=2,2")[0].startswith("the shop of 2,2 to 3,3.")


def test_bonus_of_an_order_is_asked_for():
    """Of order 8 a good, of order 3 a shop."""
    game = position(person="7,4", goods=FULL)
    talk = asked(game)
    (question,) = typed(talk, "deliver 8")
    assert question.startswith("Order 4: choose a good as the bonus, 1 to 5. 1: rice, ")
    assert question.endswith(", n: no bonus")
    assert typed(talk, "sugar")[0].startswith("There is no such command here.")
    assert typed(talk, "2,3")[1] == question
    assert typed(talk, "deliver 8 sugar")[0].startswith("Rule K27: ")
    assert typed(talk, "deliver 8", "honey")[0].startswith(
        "delivering order 8, with honey as the bonus."
    )
    assert typed(asked(game), "deliver 8", "no")[0].startswith(
        "delivering order 8, without the bonus."
    )
    shop = asked(position(person="4,1", goods=FULL))
    assert typed(shop, "deliver 3", "2,3")[0].startswith(
        "delivering order 3, with a shop on 2,3"
    )
    assert typed(asked(game), "deliver 2")[0].startswith(
        "delivering order 2. Action points left: 4"
    )
    assert typed(asked(game), "deliver 3")[0].startswith("Rule K25: ")


def test_start_upkeep_and_the_idle_question_are_answered():
    game = begun()
    start = game._replace(phase=Starting(Seat(0)))
    assert typed(asked(start), "start 1,1")[0].startswith("Rule K11: ")
    (question,) = typed(asked(start), "start")
    assert question.startswith("Put your person on a start square")
    assert "start 3,3" not in question  # a tutorial asks for another square
    assert made(asked(start), "start 3,5") == moves.StartAt(at("3,5"))
    owing = position(shops=("2,2", "2,3"))._replace(phase=Paying((Seat(0), Seat(1), Seat(2))))
    assert made(asked(owing), "pay 2") == moves.PayUpkeep(2)
    assert typed(asked(owing), "pay 1") == ("Pay 1, and lose points: 1? y: yes, n: no",)
    assert made(asked(owing), "pay 0", "y") == moves.PayUpkeep(0)
    for wrong in ("much", "-1", "9" * 5000):
        assert typed(asked(owing), f"pay {wrong}")[0].startswith("Type a number of gold")
    assert typed(asked(owing), "pay 3")[0].startswith("Rule K42: ")
    idle = game._replace(phase=Questioning(game.seats))
    assert made(asked(idle), "on") == moves.AnswerIdle(settle=False)
    assert made(asked(idle), "settle") == moves.AnswerIdle(settle=True)


def test_nothing_to_pay_is_answered_by_the_program():
    owing = begun()._replace(phase=Paying((Seat(0), Seat(1), Seat(2))))
    talk = asked(owing)
    assert talk.reply == news.MakeMove(moves.PayUpkeep(0))
    assert not talk.waiting
    assert typed(talk, "gold") == ("You are not asked now. You will be.",)
    assert typed(talk, "fill:1") == ("You are not asked now. You will be.",)


def test_hint_is_a_turn_that_can_be_typed():
    game = position(person="1,2")
    talk = asked(game, coached=True)
    told, why = typed(talk, "hint")
    assert re.search(r"deliver.* to .*Bonus: ", why)
    answer = told.removeprefix("A good player would type: ")
    assert answer.endswith("; end")
    assert len(typed(talk, "why")) == len(game.row)
    assert typed(talk, "gold", "hint")[0].startswith("A good player would type: ")
    assert typed(asked(game, coached=True), f"hint {game.row[0]}")[0].startswith(
        f"Order {game.row[0]}, action points: "
    )
    assert typed(talk, "hint 30")[0].startswith("Type the number of an open order")


def test_hint_for_the_start_says_that_no_square_is_better():
    start = begun()._replace(phase=Starting(Seat(0)))
    told, why = typed(asked(start, coached=True), "hint")
    assert why.startswith("The orders are drawn after the start")
    assert told.startswith("A good player would type: start ")


def test_decision_is_taken_back_at_the_beginning_of_a_turn():
    talk = asked(position(), coached=True)
    talk.hear(Decisions(1))
    assert typed(talk, "undo") == ("Take back your last decision? y: yes, n: no",)
    assert talk.read("y").choice == TakeBack()


def test_market_is_described_with_the_turn_so_far():
    talk = asked(position(person="1,2", others=("2,2",)))
    typed(talk, "go tea", "buy", "go 1,2", "shop")
    assert typed(talk, "mine") == ("You stand on 1,2, with 6 gold. Goods: tea.",)
    rows = typed(talk, "board")
    assert rows[0] == "Row 1: tea, a (your shop, you), a, rice, a, b, temple."
    assert rows[1] == "Row 2: a, a (shop of Bea), a, a, a, b, b."
    assert "Area n, 3-2-1 points. Shops: you 1, Bea 1, Carl 0." in typed(talk, "areas")
    orders = typed(talk, "orders")
    assert orders[0] == "Open orders:"
    assert orders[-1] == "Orders in the deck: 25. Settlements so far: 0."
    assert typed(talk, "score")[0].startswith("you: 10 points on the track, 11 if")


def test_thinking_player_is_named():
    talk = asked(position())
    assert talk.pondered is None
    theirs = position()._replace(phase=Turn(Seat(2), 5))
    talk.hear(news.GameEvent(events.TurnTaken(Seat(1), ()), theirs))
    assert talk.pondered == theirs
    assert talk.tell_thinking(30) == "Carl has been thinking for 30 s."


def test_another_game_begins_anew():
    talk = asked(position())
    talk.hear(news.GameEvent(events.GameEnded((Seat(0),), "settled", ()), position()))
    assert not talk.waiting
    talk.hear(news.Settled(b""))
    assert talk.waiting
    assert talk.read("again").choice == news.Propose(Proposal.REMATCH)
    talk.hear(news.NextGame((1, 0, 0)))
    assert not talk.waiting
    assert typed(talk, "board") == ("The players are not here yet.",)


def test_practice_tells_the_aim_once_the_first_seat_is_drawn():
    drawn = news.GameEvent(events.FirstDrawn(Seat(0)), begun())
    for advises, told in ((advise, True), (None, False)):
        talk = Conversation(Seat(0), KASHI, advises)
        talk.hear(news.GameEvent(MET, begun()))
        assert talk.hear(drawn)[-1].startswith("Buy goods, bring them") is told
