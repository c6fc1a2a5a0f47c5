"""The moments to ask the router again, for a resumed game over the internet."""

from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.game import resume as module
from matcha_p2p.app.game.resume import ResumeWish
from matcha_p2p.seats import Seat
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.servers import Server
from matcha_p2p.wire.talk import PeerAddresses
from tests.harness import pair
from tests.transport.servers import FakeSocks

OURS = PeerAddresses(at_port([ip_address("192.168.1.2"), ip_address("8.8.8.8")], 4720), None)
FAR = PeerAddresses(at_port([ip_address("1.1.1.1")], 4717))
NEAR = PeerAddresses(at_port([ip_address("192.168.1.3")], 4717))


@pytest.mark.parametrize(
    ("there", "router", "wanted"),
    [(FAR, True, True), (None, True, True), (NEAR, True, False), (FAR, False, False)],
    ids=["far", "not known", "on our network", "not to be asked"],
)
async def test_the_router_is_asked_for_the_port_that_the_peer_knows(
    tmp_path, mina, monkeypatch, there, router, wanted
):
    ledger = pair(tmp_path)[0].ledger
    chain = ledger.chain.with_addresses(0, OURS)
    ledger.chain = chain if there is None else chain.with_addresses(1, there)
    asked, places, report = [], [], object()

    @asynccontextmanager
    async def letting_in(port, own, out, tell, *, wanted):
        asked.append((port, wanted))
        await trio.lowlevel.checkpoint()
        yield report if wanted else None

    async def go_on(ledger, place, setup, *, older):
        places.append(place)
        await trio.lowlevel.checkpoint()
        return 0

    monkeypatch.setattr(module, "letting_in", letting_in)
    monkeypatch.setattr(module, "go_on_at_table", go_on)
    monkeypatch.setattr(module, "open_unfinished", lambda *_, **__: ledger)
    again = partial(module.resume, mina.setup.home, mina.setup.another, None)
    assert await again(ResumeWish(router=router)) == 0
    assert asked == [(4720, wanted)]
    (place,) = places
    assert place.port == 4720
    assert place.router is (report if wanted else None)


@pytest.mark.parametrize("begun", [True, False], ids=["begun hidden", "hidden later"])
async def test_hidden_game_goes_on_through_its_proxy_until_the_person_says_otherwise(
    tmp_path, mina, monkeypatch, nursery, begun
):
    """No address of before is told; without the proxy the person reads what others learn."""
    proxy = Server("127.0.0.1", (await nursery.start(FakeSocks().run)).port)
    chain = pair(tmp_path)[0].chain
    path = tmp_path / "mine" / "journal"
    hidden = chain.empty.behind(proxy if begun else None)
    ledger = Ledger(path, hidden)
    ledger.become(replace(chain.with_addresses(Seat(0), OURS), proxy=hidden.proxy))
    ledger.close()
    places = []

    @asynccontextmanager
    async def letting_in(*_, **__):
        await trio.lowlevel.checkpoint()
        yield None

    async def go_on(ledger, place, setup, *, older):
        places.append((place.proxy, ledger.chain.ways.get(Seat(0))))
        ledger.close()
        await trio.lowlevel.checkpoint()
        return 0

    async def local_addresses():
        await trio.lowlevel.checkpoint()
        return ()

    monkeypatch.setattr(module, "letting_in", letting_in)
    monkeypatch.setattr(module, "local_addresses", local_addresses)
    monkeypatch.setattr(module, "go_on_at_table", go_on)
    monkeypatch.setattr(module, "open_unfinished", lambda *_, **__: Ledger.open(path))
    again = partial(module.resume, mina.setup.home, mina.setup.another, None)
    first = ResumeWish() if begun else ResumeWish(proxy=proxy)
    for wish in (first, ResumeWish(), ResumeWish(openly=True), ResumeWish()):
        assert await again(wish) == 0
    assert [place for place, _ in places] == [proxy, proxy, None, None]
    assert [way for _, way in places[:2]] == [None, None]
    said = " ".join(mina.screen.text.split())
    assert said.count("do not see your address") == 2
    assert said.count("learn the addresses of this machine") == 1


async def test_without_its_proxy_a_hidden_game_does_not_go_on(tmp_path, mina, monkeypatch):
    """The person reads the command line that goes on openly."""
    ledger = pair(tmp_path)[0].ledger
    ledger.become(ledger.chain.behind(Server("127.0.0.1", 1)))
    monkeypatch.setattr(module, "open_unfinished", lambda *_, **__: ledger)
    with pytest.raises(CommandError, match="matcha resume 0 --no-socks") as refused:
        await module.resume(mina.setup.home, mina.setup.another, None, ResumeWish())
    assert refused.value.exit_code == Exit.UNREACHED
