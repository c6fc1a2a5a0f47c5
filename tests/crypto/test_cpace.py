"""CPace: the draft's figures, and two ends with equal or different passwords."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.crypto import cpace
from matcha_p2p.crypto.cpace import Exchange, Message, generator, generator_string, lv_cat
from matcha_p2p.crypto.ristretto255 import Point, secret_products
from matcha_p2p.errors import Check, EncodingError

VECTORS = json.loads((Path(__file__).parent / "vectors/cpace.json").read_text())
PRS, CI, SID, Y_A, AD_A, Y_B, AD_B = (
    bytes.fromhex(VECTORS[name]) for name in ("PRS", "CI", "sid", "Ya", "ADa", "Yb", "ADb")
)
A = Exchange.begin(PRS, CI, SID, int.from_bytes(bytes.fromhex(VECTORS["ya"]), "little"), AD_A)
B = Exchange.begin(PRS, CI, SID, int.from_bytes(bytes.fromhex(VECTORS["yb"]), "little"), AD_B)


def test_the_generator_is_that_of_the_draft():
    assert generator_string(PRS, CI, SID).hex() == VECTORS["generator_string"]
    assert generator(PRS, CI, SID).encode().hex() == VECTORS["g"]


def test_both_messages_are_those_of_the_draft():
    assert A.message == Message(Y_A, AD_A)
    assert B.message == Message(Y_B, AD_B)


def test_both_ends_have_the_key_of_the_draft():
    assert A.key_as_initiator(B.message).hex() == VECTORS["ISK_IR"]
    assert B.key_as_responder(A.message).hex() == VECTORS["ISK_IR"]


def test_the_draft_s_product():
    s, X, product = (bytes.fromhex(VECTORS["multiplication"][k]) for k in ("s", "X", "product"))
    (found,) = secret_products([int.from_bytes(s, "little")], Point.decode(X))
    assert found.encode() == product


@pytest.mark.parametrize("share", VECTORS["invalid"])
@pytest.mark.parametrize("finish", [A.key_as_initiator, B.key_as_responder])
def test_a_worthless_share_is_refused(share, finish):
    with pytest.raises(EncodingError) as caught:
        finish(Message(bytes.fromhex(share)))
    assert caught.value.check is Check.POINT


PARTS = ("PRS", "CI", "sid", "AD")


@pytest.mark.parametrize("part", PARTS)
def test_every_difference_gives_another_key(part):
    given = {"PRS": PRS, "CI": CI, "sid": SID, "AD": b"", "y": 77}
    other = Exchange.begin(**{**given, part: given[part] + b"x"})
    same = Exchange.begin(**given)
    key = A.key_as_initiator(same.message)
    assert same.key_as_responder(A.message) == key
    if part == "AD":  # heard otherwise than it was said
        other = replace(same, message=replace(same.message, AD=b"x"))
    assert other.key_as_responder(A.message) != key


def test_initiator_is_part_of_the_key():
    """A message sent back to its author opens nothing."""
    assert A.key_as_initiator(B.message) != A.key_as_responder(B.message)
    assert A.key_as_initiator(A.message) != B.key_as_responder(A.message)


@given(st.lists(st.binary(max_size=300), max_size=4))
def test_lengths_are_those_of_leb128(parts):
    read, rest = [], lv_cat(*parts)
    while rest:
        size = shift = 0
        while True:
            group, rest = rest[0], rest[1:]
            size |= (group & 127) << shift
            shift += 7
            if group < 128:
                break
        read.append(rest[:size])
        rest = rest[size:]
    assert read == parts


def test_secrets_are_not_shown():
    assert str(A.y) not in repr(A)


def test_long_parts_have_lengths_of_several_bytes():
    """As LEB128 of the draft: 300 is 0b10_0101100."""
    assert cpace._leb128(127) == b"\x7f"
    assert cpace._leb128(300) == b"\xac\x02"
