"""The host's screen while the routers are asked, and afterwards."""

import threading
from contextlib import asynccontextmanager
from ipaddress import ip_address
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from matcha_p2p.app.invite import host, lobby
from matcha_p2p.app.invite.host import PLACES, HostWish
from matcha_p2p.app.invite.show_invite import INVITE
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.endpoints import Endpoint

OWN = ip_address("192.0.2.2")
OUTSIDE = Endpoint(ip_address("8.8.8.8"), 4717)


class Glass:
    """A full screen without a person."""

    redraws = True

    def __init__(self):
        self.asked, self.told = [], {}
        self.changed = trio.Event()

    async def ask(self, question):
        self.asked.append(question)
        self._change()
        await trio.sleep_forever()

    def tell(self, heading, lines):
        self.told[heading] = lines
        self._change()

    def _change(self):
        changed, self.changed = self.changed, trio.Event()
        changed.set()

    async def until(self, shown):
        with trio.fail_after(30):
            while not shown(self):
                await self.changed.wait()


@pytest.fixture
def router(monkeypatch):
    """Return the event after which a router opens the port."""
    answers = trio.Event()

    @asynccontextmanager
    async def letting_in(*_, **__):
        await answers.wait()
        yield SimpleNamespace(way_to=lambda _: (OUTSIDE,), opened=(OUTSIDE,))

    async def local_addresses():
        return (OWN,)

    monkeypatch.setattr(host, "letting_in", letting_in)
    monkeypatch.setattr(host, "local_addresses", local_addresses)
    return answers


@asynccontextmanager
async def hosting(setup, asker):
    """Let somebody host whom ``asker`` asks."""

    @asynccontextmanager
    async def ask():
        yield asker

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.host, setup, ask, HostWish(port=0))
        yield
        nursery.cancel_scope.cancel()


async def test_screen_shows_the_invite_at_once_and_adds_the_answer_of_the_router(mina, router):
    glass = Glass()
    async with hosting(mina.setup, glass):
        await glass.until(lambda it: it.asked)
        (first,) = glass.asked
        assert [each.address for each in Invite.parse(first.text).endpoints] == [OWN]
        assert INVITE() not in glass.told
        assert PLACES() not in glass.told
        router.set()
        await glass.until(lambda it: len(it.asked) == 2)
        second = glass.asked[-1]
        assert Invite.parse(second.text).endpoints[0] == OUTSIDE
        assert Invite.parse(second.text).secret == Invite.parse(first.text).secret
        assert "send it again" in glass.told[INVITE()][0]
        assert glass.told[PLACES()][0] == f"From the internet: {OUTSIDE}"


@pytest.mark.parametrize("table", [("matcha", 2), ("kashi", 3), ("kashi", 4), ("tichu", 4)])
async def test_invite_is_shown_before_the_protocol_is_loaded(
    mina, router, monkeypatch, request, table
):
    """The keys stay the same: whatever the person presses meanwhile is done afterwards."""
    loads = threading.Event()
    request.addfinalizer(loads.set)
    monkeypatch.setattr(host, "_load_game", loads.wait)
    router.set()
    glass, setup = Glass(), mina.setup.another(*table)
    async with hosting(setup, mina.asker):
        with trio.fail_after(30):
            await mina.screen.until(r"(matcha1\w+)")
        loads.set()
        if setup.terms.seats > 2:
            with trio.fail_after(30):
                await mina.screen.until("(Seat 2: empty)")
        assert mina.screen.text.count("matcha1") == 1
    loads.clear()
    async with hosting(setup, glass):
        await glass.until(lambda it: it.told.get(PLACES()))
        assert Invite.parse(glass.asked[0].text)
        loads.set()
        await glass.until(lambda it: lobby.TABLE() in it.told)
        await trio.testing.wait_all_tasks_blocked()
        assert len({wait.keys for wait in glass.asked}) == 1


async def test_line_mode_says_one_invite_once_the_router_has_answered(mina, router):
    async with hosting(mina.setup, mina.asker):
        await trio.testing.wait_all_tasks_blocked()
        assert mina.screen.text == ""
        router.set()
        with trio.fail_after(30):
            text = await mina.screen.until(r"(matcha1\w+)")
        assert Invite.parse(text).endpoints[0] == OUTSIDE
        assert mina.screen.text.count("matcha1") == 1
        assert "send it again" not in mina.screen.text
