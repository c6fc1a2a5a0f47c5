"""Whole games of Tichu at the table, by random lawful moves."""

import itertools
import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveCards,
    Hold,
    Lay,
    Pass,
    ShowMahJong,
)
from matcha_p2p.games.tichu.rules.cards import MAH_JONG, points
from matcha_p2p.games.tichu.rules.log import play_log
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, TEAMS, Ask
from matcha_p2p.games.tichu.table.events import (
    GameEnded,
    GiftsGiven,
    GiftsPlaced,
    HandSeen,
    RoundBegun,
    RoundCounted,
    TrickTaken,
    WentOut,
)
from matcha_p2p.games.tichu.table.seated import RULES
from matcha_p2p.games.tichu.table.steps import FORMS, new_game
from matcha_p2p.table.seat import decide, follow
from matcha_p2p.table.step import recall, step
from matcha_p2p.table.table import next_due
from tests.games.tichu.party import Course, course, game, lawful, play_on
from tests.judges import their_table
from tests.table.party import begun

SEEDS = (0, 2, 5)
pytestmark = pytest.mark.slow
seeded = pytest.mark.parametrize("seed", SEEDS)


def written(view, move, hand) -> list[object]:
    """Return the lines of a log that ``move`` is (T35)."""
    seat = view.seat
    called = [[seat, "tichu"]] if getattr(move, "tichu", False) else []
    match move:
        case AnswerGrand(called=yes):
            return [[seat, "grand", yes]]
        case GiveCards(places):
            return [*called, [seat, "push", *(hand[place] for place in places)]]
        case ShowMahJong() | Hold():
            return [*called, [seat, "hold"]]
        case Lay(places, wild, wish):
            return [*called, [seat, "play", [hand[p] for p in places], wild, wish]]
        case Pass():
            return [*called, [seat, "pass"]]
        case _:
            return [[seat, "gift", move.receiver]]


def log_of(played: Course, number: int) -> list[dict[str, object]]:
    """Return what the log of round ``number`` leads to, with all hands open."""
    decided = [(view, move) for view, move in played.decided if view.number == number]
    first = {view.seat: view.hand for view, _ in decided if view.asked is Ask.PUSH}
    deck = [first[s][p] for part in (range(8), range(8, HAND)) for s in SEATS for p in part]
    parameters = RULES.state(played.tables[-1]).parameters
    header = {
        "deck": deck,
        "first": decided[0][0].seat,
        "windows": "every" if parameters.every_window else "plays",
        "late_tichu": parameters.late_tichu,
    }
    lines = [line for view, move in decided for line in written(view, move, view.hand)]
    return list(play_log(map(json.dumps, [header, *lines])))


@seeded
def test_the_transcript_of_a_game_is_complete(seed):
    played = course(seed)
    report = verify_transcript(played.party.file())
    assert report.verdict is Verdict.COMPLETE
    assert report.result == RULES.ended(played.tables[-1], None)
    assert next_due(played.tables[-1]) is None


@seeded
def test_the_rules_count_each_round_alike_with_open_hands(seed):
    played = course(seed)
    last = played.tables[-1].game
    counted = [log_of(played, number + 1)[-1]["score"] for number in range(last.number)]
    assert tuple(map(sum, zip(*counted, strict=True))) == last.totals
    assert last.result() == TEAMS[last.totals.index(max(last.totals))]


@pytest.mark.parametrize("variant", ["round plays", "round early", "round plays early"])
def test_each_variant_is_played_by_its_rules(variant):
    played = course(1, variant)
    assert log_of(played, 1)[-1]["score"]
    assert played.tables[-1].game.variant == variant


@seeded
def test_author_others_and_who_starts_again_come_to_the_same_entry_and_table(seed):
    played, decided = course(seed), iter(course(seed).decided)
    for before, entry, after in played.entries:
        assert after == step(before, entry)[0] == recall(before, entry)[0]
        due = next_due(before)
        player = replace(played.party.players[due.seat], _seen={})
        said = decide(player, before, next(decided)[1]) if due.decision else None
        assert (said or follow(player, before)).entry == entry


