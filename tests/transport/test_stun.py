"""STUN: every answer of a server, and its outcome. Vectors of RFC 5769."""

from ipaddress import ip_address

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.errors import LinkError
from matcha_p2p.transport import stun as module
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.stun import ask_outside, encode_request, read_answer
from tests.transport.servers import SEEN, FakeStun, answered, attribute, xor_mapped

NUMBER = bytes.fromhex("b7e7a701bc34d686fa87dfae")
REQUEST = encode_request(NUMBER)
SOFTWARE = "8022000b7465737420766563746f7220"
IPV4_ANSWER = bytes.fromhex(
    f"0101003c2112a442b7e7a701bc34d686fa87dfae{SOFTWARE}002000080001a147e112a643"
    "000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96"
)
IPV6_ANSWER = bytes.fromhex(
    f"010100482112a442b7e7a701bc34d686fa87dfae{SOFTWARE}"
    "002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9"
    "00080014a382954e4be67bf11784c97c8292c275bfe3ed4180280004c8fb0b4c"
)


@pytest.mark.parametrize(
    ("answer", "address"),
    [(IPV4_ANSWER, "192.0.2.1"), (IPV6_ANSWER, "2001:db8:1234:5678:11:2233:4455:6677")],
    ids=["RFC 5769 2.2", "RFC 5769 2.3"],
)
def test_answers_of_the_rfc_are_read(answer, address):
    assert read_answer(answer, NUMBER) == Endpoint(ip_address(address), 32853)


def test_request_has_a_head_and_nothing_else():
    assert bytes.fromhex("000100002112a442") + NUMBER == REQUEST


def test_address_of_an_old_server_is_read():
    plain = attribute(1, b"\0\1" + (5000).to_bytes(2, "big") + SEEN.address.packed)
    assert read_answer(answered(REQUEST, plain), NUMBER) == SEEN


@pytest.mark.parametrize(
    "message",
    [
        b"",
        REQUEST,
        IPV4_ANSWER[:-4],
        IPV4_ANSWER + bytes(4),
        IPV4_ANSWER[:-1] + b"\0",
        b"\xc1" + IPV4_ANSWER[1:],
        answered(encode_request(bytes(12)), xor_mapped(SEEN, REQUEST)),
        answered(REQUEST, b"\0\x20\0\x08\0\1"),
        answered(REQUEST, b"\x80\x28\0\4\0\0\0\0", xor_mapped(SEEN, REQUEST)),
    ],
    ids=[
        "nothing",
        "a request",
        "cut short",
        "too long",
        "another fingerprint",
        "no STUN",
        "another transaction",
        "a cut attribute",
        "a fingerprint in the middle",
    ],
)
def test_message_of_another_kind_is_passed_over(message):
    assert read_answer(message, NUMBER) is None


@pytest.mark.parametrize(
    "message",
    [
        answered(REQUEST),
        answered(REQUEST, attribute(9, b"\0\0\4\0"), kind=0x0111),
        answered(REQUEST, attribute(0x7777, b""), xor_mapped(SEEN, REQUEST)),
        answered(REQUEST, attribute(0x20, b"\0\1\0\0")),
        answered(REQUEST, attribute(0x20, b"\0\3\0\0" + bytes(4))),
        answered(REQUEST, attribute(0x20, b"\0\1\x21\x12" + bytes(4))),
    ],
    ids=[
        "no address",
        "an error",
        "something to be understood",
        "half an address",
        "no family",
        "port 0",
    ],
)
def test_answer_without_an_address_ends_the_question(message):
    with pytest.raises(module._RefusedError):
        read_answer(message, NUMBER)


@given(st.binary(max_size=80), st.sampled_from([0x0101, 0x0111]))
def test_hostile_attributes_are_an_address_or_nothing(body, kind):
    try:
        seen = read_answer(answered(REQUEST, body, kind=kind), NUMBER)
    except module._RefusedError:
        return
    assert seen is None or isinstance(seen, Endpoint)


async def test_server_tells_the_outside_address(nursery):
    fake = FakeStun()
    assert await ask_outside(await nursery.start(fake.run)) == fake.seen.address
    assert len(fake.requests) == 1


async def test_lost_request_is_sent_again(nursery, monkeypatch):
    monkeypatch.setattr(module, "PAUSES", (0.01, 5))
    fake = FakeStun(lost=1)
    assert await ask_outside(await nursery.start(fake.run)) == fake.seen.address
    assert fake.requests[0] == fake.requests[1]


async def test_noise_before_the_answer_is_passed_over(nursery):
    fake = FakeStun(answers=lambda asked: [b"x", answered(asked, xor_mapped(SEEN, asked))])
    assert await ask_outside(await nursery.start(fake.run)) == SEEN.address


@pytest.mark.parametrize(
    ("fake", "said"),
    [
        (FakeStun(answers=lambda _: []), "does not answer"),
        (FakeStun(answers=lambda asked: [answered(asked)]), "tells no address"),
        (FakeStun(Endpoint(ip_address("192.168.1.2"), 9)), "192.168.1.2, which is not on"),
        (FakeStun(Endpoint(ip_address("2600::1"), 9)), "2600::1, which is not on"),
    ],
    ids=["silent", "nothing", "private", "IPv6"],
)
async def test_server_without_an_outside_address_is_told(nursery, monkeypatch, fake, said):
    monkeypatch.setattr(module, "PAUSES", (0.01,) if said == "does not answer" else (5,))
    with pytest.raises(LinkError, match=said):
        await ask_outside(await nursery.start(fake.run))


async def test_server_with_an_unknown_name_is_told(monkeypatch):
    async def no_such_name(*_):
        await trio.lowlevel.checkpoint()
        raise OSError

    monkeypatch.setattr(trio.socket, "getaddrinfo", no_such_name)
    with pytest.raises(LinkError, match="has no IPv4 address"):
        await ask_outside(Server("stun.invalid", 3478))
