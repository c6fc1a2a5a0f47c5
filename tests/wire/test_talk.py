"""Talk and farewells: unsigned, and never more than what they are."""

import pytest

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.talk import (
    PHRASES,
    Farewell,
    Phrase,
    Proposal,
    Reach,
    Say,
    decode_farewell,
    decode_talk,
    encode_farewell,
    encode_talk,
)

TALKS = [
    Say("well played"),
    Say(""),
    Phrase(1),
    Phrase(PHRASES),
    *Proposal,
    Reach((bytes(4),), 1),
    Reach((bytes(16),) * 7, 65_535),
]


@pytest.mark.parametrize("talk", TALKS, ids=repr)
def test_talk_comes_back(talk):
    assert decode_talk(encode_talk(talk)) == talk


def test_talk_of_another_is_cleaned():
    assert decode_talk(pack(["SAY", "\x1b[2J"])) == Say("\N{REPLACEMENT CHARACTER}[2J")


@pytest.mark.parametrize("farewell", Farewell)
def test_a_farewell_is_its_name(farewell):
    assert encode_farewell(farewell) == pack([farewell.name])
    assert decode_farewell(encode_farewell(farewell)) is farewell


@pytest.mark.parametrize(
    ("port", "addresses"),
    [
        (0, [bytes(4)]),
        (65_536, [bytes(4)]),
        (1, []),
        (1, [bytes(4)] * 8),
        (1, [bytes(5)]),
        (1, ["home"]),
    ],
    ids=str,
)
def test_a_reach_that_leads_nowhere_is_refused(port, addresses):
    with pytest.raises(EncodingError) as caught:
        decode_talk(pack(["REACH", port, addresses]))
    assert caught.value.check is Check.ENCODING


@pytest.mark.parametrize("decode", [decode_talk, decode_farewell])
@pytest.mark.parametrize(
    "value",
    [
        [],
        ["SHOUT"],
        ["SHOUT", "a"],
        ["SAY", b"a"],
        ["PHRASE"],
        ["PHRASE", "1"],
        ["PHRASE", 0],
        ["PHRASE", 10],
        [1],
        "DONE",
    ],
    ids=str,
)
def test_anything_else_is_refused(decode, value):
    with pytest.raises(EncodingError) as caught:
        decode(pack(value))
    assert caught.value.check is Check.ENCODING
