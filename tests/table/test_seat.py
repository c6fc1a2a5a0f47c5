"""A seat's secrets stay where they are, and its randomness never serves twice."""

from dataclasses import replace

import pytest

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Play
from matcha_p2p.games.matcha.rules.phases import Keeping
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.games.matcha.table.view import matcha_of
from matcha_p2p.table.messages import decode_action
from matcha_p2p.table.seat import (
    Offer,
    Player,
    _due_action,
    decide,
    follow,
    greet,
    seeded,
    state_record,
    take_seat,
)
from matcha_p2p.table.steps import COINS
from matcha_p2p.table.table import Verb, next_due
from matcha_p2p.table.verbs import next_link
from matcha_p2p.wire.statements import Claim, Resign
from tests.duel import Duel, greetings_of, next_entry, opened, secrets_of


def player(seed: str = "player", seat: Seat = SEATS[0]) -> Player:
    return take_seat(seat, H("head"), secrets_of(seed, seat))


def until(duel: Duel, verb: Verb) -> Duel:
    """Play on, keeping all that is left, until ``verb`` is due."""

    def choose(observation):
        if observation.game.phase == Keeping():
            return Keep(observation.game.hands[observation.seat])
        return PASS

    while duel.table.owing[0].verb is not verb:
        entry = next_entry(duel, (choose, choose))
        assert entry is not None
        duel.say(entry)
    return duel


def test_no_secret_is_in_a_representation():
    one = player()
    shown = repr(one) + repr(one.secrets)
    assert str(one.x) not in shown
    assert repr(one.secrets.game) not in shown
    assert repr(one.secrets.session) not in shown
    assert repr(one.chain[-1]) not in shown


@pytest.mark.parametrize(
    ("secret", "head", "seat", "label", "message"),
    [
        (b"other" * 8, b"h" * 32, 0, "nonce", b"statement"),
        (b"s" * 32, b"other" * 8, 0, "nonce", b"statement"),
        (b"s" * 32, b"h" * 32, 1, "nonce", b"statement"),
        (b"s" * 32, b"h" * 32, 0, "mask", b"statement"),
        (b"s" * 32, b"h" * 32, 0, "nonce", b"another statement"),
    ],
)
def test_randomness_depends_on_all_that_is_going_on(secret, head, seat, label, message):
    """Any other secret, history, seat, label or input gives independent bytes."""
    usual = seeded(b"s" * 32, b"h" * 32, 0)("nonce", b"statement", 32)
    assert seeded(secret, head, seat)(label, message, 32) != usual
    assert seeded(b"s" * 32, b"h" * 32, 0)("nonce", b"statement", 32) == usual


def test_each_link_of_the_chain_leads_to_the_one_before():
    chain = player().chain
    assert len(chain) == COINS + 1
    assert all(next_link(0, chain[i + 1]) == chain[i] for i in range(COINS))


def test_a_seat_in_another_game_has_other_keys():
    """The game's first head, the channel binding, is part of every key."""
    secrets = secrets_of("again", 0)
    first, second = (take_seat(0, H("binding", n), secrets) for n in (b"1", b"2"))
    assert first.x != second.x
    assert first.chain[0] != second.chain[0]


def test_a_guest_names_the_highest_version_that_both_speak():
    game = begin(EDITION_2015)
    state = greetings_of("newer", game, ["Mina", "Taro"], find)
    first = greet(player(), state, Offer(game, "Mina"))
    newer = replace(decode_action(first.fields[0], {}), versions=(1, 7), version=7)
    state = state._replace(hellos=(newer,), entries=(b"",))
    entry = greet(player(seat=1), state, Offer(game, "Taro"))
    assert decode_action(entry.fields[0], {}).version == 1


@pytest.mark.parametrize("move", [Play(2, 0), Play(0, 5), Keep(frozenset())])
def test_a_move_that_the_rules_forbid_is_refused_before_it_is_signed(move):
    duel = opened("illegal")
    while (due := next_entry(duel, (lambda _: PASS,) * 2)) and due.fields[0][0] != "MOVE":
        duel.say(due)
    seat = duel.table.owing[0].seat
    with pytest.raises(IllegalMoveError):
        decide(duel.players[seat], duel.table, move)


def test_decision_out_of_turn_is_refused():
    duel = opened("turn")
    with pytest.raises(IllegalMoveError):
        decide(duel.players[0], duel.table, PASS)


def test_seat_makes_no_entry_if_a_decision_is_due_or_the_other_speaks():
    duel = until(opened("follow"), Verb.SEAL)
    assert follow(duel.players[0], duel.table) is None
    assert follow(duel.players[1], duel.table) is None
    over = duel.table._replace(owing=())
    assert follow(duel.players[0], over) is None


def test_the_closer_finds_its_choice_again_from_its_secret_alone():
    """Nothing about the choice is stored: after a restart the same cards are unsealed."""
    duel = until(opened("unseal"), Verb.UNSEAL)
    seat = matcha_of(duel.table).closer
    again = take_seat(seat, duel.entries[seat].prev, secrets_of("unseal", seat))
    first = follow(duel.players[seat], duel.table)
    second = follow(again, duel.table)
    assert first is not None
    assert second is not None
    assert first[0].encoded == second[0].encoded


def test_a_foreign_secret_cannot_unseal():
    duel = until(opened("foreign"), Verb.UNSEAL)
    seat = matcha_of(duel.table).closer
    stranger = take_seat(seat, duel.entries[seat].prev, secrets_of("stranger", seat))
    with pytest.raises(RuntimeError, match="not made with this secret"):
        follow(stranger, duel.table)


def test_records_are_signed_by_the_session_key_over_the_head():
    duel = opened("record")
    for statement in (Resign(), Claim(86_400, 1_800_000_000)):
        record = state_record(duel.players[1], duel.table, statement)
        assert record.head == duel.table.head
        record.signed.check(duel.table.hellos[1].session_key)


def test_decision_of_a_person_is_never_due_by_itself():
    duel = opened("due")
    while not next_due(duel.table).decision:
        duel.say(next_entry(duel, (lambda _: PASS,) * 2))
    with pytest.raises(RuntimeError, match="nothing is due"):
        _due_action(duel.players[0], duel.table, 0)
