"""Asking a router to open a port: every kind of router, and the outcome."""

from contextlib import asynccontextmanager
from ipaddress import IPv4Address

import pytest
import trio

from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.router import igd, mapping
from matcha_p2p.transport.router.gateway import Gateways
from matcha_p2p.transport.router.mapping import (
    ASK_LIMIT,
    Behind,
    OpenedPort,
    Refused,
    Silent,
    asking_router,
)
from tests.transport.router.fake import OUTSIDE, FakeRouter

PORT = 4717


@asynccontextmanager
async def asked(monkeypatch, router, *others):
    """Yield the report of ``router``; ``others`` answer the search of the network too."""
    async with trio.open_nursery() as nursery:
        for each in (router, *others):
            await nursery.start(each.run)
        loudest = (*others, router)[0]
        where = (str(loudest.address), loudest.search_port)
        monkeypatch.setattr(igd, "SEARCHED", where)
        async with asking_router(PORT, Gateways(router.address), None) as report:
            yield report
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("kind", "how"), [("pcp", "PCP"), ("natpmp", "NAT-PMP"), ("upnp", "UPnP")]
)
async def test_a_port_is_opened_and_given_back(monkeypatch, kind, how):
    router = FakeRouter(**{kind: True})
    async with asked(monkeypatch, router) as report:
        assert report.four == OpenedPort(Endpoint(OUTSIDE, PORT), how)
        assert report.opened == (Endpoint(OUTSIDE, PORT),)
        assert report.outside == OUTSIDE
        assert router.mapped == {PORT: (PORT, 3600)}
    assert router.mapped == {}


@pytest.mark.parametrize(
    "router",
    [
        FakeRouter(pcp=True, taken={PORT}),
        FakeRouter(natpmp=True, taken={PORT}),
        FakeRouter(upnp=True, taken={PORT}),
        FakeRouter(upnp=True, igd=1, taken={PORT}),
    ],
    ids=["PCP", "NAT-PMP", "IGD 2", "IGD 1"],
)
async def test_port_taken_by_a_neighbour_is_replaced(monkeypatch, router):
    async with asked(monkeypatch, router) as report:
        assert report.opened == (Endpoint(OUTSIDE, PORT + 1),)
        assert router.mapped == {PORT + 1: (PORT, 3600)}
    assert router.mapped == {}


@pytest.mark.parametrize("outside", ["100.64.1.2", "192.168.100.2"])
@pytest.mark.parametrize("kind", ["pcp", "natpmp", "upnp"])
async def test_outside_address_off_the_internet_is_told(monkeypatch, kind, outside):
    router = FakeRouter(**{kind: True}, outside=IPv4Address(outside))
    async with asked(monkeypatch, router) as report:
        assert report.four == Behind(IPv4Address(outside))
        assert report.four.shared == outside.startswith("100.")
        assert report.opened == ()
        assert report.outside is None


@pytest.mark.slow
async def test_pcp_tells_its_address_though_it_refuses(monkeypatch):
    """As miniupnpd does behind a provider's NAT."""
    router = FakeRouter(pcp=True, result=8, outside=IPv4Address("100.64.1.2"))
    async with asked(monkeypatch, router) as report:
        assert report.four == Behind(IPv4Address("100.64.1.2"))
    router = FakeRouter(pcp=True, result=2)
    async with asked(monkeypatch, router) as report:
        assert report.four == Refused("NOT_AUTHORIZED", OUTSIDE)
        assert report.outside == OUTSIDE


@pytest.mark.slow
async def test_a_router_that_refuses_says_why(monkeypatch):
    async with asked(monkeypatch, FakeRouter(natpmp=True, result=3)) as report:
        assert report.four == Refused("network failure")
    async with asked(monkeypatch, FakeRouter(upnp=True, result=606)) as report:
        assert report.four == Refused("AddPortMapping: error 606", OUTSIDE)


async def test_a_router_that_knows_no_leases_opens_the_port_until_we_leave(monkeypatch):
    router = FakeRouter(upnp=True, only_for_good=True)
    async with asked(monkeypatch, router) as report:
        assert report.opened == (Endpoint(OUTSIDE, PORT),)
        assert router.mapped == {PORT: (PORT, 0)}
    assert router.mapped == {}


