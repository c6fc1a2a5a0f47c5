"""Bots play a whole game, each in a process of its own, and another process judges the game."""

import json
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from matcha_p2p import games, programs
from matcha_p2p.app.bots.bot_names import is_known
from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.own_program import own_program
from matcha_p2p.games.front import Printed
from matcha_p2p.games.game import RESIGNED
from matcha_p2p.language import Sentence

NAMES: Final = ("Mina", "Taro", "Yuki", "Ren")
_BOT: Final = "greedy"

_PLAYERS: Final = Sentence(
    "{host} hosts (process {pid}) and {guest} joins (process {other_pid}), over 127.0.0.1. "
    "Everything stays on this machine."
)
_TABLE: Final = Sentence(
    "{host} hosts and {guests} join, over 127.0.0.1: {count} processes with a bot in each. "
    "Everything stays on this machine."
)
_WON: Final = Sentence("The game is over. Won by: {names}.")
_VALID: Final = Sentence("Another process verifies {file}: {verdict}, valid.")
_NOT_VALID: Final = Sentence("Another process verifies {file}: {verdict}, NOT VALID.")
_JUDGE: Final = Sentence("The judge")
_DIFFERENT: Final = "The players have not stored equal transcripts."
_KEPT: Final = Sentence("All transcripts are in {folder}. You can delete them.")


@dataclass(frozen=True, slots=True)
class Peer:
    """A running ``matcha`` with --json. complaints: where its stderr goes."""

    process: trio.Process
    complaints: Path

    async def facts(self) -> AsyncGenerator[Printed]:
        """Yield the printed facts until the process ends."""
        stdout = self.process.stdout
        if stdout is None:
            raise RuntimeError("a peer is started with a pipe for its facts")
        rest = b""
        async for chunk in stdout:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line)

    async def ended(self) -> int:
        """Wait for the end of the process; return the exit code as in a shell."""
        code = await self.process.wait()
        return 128 - code if code < 0 else code

    def last_words(self) -> str:
        """Return the last line of stderr, or ""."""
        text = self.complaints.read_text(encoding="utf-8", errors="replace").strip()
        return text.rpartition("\n")[2]


