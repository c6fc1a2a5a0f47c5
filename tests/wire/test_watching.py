"""The messages of a watcher and a host: bounded, and all other bytes are refused."""

import pytest

from matcha_p2p.errors import EncodingError
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.talk import Visibility
from matcha_p2p.wire.watching import (
    MOST_ITEMS,
    Come,
    Dismissal,
    decode_come,
    decode_dismissal,
    decode_sight,
    encode_come,
    encode_dismissal,
    encode_sight,
)

TOKEN = bytes(16)


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
        (decode_come, ["COME", bytes(15), "Ann", 0, 0]),
        (decode_come, ["COME", TOKEN, "Ann", 0]),
        (decode_come, ["COME", TOKEN, b"Ann", 0, 0]),
        (decode_come, ["COME", TOKEN, "", 0, 0]),
        (decode_come, ["COME", TOKEN, "A" * 25, 0, 0]),
        (decode_come, ["COME", TOKEN, "\x1b]0;owned\x07", 0, 0]),
        (decode_come, ["COME", TOKEN, "Ann\u202e", 0, 0]),
        (decode_come, ["COME", TOKEN, "Ann", MOST_ITEMS + 1, 0]),
        (decode_come, ["COME", TOKEN, "Ann", 0, MOST_ITEMS + 1]),
        (decode_come, ["GO", TOKEN, "Ann", 0, 0]),
        (decode_sight, ["SIGHT", 3]),
        (decode_sight, ["SIGHT"]),
        (decode_dismissal, ["SULK"]),
        (decode_dismissal, ["DONE", "DONE"]),
    ],
)
def test_other_encoding_is_refused(decode, value):
    with pytest.raises(EncodingError):
        decode(pack(value))
