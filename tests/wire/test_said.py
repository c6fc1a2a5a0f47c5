"""Signed talk at a larger table: its form, and hostile words."""

from ipaddress import ip_address

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError
from matcha_p2p.seats import Seat
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.said import author_of, parse_said, parse_way, sign_said, sign_way
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.talk import PeerAddresses, Phrase, Say

SEEDS = [H("session", bytes([seat])) for seat in range(3)]
KEYS = [signature.public_key(seed) for seed in SEEDS]
RID = RosterId(H("rid"))


@pytest.mark.parametrize("said", [Say("nothing here"), Phrase(4)])
def test_a_word_has_one_form(said):
    word = sign_said(RID, Seat(1), (7, 2), said, SEEDS[1])
    assert parse_said(word.encoded, RID, KEYS) == word
    assert (word.seat, word.place, word.said) == (1, (7, 2), said)
    assert author_of(word.encoded) == 1


@pytest.mark.parametrize(
    ("body", "check", "author"),
    [
        ([4, 0, 0, ["PHRASE", 4]], Check.ENCODING, None),
        ([1, 0, ["PHRASE", 4]], Check.ENCODING, 1),
        ([1, 0, 0, ["OPEN"]], Check.ENCODING, 1),
        ([2, 0, 0, ["PHRASE", 4]], Check.SIG, 2),
        ([3, 0, 0, ["PHRASE", 4]], Check.SIG, 3),
    ],
)
def test_a_word_of_another_form_or_author_is_refused(body, check, author):
    encoded = sign(b"matcha/v1/talk\0" + RID, body, SEEDS[1])
    assert author_of(encoded) == author
    with pytest.raises(CheckError) as caught:
        parse_said(encoded, RID, KEYS)
    assert caught.value.check is check


def test_what_is_no_statement_has_no_author():
    assert author_of(b"\xff") is None


def test_a_way_has_one_form():
    way = PeerAddresses((Endpoint(ip_address("8.8.8.8"), 4717), Endpoint(ip_address("::1"), 1)))
    word = sign_way(RID, Seat(1), (7, 2), way, SEEDS[1])
    assert parse_way(word.encoded, RID, KEYS) == word
    assert (word.seat, word.place, word.way) == (1, (7, 2), way)
    assert author_of(word.encoded) == 1
