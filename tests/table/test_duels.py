"""Whole games in memory, and the paths of the protocol that chance alone may not take."""

from collections import Counter
from functools import cache
from itertools import groupby

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.crypto.elgamal import share
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules.cards import DECK, FACES, ZERO
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Ended, How, Keeping
from matcha_p2p.games.matcha.table.events import (
    HandsDealt,
    Kept,
    RoundResolved,
    TableLaid,
    ended_by,
)
from matcha_p2p.games.matcha.table.told import told
from matcha_p2p.games.matcha.table.view import game_of, matcha_of, own_faces
from matcha_p2p.table.step import step
from matcha_p2p.table.steps import COINS
from matcha_p2p.table.table import Greetings, State, Table
from tests.duel import Chooser, Duel, chooser, next_entry, opened, play_out
from tests.walks import emptying

MATCHES = (("uniform", "uniform"), ("greedy", "greedy"), ("uniform", "greedy"))


@cache
def played(edition: str, number: int) -> Duel:
    """Return the duel of this number, played to its end; shared by the tests of this file."""
    first, second = MATCHES[number % len(MATCHES)]
    duel = opened(f"duel {number}", edition)
    choosers = (chooser(first, f"first {number}"), chooser(second, f"second {number}"))
    return play_out(duel, choosers)


@pytest.mark.parametrize(
    "number", [*range(5), *(pytest.param(n, marks=pytest.mark.slow) for n in range(5, 35))]
)
@pytest.mark.parametrize("edition", ["2015", "2020"])
def test_a_duel_ends_in_a_complete_transcript(edition, number):
    duel = played(edition, number)
    said = [entry.encoded for entry in duel.entries]
    report = verify_transcript(encode_archive(said, [], duel.table.roster))
    assert (report.verdict.value, report.valid) == ("COMPLETE", True)
    assert duel.table.owing == ()


def passes(observation: Observation) -> Move:
    """Never lay a card, and keep none."""
    return Keep(frozenset()) if observation.game.phase == Keeping() else PASS


def passes_and_keeps(count: int) -> Chooser:
    """Never lay a card, and keep the first ``count`` of the hand."""

    def choose(observation: Observation) -> Move:
        if observation.game.phase == Keeping():
            return Keep(frozenset(sorted(observation.game.hands[observation.seat])[:count]))
        return PASS

    return choose


def until_set(duel: Duel, number: int, choosers: tuple[Chooser, Chooser]) -> Duel:
    """Play until both have seen their hands of set ``number``, or the game is over."""
    while (
        game_of(duel.table).number < number
        or not game_of(duel.table).hands[0]
        or mid_deal(duel)
    ):
        entry = next_entry(duel, choosers)
        if entry is None:
            break
        duel.say(entry)
    return duel


def mid_deal(duel: Duel) -> bool:
    return not isinstance(duel.events[-1], HandsDealt)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kept", [(1, 0), (0, 1), (2, 2), (5, 0), (0, 5), (5, 5), (4, 1), (3, 3)]
)
def test_kept_cards_reach_the_next_hand_and_no_card_is_lost(kept):
    """After a deal with kept cards all 18 cards are there once, as both keys together show."""
    duel = opened(f"kept {kept}")
    choosers = (passes_and_keeps(kept[0]), passes_and_keeps(kept[1]))
    before = None
    while game_of(duel.table).number == 1:
        entry = next_entry(duel, choosers)
        before = duel.table
        duel.say(entry)
    faces = [own_faces(player, before) for player in duel.players]
    until_set(duel, 2, choosers)
    table = duel.table
    hands = [own_faces(player, table) for player in duel.players]
    for seat in (0, 1):
        kept_faces = Counter(face.name for face in faces[seat][: kept[seat]])
        assert not kept_faces - Counter(face.name for face in hands[seat])
    aside = [open_by_both(duel, card) for card in table.piles["aside"]]
    everything = [*game_of(table).table, *hands[0], *hands[1], *aside]
    assert sorted(f.index for f in everything) == sorted(f.index for f in DECK)
    assert ZERO not in game_of(table).table
    assert game_of(table).kept == kept


