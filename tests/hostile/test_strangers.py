"""Strangers in number at the port of a real host: no byte for them, and the game goes on."""

from ipaddress import ip_address

import pytest
import trio

from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.dial import TRIES, dial
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.noise import HANDSHAKE_SIZE, Initiator
from tests.harness import respond
from tests.hostile.flood import Strangers, free_port
from tests.hostile.strangers import KINDS
from tests.processes import host, join

pytestmark = pytest.mark.slow

BOT = ("--play", "uniform", "--edition", "2015")


def test_a_guest_gets_in_among_strangers_and_both_play_to_the_end(tmp_path):
    """They come while the host waits, and at the port that stays open during the game."""
    port = free_port()
    with host(tmp_path / "a", *BOT, port=port) as waiting:
        invite = waiting.until("invite")["invite"]
        waiting.until("waiting")
        flood = Strangers(port, Initiator(bytes(32)).write(), count=900, rate=450)
        with flood, join(tmp_path / "b", invite) as guest:
            assert (waiting.end(), guest.end()) == (0, 0)
    assert sum(flood.report["connections"].values()) > 100
    assert flood.report["answered"] == {}
    assert flood.report["left_open"] == 0
    assert all(fact["state"] == "up" for fact in waiting.facts("line"))


def test_a_first_message_that_is_repeated_is_answered_once(tmp_path):
    """The stranger replays a guest's bytes; without the invite the answer is useless."""
    port = free_port()
    with host(tmp_path / "a", *BOT, port=port) as waiting:
        invite = waiting.until("invite")["invite"]
        waiting.until("waiting")
        recording = Initiator(Invite.parse(invite).psk).write()
        with Strangers(port, recording, count=60 * len(KINDS), rate=300) as flood:
            pass
        with join(tmp_path / "b", invite) as guest:
            assert (waiting.end(), guest.end()) == (0, 0)
    assert flood.report["answered"] == {"repeated": HANDSHAKE_SIZE}
    assert flood.report["left_open"] == 0


async def test_crowded_out_guest_knocks_again():
    """A host evicts whoever has waited longest, and that may be a guest on a slow machine."""
    psk = bytes(32)
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")

    async def crowded_host() -> None:
        for _ in range(TRIES - 1):
            await (await listener.accept()).aclose()
        link = await respond(await listener.accept(), psk)
        await link.send(Frame(Kind.PING))
        await link.aclose()

    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(crowded_host)
        port = listener.socket.getsockname()[1]
        link = await dial(
            at_port([ip_address("127.0.0.1")], port), psk, timeout=10, tries=TRIES
        )
        assert await link.receive() == Frame(Kind.PING)
        await link.aclose()
