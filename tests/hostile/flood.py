"""What strangers in number cost a game: ``python -m tests.hostile.flood``.

A host and a guest play game after game, first in quiet and then while strangers come: idle,
with garbage, slow, endless, and with a first message heard before. After that a host waits
among strangers, and guests come in. Prints connections, their rate, how long the host takes to
answer a move, how much its memory grows, and how many guests got in.
"""

import argparse
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.table.events import Passed, Placed
from matcha_p2p.lobby import room
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.narration.news import News
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import GameEvent, MoveDue, Terms
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.dial import connect
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.noise import Initiator
from matcha_p2p.wire.lobby import sign_join
from tests.harness import introduce
from tests.processes import Matcha, host

GUESTS = 16
DIAL_LIMIT = 12.0


@dataclass
class Answers:
    """How long the host took to answer, in milliseconds, and how its memory grew, in KiB."""

    times: list[float] = field(default_factory=list)
    grown: list[int] = field(default_factory=list)
    _asked: float = 0.0

    def note(self, news: News) -> None:
        """Take what the guest's session tells."""
        now = time.perf_counter()
        match news:
            case MoveDue():
                self._asked = now
            case GameEvent(Placed(seat=0) | Passed(seat=0)) if self._asked:
                self.times.append(1000 * (now - self._asked))
                self._asked = 0.0
            case GameEvent(Placed() | Passed()):
                pass
            case _:
                self._asked = 0.0  # a round was resolved, or cards were dealt, meanwhile

    def percentile(self, rank: int) -> float:
        """Return the ``rank`` th percentile of the times."""
        return statistics.quantiles(self.times, n=100)[rank - 1]


def memory(peer: Matcha) -> int:
    """Return the resident memory of a process in KiB."""
    status = Path(f"/proc/{peer.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if "VmRSS" in line).split()[1])


def play(folder: Path, port: int, name: str, answers: Answers) -> None:
    """Play one game against a host process, as a guest in this process."""
    with host(folder / "host", "--play", "uniform", "--edition", "2015", port=port) as waiting:
        invite = Invite.parse(waiting.until("invite")["invite"])
        waiting.until("waiting")

        async def visit() -> None:
            link = await connect(invite, timeout=DIAL_LIMIT)
            ready = await room.visit(link, draw_seat("Taro"), find, lambda _: None)
            chain = Chain.begin(ready.seat, ready.own.secrets, ready.psk, ready.roster)
            ledger = Ledger(folder / name / "journal", chain)
            terms = Terms("Taro", "matcha", None, open_book=False)
            player = introduce(ledger, terms, link, listen=answers.note)
            await player.run(link)

        before = memory(waiting)
        trio.run(visit)
        waiting.until("transcript")
        answers.grown.append(memory(waiting) - before)
        assert waiting.end() == 0


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return line.getsockname()[1]


class Strangers:
    """A flood in a process of its own. report: the figures, once the body has ended."""

    def __init__(self, port: int, recording: bytes, count: int, rate: float) -> None:
        words = (str(port), recording.hex(), str(count), str(rate))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.strangers", *words], stdout=subprocess.PIPE
        )
        self.report: dict[str, Any] = {}

    @property
    def coming(self) -> bool:
        """Whether there are still some to come."""
        return self.process.poll() is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *other: object) -> None:
        if kind is not None:
            self.process.kill()
        output, _ = self.process.communicate()
        if kind is None:
            self.report = json.loads(output)


def admit(folder: Path, port: int, count: int, rate: float) -> tuple[Answers, dict[str, Any]]:
    """Let guests come in among strangers; return the times each took, and the report.

    Each guest leaves once the host has answered, and its seat is empty again.
    """
    let_in = Answers()

    async def visit(invite: Invite) -> None:
        link = await connect(invite, timeout=DIAL_LIMIT)
        own = draw_seat("Taro")
        join = sign_join(own.listed, link.binding, own.secrets.session)
        await link.send(Frame(Kind.LOBBY, join))
        await link.receive()
        await link.aclose()

    table = "--game", "tichu", "--seats", "4", "--play", "club"
    with host(folder, *table, port=port) as waiting:
        invite = Invite.parse(waiting.until("invite")["invite"])
        before = memory(waiting)
        with Strangers(port, Initiator(invite.psk).write(), count, rate) as flood:
            waiting.until("waiting")
            for _ in range(GUESTS):
                time.sleep(0.2)
                begun = time.perf_counter()
                try:
                    trio.run(visit, invite)
                except (LinkError, HandshakeError) as error:
                    print("not let in:", error)
                else:
                    let_in.times.append(1000 * (time.perf_counter() - begun))
        let_in.grown.append(memory(waiting) - before)
    return let_in, flood.report


def measure(games: int, count: int, rate: float) -> None:
    """Measure and print."""
    quiet, loud = Answers(), Answers()
    port = free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(games):
            play(folder, port, f"quiet {number}", quiet)
        with Strangers(port, Initiator(Psk(bytes(32))).write(), count, rate) as flood:
            while flood.coming:
                play(folder, port, f"loud {len(loud.grown)}", loud)
        show_report("while games go on", flood.report)
        for word, answers in (("in quiet", quiet), ("among strangers", loud)):
            print(
                f"answer to a move {word}: {len(answers.times)} moves, "
                f"median {statistics.median(answers.times):.1f} ms, "
                f"p99 {answers.percentile(99):.1f} ms, the host's memory grew by at most "
                f"{max(answers.grown) / 1024:.1f} MiB"
            )
        print(f"ratio of the two p99: {loud.percentile(99) / quiet.percentile(99):.2f}")
        let_in, report = admit(folder / "waiting", port, count, rate)
        show_report("while a host waits", report)
        print(
            f"guests let in: {len(let_in.times)} of {GUESTS}, the slowest in "
            f"{max(let_in.times):.0f} ms; the host's memory grew by "
            f"{let_in.grown[0] / 1024:.1f} MiB"
        )


def show_report(when: str, report: dict[str, Any]) -> None:
    """Print what strangers did."""
    connections = sum(report["connections"].values())
    print(
        f"strangers {when}: {connections} connections at "
        f"{connections / report['seconds']:.0f} a second, {report['nobody_there']} came when "
        f"nobody listened, {report['left_open']} were not shown out; bytes they got: "
        f"{report['answered'] or 'none'}"
    )


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--connections", type=int, default=20_000)
    parser.add_argument("--rate", type=float, default=1000.0)
    wanted = parser.parse_args()
    measure(wanted.games, wanted.connections, wanted.rate)


if __name__ == "__main__":
    main()
