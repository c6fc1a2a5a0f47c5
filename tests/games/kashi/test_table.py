"""Kashi-ichi over the table: no cards, and every order drawn by a coin."""

from collections import Counter
from itertools import islice

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.moves import AnswerIdle
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import Drawing, Ended, Opening
from matcha_p2p.games.kashi.table.seated import RULES
from matcha_p2p.games.kashi.table.signed import FORMS, read, signed
from matcha_p2p.games.kashi.table.steps import new_game
from matcha_p2p.games.kashi.table.view import game_of
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.messages import MoveAction
from matcha_p2p.table.moves import check_move
from matcha_p2p.table.step import actions_of
from matcha_p2p.table.table import Verb
from tests.games.kashi.players import CARELESS, GREEDY, play
from tests.games.kashi.rules.positions import BOARD
from tests.games.kashi.table import SEATS, course, fresh, kashi

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