def keeps_then_lays_all(observation: Observation) -> Move:
    """Lay nothing in the first set and keep a card; in the second lay all five."""
    first = observation.game.number == 1
    return (passes_and_keeps(1) if first else emptying)(observation)


def test_slot_kept_once_is_not_kept_for_ever():
    """A set with all cards laid follows a set in which both seats have kept cards."""
    duel = until_set(opened("kept once"), 3, (keeps_then_lays_all, keeps_then_lays_all))
    assert game_of(duel.table).number == 3
    assert [event.counts for event in duel.events if isinstance(event, Kept)] == [(1, 1)]
    hands = [own_faces(player, duel.table) for player in duel.players]
    aside = [open_by_both(duel, card) for card in duel.table.piles["aside"]]
    everything = [*game_of(duel.table).table, *hands[0], *hands[1], *aside]
    assert sorted(f.index for f in everything) == sorted(f.index for f in DECK)


def open_by_both(duel: Duel, card):
    """Open a masked card with both keys, as an open book allows."""
    shares = [share(player.x, card.masked) for player in duel.players]
    return FACES[duel.table.deck.face_of(card.masked, shares)]


@pytest.mark.slow
def test_every_number_of_zeros_is_met_while_a_mixed_deck_is_opened():
    met = Counter()
    for number in range(40):
        duel = opened(f"zeros {number}")
        until_set(duel, 2, (passes_and_keeps(1), passes_and_keeps(0)))
        (laid,) = [e for e in duel.events if isinstance(e, TableLaid) and e.number == 2]
        met[laid.zeros_met] += 1
        if set(met) == {0, 1, 2}:
            break
    assert set(met) == {0, 1, 2}


@pytest.mark.slow
def test_either_seat_may_close_a_set_with_cards_kept():
    closers = set()
    for number in range(12):
        duel = opened(f"closer {number}")
        until_set(duel, 2, (passes_and_keeps(1), passes_and_keeps(1)))
        closers.add(matcha_of(duel.table).closer)
    assert closers == {0, 1}


@pytest.mark.slow
def test_chance_brings_kept_cards_last_sets_and_tie_breaks():
    duels = [played(edition, n) for edition in ("2015", "2020") for n in range(35)]
    hows = Counter(game_of(duel.table).phase.how for duel in duels)
    assert {How.ALIKE, How.FIVE_KINDS, How.TIE_BREAK, How.LAST_SET} <= set(hows)
    kept = {
        (count[0] > 0, count[1] > 0)
        for duel in duels
        for count in (e.counts for e in duel.events if isinstance(e, Kept))
    }
    assert kept == {(False, False), (True, False), (False, True), (True, True)}


def with_tokens(duel: Duel, tokens: tuple, comparing: bool = False) -> Duel:
    """Give both seats tokens, as if earlier sets had brought them."""
    before = game_of(duel.table)
    rounds = tuple(played._replace(tokens=tokens) for played in before.rounds)
    state = before._replace(tokens=tokens, rounds=rounds, comparing=comparing)
    duel.state = duel.table._replace(game=matcha_of(duel.table)._replace(state=state))
    return duel


def test_a_full_tie_of_2015_goes_into_further_rounds():
    duel = until_set(opened("further"), 1, (passes, passes))
    with_tokens(duel, ((4, 0, 0, 0, 0), (4, 0, 0, 0, 0)))
    for _ in range(2):
        duel.say(next_entry(duel, (passes, passes)))
    assert game_of(duel.table).comparing
    play_out(duel, (chooser("greedy", "a"), passes))
    assert game_of(duel.table).phase == Ended(0, How.FURTHER_ROUNDS)


def test_equal_tokens_after_the_last_set_of_2020_are_a_draw():
    duel = play_out(opened("draw", "2020"), (passes, passes))
    assert game_of(duel.table).phase == Ended(None, How.DRAW)
    assert duel.table.owing == ()


def test_a_game_that_has_used_up_its_coins_ends_as_a_draw():
    duel = until_set(opened("coins"), 1, (passes, passes))
    spent = matcha_of(duel.table)._replace(coins=COINS)
    duel.state = duel.table._replace(coins=COINS, game=spent)
    play_out(duel, (passes, passes))
    assert game_of(duel.table).phase == Ended(None, How.DRAW)
    assert duel.events[-1] == ended_by(Ended(None, How.DRAW), game_of(duel.table).tokens)


