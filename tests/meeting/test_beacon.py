"""Queries and answers: each has one encoding, and all other bytes are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.errors import EncodingError
from matcha_p2p.meeting.beacon import (
    MOST_TAGS,
    SIZE,
    FriendAnswer,
    Query,
    TableAnswer,
    decode_answer,
    decode_query,
    encode_answer,
    encode_query,
)
from matcha_p2p.wire.encoding import pack

NONCE = b"12345678"
TABLE = TableAnswer(NONCE, 4718, b"tabl", "2015", "Mina")
REST = (1, 2, 1)

tags = st.binary(min_size=8, max_size=8).filter(any)
nonces = st.binary(min_size=8, max_size=8)
ports = st.integers(1, 65535)


@given(st.builds(Query, nonces, st.lists(tags, max_size=MOST_TAGS).map(tuple)))
def test_a_query_is_read_as_it_was_written(query):
    datagram = encode_query(query)
    assert len(datagram) == SIZE
    assert decode_query(datagram) == query


@given(
    st.builds(
        TableAnswer,
        nonces,
        ports,
        st.binary(min_size=4, max_size=4),
        st.sampled_from(["2015", "2020", ""]),
        st.sampled_from(
            [
                "Mina",
                "\N{CYRILLIC SMALL LETTER IE}" * 24,
                "\N{HIRAGANA LETTER MI}" * 24,
                "\N{GOTHIC LETTER AHSA}" * 24,
            ]
        ),
        st.integers(1, 255),
        st.just(4),
        st.integers(1, 3),
    )
    | st.builds(FriendAnswer, nonces, ports, tags)
)
def test_an_answer_is_read_as_it_was_written_and_no_longer_than_a_query(answer):
    datagram = encode_answer(answer)
    assert len(datagram) <= SIZE
    assert decode_answer(datagram) == answer


@pytest.mark.parametrize(
    "datagram",
    [
        b"",
        encode_query(Query(NONCE))[:-1],
        encode_query(Query(NONCE)) + b"\0",
        encode_query(Query(NONCE))[:-1] + b"\1",
        encode_query(Query(NONCE)).replace(b"matcha?\1", b"matcha?\2"),
        encode_query(Query(NONCE, (bytes(8), b"a tag..."))),
        encode_answer(TABLE),
    ],
)
def test_invalid_query_is_refused(datagram):
    with pytest.raises(EncodingError):
        decode_query(datagram)


@pytest.mark.parametrize(
    "value",
    [
        [1, NONCE, 0, b"tabl", "2015", "Mina", *REST],
        [1, NONCE, 65536, b"tabl", "2015", "Mina", *REST],
        [1, NONCE[:7], 4718, b"tabl", "2015", "Mina", *REST],
        [1, NONCE, 4718, b"table", "2015", "Mina", *REST],
        [1, NONCE, 4718, b"tabl", "\x1b[2J", "Mina", *REST],
        [1, NONCE, 4718, b"tabl", "20155", "Mina", *REST],
        [1, NONCE, 4718, b"tabl", "2015", "Mina"],
        [1, NONCE, 4718, b"tabl", "2015", "Mina", 0, 2, 1],
        [1, NONCE, 4718, b"tabl", "2015", "Mina", 256, 2, 1],
        [1, NONCE, 4718, b"tabl", "2015", "Mina", 1, 5, 1],
        [1, NONCE, 4718, b"tabl", "2015", "Mina", 1, 2, 0],
        [1, NONCE, 4718, b"tabl", "2015", "Mina", 1, 2, 2],
        [1, NONCE, 4718, b"tabl", "2015", "", *REST],
        [1, NONCE, 4718, b"tabl", "2015", "\x1b[2J", *REST],
        [1, NONCE, 4718, b"tabl", "2015", "Mina\u202e", *REST],
        [1, NONCE, 4718, b"tabl", "2015", "x" * 25, *REST],
        [2, NONCE, 4718, b"tabl", "2015", "Mina", *REST],
        [1, NONCE, 4718, b"a tag.."],
        [1],
        7,
    ],
)
def test_invalid_answer_is_refused(value):
    with pytest.raises(EncodingError):
        decode_answer(b"matcha!" + pack(value))


def test_an_answer_is_not_longer_than_allowed():
    with pytest.raises(EncodingError):
        decode_answer(encode_answer(TABLE).ljust(SIZE + 1, b"\0"))


@given(st.binary(max_size=SIZE + 8))
def test_any_bytes_are_an_answer_or_refused(datagram):
    for read, written in ((decode_query, encode_query), (decode_answer, encode_answer)):
        for candidate in (datagram, b"matcha!" + datagram, b"matcha?\1" + datagram):
            try:
                found = read(candidate)
            except EncodingError:
                continue
            assert written(found) == candidate
