"""What is said, ways and farewells: refused in every other form."""

from ipaddress import ip_address

import pytest

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.transport.endpoints import Endpoint, at_port
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.talk import (
    PHRASES,
    Farewell,
    PeerAddresses,
    Phrase,
    Say,
    decode_farewell,
    decode_spoken,
    decode_way,
    encode_farewell,
    encode_spoken,
    encode_way,
)


@pytest.mark.parametrize(
    "said", [Say("well played"), Say(""), Phrase(1), Phrase(PHRASES)], ids=repr
)
def test_what_is_said_comes_back(said):
    assert decode_spoken(encode_spoken(said)) == said


@pytest.mark.parametrize(
    "way",
    [
        PeerAddresses((Endpoint(ip_address("192.0.2.1"), 1),)),
        PeerAddresses(at_port([ip_address("2001:db8::1")] * 7, 65_535), 65_535),
    ],
    ids=repr,
)
def test_way_comes_back(way):
    assert decode_way(encode_way(way)) == way


def test_talk_of_another_is_cleaned():
    assert decode_spoken(pack(["SAY", "\x1b[2J"])) == Say("\N{REPLACEMENT CHARACTER}[2J")


@pytest.mark.parametrize("farewell", Farewell)
def test_a_farewell_is_its_name(farewell):
    assert encode_farewell(farewell) == pack([farewell.name])
    assert decode_farewell(encode_farewell(farewell)) is farewell


@pytest.mark.parametrize(
    ("punch_port", "places"),
    [
        (65_536, [[1, bytes(4)]]),
        (0, []),
        (0, [[1, bytes(4)]] * 8),
        (0, [[0, bytes(4)]]),
        (0, [[65_536, bytes(4)]]),
        (0, [[1, bytes(5)]]),
        (0, [[1, "home"]]),
        (0, [bytes(4)]),
    ],
    ids=str,
)
def test_a_way_that_leads_nowhere_is_refused(punch_port, places):
    with pytest.raises(EncodingError) as caught:
        decode_way(pack([punch_port, places]))
    assert caught.value.check is Check.ENCODING


@pytest.mark.parametrize("decode", [decode_spoken, decode_way, decode_farewell])
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
def test_other_text_is_refused(decode, value):
    with pytest.raises(EncodingError) as caught:
        decode(pack(value))
    assert caught.value.check is Check.ENCODING
