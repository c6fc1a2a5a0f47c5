"""Kashi-ichi over the table: no cards, and every order drawn by a coin."""

from collections import Counter
from itertools import islice

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.moves import AnswerIdle
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import Drawing, Ended, Opening, Starting, Turn
from matcha_p2p.games.kashi.table.seated import RULES
from matcha_p2p.games.kashi.table.signed import FORMS, read, signed
from matcha_p2p.games.kashi.table.steps import new_game
from matcha_p2p.games.kashi.table.view import game_of
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.messages import MoveAction
from matcha_p2p.table.moves import check_move
from matcha_p2p.table.step import actions_of
from matcha_p2p.table.table import Table, Verb, next_due
from tests.games.kashi.players import CARELESS, GREEDY, play
from tests.games.kashi.rules.positions import BOARD
from tests.games.kashi.table import SEATS, course, fresh, kashi, refused

seats = pytest.mark.parametrize("seats", SEATS)


@seats
def test_whole_game_is_a_complete_file(seats):
    party = course(seats).party
    report = verify_transcript(party.file())
    assert (report.verdict, report.waiting) == (Verdict.COMPLETE, None)
    assert report.result == RULES.ended(party.table, None)
    assert party.table.game.result() == report.result.winners


@seats
def test_rules_alone_come_to_the_same_end(seats):
    """The same choices and draws, without a table."""
    tables = course(seats).tables
    game = rules.new_game(BOARD, seats, first=game_of(tables[-1]).first)
    for entry in course(seats).party.entries[seats:]:
        for action in actions_of(entry, kashi(tables[0])):
            if isinstance(action, MoveAction):
                game = rules.choose(game, entry.seat, read(BOARD, action.move))
        drawn = game_of(tables[-1]).drawn[len(game.drawn) :]
        match game.phase:
            case Opening():
                game = rules.open_row(game, drawn[:5])
            case Drawing(count):
                game = rules.draw(game, drawn[:count])
    assert game == game_of(tables[-1])
    assert isinstance(game.phase, Ended)


@seats
def test_only_a_turn_that_refilled_needs_more_entries(seats):
    """The mover opens the coin behind its move, then each other seat speaks once."""
    verbs = Counter(
        fields[0] for entry in course(seats).party.entries for fields in entry.fields
    )
    coins = verbs[Verb.COIN.value] // seats
    entries = len(course(seats).party.entries)
    assert set(verbs) == {"HELLO", "COIN", "MOVE", "RESULT"}
    results = seats - 1
    assert entries == 2 * seats - 1 + verbs["MOVE"] + (coins - 1) * (seats - 1) + results


def test_game_begins_for_three_or_four_seats():
    assert [new_game("ichi", seats) is not None for seats in range(2, 6)] == [
        False,
        True,
        True,
        False,
    ]
    assert new_game("kashi", 3) is None
    assert [*kashi(course(3, most=9).tables[0]).sealable(Seat(0), {})] == []


@seats
def test_coin_draws_the_first_seat(seats):
    firsts = Counter[Seat]()
    for number in range(100):
        game, _ = fresh(seats).done(steps.Tossed(H("test", bytes([number]))), {})
        firsts[game.state.first] += 1
        assert game.state == rules.new_game(BOARD, seats, first=game.state.first)
        assert game.next({}) == steps.Decide(game.state.first)
    assert len(firsts) == seats
    assert min(firsts.values()) > 60 / seats


def test_signed_form_of_each_legal_move_is_read_back():
    for _, game in islice(play(BOARD, [CARELESS, GREEDY, CARELESS, GREEDY], 3), 0, None, 4):
        for seat in game.seats:
            for move in Outlook(game, seat).legal_moves():
                assert read(BOARD, check_move(FORMS, list(signed(BOARD, move)))) == move
    for settle in (False, True):
        assert read(BOARD, signed(BOARD, AnswerIdle(settle))) == AnswerIdle(settle)


@pytest.mark.parametrize(
    ("actions", "rule"),
    [
        ([0, 0, 0], "K24"),
        ([1], "K21"),
        ([10_000, 10_000], "K31"),
        ([10_303], "K33"),
        ([15], "K2"),
        ([100_000], "K2"),
        ([101_010], "K16"),
        ([103_036], "K17"),
        ([108_080], "K2"),
        ([1_000_000], "K25"),
        ([31_000_000], "K25"),
    ],
)
def test_illegal_turns_are_refused_with_their_rule(actions, rule):
    """And their author is named."""
    played = course(3, most=30)
    table = played.find(Turn)
    seat = game_of(table).due
    error = refused(played.party, table, seat, ["MOVE", "turn", *actions])
    assert (error.check, error.seat) == (Check.RULE, seat)
    assert rule in str(error)


@pytest.mark.parametrize(
    ("move", "check"),
    [
        (["turn", *[0] * 20], Check.ENCODING),
        (["turn", 31_000_001], Check.ENCODING),
        (["upkeep", 100], Check.ENCODING),
        (["start", 303], Check.RULE),
        (["upkeep", 0], Check.RULE),
        (["on"], Check.RULE),
        (["settle"], Check.RULE),
    ],
)
def test_moves_of_another_form_or_kind_are_refused(move, check):
    played = course(3, most=30)
    table = played.find(Turn)
    seat = game_of(table).due
    error = refused(played.party, table, seat, ["MOVE", *move])
    assert (error.check, error.seat) == (check, seat)


@pytest.mark.parametrize("phase", [Starting, Turn])
def test_choice_out_of_turn_is_refused(phase):
    """Also the start of another seat."""
    played = course(3, most=30)
    table = played.find(phase)
    move = ["MOVE", "start", 303] if phase is Starting else ["MOVE", "turn"]
    for seat in set(table.seats) - {game_of(table).due}:
        error = refused(played.party, table, seat, move)
        assert (error.check, error.seat) == (Check.TURN, seat)


def test_start_elsewhere_is_refused():
    played = course(3, most=30)
    table = played.find(Starting)
    seat = game_of(table).due
    for square, rule in ((101, "K11"), (808, "K2")):
        error = refused(played.party, table, seat, ["MOVE", "start", square])
        assert (error.check, error.seat) == (Check.RULE, seat)
        assert rule in str(error)


def test_coin_that_draws_other_orders_is_refused():
    """The orders follow from the links, and the tag of the entry from the orders."""
    played = course(3, most=30)
    table = played.find(Opening)
    due = next_due(table)
    assert (due.verb, due.decision) == (Verb.COIN, False)
    error = refused(played.party, table, due.seat, ["COIN", bytes(32)])
    assert (error.check, error.seat) == (Check.COIN, due.seat)
    before_last = next(
        t
        for t in played.tables
        if t.coins == 1 and len(t.owing) == 1 and next_due(t).verb is Verb.COIN
    )
    last = next_due(before_last).seat
    link = played.party.players[last].chain[before_last.coins + 1]
    error = refused(played.party, before_last, last, ["COIN", link])
    assert (error.check, error.seat) == (Check.STATE, last)


def test_refill_left_out_by_its_mover_is_refused():
    """The mover opens its link behind its MOVE."""
    played = course(3, most=30)
    *_, last = (table for table in played.tables if kashi_starts(table))
    seat = game_of(last).due
    error = refused(played.party, last, seat, ["MOVE", "start", 303])
    assert (error.check, error.seat) == (Check.GRAMMAR, seat)


def kashi_starts(table: Table) -> bool:
    return kashi(table).drawn and isinstance(game_of(table).phase, Starting)
