"""A person names servers: a SOCKS proxy for dialling, a STUN server for addresses."""

import pytest
import trio

from matcha_p2p.transport.codes.invite import Invite
from tests.processes import Matcha, host
from tests.transport.servers import FakeSocks, FakeStun

pytestmark = pytest.mark.slow

GUEST = ("--json", "--play", "greedy", "--name", "Taro")


@pytest.mark.parametrize("named", [True, False], ids=["named again", "remembered"])
async def test_guest_plays_and_resumes_through_a_proxy(tmp_path, nursery, named):
    """Each connection of the guest is the proxy's, also after a kill."""
    fake = FakeSocks()
    proxy = ("--socks", str(await nursery.start(fake.run)))

    def play():
        bot = ("--play", "greedy", "--edition", "2020", "--no-router")
        with host(tmp_path / "a", *bot) as waiting:
            invite = waiting.until("invite")["invite"]
            join = ("join", "-", *GUEST, *proxy)
            with Matcha(tmp_path / "b", *join, stdin=invite) as guest:
                guest.until("placed", "passed")
                guest.process.kill()
                guest.process.wait()
            with Matcha(tmp_path / "b", "resume", *GUEST, *(proxy if named else ())) as again:
                return again.end(), waiting.end()

    assert await trio.to_thread.run_sync(play) == (0, 0)
    assert len(fake.targets) >= 2
    assert len(set(fake.targets)) == 1  # the host's


async def test_invite_holds_the_outside_address_that_a_server_tells(tmp_path, nursery):
    fake = FakeStun()
    named = ("--stun", str(await nursery.start(fake.run)))

    def hosted():
        words = ("host", "--json", "--play", "greedy", "--no-router", "--port", "0", *named)
        with Matcha(tmp_path, *words) as waiting:
            told = waiting.until("stun")["address"]
            return told, Invite.parse(waiting.until("invite")["invite"])

    told, invite = await trio.to_thread.run_sync(hosted)
    assert told == str(fake.seen.address)
    assert invite.endpoints[0].address == fake.seen.address
