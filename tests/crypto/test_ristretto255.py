"""The group: the RFC's figures on both engines, and the strictness of Point."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.crypto import edwards25519 as curve
from matcha_p2p.crypto.ristretto255 import (
    GENERATOR,
    IDENTITY,
    ORDER,
    Point,
    base_mul,
    decode_scalar,
    encode_scalar,
    hash_to_group,
    public_sum,
    reduce_wide,
    secret_products,
    secret_sum,
)
from matcha_p2p.crypto.sponge import expand_message
from matcha_p2p.errors import Check, EncodingError
from tests.crypto.conftest import EIGHTH_Y

VECTORS = json.loads((Path(__file__).parent / "vectors/ristretto255.json").read_text())
MULTIPLES = [bytes.fromhex(encoding) for encoding in VECTORS["multiples"]]
INVALID = [bytes.fromhex(encoding) for encoding in VECTORS["invalid"]]
SCALARS = [0, 1, 2, 15, 16, 17, 2**64 - 1, 2**252, ORDER - 16, ORDER - 2, ORDER - 1]


def with_bit_255(encoding: bytes) -> bytes:
    return encoding[:31] + bytes([encoding[31] | 0x80])


def test_multiples_of_the_generator(engine):
    """RFC 9496 A.1, by addition and by multiplication."""
    total = engine.identity
    for i, encoding in enumerate(MULTIPLES):
        assert engine.encode(total) == encoding
        assert engine.encode(engine.secret_products([i], engine.generator)[0]) == encoding
        total = engine.add(total, engine.generator)


def test_multiples_are_decoded(engine):
    for i, encoding in enumerate(MULTIPLES):
        element = engine.decode(encoding)
        assert engine.equal(element, engine.secret_products([i], engine.generator)[0])
        assert engine.encode(engine.add(element, engine.identity)) == encoding


@pytest.mark.parametrize("encoding", INVALID, ids=bytes.hex)
def test_invalid_encodings_are_refused(engine, encoding):
    """RFC 9496 A.2, and the same encodings with bit 255 set, which the RFC leaves out."""
    assert engine.decode(encoding) is None
    assert engine.decode(with_bit_255(encoding)) is None


def test_bit_255_is_refused_on_every_valid_encoding(engine):
    assert all(engine.decode(with_bit_255(encoding)) is None for encoding in MULTIPLES)


@pytest.mark.parametrize(("uniform", "encoding"), VECTORS["derived"])
def test_element_derivation(engine, uniform, encoding):
    """RFC 9496 A.3."""
    element = engine.from_uniform(bytes.fromhex(uniform))
    assert engine.encode(element) == bytes.fromhex(encoding)


@pytest.mark.parametrize(
    ("message", "blinded"),
    [
        ("00", "609a0ae68c15a3cf6903766461307e5c8bb2f95e7e6550e1ffa2dc99e412803c"),
        ("5a" * 17, "da27ef466870f5f15296299850aa088629945a17d1f5b7f5ff043f76b3c06418"),
    ],
)
def test_hash_to_ristretto255(engine, message, blinded):
    """RFC 9380 app. B by way of the OPRF vectors of RFC 9497 A.1.1: blind * HashToGroup."""
    dst = b"HashToGroup-OPRFV1-\0-ristretto255-SHA512"
    blind = bytes.fromhex("64d37aed22a27f5191de1c1d69fadb899d8862b58eb4220029e036ec4c1f6706")
    hashed = engine.from_uniform(expand_message(bytes.fromhex(message), dst, 64))
    (product,) = engine.secret_products([int.from_bytes(blind, "little")], hashed)
    assert engine.encode(product) == bytes.fromhex(blinded)


@pytest.mark.parametrize("count", range(10))
def test_many_are_decoded_and_encoded_as_each_alone(engine, count):
    """Decoding stops at the first bad encoding, whatever stands behind."""
    encodings = MULTIPLES[1 : 1 + count]
    for after in (b"", with_bit_255(MULTIPLES[1]), bytes([1]) + bytes(31) + MULTIPLES[2]):
        decoded = engine.decode_all(b"".join(encodings) + after)
        assert engine.encode_all(decoded) == encodings
    forgotten = [engine.add(element, engine.identity) for element in decoded]
    assert engine.encode_all(forgotten) == encodings


def test_encoded_sums_are_those_of_public_sums(engine):
    points = [engine.decode(encoding) for encoding in MULTIPLES[1:4]]
    sums = [[(0, 5), (2, -1)], [], [(1, ORDER - 1), (1, 1)], [(2, 7)]]
    encoded = engine.encoded_public_sums(points, sums)
    assert encoded == engine.encode_all(engine.public_sums(points, sums))
    assert encoded == [
        MULTIPLES[2],
        bytes(32),
        bytes(32),
        engine.encode_all(engine.secret_products([21], engine.generator))[0],
    ]


def test_sum_over_a_missing_point_is_an_error(engine):
    """The sum must not read memory behind the last point."""
    with pytest.raises(IndexError):
        engine.public_sums([engine.generator], [[(0, 2), (1, 3)]])


def test_sums_of_products_equal_single_additions(engine):
    """Every special scalar agrees with the multiples of the RFC, with a fixed base or not."""
    points = [engine.decode(encoding) for encoding in MULTIPLES[1:12]]
    points[3] = engine.generator
    exponent = sum(s * k for s, k in zip(SCALARS, (1, 2, 3, 1, *range(5, 12)), strict=True))
    expected = engine.secret_products([exponent], engine.generator)[0]
    assert engine.equal(engine.public_sum(SCALARS, points), expected)
    assert engine.equal(engine.secret_sum(SCALARS, points), expected)


def test_many_products_of_one_point_equal_single_ones(engine):
    point = engine.from_uniform(bytes(range(64)))
    fresh = engine.from_uniform(bytes(range(64)))
    many = engine.secret_products(SCALARS, point)
    single = [engine.secret_products([scalar], fresh)[0] for scalar in SCALARS]
    assert list(map(engine.encode, many)) == list(map(engine.encode, single))
    again = engine.public_sum([SCALARS[5]], [point])
    assert engine.encode(again) == engine.encode(many[5])


def test_negation_and_cancellation(engine):
    point = engine.from_uniform(bytes(range(64)))
    negative = engine.subtract(engine.identity, point)
    assert engine.encode(engine.secret_products([-1], point)[0]) == engine.encode(negative)
    assert engine.equal(engine.add(point, negative), engine.identity)
    assert engine.equal(engine.public_sum([1, -1], [point, point]), engine.identity)
    assert not engine.equal(point, negative)


def test_the_identity_is_known_however_it_came_about(engine):
    point = engine.from_uniform(bytes(range(64)))
    found = engine.subtract(point, point)
    assert engine.is_identity(found)
    assert engine.encode(found) == bytes(32)
    assert engine.is_identity(found)
    assert engine.is_identity(engine.identity)
    assert engine.is_identity(engine.decode(bytes(32)))
    assert not engine.is_identity(point)
    assert not engine.is_identity(engine.decode(engine.encode(point)))


def test_several_sums_at_once_equal_single_sums(engine):
    """Sums of shared points, fixed bases and the identity; no sums, and a sum without terms."""
    points = [engine.decode(encoding) for encoding in MULTIPLES[:8]]
    points[1] = engine.generator
    ways = [[], [(1, 5)], [(2, 1), (2, -1)], list(enumerate(SCALARS[:8])), [(7, 3), (1, 0)]]
    expected = [
        engine.public_sum([scalar for _, scalar in terms], [points[i] for i, _ in terms])
        for terms in ways
    ]
    sums = engine.public_sums(points, ways)
    assert list(map(engine.encode, sums)) == list(map(engine.encode, expected))
    assert [engine.is_identity(each) for each in sums] == [True, False, True, False, False]
    assert all(engine.equal(*pair) for pair in zip(sums, expected, strict=True))
    assert engine.public_sums(points, []) == []


def test_points_of_small_order_are_told_from_the_group(engine):
    """The points are on the curve. In ristretto255 all are the identity."""
    _, x8 = curve.sqrt_ratio(EIGHTH_Y**2 - 1, curve.D * EIGHTH_Y**2 + 1)
    eighth = (x8, EIGHTH_Y, 1, x8 * EIGHTH_Y % curve.P)
    small = curve.IDENTITY
    for order in range(8):
        X, Y, Z, _ = curve.add(curve.BASE, small)
        inverse = pow(Z, -1, curve.P)
        of_order = engine.of_group_order(X * inverse % curve.P, Y * inverse % curve.P)
        assert of_order is (order == 0)
        small = curve.add(small, eighth)
    assert engine.of_group_order(0, 1)


def test_an_empty_sum_is_the_identity(engine):
    assert engine.equal(engine.public_sum([], []), engine.identity)
    assert engine.equal(engine.secret_sum([], []), engine.identity)


def test_sum_needs_as_many_scalars_as_points(engine):
    for total in (engine.public_sum, engine.secret_sum):
        with pytest.raises(ValueError, match="zip"):
            total([1, 2], [engine.generator])


def test_point_decode_refuses_the_identity():
    with pytest.raises(EncodingError, match="identity") as refusal:
        Point.decode(bytes(32))
    assert refusal.value.check is Check.POINT


@pytest.mark.parametrize(
    "encoding", [b"", MULTIPLES[1][:31], MULTIPLES[1] + b"\0", with_bit_255(MULTIPLES[1])]
)
def test_point_decode_refuses_invalid_encodings(encoding):
    with pytest.raises(EncodingError) as refusal:
        Point.decode(encoding)
    assert refusal.value.check is Check.POINT


@given(st.binary(min_size=31, max_size=33))
def test_point_decode_is_total(encoding):
    """The result is a point with the very same encoding, or an EncodingError."""
    try:
        point = Point.decode(encoding)
    except EncodingError:
        return
    assert point.encode() == encoding


def test_point_arithmetic():
    two, three = base_mul(2), base_mul(3)
    assert GENERATOR + two == three
    assert three - two == GENERATOR
    assert -two + two == IDENTITY
    assert (two - two).is_identity
    assert not two.is_identity
    assert 0 * two == IDENTITY
    assert (ORDER + 1) * two == two
    assert -1 * two == -two
    assert secret_products([2, 3], GENERATOR) == [two, three]
    assert public_sum([2, 1], [GENERATOR, two]) == base_mul(4)
    assert secret_sum([2, 1], [GENERATOR, two]) == base_mul(4)


def test_points_are_values():
    assert {base_mul(2), GENERATOR + GENERATOR} == {base_mul(2)}
    assert repr(GENERATOR) == f"Point({MULTIPLES[1].hex()})"
    assert base_mul(2) != MULTIPLES[2]
    with pytest.raises(AttributeError):
        GENERATOR.element = None


def test_hash_to_group_separates_messages():
    assert len({hash_to_group(bytes([i])) for i in range(8)}) == 8


def test_scalar_round_trip():
    for scalar in (0, 1, ORDER - 1):
        assert decode_scalar(encode_scalar(scalar)) == scalar


@pytest.mark.parametrize(
    "encoding", [ORDER.to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33)]
)
def test_scalars_are_canonical(encoding):
    with pytest.raises(EncodingError) as refusal:
        decode_scalar(encoding)
    assert refusal.value.check is Check.SCALAR


def test_reduce_wide():
    assert reduce_wide(ORDER.to_bytes(48, "little")) == 0
    assert reduce_wide(b"\xff" * 48) == (2**384 - 1) % ORDER
    with pytest.raises(ValueError, match="unpack"):
        reduce_wide(bytes(96))
