"""A deck of another program: cards are dealt and opened, and no proof is borrowed."""

from dataclasses import replace
from functools import cache

import pytest

from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.crypto.sponge import kdf
from matcha_p2p.errors import CheckError
from matcha_p2p.table import labelled_deck
from matcha_p2p.table.seat import Secrets

SESSION = b"an evening"
SIZE = 5


def party(number, label="whist", session=SESSION, seed=b"seed"):
    """Return a party whose secrets follow from the arguments."""
    secrets = kdf(seed.ljust(32), bytes([number]), 64)
    made = Secrets(secrets[:32], secrets[32:])
    return labelled_deck.take_part(label, session, number, made)


@cache
def parties(count, label="whist"):
    return tuple(party(number, label) for number in range(count))


def laid(count, label="whist", size=SIZE):
    greetings = [labelled_deck.greeting(each, label, SESSION) for each in parties(count, label)]
    return labelled_deck.lay(label, SESSION, greetings, size)


@cache
def mixed(count, label="whist"):
    deck = laid(count, label)
    for each in parties(count, label):
        deck = labelled_deck.with_shuffle(deck, labelled_deck.shuffled(each, deck))
    return deck


def said(deck, places, label="whist"):
    return {
        each.seat: labelled_deck.shares(each, deck, places)
        for each in parties(len(deck.keys), label)
    }


@pytest.mark.parametrize("count", [2, 3, 5])
def test_opened_deck_holds_each_card_once_in_another_order(count):
    deck, places = mixed(count), range(SIZE)
    cards = labelled_deck.opened(deck, places, said(deck, places))
    assert sorted(cards) == list(places)
    assert cards != tuple(places)


def test_reader_sees_a_card_without_its_own_message_and_others_do_not():
    deck = mixed(3)
    theirs = {seat: made for seat, made in said(deck, [1]).items() if seat != 2}
    assert labelled_deck.opened(deck, [1], theirs, parties(3)[2]) == labelled_deck.opened(
        deck, [1], said(deck, [1])
    )
    with pytest.raises(ValueError, match="party 2 are missing"):
        labelled_deck.opened(deck, [1], theirs)


def test_card_is_closed_until_all_have_shuffled():
    deck = laid(2)
    deck = labelled_deck.with_shuffle(deck, labelled_deck.shuffled(parties(2)[0], deck))
    with pytest.raises(ValueError, match="party 1 has not shuffled"):
        labelled_deck.shares(parties(2)[0], deck, [0])


def test_party_shuffles_in_turn_and_once():
    first, second = parties(2)
    with pytest.raises(ValueError, match="party 1 is not the next"):
        labelled_deck.shuffled(second, laid(2))
    with pytest.raises(ValueError, match="party 0 is not the next"):
        labelled_deck.shuffled(first, mixed(2))
    with pytest.raises(ValueError, match="all parties have shuffled"):
        labelled_deck.with_shuffle(mixed(2), b"")


@pytest.mark.parametrize("places", [[], [0, 0], [SIZE], [-1]])
def test_places_are_different_places_of_the_deck(places):
    with pytest.raises(ValueError, match="not different places"):
        labelled_deck.shares(parties(2)[0], mixed(2), places)


@pytest.mark.parametrize("label", ["", "two words", "é", "x" * 65, "a\n"])
def test_label_is_ascii_without_spaces(label):
    with pytest.raises(ValueError, match="label"):
        party(0, label)


@pytest.mark.parametrize(
    ("named", "why"),
    [
        (("whist", "table 5"), "a session is bytes, .* not 'table 5'"),
        ((b"whist", SESSION), "a label is a str, .* not b'whist'"),
    ],
    ids=["session", "label"],
)
def test_session_or_label_of_another_kind_is_refused_at_each_call(named, why):
    first, second = parties(2)
    said = [labelled_deck.greeting(each, "whist", SESSION) for each in (first, second)]
    with pytest.raises(TypeError, match=why):
        labelled_deck.take_part(*named, 0, first.secrets)
    with pytest.raises(TypeError, match=why):
        labelled_deck.greeting(first, *named)
    with pytest.raises(TypeError, match=why):
        labelled_deck.lay(*named, said, SIZE)