async def test_silence_is_not_waited_for_longer_than_two_seconds(monkeypatch, autojump_clock):
    async with asked(monkeypatch, FakeRouter(silent=True)) as report:
        assert report.four == Silent()
        assert trio.current_time() <= ASK_LIMIT + 0.1 == 2.1
    assert autojump_clock.current_time() <= ASK_LIMIT + 0.1


async def test_a_lease_is_renewed_and_the_same_port_asked_for(monkeypatch, autojump_clock):
    """A restarted router, without the old mapping, renews the lease as well."""
    monkeypatch.setattr(mapping, "RENEW_EVERY", 50.0)
    router = FakeRouter(pcp=True, seconds=40, taken={PORT})
    async with asked(monkeypatch, router) as report:
        assert report.opened == (Endpoint(OUTSIDE, PORT + 1),)
        router.mapped.clear()
        router.taken.clear()
        await trio.sleep(30)
        assert router.mapped == {PORT + 1: (PORT, 40)}
        assert 2 <= len(router.asked) <= 4
    assert autojump_clock.current_time() >= 30


async def test_change_by_a_renewal_is_told(monkeypatch, autojump_clock):
    monkeypatch.setattr(mapping, "RENEW_EVERY", 50.0)
    router = FakeRouter(pcp=True, seconds=40)
    async with asked(monkeypatch, router) as report:
        assert report.way_to(PORT) == (Endpoint(OUTSIDE, PORT),)
        router.outside = IPv4Address("100.64.1.2")
        await trio.sleep(30)
        assert report.four == Behind(router.outside)
        assert report.way_to(PORT) == ()
        router.outside = IPv4Address("8.8.4.4")
        await trio.sleep(30)
        assert report.opened == (Endpoint(router.outside, PORT),)
        assert report.way_to(PORT) == report.opened
        assert report.way_to(5000) == (Endpoint(router.outside, 5000),)
    assert autojump_clock.current_time() >= 60


@pytest.mark.parametrize("kind", ["pcp", "natpmp", "upnp"])
async def test_asked_again_a_router_that_has_forgotten_opens_the_same_port(monkeypatch, kind):
    router = FakeRouter(**{kind: True}, taken={PORT})
    async with asked(monkeypatch, router) as report:
        router.mapped.clear()
        router.taken.clear()
        await report.ask(Gateways(router.address), None)
        assert report.opened == (Endpoint(OUTSIDE, PORT + 1),)
        assert router.mapped == {PORT + 1: (PORT, 3600)}
    assert router.mapped == {}


async def test_asked_again_a_router_may_answer_that_was_silent(monkeypatch):
    monkeypatch.setattr(mapping, "ASK_LIMIT", 0.5)
    router = FakeRouter(silent=True)
    async with asked(monkeypatch, router) as report:
        assert report.four == Silent()
        router.silent, router.pcp = False, True
        await report.ask(Gateways(router.address), None)
        assert report.opened == (Endpoint(OUTSIDE, PORT),)
    assert router.mapped == {}


async def test_a_router_that_refuses_to_renew_is_asked_anew(monkeypatch):
    """By a nonce of its own, in all ways."""
    router = FakeRouter(pcp=True, upnp=True)
    async with asked(monkeypatch, router) as report:
        router.pcp, router.natpmp = False, True
        await report.ask(Gateways(router.address), None)
        assert report.four == OpenedPort(Endpoint(OUTSIDE, PORT), "NAT-PMP")


async def test_open_mapping_is_kept_while_the_router_is_away(monkeypatch):
    """The Wi-Fi may fail for a moment: only the mapping's nonce can renew the lease."""
    router = FakeRouter(pcp=True)
    async with asked(monkeypatch, router) as report:
        await report.ask(Gateways(), None)
        assert report.opened == (Endpoint(OUTSIDE, PORT),)
    assert router.mapped == {}


async def test_on_another_network_another_router_is_asked(monkeypatch):
    router, other = FakeRouter(pcp=True), FakeRouter(pcp=True, outside=IPv4Address("8.8.4.4"))
    async with asked(monkeypatch, router, other) as report:
        await report.ask(Gateways(other.address), None)
        assert report.opened == (Endpoint(other.outside, PORT),)
    assert other.mapped == {}


