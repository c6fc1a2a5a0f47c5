"""The answer code survives a chat, and leads no host to a forbidden address."""

import contextlib
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.errors import InviteError
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.codes.reply import LEAST_PORT, Reply, dialable
from matcha_p2p.transport.endpoints import Endpoint, Scope, at_port

SECRET = bytes(range(16))
SIX, FOUR = Endpoint(ip_address("2600::7"), 40_000), Endpoint(ip_address("20.1.0.2"), 40_001)
TEXT = Reply((SIX, FOUR)).encode(SECRET)

places = st.builds(
    Endpoint,
    st.ip_addresses(v=4) | st.ip_addresses(v=6).filter(lambda a: "%" not in str(a)),
    st.integers(1, 65535),
)
replies = st.builds(Reply, st.lists(places, min_size=1, max_size=7).map(tuple))


SPECIAL = (
    "127.0.0.1 10.0.0.1 192.168.1.1 169.254.1.1 224.0.0.1 255.255.255.255 0.0.0.0 100.64.0.1 "
    "::1 fe80::1 fd00::1 ff02::1 fec0::1 64:ff9b::a00:1 2002:a00:1::1 ::ffff:10.0.0.1 "
    "::10.0.0.1 2001::1 8.8.8.8"
)
LETTERS = "023456789acdefghjklmnpqrstuvwxyz"


def refused(text, secret=SECRET):
    with pytest.raises(InviteError) as caught:
        Reply.parse(text, secret)
    return caught.value.code


@given(replies, st.binary(min_size=16, max_size=16))
def test_encoded_reply_is_read_again(reply, secret):
    text = reply.encode(secret)
    assert text.startswith("matchareply1")
    assert Reply.parse(text, secret) == reply


@pytest.mark.parametrize(
    "decorated",
    [
        TEXT.upper(),
        f"  {TEXT}\n",
        f"> {TEXT[:40]}\r\n> {TEXT[40:]}",
        f"Here you are: {TEXT} - hurry!",
        " ".join(TEXT),
    ],
)
def test_decoration_does_no_harm(decorated):
    assert Reply.parse(decorated, SECRET).endpoints == (SIX, FOUR)


@pytest.mark.parametrize("size", range(len(TEXT)))
def test_every_cut_is_refused(size):
    assert refused(TEXT[:size]) == "reply-malformed"


@pytest.mark.parametrize("place", range(12, len(TEXT)))
def test_every_wrong_letter_is_refused(place):
    wrong = "q" if TEXT[place] != "q" else "p"
    assert refused(TEXT[:place] + wrong + TEXT[place + 1 :]) == "reply-malformed"


def test_a_code_for_another_invite_is_refused():
    assert refused(TEXT, bytes(16)) == "reply-other"


def test_an_invite_is_no_answer_and_an_answer_is_no_invite():
    invite = Invite((SIX,), SECRET).encode()
    assert refused(invite) == "reply-malformed"
    with pytest.raises(InviteError, match="This is an answer code") as caught:
        Invite.parse(TEXT)
    assert caught.value.code == "reply-invite"


@pytest.mark.parametrize("text", SPECIAL.split())
def test_only_internet_addresses_are_dialled(text):
    """Of 8.8.8.8 neither the port of a service, nor if it is one's own address."""
    address = ip_address(text)
    port = 443 if text == "8.8.8.8" else 40_000
    code = Reply((Endpoint(address, port),)).encode(SECRET)
    own = at_port([ip_address("8.8.8.8")], 4717)
    for ours in ((), own):
        with pytest.raises(InviteError) as caught:
            Reply.parse(code, SECRET).targets(ours)
        assert caught.value.code == "reply-address"
    assert dialable(at_port([ip_address("8.8.8.8")], 40_000), own) == ()


@pytest.mark.slow
@given(st.lists(places, max_size=7))
def test_dialled_address_is_on_the_internet_and_no_service(endpoints):
    for endpoint in dialable(endpoints, ()):
        assert endpoint.scope is Scope.INTERNET
        assert endpoint.port >= LEAST_PORT


@given(st.text(max_size=120) | st.text(LETTERS).map("matchareply1".__add__))
def test_parsing_is_total(text):
    with contextlib.suppress(InviteError):
        Reply.parse(text, SECRET)
