"""Ed25519: the RFC's figures, and keys and signatures that OpenSSL would accept."""

from hashlib import sha512

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from matcha_p2p.crypto import edwards25519 as curve
from matcha_p2p.crypto import engine as choice
from matcha_p2p.crypto import signature as signatures
from matcha_p2p.crypto.edwards25519 import ORDER, P
from matcha_p2p.crypto.signature import check_key, public_key, sign, verify
from matcha_p2p.errors import Check, ProofError
from tests.crypto.conftest import EIGHTH_Y, ENGINES

# RFC 8032 §7.1, tests 1 to 3: seed, key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
            "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da0"
            "85ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac1"
            "8ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]
SEED, KEY = bytes.fromhex(VECTORS[0][0]), bytes.fromhex(VECTORS[0][1])


def encode(point: curve.Extended) -> bytes:
    X, Y, Z, _ = point
    x, y = X * pow(Z, -1, P) % P, Y * pow(Z, -1, P) % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def number(y: int) -> bytes:
    return y.to_bytes(32, "little")


MINUS_ONE = (0, P - 1, 1, 0)
BAD_KEYS = {
    "identity": number(1),
    "identity with a sign": number(1 | 1 << 255),
    "identity, y not reduced": number(P + 1),
    "order 2": number(P - 1),
    "order 2 with a sign": number(P - 1 | 1 << 255),
    "order 4": number(0),
    "order 4, y not reduced": number(P),
    "order 8": number(EIGHTH_Y),
    "mixed order": encode(curve.add(curve.BASE, MINUS_ONE)),
    "y not reduced": number(P + 3),
    "not on the curve": number(2),
    "short": KEY[:31],
    "long": KEY + b"\0",
    "empty": b"",
}


def test_the_point_of_order_8_is_one():
    y2 = EIGHTH_Y * EIGHTH_Y
    square, x = curve.sqrt_ratio(y2 - 1, curve.D * y2 + 1)
    point = (x, EIGHTH_Y, 1, x * EIGHTH_Y % P)
    X, Y, Z, _ = curve.double(curve.double(point))
    assert square
    assert (X, Y) == (0, P - Z)


@pytest.mark.parametrize(("seed", "key", "message", "signature"), VECTORS)
def test_rfc_8032_vectors(seed, key, message, signature):
    seed, key, message, signature = map(bytes.fromhex, (seed, key, message, signature))
    assert public_key(seed) == key
    assert sign(seed, message) == signature
    verify(key, message, signature)


@pytest.mark.parametrize("key", BAD_KEYS.values(), ids=BAD_KEYS.keys())
def test_bad_keys_are_refused(key):
    with pytest.raises(ProofError) as refusal:
        check_key(key)
    assert refusal.value.check is Check.KEY


def test_the_identity_signs_nothing():
    """R = identity, S = 0 fits every message under the identity as key; OpenSSL says yes."""
    with pytest.raises(ProofError) as refusal:
        verify(number(1), b"anything", number(1) + number(0))
    assert refusal.value.check is Check.KEY


def refused(message: bytes, signature: bytes, key: bytes = KEY) -> bool:
    with pytest.raises(ProofError) as refusal:
        verify(key, message, signature)
    return refusal.value.check is Check.SIG


def test_a_signature_holds_for_one_message_and_one_key():
    signature = sign(SEED, b"one")
    verify(KEY, b"one", signature)
    assert refused(b"two", signature)
    assert refused(b"one", signature, bytes.fromhex(VECTORS[1][1]))


def test_every_half_of_a_signature_counts():
    signature = sign(SEED, b"one")
    for position in (0, 31, 32, 62):
        changed = bytearray(signature)
        changed[position] ^= 1
        assert refused(b"one", bytes(changed))


def shifted(T: curve.Extended, key: bytes = KEY, seed: bytes = SEED) -> tuple[bytes, bytes]:
    """Return a message and its signature with R + T in place of R, T of small order."""
    digest = sha512(seed).digest()
    a = (int.from_bytes(digest[:32], "little") & 2**254 - 8) | 2**254
    r = int.from_bytes(sha512(digest[32:] + b"shifted").digest(), "little") % ORDER
    R = encode(curve.add(curve.sum_of_products([r], [curve.odd_multiples(curve.BASE)]), T))
    h = int.from_bytes(sha512(R + key + b"shifted").digest(), "little")
    return b"shifted", R + number((r + h * a) % ORDER)


def test_no_multiple_of_the_cofactor_is_left_out_of_account():
    """A verifier that multiplies by 8 would accept R + T, as one that adds signatures up."""
    square, x = curve.sqrt_ratio(EIGHTH_Y**2 - 1, curve.D * EIGHTH_Y**2 + 1)
    assert square
    T = (x, EIGHTH_Y, 1, x * EIGHTH_Y % P)
    multiple = curve.IDENTITY
    for of_T in range(9):
        message, signature = shifted(multiple)
        if of_T % 8:
            assert refused(message, signature)
        else:
            assert sign(SEED, message) == signature
            verify(KEY, message, signature)
        multiple = curve.add(multiple, T)


@pytest.mark.parametrize("name", ENGINES)
def test_verdicts_are_those_of_openssl(name, monkeypatch):
    """On good signatures, on each bit changed, and on halves of other signatures."""
    monkeypatch.setattr(signatures, "ENGINE", choice.load(name))
    signatures._holds_under.cache_clear()
    openssl = Ed25519PublicKey.from_public_bytes(KEY)
    good = [sign(SEED, bytes([i])) for i in range(3)]
    bits = (int.from_bytes(good[0]) ^ 1 << bit for bit in range(512))
    halves = (first[:32] + second[32:] for first in good for second in good)
    for signature in (*(changed.to_bytes(64) for changed in bits), *halves):
        try:
            openssl.verify(signature, b"\0")
        except InvalidSignature:
            assert refused(b"\0", signature)
        else:
            verify(KEY, b"\0", signature)


def test_a_signature_has_one_form():
    """S + ORDER, R not reduced, and wrong lengths."""
    signature = sign(SEED, b"one")
    raised = int.from_bytes(signature[32:], "little") + ORDER
    assert refused(b"one", signature[:32] + number(raised))
    assert refused(b"one", number(P + 1) + signature[32:])
    assert refused(b"one", number(1 | 1 << 255) + signature[32:])
    assert refused(b"one", signature[:63])
    assert refused(b"one", signature + b"\0")
    assert refused(b"one", b"")
