"""Two newcomers on one network: from two fresh homes to the first card, with nothing pasted."""

import pytest

from tests.reach.lan import lan
from tests.reach.machine import lacking
from tests.reach.people import at, let_in, play_to_the_end, take_the_call
from tests.reach.threads import OF_TRIO, StartedThreads

MISSING = lacking()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(MISSING is not None, reason=f"{MISSING} is needed"),
]


def hosting(tmp_path, network, *words, **how):
    """Let Mina host at a machine of her own."""
    return at(network.machine(), tmp_path, "Mina", "host", "--no-router", *words, **how)


@pytest.mark.parametrize("firewall", [False, True], ids=["open", "firewall"])
def test_two_newcomers_meet_with_nothing_pasted(tmp_path, firewall):
    """What answers a call to all is let in by no firewall: then each neighbour is asked."""
    with lan() as network, hosting(tmp_path, network) as mina:
        mina.until("on your network")
        with at(network.machine(firewall=firewall), tmp_path, "Ivo", "join") as ivo:
            let_in(mina, ivo)


def test_unannounced_host_is_not_found(tmp_path):
    with lan() as network, hosting(tmp_path, network, "--no-announce") as mina:
        mina.until("Waiting on port")
        with at(network.machine(), tmp_path, "Ivo", "join") as ivo:
            ivo.until("No table is open on this network")


def test_friends_meet_again_with_nothing_pasted(tmp_path):
    """Both have new addresses: one friend calls, the other friend waits.

    Hosting, joining, waiting and calling start no threads but those that trio keeps for work.
    """
    threads = StartedThreads(tmp_path)
    with lan() as network, hosting(tmp_path, network, modules=threads.path) as mina:
        mina.until("on your network")
        with at(network.machine(), tmp_path, "Ivo", "join", modules=threads.path) as ivo:
            let_in(mina, ivo)
            play_to_the_end(mina, ivo)
    with lan() as network:
        network.machine()
        network.machine()
        with at(network.machine(), tmp_path, "Mina", "wait", modules=threads.path) as mina:
            mina.until('Waiting for a call from "Ivo"')
            with at(
                network.machine(), tmp_path, "Ivo", "call", "Mina", modules=threads.path
            ) as ivo:
                take_the_call(mina, ivo)
    assert threads.modules == {OF_TRIO}
