"""How a guest reaches the host: by dialling at first, then by an answer code as well."""

from contextlib import asynccontextmanager
from ipaddress import ip_address
from types import SimpleNamespace

import pytest
import trio

from matcha_p2p.app.invite import ask_routers
from matcha_p2p.app.invite import reach_host as module
from matcha_p2p.app.invite.given_places import read_places
from matcha_p2p.app.invite.reach_host import (
    DIAL_AGAIN_AFTER,
    DIAL_LIMIT,
    FIRST_LIMIT,
    reaching_host,
)
from matcha_p2p.errors import HandshakeError, InviteError, LinkError
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.codes.reply import Reply
from matcha_p2p.transport.endpoints import Endpoint, at_port
from matcha_p2p.transport.punch import PUNCH_LIMIT
from matcha_p2p.transport.router.mapping import ASK_LIMIT

HOST = Endpoint(ip_address("2600::1"), 4717)
INVITE = Invite((HOST, Endpoint(ip_address("192.168.1.2"), 4717)), b"s" * 16, 40_001)
OWN = (ip_address("2600:2::2"), ip_address("192.168.2.2"))
OUTSIDE = ip_address("8.8.8.8")


class Net:
    """The fate of dials. up_at: when the host can be dialled; punched_at: or punched.

    outside: the outside address by a router; None without a router.
    """

    def __init__(self, monkeypatch, *, up_at=None, punched_at=None, outside=None):
        self.up_at, self.punched_at, self.outside = up_at, punched_at, outside
        self.dials, self.punches, self.asked, self.codes = [], [], [], []
        self.error = LinkError("Nobody answers.", code="net-unreachable")
        self.start = trio.current_time()
        monkeypatch.setattr(module, "connect", self.connect)
        monkeypatch.setattr(module, "punch_as_guest", self.punch)
        monkeypatch.setattr(ask_routers, "find_gateways", self.gateways)
        monkeypatch.setattr(ask_routers, "asking_router", self.asking)

    @property
    def now(self):
        return trio.current_time() - self.start

    async def connect(self, _, *, timeout):  # noqa: ASYNC109 -- as the real one
        self.dials.append((self.now, timeout))
        if self.up_at is not None and self.now + timeout > self.up_at:
            await trio.sleep(max(0, self.up_at - self.now))
            return SimpleNamespace(way="dialled", aclose=trio.lowlevel.checkpoint)
        await trio.sleep(timeout)
        raise self.error

    async def punch(self, port, targets, psk):
        self.punches.append((port, tuple(targets), psk))
        await trio.sleep_until(self.start + (self.punched_at or 10_000))
        return SimpleNamespace(way="punched", aclose=trio.lowlevel.checkpoint)

    async def gateways(self):
        await trio.lowlevel.checkpoint()

    @asynccontextmanager
    async def asking(self, port, _, own_six):
        self.asked.append((port, own_six))
        await trio.sleep(ASK_LIMIT)  # as a router that does not answer
        seen = () if self.outside is None else at_port([self.outside], port)
        yield SimpleNamespace(way_to=lambda _: seen)
        self.asked.append("given back")

    async def reach(self, *, invite=INVITE, own=OWN, router=True, places=(), learn=None):
        async with reaching_host(
            invite, own, self.tell, places=places, learn=learn, router=router
        ) as reached:
            return reached

    def tell(self, code):
        self.codes.append(code)
        self.told_at = self.now


async def test_a_host_that_can_be_dialled_is_dialled_and_no_code_is_shown(
    monkeypatch, autojump_clock
):
    net = Net(monkeypatch, up_at=1.0)
    reached = await net.reach()
    assert reached.link.way == "dialled"
    assert reached.punch_port
    assert (net.codes, net.asked, net.punches) == ([], [], [])


async def test_guest_gets_a_code_after_four_seconds_and_tries_both_ways(
    monkeypatch, autojump_clock
):
    net = Net(monkeypatch, punched_at=60.0, outside=OUTSIDE)
    reached = await net.reach()
    assert reached.link.way == "punched"
    assert net.now == 60.0
    (code,) = net.codes
    shown = Reply.parse(code, INVITE.secret).endpoints
    assert shown == at_port([OWN[0], OUTSIDE], reached.punch_port)
    ((port, targets, psk),) = net.punches
    assert (port, psk) == (reached.punch_port, INVITE.psk)
    assert targets == (Endpoint(HOST.address, INVITE.punch_port),)
    assert net.asked == [(port, OWN[0]), "given back"]
    again = FIRST_LIMIT + DIAL_AGAIN_AFTER
    assert net.told_at == 4.0
    assert [at for at, _ in net.dials][:4] == [0, 4, 4 + again, 4 + 2 * again]


