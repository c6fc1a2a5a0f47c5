"""A person against a bot, which is a peer like any other, in a process of its own."""

import tempfile
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

import trio

from matcha_p2p.cli.game import Sitting
from matcha_p2p.cli.hosting import open_door, wait_and_play
from matcha_p2p.cli.outcomes import CommandError
from matcha_p2p.cli.peers import Peer, start_peer

HERE: Final = IPv4Address("127.0.0.1")


async def practise(sitting: Sitting, bot: str, seed: int | None, folder: Path) -> int:
    """Play against ``bot``, whose files go to ``folder``; return the exit code."""
    door = await open_door([HERE], 0)
    words = ["join", "-", "--play", bot, "--name", bot]
    if seed is not None:
        words += ["--seed", str(seed)]
    async with trio.open_nursery() as nursery:
        peer = await start_peer(nursery, folder, words, stdin=door.invite.encode())
        nursery.start_soon(_drain, peer)
        code = await wait_and_play(door, sitting)
        with trio.move_on_after(1):
            await peer.ended()
        nursery.cancel_scope.cancel()
    return code


async def _drain(peer: Peer) -> None:
    """Read what the bot's program tells, lest it wait for us; say so if it fails."""
    met = False
    async for fact in peer.facts():
        met = met or fact["event"] == "met"
    code = await peer.ended()
    if not met:
        raise CommandError(code, f"The bot did not come to the table: {peer.last_words()}")


def run(sitting: Sitting, bot: str, seed: int | None) -> int:
    """Play one practice game; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="matcha-practice-") as folder:
        return trio.run(practise, sitting, bot, seed, Path(folder))