@seeded
def test_a_seat_reads_its_own_hand_and_what_lies_open(seed):
    played = course(seed)
    for table in played.tables[:: len(played.tables) // 40]:
        for seated_one in played.party.players:
            player = replace(seated_one, _seen={})
            for name, pile in table.piles.items():
                for card, face in zip(pile, player.faces(table, name), strict=True):
                    own = name == f"hand {player.seat}" and card.reader == player.seat
                    assert (face is not None) == (own or card.face is not None)


@seeded
def test_nobody_is_asked_to_move_but_the_seat_that_speaks(seed):
    played = course(seed)
    for table in played.tables[::25]:
        due = next_due(table)
        for player in played.party.players:
            if due is None or player.seat != due.seat or not due.decision:
                with pytest.raises(IllegalMoveError):
                    decide(player, table, Hold())


@seeded
def test_gifts_reach_those_for_whom_they_were_chosen(seed):
    played = course(seed)
    given, now = {}, {}
    for view, move in played.decided:
        if view.number == 1 and isinstance(move, GiveCards):
            given[view.seat] = [view.hand[place] for place in move.places]
        if view.number == 1 and view.asked is Ask.CALL:
            now[view.seat] = view
    for seat in SEATS:
        received = tuple(given[(seat + steps) % 4][-steps] for steps in (1, 2, 3))
        assert (now[seat].given, now[seat].received) == (tuple(given[seat]), received)


def test_gifts_of_an_earlier_round_are_forgotten():
    later = [view for view, _ in course(7, "300").decided if view.number > 1]
    early = [view for view in later if view.asked in (Ask.GRAND, Ask.PUSH)]
    assert early
    assert {(view.given, view.received) for view in early} == {((), ())}


def events_of(played: Course, seat=None):
    player = None if seat is None else played.party.players[seat]
    return [
        told
        for before, entry, _ in played.entries
        for told in RULES.told(step(before, entry)[1], player)
    ]


@seeded
def test_a_seat_is_told_what_it_was_given_and_by_whom(seed):
    played = course(seed)
    told = {seat: events_of(played, seat) for seat in SEATS}
    given = {s: [e.cards for e in told[s] if isinstance(e, GiftsGiven)] for s in SEATS}
    hands = {s: [e.cards for e in told[s] if isinstance(e, HandSeen)][2::3] for s in SEATS}
    placed = {s: [e.places for e in told[s] if isinstance(e, GiftsPlaced)] for s in SEATS}
    for number in range(played.tables[-1].game.number):
        for seat in SEATS:
            for steps, place in enumerate(placed[seat][number], 1):
                giver = (seat + steps) % 4
                assert hands[seat][number][place] == given[giver][number][-steps]


@seeded
def test_all_are_told_each_play_and_trick_in_order_and_nobody_s_hand(seed):
    played = course(seed)
    told, last = events_of(played), played.tables[-1].game
    kinds = Counter(type(event) for event in told)
    laid = [event for event in told if isinstance(event, Laid)]
    moves = [move for _, move in played.decided if isinstance(move, Lay)]
    assert [len(event.cards) for event in laid] == [len(move.places) for move in moves]
    assert kinds[RoundBegun] == kinds[RoundCounted] == last.number
    assert not {HandSeen, GiftsGiven, GiftsPlaced} & kinds.keys()
    tricks = [face for e in told if isinstance(e, TrickTaken) for face in e.cards]
    assert sorted(tricks) == sorted(face for event in laid for face in event.cards)
    assert points(tricks) <= 100 * last.number
    assert 2 * last.number <= kinds[WentOut] <= 3 * last.number
    assert told[-1] == GameEnded(last.result(), "points", last.totals)


def test_a_game_of_several_rounds_goes_on_until_a_team_has_its_points():
    played = course(7, "300")
    last = played.tables[-1].game
    assert last.number > 1
    assert max(last.totals) >= 300
    assert len({view.number for view, _ in played.decided}) == last.number
    firsts = [e.first for e in events_of(played) if isinstance(e, RoundBegun)]
    assert all((a + 1) % 4 == b for a, b in itertools.pairwise(firsts))
    scores = [log_of(played, number + 1)[-1]["score"] for number in range(last.number)]
    assert tuple(map(sum, zip(*scores, strict=True))) == last.totals


# --- what only open hands show ---------------------------------------------------------------


def passing_over(seed):
    """Return a game in which nobody lays the wished card if it can pass."""
    chance = random.Random(seed)

    def choose(view):
        if view.asked is Ask.TURN and view.state.wish and view.state.under is not None:
            return Pass()
        move = lawful(view, chance)
        wishing = isinstance(move, Lay) and MAH_JONG in [view.hand[p] for p in move.places]
        return move._replace(wish=14) if wishing else move

    return play_on(begun(f"foul {seed}", game()), choose)


@pytest.mark.parametrize("seed", range(4))
def test_who_passes_a_wish_over_has_fouled_once_the_hands_are_open(seed):
    played = passing_over(seed)
    last, told = played.tables[-1].game, log_of(played, 1)[-1]
    assert last.foul is not None
    assert last.foul.seat == told["foul"][0]
    assert last.result() == (last.foul.seat,)
    report = verify_transcript(played.party.file())
    assert report.verdict is Verdict.COMPLETE
    assert (report.result.how, report.result.foul) == ("foul", last.foul.seat)
    assert events_of(played)[-1] == report.result


def hiding_the_mah_jong():
    """Return a game in which nobody shows the Mah Jong, and the seat that holds the card."""
    chance = random.Random(3)

    def choose(view):
        return Hold() if view.asked is Ask.CALL else lawful(view, chance)

    played = play_on(begun("secret", game()), choose)
    (holder,) = {view.seat for view, _ in played.decided[-4:] if MAH_JONG in view.hand}
    return played, holder


def test_who_keeps_the_mah_jong_secret_has_fouled_though_it_stays_silent_then():
    """Three hands are opened; the last is the rest of the cards, whoever it is."""
    played, holder = hiding_the_mah_jong()
    opened = [e for _, e, _ in played.entries if e.fields[0][0] == "SHARE"][-3:]
    assert played.tables[-1].game.foul == (holder, 0)
    assert len({entry.seat for entry in opened}) == 3
    silent = [e.encoded for e in played.party.entries if e.fields[0][0] != "RESULT"]
    report = verify_transcript(encode_archive(silent, [], played.party.state.roster))
    assert (report.verdict, report.result.foul) == (Verdict.DECIDED, holder)


def test_hider_of_the_mah_jong_who_does_not_open_its_hand_is_awaited():
    """A seat that is not the last owes its hand at the end: by silence nobody wins."""
    played, holder = hiding_the_mah_jong()
    entries = played.party.entries
    opened = [at for at, e in enumerate(entries) if e.fields[0][0] == "SHARE"][-3:]
    (owed,) = (at for at in opened if entries[at].seat == holder)
    silent = [entry.encoded for entry in entries[:owed]]
    report = verify_transcript(encode_archive(silent, [], played.party.state.roster))
    assert (report.verdict, report.waiting, report.result) == (Verdict.UNFINISHED, holder, None)


def test_moves_have_no_form_that_nobody_makes():
    made = {
        field[1]
        for seed in SEEDS
        for _, e, _ in course(seed).entries
        for field in e.fields
        if field[0] == "MOVE"
    }
    assert made == FORMS.keys()


def test_other_variants_and_numbers_of_seats_are_unknown():
    assert new_game("1000", 4)
    assert not any(new_game(name, 4) for name in ("500", "", "1000 ", "early 1000", "round x"))
    assert not any(new_game("1000", seats) for seats in (2, 3))


@pytest.mark.parametrize("play", [0, 2, "round plays early", "a foul"])
def test_the_independent_verifier_accepts_every_entry(play):
    """It comes to the same state after each: the digest of the entry covers all of it."""
    games = {"a foul": lambda: passing_over(0), "round plays early": lambda: course(1, play)}
    played = games[play]() if play in games else course(play)
    table = their_table(played.party.state)
    for entry in played.party.entries:
        table.accept_entry(entry.encoded)
    assert table.decided
    assert table.step.owing == []
