"""Wishes for another game at a larger table: their form, and hostile ones."""

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError
from matcha_p2p.seats import Seat
from matcha_p2p.wire.again import (
    NextKeys,
    parse_again,
    parse_open,
    read_next,
    sign_again,
    sign_open,
)
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import sign

SEEDS = [H("session", bytes([seat])) for seat in range(3)]
KEYS = [signature.public_key(seed) for seed in SEEDS]
RID = RosterId(H("rid"))
NEXT = NextKeys(signature.public_key(H("next")), H("link"))


def proof(seat: int, run: int, rid: bytes = RID) -> bytes:
    signed = b"matcha/v1/again keys\0" + rid + pack([seat, run, *NEXT])
    return signature.sign(H("next"), signed)


@pytest.mark.parametrize("keys", [NEXT, None], ids=["wishes", "leaves"])
def test_a_wish_has_one_form(keys):
    word = sign_again(RID, Seat(1), 7, keys and (keys, H("next")), SEEDS[1])
    assert parse_again(word.encoded, RID, KEYS) == word
    assert (word.seat, word.run, word.keys) == (1, 7, keys)


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ([1, 0, [NEXT.session, b"short", proof(1, 0)]], Check.ENCODING),
        ([1, 0, [NEXT.session, NEXT.link, b"short"]], Check.ENCODING),
        ([1, 0, [*NEXT]], Check.ENCODING),
        ([1, 0, [*NEXT, proof(2, 0)]], Check.SIG),
        ([1, 0, [*NEXT, proof(1, 1)]], Check.SIG),
        ([1, 0, [*NEXT, proof(1, 0, H("another rid"))]], Check.SIG),
        ([1, 0, [NEXT.session, H("another link"), proof(1, 0)]], Check.SIG),
        ([4, 0, []], Check.ENCODING),
        ([1, 0, [bytes(32), NEXT.link, proof(1, 0)]], Check.KEY),
        ([2, 0, []], Check.SIG),
        ([3, 0, []], Check.SIG),
    ],
)
def test_a_wish_of_another_form_or_author_is_refused(body, check):
    encoded = sign(b"matcha/v1/again\0" + RID, body, SEEDS[1])
    with pytest.raises(CheckError) as caught:
        parse_again(encoded, RID, KEYS)
    assert caught.value.check is check


def test_offer_of_a_book_has_one_form():
    word = sign_open(RID, Seat(2), SEEDS[2])
    assert parse_open(word.encoded, RID, KEYS) == word
    assert word.seat == 2


@pytest.mark.parametrize(
    ("body", "check"),
    [([], Check.ENCODING), ([1, 0], Check.ENCODING), ([4], Check.ENCODING), ([2], Check.SIG)],
)
def test_offer_of_another_form_or_author_is_refused(body, check):
    encoded = sign(b"matcha/v1/open\0" + RID, body, SEEDS[1])
    with pytest.raises(CheckError) as caught:
        parse_open(encoded, RID, KEYS)
    assert caught.value.check is check


@pytest.mark.parametrize("words", [[b"1"], [b"1", b"2", 3], b"1"])
def test_next_roster_without_a_word_of_each_seat_is_refused(words):
    with pytest.raises(CheckError) as refused:
        read_next(pack([b"roster", words]))
    assert refused.value.check is Check.ENCODING
