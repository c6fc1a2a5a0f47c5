"""Strangers in number at the port of a real host: no byte for them, and the game goes on."""

from matcha_p2p.transport.invite import Invite
from matcha_p2p.transport.noise import HANDSHAKE_SIZE, Initiator
from tests.cli.processes import host, join
from tests.hostile.flood import Strangers, free_port
from tests.hostile.strangers import KINDS

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
    """Somebody has recorded a guest's; without the invite the answer is of no use to him."""
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
