"""Two newcomers on one network: from two fresh homes to the first card, with nothing pasted."""

import re
from pathlib import Path

import pytest

from tests.console.pseudo_terminal import Terminal
from tests.reach.lan import Lan, lacking_for_lan, lan

MISSING = lacking_for_lan()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(MISSING is not None, reason=f"{MISSING} is needed"),
]
FIRST_CARD = "Your hand: "
LINES = ("--ui", "line")


def hosting(tmp_path: Path, network: Lan, *words: str, **how: bool) -> Terminal:
    """Let Mina host at a machine of her own."""
    machine = network.machine(**how)
    words = ("host", "--name", "Mina", "--no-router", *LINES, *words)
    return Terminal(tmp_path / "mina", *words, wrapper=machine)


def joining(tmp_path: Path, network: Lan, **how: bool) -> Terminal:
    """Let Ivo join from a machine of his own."""
    machine = network.machine(**how)
    words = ("join", "--name", "Ivo", *LINES)
    return Terminal(tmp_path / "ivo", *words, wrapper=machine)


def let_in(mina: Terminal, ivo: Terminal) -> None:
    """Pick the table, say yes, say the code, type it; see the first card on both screens."""
    ivo.until(r"1: Mina waits on this network \(192\.168\.7\.1\)")
    ivo.type("1\n")
    mina.until(r"Ivo \(192\.168\.7\.2\) is at the door")
    mina.type("1\n")
    code = re.search(r"this code: (\d{3} \d{3})", mina.until("this code: "))[1]
    ivo.until("Code:")
    ivo.type(f"{code}\n")
    for terminal in (mina, ivo):
        terminal.until(FIRST_CARD)


def test_two_newcomers_meet_with_nothing_pasted(tmp_path):
    with lan() as network, hosting(tmp_path, network) as mina:
        mina.until("On this network")
        with joining(tmp_path, network) as ivo:
            let_in(mina, ivo)


def test_a_guest_behind_a_firewall_of_its_own_finds_the_table(tmp_path):
    """What answers a call to all is let in by no firewall: then each neighbour is asked."""
    with lan() as network, hosting(tmp_path, network) as mina:
        mina.until("On this network")
        with joining(tmp_path, network, firewall=True) as ivo:
            let_in(mina, ivo)


def test_who_is_not_announced_is_not_found(tmp_path):
    with lan() as network, hosting(tmp_path, network, "--no-announce") as mina:
        mina.until("Waiting on port")
        with joining(tmp_path, network) as ivo:
            ivo.until("Nobody is waiting on this network")


def test_friends_meet_again_with_nothing_pasted(tmp_path):
    """Both have another address than before: one calls, the other waits."""
    with lan() as network, hosting(tmp_path, network) as mina:
        mina.until("On this network")
        with joining(tmp_path, network) as ivo:
            let_in(mina, ivo)
            ivo.type("concede\n")
            ivo.until("y or n")
            ivo.type("y\n")
            for terminal in (mina, ivo):
                terminal.until("leave ends it")
                terminal.type("leave\n")
            assert (mina.end(), ivo.end()) == (0, 0)
    with lan() as network:
        network.machine()
        network.machine()
        anew = Terminal(
            tmp_path / "mina", "wait", *LINES, "--name", "Mina", wrapper=network.machine()
        )
        with anew as mina:
            mina.until("Waiting for a call of Ivo")
            words = ("call", "Mina", *LINES, "--name", "Ivo")
            with Terminal(tmp_path / "ivo", *words, wrapper=network.machine()) as ivo:
                mina.until("Ivo calls")
                mina.type("y\n")
                mina.until("Ivo, as on")
                ivo.until("Mina, as on")
                for terminal in (mina, ivo):
                    terminal.until(FIRST_CARD)