async def start_peer(
    nursery: trio.Nursery, home: Path, words: Sequence[str], stdin: str = ""
) -> Peer:
    """Run ``matcha`` with ``words`` and --json, with files under ``home``.

    The process ends with ``nursery``; Ctrl-C at the terminal does not reach the process.
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
            **programs.apart(),
        )
        process = await nursery.start(run)
    return Peer(process, complaints)


class Demonstration:
    """The demo.

    folder: holds each player's home. seed: the bots' seed, or None for a random seed. table:
    the name of the game, and the number of seats.
    """

    def __init__(
        self,
        out: Output,
        folder: Path,
        seed: int | None,
        table: tuple[str, int] = (games.USUAL, 2),
    ) -> None:
        self._out: Final = out
        self._folder: Final = folder
        self._seed: Final = seed
        self._game, seats = table
        self._names: Final = NAMES[:seats]
        played = games.game_of(self._game)
        both, self._landmarks = played.sides, played.landmarks
        self._legend: Final = () if both is None else both.legend
        self._sides: Final = None if both is None else both.sides(NAMES[:2], out.say)
        self._transcripts: Final[list[str]] = []
        self._warnings: Final = [""] * seats
        self._resigned = False

    async def run(self, edition: str) -> None:
        """Play, then verify.

        Raises:
            CommandError: a process has failed, with the exit code, or a bot has failed.
        """
        door = ["host", "--game", self._game, "--players", str(len(self._names))]
        door += ["--edition", edition, "--address", "127.0.0.1", "--port", "0"]
        async with trio.open_nursery() as nursery:
            host = await self._start(nursery, 0, door)
            invited, invite = trio.open_memory_channel[str](1)
            nursery.start_soon(self._follow, 0, host, invited)
            async for text in invite:
                guests = [
                    await self._start(nursery, seat, ["join", "-"], text)
                    for seat in range(1, len(self._names))
                ]
                self._tell_players(host, guests)
                for sentence in self._legend:
                    self._out.say(sentence())
                for seat, guest in enumerate(guests, start=1):
                    nursery.start_soon(self._follow, seat, guest, invited)
                break
        if self._resigned:  # a working bot of ours never resigns
            seat = next((at for at, said in enumerate(self._warnings) if said), 0)
            raise CommandError(
                Exit.BUG,
                "The bot of {name} failed. {why}",
                name=NAMES[seat],
                why=self._warnings[seat],
            )
        await self._verify()
        files = [await trio.Path(path).read_bytes() for path in self._transcripts]
        if len(files) != len(self._names) or len(set(files)) != 1:
            raise CommandError(Exit.INVALID, _DIFFERENT)

    def _tell_players(self, host: Peer, guests: Sequence[Peer]) -> None:
        match guests:
            case [guest]:
                pids = {"pid": host.process.pid, "other_pid": guest.process.pid}
                self._out.say(_PLAYERS(host=NAMES[0], guest=NAMES[1], **pids))
            case _:
                others = ", ".join(self._names[1:])
                self._out.say(_TABLE(host=NAMES[0], guests=others, count=len(self._names)))

    async def _start(
        self, nursery: trio.Nursery, seat: int, words: list[str], stdin: str = ""
    ) -> Peer:
        bot = _BOT if is_known(self._game, _BOT) else games.usual_table(self._game).bot
        words = [*words, "--play", bot, "--name", NAMES[seat], "--at-once"]
        if self._seed is not None:
            words += ["--seed", str(self._seed)]
        home = self._folder / ("host", "guest", "guest-2", "guest-3")[seat]
        return await start_peer(nursery, home, words, stdin)

    async def _follow(
        self, seat: int, peer: Peer, invited: trio.MemorySendChannel[str]
    ) -> None:
        async for fact in peer.facts():
            self._take(seat, fact)
            if fact["event"] == "invite":
                await invited.send(fact["invite"])
        await _must_succeed(NAMES[seat], peer)

    def _take(self, seat: int, fact: Printed) -> None:
        self._out.fact("peer", seat=seat, said=fact)
        if self._sides is not None:
            self._sides.take(seat, fact)
        match fact:
            case {"event": "transcript", "path": str(path)}:
                self._transcripts.append(path)
                self._out.fact("transcript", path=path)
            case {"event": "warning", "message": str(sentence)}:
                self._warnings[seat] = sentence
            case {"event": "game-ended" as ended, **fields} if seat == 0:
                del fields["v"]
                self._out.fact(ended, **fields)
                self._resigned = fields["how"] == RESIGNED
                if self._sides is None:
                    self._out.say(_WON(names=self._named(fields["winners"])))
            case {"event": event, **fields} if seat == 0 and event in self._landmarks:
                told = {name: self._told(field) for name, field in fields.items()}
                self._out.say(self._landmarks[event](**told))
            case _:
                pass

    def _told(self, field: int | list[int]) -> int | str:
        """Return a field of a landmark; of a list, each number after its seat or its team."""
        if not isinstance(field, list):
            return field
        teams = [self._names[at :: len(field)] for at in range(len(field))]
        return "; ".join(
            f"{', '.join(team)} {number}" for team, number in zip(teams, field, strict=True)
        )

    def _named(self, seats: Sequence[int]) -> str:
        return ", ".join(self._names[seat] for seat in seats)

    async def _verify(self) -> None:
        async with trio.open_nursery() as nursery:
            judge = await start_peer(
                nursery, self._folder / "judge", ["verify", *self._transcripts]
            )
            async for fact in judge.facts():
                fields = {name: fact[name] for name in fact if name not in ("v", "event")}
                self._out.fact(fact["event"], **fields)
                if fact["event"] == "verdict":
                    judged = _VALID if fact["valid"] else _NOT_VALID
                    self._out.say(judged(file=Path(fact["file"]), verdict=fact["verdict"]))
            await _must_succeed(_JUDGE(), judge)


async def _must_succeed(who: str, peer: Peer) -> None:
    code = await peer.ended()
    if code:
        raise CommandError(
            code,
            "{who} failed with exit code {number}: {why}",
            who=who,
            number=code,
            why=peer.last_words(),
        )


def run(
    out: Output, edition: str, seed: int | None, folder: Path | None, table: tuple[str, int]
) -> int:
    """Show a whole game; return the exit code.

    folder: for the files, or None for a new folder. table: the game, and the number of seats.
    """
    kept = folder or Path(tempfile.mkdtemp(prefix="matcha-demo-"))
    trio.run(Demonstration(out, kept, seed, table).run, edition)
    out.say(_KEPT(folder=kept))
    return 0