def openings(duel: Duel) -> list[list[int]]:
    """Return, for each set, the authors of the opening entries without a decision."""
    found: list[list[int]] = []
    state, _ = step(Greetings.of_roster(duel.table.roster, find), duel.entries[0])
    for entry in duel.entries[1:]:
        if isinstance(state, Table) and matcha_of(state).stage is not None:
            if len(found) < game_of(state).number:
                found.append([])
            found[-1].append(entry.seat)
        state, _ = step(state, entry)
    return found


def flights(authors: list[int]) -> int:
    """Count the changes of direction, the first entry included."""
    return sum(1 for _ in groupby(authors))


@pytest.mark.slow
def test_a_set_with_nothing_kept_opens_in_three_flights():
    counts = [flights(opening) for n in range(6) for opening in openings(played("2020", n))]
    assert set(counts) == {3}
    assert len(counts) > 6


def test_a_turn_is_one_entry_and_a_resolution_at_most_one_more():
    for number in range(6):
        duel = played("2020", number)
        state: State = Greetings.of_roster(duel.table.roster, find)
        since = 0
        for entry in duel.entries[:2]:
            state, _ = step(state, entry)
        for entry in duel.entries[2:]:
            state, events = step(state, entry)
            names = [fields[0] for fields in entry.fields]
            if "MOVE" in names:
                assert names[0] == "MOVE"
                since = 0
            else:
                since += 1
            if any(isinstance(event, RoundResolved) for event in told(events)):
                assert since <= 1


def bytes_of_sets(duel: Duel) -> list[int]:
    """Return the bytes of each set's entries, from the opening entry on."""
    sizes = [0]
    state: State = Greetings.of_roster(duel.table.roster, find)
    for entry in duel.entries:
        number = game_of(state).number if isinstance(state, Table) else 1
        if number > len(sizes):
            sizes.append(0)
        sizes[-1] += len(entry.encoded)
        state, _ = step(state, entry)
    return sizes


@pytest.mark.slow
def test_a_set_of_2020_takes_about_8_kilobytes():
    sizes = [size for n in range(12) for size in bytes_of_sets(played("2020", n))]
    assert max(sizes) < 10_000  # greetings and results included
    assert sum(sizes) / len(sizes) < 9_000


@pytest.mark.slow
def test_a_set_of_2015_with_one_card_kept_by_each_takes_about_18_kilobytes():
    plays = tuple(one_left(f"one left {seat}") for seat in (0, 1))
    largest = 0
    for number in range(8):
        duel = until_set(opened(f"bytes {number}"), 2, plays)
        assert game_of(duel.table).kept == (1, 1)
        while (
            game_of(duel.table).number == 2 and (entry := next_entry(duel, plays)) is not None
        ):
            duel.say(entry)
        largest = max(largest, bytes_of_sets(duel)[1])
    assert 12_000 < largest <= 18_500


def one_left(seed: str) -> Chooser:
    """Lay four cards in a set and keep the fifth."""
    bot = chooser("uniform", seed)

    def choose(observation: Observation) -> Move:
        game = observation.game
        if game.phase == Keeping():
            return Keep(game.hands[observation.seat])
        laid = 5 - len(game.hands[observation.seat])
        plays = [move for move in observation.legal_moves() if isinstance(move, Play)]
        if plays and laid < min(4, 2 * len(game.rounds)):
            return plays[0]
        return PASS if laid >= min(4, 2 * len(game.rounds)) else bot(observation)

    return choose


def test_the_same_secrets_and_choices_make_the_same_bytes():
    """A message is a function of secret, history and choice, so a restart cannot fork."""
    first, second = (
        play_out(opened("same"), (chooser("uniform", "a"), chooser("uniform", "b")))
        for _ in range(2)
    )
    assert [e.encoded for e in first.entries] == [e.encoded for e in second.entries]


def test_identities_certify_the_keys_of_a_game():
    duel = opened("identity", identities=(H("a long-term key"), H("another")))
    assert all(hello.identity for hello in duel.table.hellos)
    assert duel.table.hellos[0].identity != duel.table.hellos[1].identity
