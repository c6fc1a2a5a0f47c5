"""The canonical encoding: every value has one form, and every other byte string is refused."""

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import LIMIT, MAX_INTEGER, pack, unpack

LEAVES = st.integers(0, MAX_INTEGER) | st.binary(max_size=300) | st.text(max_size=40)
VALUES = st.recursive(LEAVES, lambda values: st.lists(values, max_size=20), max_leaves=12)


def depth(value) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def refused(encoding: bytes) -> Check:
    with pytest.raises(EncodingError) as caught:
        unpack(encoding)
    return caught.value.check


@settings(derandomize=True)
@given(VALUES.filter(lambda value: depth(value) <= 4))
def test_a_value_comes_back(value):
    assert unpack(pack(value)) == value


@settings(derandomize=True, max_examples=300)
@given(st.binary(max_size=40))
def test_any_bytes_are_the_one_encoding_of_a_value_or_refused(data):
    try:
        value = unpack(data)
    except EncodingError:
        return
    assert pack(value) == data


@pytest.mark.parametrize(
    "encoding",
    [
        b"\xcc\x05",  # 5 in two bytes
        b"\xcd\x00\x05",
        b"\xce\x00\x00\x00\x05",
        b"\xcf\x00\x00\x00\x00\x00\x00\x00\x05",
        b"\xd0\x05",  # 5 as a signed integer
        b"\xc5\x00\x01a",  # a long header before few bytes
        b"\xd9\x01a",
        b"\xdc\x00\x01\x05",
    ],
    ids=bytes.hex,
)
def test_a_longer_form_is_refused(encoding):
    assert msgpack.unpackb(encoding) in (5, b"a", "a", [5])
    assert refused(encoding) is Check.ENCODING


@pytest.mark.parametrize(
    "value",
    [None, True, False, -1, 1.5, {}, {"a": 1}, msgpack.ExtType(1, b""), msgpack.Timestamp(1)],
    ids=repr,
)
@pytest.mark.parametrize("inside", [False, True])
def test_a_type_outside_the_subset_is_refused(value, inside):
    assert refused(msgpack.packb([value] if inside else value)) is Check.ENCODING


@pytest.mark.parametrize(
    "encoding",
    [b"", b"\x05\x05", b"\xc1", b"\xc4\x02a", b"\x92\x05", b"\xa1\xff", b"\xa3\xed\xa0\x80"],
    ids=bytes.hex,
)
def test_zero_or_several_values_are_refused(encoding):
    assert refused(encoding) is Check.ENCODING


def test_the_largest_integer_is_exact_everywhere():
    assert unpack(pack(MAX_INTEGER)) == MAX_INTEGER == 2**53 - 1
    assert refused(msgpack.packb(2**53)) is Check.ENCODING


def test_arrays_have_limits():
    assert unpack(pack([0] * 64)) == [0] * 64
    assert refused(pack([0] * 65)) is Check.ENCODING
    assert unpack(pack([[[[]]]])) == [[[[]]]]
    assert refused(pack([[[[[]]]]])) is Check.ENCODING


@pytest.mark.parametrize("levels", [5, 500, 1000, 1020, 5000, LIMIT - 1])
def test_deep_arrays_do_not_exhaust_the_stack(levels):
    assert refused(b"\x91" * levels + b"\0") is Check.ENCODING


def test_oversized_frame_is_refused_unread():
    assert LIMIT == 16_383
    assert unpack(pack(bytes(LIMIT - 3))) == bytes(LIMIT - 3)
    assert refused(pack(bytes(LIMIT - 2))) is Check.LIMIT
