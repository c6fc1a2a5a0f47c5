"""Hashes, streams and draws: published figures, and properties of the definitions."""

import hashlib
import hmac
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.crypto.sponge import (
    H,
    draw,
    expand_message,
    integers,
    kdf,
    lp,
    permutation,
    stream,
    uniform,
    xof,
)


def test_hash_as_defined():
    framed = b"\0\0\0\x09matcha/v1\0\0\0\x04coin\0\0\0\x01\x00\0\0\0\x02ab"
    assert H("coin", b"\0", b"ab") == hashlib.sha256(framed).digest()


@given(st.lists(st.binary(max_size=6), max_size=3), st.lists(st.binary(max_size=6), max_size=3))
def test_hash_input_is_injective(left, right):
    """Length prefixes keep other parts apart, also when the concatenation is the same."""
    assert (H("x", *left) == H("x", *right)) == (left == right)


def test_length_prefix():
    assert lp(b"abc") == b"\0\0\0\x03abc"


def test_xof_fills_one_block_with_the_session_id():
    sid = bytes(range(32))
    assert xof(sid, b"abc", 40) == hashlib.shake_128(sid + bytes(136) + b"abc").digest(40)


def test_kdf_is_hkdf_expand():
    """RFC 5869 §2.3 by its definition."""
    secret = bytes(range(32))
    first = hmac.digest(secret, b"info\x01", "sha512")
    second = hmac.digest(secret, first + b"info\x02", "sha512")
    assert kdf(secret, b"info", 100) == (first + second)[:100]


def test_kdf_has_a_limit():
    assert len(kdf(bytes(32), b"", 255 * 64)) == 16320
    with pytest.raises(ValueError, match="16320"):
        kdf(bytes(32), b"", 16321)


@pytest.mark.parametrize(
    ("message", "expanded"),
    [
        (b"", "6b9a7312411d92f921c6f68ca0b6380730a1a4d982c507211a90964c394179ba"),
        (b"abc", "0da749f12fbe5483eb066a5f595055679b976e93abe9be6f0f6318bce7aca8dc"),
        (
            b"abcdef0123456789",
            "087e45a86e2939ee8b91100af1583c4938e0f5fc6c9db4b107b83346bc967f58",
        ),
        (
            b"q128_" + b"q" * 128,
            "7336234ee9983902440f6bc35b348352013becd88938d2afec44311caf8356b3",
        ),
        (
            b"a512_" + b"a" * 512,
            "57b5f7e766d5be68a6bfe1768e3c2b7f1228b3e4b3134956dd73a59b954c66f4",
        ),
        (
            b"",
            (
                "41b037d1734a5f8df225dd8c7de38f851efdb45c372887be655212d07251b921"
                "b052b62eaed99b46f72f2ef4cc96bfaf254ebbbec091e1a3b9e4fb5e5b619d2e"
                "0c5414800a1d882b62bb5cd1778f098b8eb6cb399d5d9d18f5d5842cf5d13d7e"
                "b00a7cff859b605da678b318bd0e65ebff70bec88c753b159a805d2c89c55961"
            ),
        ),
        (
            b"abc",
            (
                "7f1dddd13c08b543f2e2037b14cefb255b44c83cc397c1786d975653e36a6b11"
                "bdd7732d8b38adb4a0edc26a0cef4bb45217135456e58fbca1703cd6032cb134"
                "7ee720b87972d63fbf232587043ed2901bce7f22610c0419751c065922b48843"
                "1851041310ad659e4b23520e1772ab29dcdeb2002222a363f0c2b1c972b3efe1"
            ),
        ),
        (
            b"abcdef0123456789",
            (
                "3f721f208e6199fe903545abc26c837ce59ac6fa45733f1baaf0222f8b7acb04"
                "24814fcb5eecf6c1d38f06e9d0a6ccfbf85ae612ab8735dfdf9ce84c372a77c8"
                "f9e1c1e952c3a61b7567dd0693016af51d2745822663d0c2367e3f4f0bed827f"
                "eecc2aaf98c949b5ed0d35c3f1023d64ad1407924288d366ea159f46287e61ac"
            ),
        ),
        (
            b"q128_" + b"q" * 128,
            (
                "b799b045a58c8d2b4334cf54b78260b45eec544f9f2fb5bd12fb603eaee70db7"
                "317bf807c406e26373922b7b8920fa29142703dd52bdf280084fb7ef69da78af"
                "df80b3586395b433dc66cde048a258e476a561e9deba7060af40adf30c64249c"
                "a7ddea79806ee5beb9a1422949471d267b21bc88e688e4014087a0b592b695ed"
            ),
        ),
        (
            b"a512_" + b"a" * 512,
            (
                "05b0bfef265dcee87654372777b7c44177e2ae4c13a27f103340d9cd11c86cb2"
                "426ffcad5bd964080c2aee97f03be1ca18e30a1f14e27bc11ebbd650f305269c"
                "c9fb1db08bf90bfc79b42a952b46daf810359e7bc36452684784a64952c343c5"
                "2e5124cd1f71d474d5197fefc571a92929c9084ffe1112cf5eea5192ebff330b"
            ),
        ),
    ],
)
def test_expand_message(message, expanded):
    """RFC 9380 K.3, expand_message_xmd with SHA-512."""
    dst = b"QUUX-V01-CS02-with-expander-SHA512-256"
    assert expand_message(message, dst, len(expanded) // 2).hex() == expanded


def test_integers_of_48_bytes():
    wide = (1000).to_bytes(48, "little") + (1001).to_bytes(48, "little")
    assert integers(wide, 7) == (1000 % 7, 1001 % 7)


def test_stream_is_shake256():
    assert bytes(islice(stream(b"seed"), 3000)) == hashlib.shake_256(b"seed").digest(3000)


def test_uniform_reads_little_endian_pairs():
    assert uniform(iter([0x34, 0x12]), 65536) == 0x1234


def test_uniform_skips_draws_that_favour_small_numbers():
    """65536 % 10 = 6: the six greatest values are not used."""
    source = iter([0xFA, 0xFF, 0xFF, 0xFF, 0xF9, 0xFF])
    assert uniform(source, 10) == 65529 % 10


def test_draws_are_ordered_and_different():
    drawn = draw(stream(b"table"), 16, 6)
    assert len(set(drawn)) == 6
    assert set(drawn) <= set(range(16))


def test_permutations_are_the_draws_of_all():
    assert permutation(stream(b"x"), 12) == draw(stream(b"x"), 12, 12)
    assert sorted(permutation(stream(b"x"), 64)) == list(range(64))


def test_permutations_are_uniform():
    """All six of three, each close to 1/6 of 3000: 5 standard deviations are 102."""
    source = stream(b"many")
    counts = Counter(permutation(source, 3) for _ in range(3000))
    assert len(counts) == 6
    assert all(abs(count - 500) < 102 for count in counts.values())