async def test_a_host_that_can_be_dialled_later_is_still_reached(monkeypatch, autojump_clock):
    net = Net(monkeypatch, up_at=35.0)
    assert (await net.reach()).link.way == "dialled"
    assert net.now == 35.0
    assert len(net.codes) == 1


async def test_after_ten_minutes_the_guest_is_told(monkeypatch, autojump_clock):
    net = Net(monkeypatch)
    with pytest.raises(LinkError) as caught:
        await net.reach()
    assert caught.value.code == "punch-failed"
    assert net.now == FIRST_LIMIT + PUNCH_LIMIT


async def test_no_router_is_asked_if_the_person_says_so(monkeypatch, autojump_clock):
    net = Net(monkeypatch, punched_at=60.0, outside=OUTSIDE)
    reached = await net.reach(router=False)
    assert net.asked == []
    assert net.told_at == FIRST_LIMIT
    assert reached.router is None
    assert Reply.parse(net.codes[0], INVITE.secret).endpoints == at_port(
        OWN[:1], reached.punch_port
    )


async def test_guest_with_the_outside_address_gets_an_answer_code(monkeypatch, autojump_clock):
    """With a port of its own, or with the port from which the guest dials."""
    net = Net(monkeypatch, punched_at=60.0)
    places = read_places(["8.8.8.8", "9.9.9.9:5000"])
    reached = await net.reach(own=OWN[1:], router=False, places=places)
    shown = Reply.parse(net.codes[0], INVITE.secret).endpoints
    assert shown == (
        Endpoint(OUTSIDE, reached.punch_port),
        Endpoint(ip_address("9.9.9.9"), 5000),
    )


async def test_guest_with_a_server_gets_an_answer_code(monkeypatch, autojump_clock):
    """The guest asks the server only when no host has answered."""
    asked = []

    async def learn():
        asked.append(net.now)
        await trio.lowlevel.checkpoint()
        return [OUTSIDE]

    net = Net(monkeypatch, punched_at=60.0)
    reached = await net.reach(own=OWN[1:], router=False, learn=learn)
    (code,) = net.codes
    assert Reply.parse(code, INVITE.secret).endpoints == at_port([OUTSIDE], reached.punch_port)
    assert asked == [FIRST_LIMIT]


async def test_guest_without_an_address_on_the_internet_is_told_how_to_get_a_code(
    monkeypatch, autojump_clock
):
    net = Net(monkeypatch)
    with pytest.raises(
        LinkError, match=r"Nobody answers\. Your outside address is unknown.*--address"
    ):
        await net.reach(own=OWN[1:])


async def test_guest_with_a_private_address_is_refused(monkeypatch, autojump_clock):
    net = Net(monkeypatch)
    with pytest.raises(InviteError, match=r"192\.168\.2\.9 is not on the internet"):
        await net.reach(places=read_places(["192.168.2.9"]))
    assert net.dials == []


@pytest.mark.parametrize(
    ("invite", "own"),
    [
        (Invite((HOST,), b"s" * 16), OWN),
        (Invite(INVITE.endpoints[1:], b"s" * 16, 40_001), OWN),
        (Invite((HOST,), b"s" * 16, 1023), OWN),
        (INVITE, OWN[1:]),
    ],
    ids=["no punch port", "host not on the internet", "a service's", "guest not on it"],
)
async def test_guest_out_of_reach_gets_no_code_and_a_short_wait(
    monkeypatch, autojump_clock, invite, own
):
    net = Net(monkeypatch)
    with pytest.raises(LinkError) as caught:
        await net.reach(invite=invite, own=own)
    assert caught.value.code in {"net-unreachable", "no-answer-code"}
    assert net.dials[-1][1] == DIAL_LIMIT
    assert net.now <= FIRST_LIMIT + DIAL_LIMIT
    assert (net.codes, net.punches) == ([], [])


STRANGERS = pytest.mark.parametrize(
    "error", [HandshakeError("Another secret."), LinkError("Hung up.", code="hung-up")]
)


@STRANGERS
@pytest.mark.parametrize("fate", [{"punched_at": 60.0}, {"up_at": 60.0}])
async def test_stranger_that_answers_later_ends_no_search(
    monkeypatch, autojump_clock, fate, error
):
    """The guest has shown its answer code: the host may dial at any moment."""
    net = Net(monkeypatch, **fate)
    reached = trio.Event()

    async def reach():
        await net.reach()
        reached.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(reach)
        await trio.sleep(FIRST_LIMIT + 1)
        net.error = error
    assert len(net.codes) == 1
    assert reached.is_set()
    assert net.now == 60.0


@STRANGERS
async def test_stranger_that_answers_at_first_ends_the_search(
    monkeypatch, autojump_clock, error
):
    net = Net(monkeypatch)
    net.error = error
    with pytest.raises(type(error)):
        await net.reach()
    assert net.codes == []
