"""Runs ``matcha`` in other processes, and reads the facts that they print."""

import json
import subprocess
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from matcha_p2p.app.own_program import own_program
from matcha_p2p.games.front import Printed


@dataclass(frozen=True, slots=True)
class Peer:
    """A running ``matcha`` with --json. complaints: where its stderr goes."""

    process: trio.Process
    complaints: Path

    async def facts(self) -> AsyncGenerator[Printed]:
        """Yield the facts that it prints until it ends."""
        stdout = self.process.stdout
        if stdout is None:
            raise RuntimeError("a peer is started with a pipe for its facts")
        rest = b""
        async for chunk in stdout:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line)

    async def ended(self) -> int:
        """Wait until it ends; return its exit code as a shell would give it."""
        code = await self.process.wait()
        return 128 - code if code < 0 else code

    def last_words(self) -> str:
        """Return the last line that it wrote to stderr, or ""."""
        text = self.complaints.read_text(encoding="utf-8", errors="replace").strip()
        return text.rpartition("\n")[2]


async def start_peer(
    nursery: trio.Nursery, home: Path, words: Sequence[str], stdin: str = ""
) -> Peer:
    """Run ``matcha`` with ``words`` and --json, its files under ``home``.

    It ends with ``nursery``; Ctrl-C at the terminal does not reach it.
    """
    await trio.Path(home).mkdir(parents=True, exist_ok=True)
    complaints = home / "stderr.txt"
    command = own_program(*words, "--json", "--home", str(home))
    with complaints.open("wb") as stderr:
        run = partial(
            trio.run_process,
            command,
            stdin=stdin.encode(),
            stdout=subprocess.PIPE,
            stderr=stderr,
            check=False,
            start_new_session=True,
        )
        process = await nursery.start(run)
    return Peer(process, complaints)
