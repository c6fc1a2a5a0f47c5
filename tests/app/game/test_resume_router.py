"""The moments to ask the router again, for a resumed game over the internet."""

from contextlib import asynccontextmanager
from functools import partial
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.app.game import resume as module
from matcha_p2p.session.reconnect import Place
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.servers import Server
from matcha_p2p.wire.talk import PeerAddresses
from tests.app.nearby.test_neighbours import Person
from tests.harness import pair

OURS = PeerAddresses(at_port([ip_address("192.168.1.2"), ip_address("8.8.8.8")], 4720), None)
FAR = PeerAddresses(at_port([ip_address("1.1.1.1")], 4717))
NEAR = PeerAddresses(at_port([ip_address("192.168.1.3")], 4717))


@pytest.mark.parametrize(
    ("there", "router", "wanted"),
    [(FAR, True, True), (None, True, True), (NEAR, True, False), (FAR, False, False)],
    ids=["far", "not known", "on our network", "not to be asked"],
)
async def test_the_router_is_asked_for_the_port_that_the_peer_knows(
    tmp_path, monkeypatch, there, router, wanted
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

    async def go_on(ledger, begun, link, place, setup):
        places.append(place)
        await trio.lowlevel.checkpoint()
        return 0

    monkeypatch.setattr(module, "letting_in", letting_in)
    monkeypatch.setattr(module, "go_on", go_on)
    monkeypatch.setattr(module, "open_unfinished", lambda *_, **__: ledger)
    person = Person(tmp_path, "Mina")
    home = person.setup.home
    again = partial(module.resume, home, person.setup.another, None, router=router)
    assert await again() == 0
    assert asked == [(4720, wanted)]
    (place,) = places
    assert place.port == 4720
    assert place.router is (report if wanted else None)
    proxy = Server("127.0.0.1", 9050)
    assert await again(proxy=proxy) == 0
    assert places[1:] == [Place((), None, proxy=proxy)]
    assert 0 not in ledger.chain.ways  # a player behind a proxy tells no address of before
    assert len(asked) == 1
    person.close()
