"""What shared rooms ask of Kashi-ichi has the form that they expect."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.games.kashi.rules.settlement import score
from matcha_p2p.games.kashi.table.events import AreasSettled, GameEnded, TurnTaken, UpkeepPaid
from matcha_p2p.games.kashi.table.seated import RULES as KASHI
from matcha_p2p.games.kashi.table.steps import new_game
from matcha_p2p.games.kashi.table.view import kashi_of
from matcha_p2p.games.kashi.table.written import text_of
from matcha_p2p.table.step import step
from tests.games.kashi.rules.positions import BOARD
from tests.games.kashi.table import SEATS, course
from tests.games.toy.steps import Toy
from tests.table.party import begun


def test_table_of_another_game_is_none_of_kashi():
    with pytest.raises(TypeError, match="toy is played here"):
        kashi_of(begun("toy", Toy()).table)


def test_events_tell_a_game_from_first_seat_to_winners():
    """Gains and losses of all events are the points on the track at the end."""
    played = course(3)
    entries = played.party.entries[3:]
    events = [
        event
        for table, entry in zip(played.tables, entries, strict=False)
        for event in KASHI.told(step(table, entry)[1])
    ]
    last = played.tables[-1]
    counts = Counter(type(event).__name__ for event in events)
    assert counts["AreasSettled"] == 3
    assert counts["UpkeepPaid"] == 9
    assert counts["TurnTaken"] == KASHI.state(last).turns
    assert (counts["FirstDrawn"], counts["Started"], counts["GameEnded"]) == (1, 3, 1)
    begins = KASHI.state(played.tables[-1]).board.begins[0].points
    points = [begins[(seat - KASHI.state(last).first) % 3] for seat in range(3)]
    for event in events:
        match event:
            case AreasSettled(_, gains):
                points = [one + gain for one, gain in zip(points, gains, strict=True)]
            case UpkeepPaid(seat, _, lost):
                points[seat] -= lost
            case TurnTaken(seat):
                assert seat in KASHI.state(last).seats
    assert points == [player.points for player in KASHI.state(last).players]
    assert isinstance(events[-1], GameEnded)
    assert events[-1] == KASHI.ended(last, None)


def test_everything_lies_open():
    played = course(3, most=30)
    last, player = played.tables[-1], played.party.players[0]
    assert (KASHI.hand(player, last), KASHI.running(last)) == ((), 0)
    assert KASHI.look(player, last, ()) == (KASHI.state(last), player.seat)


def test_rounds_are_counted_from_the_first_coin_to_the_end():
    tables = course(3).tables
    rounds = [KASHI.begun(table) for table in tables]
    assert (rounds[0], max(rounds)) == (0, rounds[-1])
    assert {after - before for before, after in pairwise(rounds)} == {0, 1}
    turns = KASHI.state(tables[-1]).turns
    assert rounds[-1] * 3 - turns in {0, 1, 2}


@pytest.mark.parametrize("seats", SEATS)
def test_best_seats_that_are_left_win_by_a_resignation_at_any_time(seats):
    """Two who play together cannot win by a resignation while a third is ahead."""
    numbers = set[int]()
    for table in course(seats).tables[:-1]:
        game = KASHI.state(table)
        scores = [score(game.board, player) for player in game.players]
        marks = [
            (own.points, len(player.orders), own.left) if kashi_of(table).drawn else ()
            for own, player in zip(scores, game.players, strict=True)
        ]
        for gone in table.seats:
            left = [seat for seat in table.seats if seat != gone]
            best = max(marks[seat] for seat in left)
            end = KASHI.ended(table, gone)
            assert end == GameEnded(
                tuple(seat for seat in left if marks[seat] == best),
                RESIGNED,
                tuple(scores),
                gone,
            )
            numbers.add(len(end.winners))
    assert {1, seats - 1} <= numbers


def test_game_that_goes_on_has_not_ended():
    table = course(3, most=30).tables[-1]
    assert KASHI.ended(table, None) is None
    assert KASHI.again(table) == "ichi"
    assert KASHI.called("ichi") == "ichi"


def test_next_game_of_another_board_is_on_this_board():
    other = f"ichi {text_of(replace(BOARD, idle=0))}"
    game = new_game(other, 3)
    assert game is not None
    table = begun("other board", game).table
    assert KASHI.again(table) == other
    assert KASHI.called(other) == "ichi"
