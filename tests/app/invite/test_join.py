"""The guest's screen during the search for the host."""

from contextlib import asynccontextmanager
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.app.invite import join
from matcha_p2p.app.outcomes import CANCELLED
from matcha_p2p.console.menu.asker import InputClosedError
from matcha_p2p.transport.codes.invite import SECRET_SIZE, Invite
from matcha_p2p.transport.endpoints import Endpoint
from tests.app.invite.test_host import Glass
from tests.app.nearby.test_neighbours import Person

INVITE = Invite((Endpoint(ip_address("127.0.0.1"), 4717),), bytes(SECRET_SIZE))


@pytest.fixture
def ivo(tmp_path):
    person = Person(tmp_path, "Ivo")
    yield person
    person.close()


async def test_guest_without_terminal_stops_looking_for_the_host(ivo, monkeypatch):
    @asynccontextmanager
    async def reaching_host(*_, **__):
        await trio.sleep_forever()
        yield

    class Broken(Glass):
        async def ask(self, _):
            await trio.lowlevel.checkpoint()
            raise InputClosedError

    @asynccontextmanager
    async def ask():
        yield Broken()

    monkeypatch.setattr(join, "reaching_host", reaching_host)
    assert await join.join(ivo.setup, ask, INVITE) == CANCELLED
