"""Talk and farewells: unsigned, and never more than what they are."""

import pytest

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.talk import (
    Farewell,
    OfferOpenBook,
    Say,
    decode_farewell,
    decode_talk,
    encode_farewell,
    encode_talk,
)


@pytest.mark.parametrize("talk", [Say("well played"), Say(""), OfferOpenBook()], ids=repr)
def test_talk_comes_back(talk):
    assert decode_talk(encode_talk(talk)) == talk


def test_talk_of_another_is_cleaned():
    assert decode_talk(pack(["SAY", "\x1b[2J"])) == Say("\N{REPLACEMENT CHARACTER}[2J")


@pytest.mark.parametrize("farewell", Farewell)
def test_a_farewell_comes_back(farewell):
    assert decode_farewell(encode_farewell(farewell)) is farewell


@pytest.mark.parametrize("decode", [decode_talk, decode_farewell])
@pytest.mark.parametrize("value", [[], ["SHOUT", "a"], ["SAY", b"a"], [1], "DONE"], ids=str)
def test_anything_else_is_refused(decode, value):
    with pytest.raises(EncodingError) as caught:
        decode(pack(value))
    assert caught.value.check is Check.ENCODING
