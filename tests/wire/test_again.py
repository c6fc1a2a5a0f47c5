"""Wishes for another game at a larger table: their form, and hostile ones."""

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError
from matcha_p2p.seats import Seat
from matcha_p2p.wire.again import NextKeys, parse_again, parse_open, sign_again, sign_open
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import sign

SEEDS = [H("session", bytes([seat])) for seat in range(3)]
KEYS = [signature.public_key(seed) for seed in SEEDS]
RID = RosterId(H("rid"))
NEXT = NextKeys(signature.public_key(H("next")), H("link"))


@pytest.mark.parametrize("keys", [NEXT, None], ids=["wishes", "leaves"])
def test_a_wish_has_one_form(keys):
    word = sign_again(RID, Seat(1), 7, keys, SEEDS[1])
    assert parse_again(word.encoded, RID, KEYS) == word
    assert (word.seat, word.run, word.keys) == (1, 7, keys)


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ([1, 0, [NEXT.session, b"short"]], Check.ENCODING),
        ([1, 0, [NEXT.session]], Check.ENCODING),
        ([4, 0, []], Check.ENCODING),
        ([1, 0, [bytes(32), NEXT.link]], Check.KEY),
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
