"""The host's person pastes answer codes: dialled addresses, duration and messages."""

from contextlib import asynccontextmanager
from ipaddress import ip_address, ip_interface

import pytest
import trio
import trio.testing

from matcha_p2p.app.invite import answer_codes
from matcha_p2p.app.invite.answer_codes import AnswerCodes
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.codes.reply import Reply
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.local import interfaces
from matcha_p2p.transport.local.interfaces import Interface
from matcha_p2p.transport.punch import MOST_TARGETS, PUNCH_LIMIT

HERE = Endpoint(ip_address("1.1.1.1"), 4717)
INVITE = Invite((HERE,), b"s" * 16, 40_001)
GUEST = Endpoint(ip_address("8.8.8.8"), 40_002)
OTHER = Endpoint(ip_address("8.8.4.4"), 40_003)


class Facts:
    """Output that only remembers facts."""

    def __init__(self):
        self.told = []

    def fact(self, event, **fields):
        self.told.append((event, fields))


class Host:
    """A host's answer codes, with the messages and the guests who came in."""

    def __init__(self, invite=INVITE):
        self.out, self.said, self.came = Facts(), [], []
        self.codes = AnswerCodes(lambda: invite, self.out, self.said.extend)

    async def welcome(self, link, psk):
        await trio.lowlevel.checkpoint()
        self.came.append((link, psk))


@asynccontextmanager
async def hosting():
    """Yield a host that tries answer codes."""
    host = Host()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.codes.run, host.welcome)
        yield host
        nursery.cancel_scope.cancel()


@pytest.fixture
def dialled(monkeypatch):
    """Return the dialled targets, with start and end; the guest at GUEST comes after 100 s."""
    noted = []

    async def punch_as_host(port, targets, psk):
        assert (port, psk) == (INVITE.punch_port, INVITE.psk)
        began = trio.current_time()
        try:
            await trio.sleep(100 if GUEST in targets else 10_000)
        finally:
            noted.append((tuple(targets), began, trio.current_time()))
        return "link"

    monkeypatch.setattr(answer_codes, "punch_as_host", punch_as_host)
    return noted


def code(*endpoints, secret=INVITE.secret):
    return Reply(endpoints).encode(secret)


async def test_no_address_of_this_machine_is_dialled_whether_the_invite_has_it_or_not(
    monkeypatch,
):
    """A machine may have several internet addresses; an invite holds only the first."""
    own = ip_interface("2600::7/64")
    monkeypatch.setattr(
        interfaces, "all_interfaces", lambda: (Interface(2, own.ip, own.network, "eth0"),)
    )
    host = Host()
    host.codes.take(code(Endpoint(own.ip, 6379)))
    host.codes.take(code(Endpoint(HERE.address, 6379)))
    host.codes.take(code(Endpoint(own.ip, 6379), GUEST))
    assert [fields for _, fields in host.out.told] == [
        {"places": [], "code": "reply-address"},
        {"places": [], "code": "reply-address"},
        {"places": [str(GUEST)], "code": None},
    ]


async def test_address_in_a_code_is_dialled_and_its_guest_let_in(dialled, autojump_clock):
    async with hosting() as host:
        host.codes.take(f"  here it is: {code(GUEST)}, come!  ")
        await trio.sleep(101)
    assert host.came == [("link", INVITE.psk)]
    assert [targets for targets, _, _ in dialled] == [(GUEST,)]
    assert host.out.told == [("answer", {"places": [str(GUEST)], "code": None})]
    (said,) = host.said
    assert said.startswith("The answer code leads to 8.8.8.8. Trying for 10 minutes")


async def test_the_latest_code_counts(dialled, autojump_clock):
    async with hosting() as host:
        host.codes.take(code(OTHER))
        await trio.sleep(50)
        host.codes.take(code(GUEST))
        await trio.sleep(101)
    start = dialled[0][1]
    assert [(t, b - start, e - start) for t, b, e in dialled] == [
        ((OTHER,), 0, 50),
        ((GUEST,), 50, 150),
    ]
    assert host.came == [("link", INVITE.psk)]


async def test_waiting_is_given_up_after_ten_minutes_and_told(dialled, autojump_clock):
    async with hosting() as host:
        host.codes.take(code(OTHER))
        await trio.sleep(PUNCH_LIMIT + 1)
        assert "Both programs tried for 10 minutes" in host.said[-1]
        host.codes.take(code(GUEST))  # it can be tried again
        await trio.sleep(101)
    assert dialled[0][2] - dialled[0][1] == PUNCH_LIMIT
    assert host.came == [("link", INVITE.psk)]


@pytest.mark.parametrize(
    ("pasted", "why"),
    [
        (code(GUEST, secret=b"t" * 16), "reply-other"),
        (code(GUEST)[:-1], "reply-malformed"),
        ("hello", "reply-malformed"),
        (INVITE.encode(), "reply-malformed"),
        (code(Endpoint(ip_address("192.168.1.1"), 40_002)), "reply-address"),
        (code(Endpoint(ip_address("8.8.8.8"), 22)), "reply-address"),
        (code(Endpoint(HERE.address, 40_002)), "reply-address"),
    ],
    ids=["other invite", "cut", "no code", "an invite", "private", "a service", "ourselves"],
)
async def test_forbidden_address_is_explained_and_not_dialled(
    dialled, autojump_clock, pasted, why
):
    async with hosting() as host:
        host.codes.take(pasted)
        await trio.sleep(30)
    assert dialled == []
    assert host.out.told == [("answer", {"places": [], "code": why})]
    assert len(host.said) == 1


async def test_of_many_places_the_first_three_are_dialled(dialled, autojump_clock):
    many = [Endpoint(ip_address(f"8.8.8.{number}"), 40_002) for number in range(1, 8)]
    async with hosting() as host:
        host.codes.take(code(*many))
        await trio.sleep(1)
    assert dialled[0][0] == tuple(many[:MOST_TARGETS])


async def test_a_hundred_codes_at_once_hold_nothing_up(dialled, autojump_clock):
    host = Host()
    for _ in range(100):
        host.codes.take(code(OTHER))
    with trio.move_on_after(1):
        await host.codes.run(host.welcome)
    assert len(dialled) <= 8


async def test_without_a_punch_port_no_code_is_tried(dialled):
    host = Host(Invite((HERE,), b"s" * 16))
    with trio.fail_after(1):
        await host.codes.run(host.welcome)
    assert dialled == []
