"""A network between two places that swallows packets for a while, as a dead router does.

python -m tests.faults.outage --seconds 8      how long after the outage a game goes on

Two ends and a router have a network namespace each; while the router forwards nothing, packets
vanish without a word. Needs Linux, root, and the ip command.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import IPv4Address
from pathlib import Path

import trio

from matcha_p2p.session.news import LineChanged
from matcha_p2p.session.reconnect import Place
from tests.faults.proxy import Seat
from tests.harness import PSK, initiate, respond

ROUTER = "matcha-router"
ENDS = ("matcha-end-0", "matcha-end-1")
HOSTS = ("10.213.0.2", "10.213.1.2")
GATES = ("10.213.0.1", "10.213.1.1")
PORT = 4717
THINK = 0.1


def ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


def forward(on: bool) -> None:
    """Let the router forward packets, or swallow packets."""
    setting = Path("/proc/sys/net/ipv4/ip_forward")
    words = ["ip", "netns", "exec", ROUTER, "tee", str(setting)]
    value = f"{int(on)}\n"
    subprocess.run(words, input=value, text=True, stdout=subprocess.DEVNULL, check=True)


@contextmanager
def network() -> Iterator[None]:
    """Make the three namespaces for the body."""
    try:
        for name in (ROUTER, *ENDS):
            ip(f"netns add {name}")
            ip(f"-n {name} link set lo up")
        for number, (end, host, gate) in enumerate(zip(ENDS, HOSTS, GATES, strict=True)):
            ip(f"link add e{number} netns {end} type veth peer name r{number} netns {ROUTER}")
            ip(f"-n {end} addr add {host}/24 dev e{number}")
            ip(f"-n {ROUTER} addr add {gate}/24 dev r{number}")
            ip(f"-n {end} link set e{number} up")
            ip(f"-n {ROUTER} link set r{number} up")
            ip(f"-n {end} route add default via {gate}")
        forward(on=True)
        yield
    finally:
        for name in (ROUTER, *ENDS):
            subprocess.run(["ip", "netns", "del", name], check=False)


async def sit(number: int, folder: Path) -> None:
    """Play one seat, and print when there was news of the game."""
    places = [Place((IPv4Address(host),), PORT) for host in HOSTS]
    seat = Seat(number, folder, places, THINK)
    if number == 0:
        (listener,) = await trio.open_tcp_listeners(PORT, host=HOSTS[0])
        print("listening", flush=True)
        async with listener:
            link = await respond(await listener.accept(), PSK)
    else:
        link = await initiate(await trio.open_tcp_stream(HOSTS[0], PORT), PSK)
    shift = time.monotonic() - trio.current_time()
    await seat.play(link)
    for when, piece in seat.news:
        if not isinstance(piece, LineChanged):
            print(when + shift)


def measure(seconds: float, begin: float) -> float:
    """Play a game with an outage of ``seconds`` after ``begin``; return the wait afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        players = []
        for number, end in enumerate(ENDS):
            words = ["ip", "netns", "exec", end, sys.executable, "-m", "tests.faults.outage"]
            words += ["--sit", str(number), "--folder", folder]
            player = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
            players.append(player)
            if number == 0 and player.stdout is not None:
                player.stdout.readline()
        path = Path(folder) / "1" / "journal"
        while not path.exists():
            time.sleep(0.01)
        time.sleep(begin)
        forward(on=False)
        time.sleep(seconds)
        forward(on=True)
        mended = time.monotonic()
        times = [list(map(float, player.communicate()[0].split())) for player in players]
    return max(min(time for time in told if time > mended) for told in times) - mended


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.outage")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--sit", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.sit is not None:
        trio.run(sit, asked.sit, asked.folder)
        return 0
    waits = []
    with network():
        for number in range(asked.games):
            waits.append(measure(asked.seconds, 0.5 + number / asked.games))
            print(f"outage of {asked.seconds:g} s: the game went on after {waits[-1]:.2f} s")
    return int(max(waits) > 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
