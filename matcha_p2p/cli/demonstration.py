"""Two bots in two processes play a whole game, and a third process judges it."""

import tempfile
from pathlib import Path
from typing import Final

import trio

from matcha_p2p.cli.outcomes import CommandError
from matcha_p2p.cli.output import Output
from matcha_p2p.cli.peers import Fact, Peer, start_peer
from matcha_p2p.cli.sides import LEGEND, Sides

NAMES: Final = ("Mina", "Taro")
_BOT: Final = "greedy"


class Demonstration:
    """The demo. folder: for a home of each player. seed: of the bots; None for any."""

    def __init__(self, out: Output, folder: Path, seed: int | None) -> None:
        self._out: Final = out
        self._folder: Final = folder
        self._seed: Final = seed
        self._sides: Final = Sides(NAMES, out.say)
        self._transcripts: Final[list[str]] = []

    async def run(self, edition: str) -> None:
        """Play, then verify.

        Raises:
            CommandError: a process has failed, with its exit code.
        """
        door = ["host", "--edition", edition, "--address", "127.0.0.1", "--port", "0"]
        async with trio.open_nursery() as nursery:
            host = await self._start(nursery, 0, door)
            invited, invite = trio.open_memory_channel[str](1)
            nursery.start_soon(self._follow, 0, host, invited)
            async for text in invite:
                guest = await self._start(nursery, 1, ["join", "-"], text)
                self._out.say(
                    f"{NAMES[0]} hosts (process {host.process.pid}), {NAMES[1]} joins (process "
                    f"{guest.process.pid}), over 127.0.0.1. Nobody else takes part."
                )
                self._out.say(LEGEND)
                nursery.start_soon(self._follow, 1, guest, invited)
                break
        await self._verify()

    async def _start(
        self, nursery: trio.Nursery, seat: int, words: list[str], stdin: str = ""
    ) -> Peer:
        words = [*words, "--play", _BOT, "--name", NAMES[seat]]
        if self._seed is not None:
            words += ["--seed", str(self._seed)]
        home = self._folder / ("host", "guest")[seat]
        return await start_peer(nursery, home, words, stdin)

    async def _follow(
        self, seat: int, peer: Peer, invited: trio.MemorySendChannel[str]
    ) -> None:
        async for fact in peer.facts():
            self._take(seat, fact)
            if fact["event"] == "invite":
                await invited.send(fact["invite"])
        await _must_succeed(NAMES[seat], peer)

    def _take(self, seat: int, fact: Fact) -> None:
        self._out.fact("peer", seat=seat, said=fact)
        self._sides.take(seat, fact)
        match fact:
            case {"event": "transcript", "path": str(path)}:
                self._transcripts.append(path)
                self._out.fact("transcript", path=path)
            case {"event": "result", **fields} if seat == 0:
                del fields["v"]
                self._out.fact("result", **fields)
            case _:
                pass

    async def _verify(self) -> None:
        async with trio.open_nursery() as nursery:
            judge = await start_peer(
                nursery, self._folder / "judge", ["verify", *self._transcripts]
            )
            async for fact in judge.facts():
                fields = {name: fact[name] for name in fact if name not in ("v", "event")}
                self._out.fact(fact["event"], **fields)
                if fact["event"] == "verdict":
                    self._out.say(
                        f"A third process verifies {fact['file']}: {fact['verdict']}, "
                        f"{'valid' if fact['valid'] else 'NOT VALID'}."
                    )
            await _must_succeed("The judge", judge)


async def _must_succeed(who: str, peer: Peer) -> None:
    code = await peer.ended()
    if code:
        raise CommandError(code, f"{who} failed with exit code {code}: {peer.last_words()}")


def run(out: Output, edition: str, seed: int | None, folder: Path | None) -> int:
    """Show a whole game; return the exit code. folder: for the files; None for a new one."""
    kept = folder or Path(tempfile.mkdtemp(prefix="matcha-demo-"))
    trio.run(Demonstration(out, kept, seed).run, edition)
    out.say(f"Both transcripts are kept under {kept}; delete them as you like.")
    return 0
