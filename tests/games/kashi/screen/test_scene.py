"""What the screen knows after each piece of news."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.games.kashi.bots import arena
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.draft import begin
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.moves import TAKE_GOLD, TakeTurn
from matcha_p2p.games.kashi.rules.state import Ended, Turn
from matcha_p2p.games.kashi.screen.routes import routes, trail
from matcha_p2p.games.kashi.screen.scene import WAITING, Teller, Walking, fresh, hear
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.told import ending
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDown, LineUp
from matcha_p2p.session.news import (
    GameEvent,
    LineChanged,
    MakeMove,
    PhraseHeard,
    TakenUp,
    TalkHeard,
)
from matcha_p2p.transport.names import Binding
from tests.games.kashi.players import CARELESS, GREEDY
from tests.games.kashi.rules.positions import BOARD, at, begun, position
from tests.games.kashi.scenes import NAMES, OWN, Story, market

UP = LineUp(Binding(bytes(32)), None, Seat(1))


def test_a_turn_of_another_player_is_told_and_its_way_lit():
    story = Story(market()._replace(turns=4, phase=Turn(Seat(1), 5)))
    story.turn(1, "go:7,4/1", "gold", "go:7,3")
    assert story.scene.lately[-1] == (
        "Mina: over own shops to theatre (7,4); taking 3 gold; to 7,3."
    )
    squares = [BOARD.name_of(square) for square, _ in story.scene.lit]
    assert squares == ["4,4", "5,4", "6,4", "7,4", "7,3"]
    assert [move for _, move in story.scene.lit] == [0, 1, 1, 1, 2]


def test_practice_begins_with_the_aim_and_the_keys():
    drawn = GameEvent(events.FirstDrawn(OWN), begun())
    assert "action point (AP)" not in " ".join(hear(fresh(OWN), drawn).lately)
    told = hear(fresh(OWN, advise), drawn).lately
    assert "Each action costs an action point (AP)" in told[-1]


def test_a_purchase_is_told_by_the_good_of_its_square():
    game = position()._replace(turns=4, phase=Turn(Seat(1), 5))
    player = game.players[1]._replace(person=at("2,7"))
    story = Story(game.with_player(1, player))
    story.turn(1, "go:3,7", "go:4,7", "buy", "go:3,7")
    assert story.scene.lately[-1] == "Mina: to 3,7; to chestnut (4,7); buying chestnut; to 3,7."


def test_new_orders_are_told_by_goods_and_guest():
    game = begun()
    story = Story(game).tell(GameEvent(events.OrdersDrawn((3, 24)), game))
    assert story.scene.lately[-1] == (
        "New orders: rice, honey to harbour; chestnut, plum, honey, tea to harbour."
    )


@pytest.mark.parametrize(
    ("winners", "gone", "told"),
    [
        ((OWN,), None, ("You win.",)),
        ((Seat(1),), None, ("Mina wins.",)),
        ((OWN, Seat(1)), None, ("You share the victory with Mina.",)),
        ((OWN,), Seat(2), ("Jun has conceded. The game is over.", "You win.")),
        ((Seat(2),), OWN, ("You have conceded. The game is over.", "Jun wins.")),
    ],
)
def test_the_end_names_the_winners_and_who_has_resigned(winners, gone, told):
    game = market()
    end = replace(ending(game), winners=winners, resigned=gone)
    story = Story(game).ask().tell(GameEvent(end, game))
    assert story.scene.lately[-len(told) :] == told
    assert story.scene.is_over
    assert story.scene.question == WAITING


def test_a_resumed_game_waits_for_the_others_and_drops_the_running_turn():
    story = Story(market()).ask().press("g").tell(TakenUp(market(), NAMES, ()))
    assert story.scene.question == WAITING
    assert story.scene.work == "Waiting for Mina and Jun to come back."
    story.tell(LineChanged(UP, "Mina"))
    assert story.scene.work == ""


def test_a_lost_line_is_told_above_the_news_until_it_is_back():
    story = (
        Story(market()).ask().tell(LineChanged(LineDown("The line broke.", Seat(1)), "Mina"))
    )
    assert story.scene.trouble.startswith("Connection to Mina lost")
    assert story.tell(LineChanged(UP, "Mina")).scene.trouble == ""


def test_talk_of_muted_players_is_dropped():
    story = Story(market()).ask().press("x").tell(PhraseHeard(1, "Mina", Seat(1)))
    assert story.scene.talk == ()
    assert len(story.press("x").tell(PhraseHeard(1, "Mina", Seat(1))).scene.talk) == 1


def test_players_who_have_talked_are_muted_in_turn_then_all():
    names = Story(market()).scene.names
    talk = [TalkHeard(f"by {seat}", names[seat], Seat(seat)) for seat in (2, 1)]
    story = Story(market()).ask().tell(*talk)
    assert story.scene.talk == ((Seat(2), "by 2"), (Seat(1), "by 1"))
    for silent in ({2}, {1}, {1, 2}, set()):
        before = len(story.press("x").scene.talk)
        heard = {by for by, _ in story.tell(*talk).scene.talk[before:]}
        assert heard == {1, 2} - silent


def test_what_was_ended_stays_in_sight_until_the_table_has_it_too():
    story = Story(market()).ask().press("g", "e", "enter")
    shown = story.scene.shown
    assert shown is not None
    assert shown.players[OWN].gold == rules.act(market(), TAKE_GOLD).players[OWN].gold


def test_a_use_of_a_chain_goes_over_its_squares_alone():
    game = position(person="3,3", shops=("3,4", "4,4", "5,4", "5,5"), others=("3,6",))
    ((move,),) = routes(game, OWN, at("5,6"))
    names = [BOARD.name_of(square) for square in trail(game, at("3,3"), move)]
    assert names == ["3,4", "4,4", "5,4", "5,5", "5,6"]


def test_own_turn_is_told_from_the_square_where_it_began():
    """So that a turn which came step by step is told whole."""
    bots, rng = [CARELESS, GREEDY, GREEDY], random.Random(1)
    game, turns = rules.new_game(BOARD, 3), 0
    while not isinstance(game.phase, Ended):
        before, (choice, game) = game, arena.step(game, bots, rng)
        if not isinstance(choice, TakeTurn) or before.due != OWN:
            continue
        draft = begin(before).do(*choice.actions)
        story = Story(before).ask()
        story.scene = replace(story.scene, question=Walking(draft, draft.at))
        assert story.press("e", "enter").sent == [MakeMove(choice)]
        event = events.TurnTaken(OWN, choice.actions)
        told = Teller(OWN, NAMES, before).tell(event, game)
        assert list(story.tell(GameEvent(event, game)).scene.lately[-1:]) == told
        assert story.scene.shown == game
        turns += 1
    assert turns > 20
