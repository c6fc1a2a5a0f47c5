"""The guest's screen during the search for the host."""

from contextlib import asynccontextmanager
from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.app.command.outcomes import CANCELLED, Exit, NotBegunError
from matcha_p2p.app.invite import join
from matcha_p2p.app.invite.show_invite import COPIED
from matcha_p2p.app.nearby.guest_side import HOST
from matcha_p2p.console.menu.asker import InputClosedError
from matcha_p2p.console.menu.menu import Pressed
from matcha_p2p.errors import LinkError
from matcha_p2p.transport.codes.invite import SECRET_SIZE, Invite
from matcha_p2p.transport.endpoints import Endpoint
from tests.app.invite.test_host import Glass

INVITE = Invite((Endpoint(ip_address("127.0.0.1"), 4717),), bytes(SECRET_SIZE))


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


class Copying(Glass):
    """The full screen of a person who copies the first code, and waits."""

    def __init__(self):
        super().__init__()
        self.copied = []

    async def ask(self, question):
        if question.text and not self.copied:
            await trio.lowlevel.checkpoint()
            self.asked.append(question)
            return Pressed("c")
        return await super().ask(question)

    def copy(self, text):
        self.copied.append(text)


async def test_answer_code_takes_the_place_of_the_search_and_can_be_copied(ivo, monkeypatch):
    glass = Copying()

    @asynccontextmanager
    async def reaching_host(_, __, tell_code, **___):
        await glass.until(lambda glass: glass.asked)
        tell_code("matchareply1xyz")
        await trio.sleep_forever()
        yield

    @asynccontextmanager
    async def ask():
        yield glass

    monkeypatch.setattr(join, "reaching_host", reaching_host)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(join.join, ivo.setup, ask, INVITE)
        await glass.until(lambda glass: len(glass.asked) == 3)
        nursery.cancel_scope.cancel()
    assert [question.text for question in glass.asked] == ["", *["matchareply1xyz"] * 2]
    assert (glass.copied, glass.told[HOST()]) == (["matchareply1xyz"], (COPIED(),))


@pytest.mark.parametrize("next_game", [True, False])
async def test_guest_that_finds_no_host_after_a_game_reads_why_no_game_began(
    ivo, monkeypatch, next_game
):
    """The host's program is gone when the guest comes back to the lobby."""
    error = NotBegunError(Exit.DECLINED, "Mina has left.", code=None, next_game=next_game)
    tries = []

    @asynccontextmanager
    async def reaching_host(*_, **__):
        await trio.lowlevel.checkpoint()
        raise LinkError("Nobody answers.", code="net-unreachable")
        yield

    async def play():
        await trio.lowlevel.checkpoint()
        raise error

    meet = join._Seeker._meet

    async def meet_once(seeker, way):
        tries.append(way)
        return play if len(tries) == 1 else await meet(seeker, way)

    monkeypatch.setattr(join, "reaching_host", reaching_host)
    monkeypatch.setattr(join._Seeker, "_meet", meet_once)
    if next_game:
        assert await join.join(ivo.setup, ivo.ask, INVITE) == Exit.DONE
        assert "Mina has left. The next game did not begin." in ivo.screen.text
    else:
        with pytest.RaisesGroup(pytest.RaisesExc(NotBegunError, match="Mina has left")):
            await join.join(ivo.setup, ivo.ask, INVITE)
    assert tries == [INVITE] * 2
