"""People at terminals, who meet for the first time or again: what they read and type."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.console.pseudo_terminal import Terminal
from tests.reach.homes import Home, two_homes
from tests.reach.lan import lan

FIRST_CARD = "Your hand: "
MODULES = os.environ.get("PYTHONPATH", "")
_WIDE = 300  # columns: codes stand on one line


def at(
    wrapper: Sequence[str],
    folder: Path,
    name: str,
    command: str,
    *words: str,
    modules: str = MODULES,
) -> Terminal:
    """Let ``name`` run a command, line by line, in a home in ``folder`` of that name.

    modules: where Python looks for modules first.
    """
    home = folder / name.lower()
    words = (command, *words, "--name", name, "--ui", "line")
    return Terminal(home, *words, columns=_WIDE, wrapper=wrapper, PYTHONPATH=modules)


def let_in(host: Terminal, guest: Terminal, *, number: int = 1) -> None:
    """Pick the table, say yes, say the code, type it; see the first card on both screens.

    number: of the host's machine.
    """
    guest.until(rf'1: "Mina" has an open table on this network \(192\.168\.7\.{number}\)')
    guest.type("1\n")
    host.until(r'"Ivo" \(192\.168\.7\.\d+\) is at the door')
    host.type("1\n")
    code = re.search(r"this code: (\d{3} \d{3})", host.until("this code: "))[1]
    guest.until("Code:")
    guest.type(f"{code}\n")
    see_the_first_card(host, guest)


def see_the_first_card(*terminals: Terminal) -> None:
    for terminal in terminals:
        terminal.until(FIRST_CARD)


def play_to_the_end(host: Terminal, guest: Terminal) -> None:
    """Let the guest give up, and both go."""
    guest.type("concede\n")
    guest.until("y: yes")
    guest.type("y\n")
    for terminal in (host, guest):
        terminal.until("leave: leave the table")
        terminal.type("leave\n")
    assert (host.end(), guest.end()) == (0, 0), host.text + guest.text


def take_the_call(waits: Terminal, calls: Terminal) -> None:
    """Say yes to Ivo's call; see on both screens that they know each other, and a card."""
    waits.until('"Ivo" calls')
    waits.type("1\n")
    waits.until('"Ivo", as on')
    calls.until('"Mina", as on')
    see_the_first_card(waits, calls)


def newcomers_on_one_network(folder: Path) -> str:
    """Return the seconds until the guest sees the table, and both the first card."""
    with lan() as network, at(network.machine(), folder, "Mina", "host", "--no-router") as mina:
        mina.until("on your network")
        began = time.monotonic()
        with at(network.machine(), folder, "Ivo", "join") as ivo:
            ivo.until('"Mina" has an open table on this network')
            found = time.monotonic() - began
            let_in(mina, ivo)
            return f"table {found:.2f}, card {time.monotonic() - began:.2f}"


def table_found(folder: Path) -> str:
    """Return the seconds until a table that waits on the network has answered."""
    with lan() as network, at(network.machine(), folder, "Mina", "host", "--no-router") as mina:
        mina.until("on your network")
        return stopped("table", network.machine())


def router_asked(home: Home, folder: Path) -> str:
    """Return what the router does for a port, and the seconds until that is known."""
    with two_homes(home, Home(9), folder):
        return stopped("router", home.inside)


def stopped(what: str, wrapper: Sequence[str]) -> str:
    """Return what the stopwatch shows at a machine."""
    command = [*wrapper, sys.executable, "-m", "tests.reach.stopwatch", what]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@contextmanager
def newcomers(
    first: Home, second: Home, folder: Path, *, pastes: int
) -> Iterator[tuple[Terminal, Terminal, float]]:
    """Let Mina host and Ivo join in two homes; yield both, and the seconds to the first card.

    pastes: 1 for the invite alone, 2 if an answer code goes back.
    """
    with (
        two_homes(first, second, folder),
        at(first.inside, folder, "Mina", "host") as mina,
    ):
        invite = re.search(r"^(matcha1\w+)", mina.until("paste it here"), re.MULTILINE)[1]
        began = time.monotonic()
        with at(second.inside, folder, "Ivo", "join") as ivo:
            ivo.until("Invite:")
            ivo.type(f"{invite}\n")
            if pastes == 2:
                shown = ivo.until(r"matchareply1\w+")
                mina.type(re.search(r"matchareply1\w+", shown)[0] + "\n")
            see_the_first_card(mina, ivo)
            yield mina, ivo, time.monotonic() - began


def at_full_screen(home: Home, folder: Path, name: str, modules: str = MODULES) -> Terminal:
    """Let ``name`` start the program for the first time, on a full screen, and see the menu."""
    terminal = Terminal(folder / name.lower(), wrapper=home.inside, PYTHONPATH=modules)
    terminal.until("Your name at the table")
    terminal.type(f"{name}\r")
    terminal.until("4 +Go to the menu")
    terminal.type("4")
    terminal.until("Host a table")
    return terminal


def paste(terminal: Terminal, text: str) -> None:
    """Paste ``text`` as terminals do, and press Enter."""
    terminal.type(f"\x1b[200~{text}\x1b[201~\r")


def newcomers_at_full_screens(
    first: Home, second: Home, folder: Path, modules: str = MODULES
) -> float:
    """Let two who have never played meet by two pastes; return the seconds to both cards.

    What is pasted is copied from the screen by mouse: broken where its line was.
    """
    with (
        two_homes(first, second, folder),
        at_full_screen(first, folder, "Mina", modules) as mina,
        at_full_screen(second, folder, "Ivo", modules) as ivo,
    ):
        mina.type("1")
        mina.until("Which game")
        mina.type("1")
        shown = mina.until("r answer")
        began = time.monotonic()
        ivo.type("2")
        ivo.until("Invite:")
        paste(ivo, re.search(r"matcha1\w+\n *\w+", shown)[0])
        shown = ivo.until(r"matchareply1\w+")
        assert "No table is open on this network" not in shown
        mina.type("r")
        mina.until("Answer code:")
        paste(mina, re.search(r"matchareply1\w+", shown)[0])
        for terminal in (mina, ivo):
            terminal.until("WHAT BEATS WHAT")
            terminal.until("A new player, self-named")
        return time.monotonic() - began


def seconds_to_the_first_card(first: Home, second: Home, pastes: int, folder: Path) -> float:
    with newcomers(first, second, folder, pastes=pastes) as (_, _, seconds):
        return seconds


def friends_again(first: Home, second: Home, pastes: int, folder: Path) -> float:
    """Meet by pasting, play, go; then one waits and the other calls, with nothing pasted.

    The second time no router can be asked. Return the seconds from the call to the bell.
    """
    with newcomers(first, second, folder, pastes=pastes) as (mina, ivo, _):
        play_to_the_end(mina, ivo)
    first = replace(first, asked=False)
    with (
        two_homes(first, second, folder),
        at(first.inside, folder, "Mina", "wait") as mina,
    ):
        mina.until('Waiting for a call from "Ivo"')
        began = time.monotonic()
        with at(second.inside, folder, "Ivo", "call", "Mina") as ivo:
            mina.until('"Ivo" calls')
            seconds = time.monotonic() - began
            take_the_call(mina, ivo)
            return seconds