async def test_a_short_lease_is_renewed_in_time_also_after_asking_again(
    monkeypatch, autojump_clock
):
    router, other = FakeRouter(pcp=True), FakeRouter(pcp=True, seconds=40)
    async with asked(monkeypatch, router, other) as report:
        await report.ask(Gateways(other.address), None)
        await trio.sleep(30)
        assert len(other.asked) == 2
    assert autojump_clock.current_time() >= 30


async def test_one_way_is_enough(monkeypatch):
    router = FakeRouter(pcp=True, natpmp=True, upnp=True)
    async with asked(monkeypatch, router) as report:
        assert isinstance(report.four, OpenedPort)
        assert report.four.how == "PCP"
        assert set(router.asked) == {"PCP"}


@pytest.mark.slow
async def test_another_machine_that_plays_the_router_is_not_heard(monkeypatch):
    """The neighbour answers the search first, and would lead guests to its own machine."""
    rogue = FakeRouter(upnp=True, outside=IPv4Address("6.6.6.6"))
    router = FakeRouter()
    monkeypatch.setattr(mapping, "ASK_LIMIT", 0.5)
    async with asked(monkeypatch, router, rogue) as report:
        assert report.four == Silent()
    assert rogue.asked == []


@pytest.mark.slow
async def test_a_router_that_points_elsewhere_is_not_followed(monkeypatch):
    """The address of the description or of the controls lies elsewhere."""
    elsewhere = FakeRouter(upnp=True)
    monkeypatch.setattr(mapping, "ASK_LIMIT", 0.5)
    router = FakeRouter(upnp=True, location="http://127.0.0.1:80/root.xml")
    async with asked(monkeypatch, router) as report:
        assert report.four == Silent()

    def pointing(_: FakeRouter) -> bytes:
        kind = "urn:schemas-upnp-org:service:WANIPConnection:1"
        url = f"http://{elsewhere.address}:80/wan"
        return (
            f"<r><service><serviceType>{kind}</serviceType><controlURL>{url}</controlURL>"
            "</service></r>"
        ).encode()

    router = FakeRouter(upnp=True, description=pointing)
    async with asked(monkeypatch, router) as report:
        assert report.four == Refused("a place that is not its own")


BOMB = b"""<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<r><service><serviceType>&b;</serviceType></service></r>"""


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (BOMB, "an answer with a document type"),
        (BOMB.decode().encode("utf-16"), "an answer with a document type"),
        (b"<a>" * 20_000, "too deep an answer"),
        (b"not XML", "an answer that is no XML"),
        (b"", "an answer that is no XML"),
        (b"<r>" + b" " * 70_000 + b"</r>", "too long an answer over HTTP"),
        (b"<r></r>", "it opens no ports"),
    ],
    ids=["entities", "in UTF-16", "deep", "no XML", "nothing", "long", "no service"],
)
async def test_a_hostile_description_is_refused(monkeypatch, document, why):
    router = FakeRouter(upnp=True, description=lambda _: document)
    async with asked(monkeypatch, router) as report:
        assert report.four == Refused(why)


@pytest.mark.slow
async def test_answers_to_others_are_not_taken(monkeypatch):
    """Another nonce, another port, another operation, or cut short: as if nothing had come."""
    monkeypatch.setattr(mapping, "ASK_LIMIT", 0.4)
    for mangle in (
        lambda answer: answer[:24] + bytes(12) + answer[36:],
        lambda answer: answer[:40] + b"\1\1" + answer[42:],
        lambda answer: answer[:1] + b"\x82" + answer[2:],
        lambda answer: answer[:1] + b"\x01" + answer[2:],
        lambda answer: answer[:30],
    ):
        async with asked(monkeypatch, FakeRouter(pcp=True, mangle=mangle)) as report:
            assert report.four == Silent()


async def test_missing_router_gets_no_request(autojump_clock):
    async with asking_router(PORT, Gateways(), None) as report:
        assert (report.four, report.six, report.opened) == (None, None, ())
    assert autojump_clock.current_time() == 0
