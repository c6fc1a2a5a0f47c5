"""The words of seats and the messages of watchers: bounded, and other bytes are refused."""

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError, EncodingError
from matcha_p2p.seats import Seat
from matcha_p2p.transport.framing import FRAME_LIMIT
from matcha_p2p.wire.admission import parse_watch, sign_watch
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.said import author_of
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.watching import (
    MOST_ITEMS,
    MOST_WATCHERS,
    Admission,
    Come,
    Dismissal,
    Visibility,
    decode_come,
    decode_dismissal,
    decode_sight,
    encode_come,
    encode_dismissal,
    encode_sight,
)

TOKEN = bytes(16)
SEEDS = [H("session", bytes([seat])) for seat in range(3)]
KEYS = [signature.public_key(seed) for seed in SEEDS]
RID = RosterId(H("rid"))


@pytest.mark.parametrize(
    "said",
    [
        Admission(Visibility.NOTHING),
        Admission(Visibility.AT_ONCE, 1),
        Admission(most=MOST_WATCHERS, names=("N" * 24,) * MOST_WATCHERS),
    ],
)
def test_word_of_a_seat_has_one_form(said):
    word = sign_watch(RID, Seat(1), (7, 2), said, SEEDS[1])
    assert parse_watch(word.encoded, RID, KEYS) == word
    assert (word.seat, word.place, word.admission) == (1, (7, 2), said)
    assert word.is_final == (said.sight is Visibility.NOTHING)
    assert author_of(word.encoded) == 1
    assert len(word.encoded) < FRAME_LIMIT


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ([4, 0, 0, 0, 1, []], Check.ENCODING),
        ([1, 0, 0, 1, []], Check.ENCODING),
        ([1, 0, 0, 0, 3, []], Check.ENCODING),
        ([1, 0, 0, MOST_WATCHERS + 1, 1, []], Check.ENCODING),
        ([1, 0, 0, 1, 1, ["Ann", "Bo"]], Check.ENCODING),
        ([1, 0, 0, 1, 1, [b"Ann"]], Check.ENCODING),
        *(([1, 0, 0, 1, 1, [name]], Check.TEXT) for name in ("", "A" * 25, "\x1b[2J", " Ann")),
        ([2, 0, 0, 0, 1, []], Check.SIG),
        ([3, 0, 0, 0, 1, []], Check.SIG),
    ],
)
def test_word_of_another_form_or_author_is_refused(body, check):
    encoded = sign(b"matcha/v1/watch\0" + RID, body, SEEDS[1])
    with pytest.raises(CheckError) as caught:
        parse_watch(encoded, RID, KEYS)
    assert caught.value.check is check


def test_talk_is_no_word_about_watching():
    encoded = sign(b"matcha/v1/talk\0" + RID, [1, 0, 0, 0, 2, []], SEEDS[1])
    with pytest.raises(CheckError) as caught:
        parse_watch(encoded, RID, KEYS)
    assert caught.value.check is Check.SIG


def test_encoded_message_is_decoded_unchanged():
    for come in (Come(TOKEN, "Ann"), Come(TOKEN, "N" * 24, MOST_ITEMS, MOST_ITEMS)):
        assert decode_come(encode_come(come)) == come
        assert len(encode_come(come)) < 160
    for sight in Visibility:
        assert decode_sight(encode_sight(sight)) is sight
    for why in Dismissal:
        assert decode_dismissal(encode_dismissal(why)) is why


@pytest.mark.parametrize(
    ("decode", "value"),
    [
        (decode_come, [bytes(15), "Ann", 0, 0]),
        (decode_come, [TOKEN, "Ann", 0]),
        (decode_come, [TOKEN, b"Ann", 0, 0]),
        (decode_come, [TOKEN, "", 0, 0]),
        (decode_come, [TOKEN, "A" * 25, 0, 0]),
        (decode_come, [TOKEN, "\x1b]0;owned\x07", 0, 0]),
        (decode_come, [TOKEN, "Ann\u202e", 0, 0]),
        (decode_come, [TOKEN, "Ann", MOST_ITEMS + 1, 0]),
        (decode_come, [TOKEN, "Ann", 0, MOST_ITEMS + 1]),
        (decode_come, ["COME", TOKEN, "Ann", 0, 0]),
        (decode_sight, [3]),
        (decode_sight, []),
        (decode_dismissal, ["SULK"]),
        (decode_dismissal, ["DONE", "DONE"]),
    ],
)
def test_other_encoding_is_refused(decode, value):
    with pytest.raises(EncodingError):
        decode(pack(value))