@pytest.mark.parametrize(
    ("count", "size", "limits"),
    [
        (1, 5, "2 to 255 parties, not 1"),
        (2, 1, "2 to 64 cards, not 1"),
        (2, 65, "2 to 64 cards, not 65"),
    ],
)
def test_deck_of_another_size_is_refused(count, size, limits):
    with pytest.raises(ValueError, match=limits):
        laid(count, size=size)


@pytest.mark.parametrize("number", [-1, 255])
def test_number_of_a_party_is_a_byte(number):
    with pytest.raises(ValueError, match="the numbers 0 to 254, not "):
        labelled_deck.take_part("whist", SESSION, number, parties(2)[0].secrets)


@pytest.mark.parametrize("cut", [0, 10, 32, 64, 95])
def test_damaged_greeting_names_its_party(cut):
    first, second = (labelled_deck.greeting(each, "whist", SESSION) for each in parties(2))
    for wrong in (second[:cut], second[:-1] + bytes([second[-1] ^ 1]), second + bytes(32)):
        with pytest.raises(CheckError, match=r"^party 1: "):
            labelled_deck.lay("whist", SESSION, [first, wrong], SIZE)


def test_greeting_of_another_party_session_or_label_is_refused():
    first = labelled_deck.greeting(parties(2)[0], "whist", SESSION)
    elsewhere = [
        first,
        labelled_deck.greeting(party(1, session=b"another"), "whist", b"another"),
        labelled_deck.greeting(party(1, "skat"), "skat", SESSION),
    ]
    for borrowed in elsewhere:
        with pytest.raises(CheckError, match=r"^party 1: "):
            labelled_deck.lay("whist", SESSION, [first, borrowed], SIZE)


def test_damaged_shuffle_names_its_party():
    deck = laid(2)
    message = labelled_deck.shuffled(parties(2)[0], deck)
    for wrong in (b"", message[:-32], message[:-1] + bytes([message[-1] ^ 1]), message + b"x"):
        with pytest.raises(CheckError, match=r"^party 0: "):
            labelled_deck.with_shuffle(deck, wrong)


def test_damaged_shares_name_their_party():
    deck = mixed(2)
    messages = said(deck, [0, 1])
    for wrong in (b"", messages[1][:64], messages[0], messages[1][32:] + messages[1][:32]):
        with pytest.raises(CheckError, match=r"^party 1: "):
            labelled_deck.opened(deck, [0, 1], {**messages, 1: wrong})
    with pytest.raises(CheckError, match=r"^party 0: "):
        labelled_deck.opened(deck, [1, 0], messages)


def test_proof_of_another_label_or_game_is_refused():
    """The same keys, cards and head: only the name of the game differs."""
    deck = mixed(2)
    for game in ("whist", "matcha", "app/whist2", "app/whis"):
        foreign = labelled_deck.LabelledDeck(
            labelled_deck.DeckParameters(
                game, deck.parameters.faces, deck.parameters.gid, deck.parameters.key, 2
            ),
            deck.keys,
            deck.cards,
            deck.shuffles,
            deck.head,
        )
        with pytest.raises(CheckError, match=r"^party 0: "):
            labelled_deck.opened(deck, [0], said(foreign, [0]))
        with pytest.raises(CheckError, match=r"^party 0: "):
            labelled_deck.opened(foreign, [0], said(deck, [0]))


@pytest.mark.parametrize(("turn", "why"), [(1, "one key"), (-1, "undo each other")])
def test_keys_that_are_equal_or_cancel_are_refused(turn, why):
    first, second = parties(2)
    other = replace(second, x=turn * first.x % ORDER)
    greetings = [labelled_deck.greeting(each, "whist", SESSION) for each in (first, other)]
    with pytest.raises(CheckError, match=why):
        labelled_deck.lay("whist", SESSION, greetings, SIZE)


@pytest.mark.parametrize(
    "stranger", [party(0, seed=b"other"), party(0, session=b"another"), party(2)]
)
def test_player_of_another_deck_is_refused_before_it_seems_to_cheat(stranger):
    deck = mixed(2)
    with pytest.raises(ValueError, match="another key than this player"):
        labelled_deck.shares(stranger, deck, [0])
    with pytest.raises(ValueError, match="another key than this player"):
        labelled_deck.opened(deck, [0], said(deck, [0]), stranger)


def test_player_of_another_deck_does_not_shuffle():
    with pytest.raises(ValueError, match="another key than this player"):
        labelled_deck.shuffled(party(0, seed=b"other"), laid(2))
