"""Two whole sessions over real loopback TCP in one process, with journals in a folder."""

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import trio

from matcha_p2p.bots import BOTS
from matcha_p2p.machine.events import HandsDealt, Met, RoundResolved
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.line import Line
from matcha_p2p.session.news import (
    Choice,
    Ending,
    Front,
    MoveDue,
    News,
    Terms,
    Told,
    gathered,
)
from matcha_p2p.session.session import Session
from matcha_p2p.transport.link import Link, initiate, respond
from tests.duel import secrets_of

Listener = Callable[[News], None]


async def seat(
    link: Link, number: int, folder: Path, seed: str, terms: Terms, listen: Listener
) -> tuple[Ending, Chain]:
    """Play one seat with a bot; every piece of news goes to ``listen`` first."""
    rng = random.Random(f"{seed} {number}")
    chain = Chain.create(
        folder / str(number) / "journal",
        number,
        secrets_of(seed, number),
        link.binding,
        bytes(32),
    )
    links, found = trio.open_memory_channel[Link](1)
    await links.send(link)
    await links.aclose()
    news, heard = trio.open_memory_channel[News](0)
    decide, choices = trio.open_memory_channel[Choice](8)

    async def play() -> None:
        async for piece in heard:
            listen(piece)
            if isinstance(piece, MoveDue):
                await decide.send(BOTS["uniform"].choose(piece.observation, rng))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        line = Line(found)
        async with gathered(line, choices) as inbox:
            ending = await Session(line, chain, terms, Front(news, inbox)).run()
        nursery.cancel_scope.cancel()
    chain.close()
    return ending, chain


async def meet(psk: bytes) -> tuple[Link, Link]:
    """Return both ends of a link over loopback TCP, the answering end first."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    ends: list[Link] = []

    async def answer() -> None:
        ends.append(await respond(await listener.accept(), psk))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        port = listener.socket.getsockname()[1]
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        dialled = await initiate(stream, psk)
    await listener.aclose()
    return ends[0], dialled


async def opening_times(games: int) -> list[float]:
    """Return the seconds from each set's beginning until the dealer sees its hand."""
    times: list[float] = []
    for number in range(games):
        begun = [0.0]

        def listen(piece: News, begun: list[float] = begun) -> None:
            match piece:
                case Told(Met()) | Told(RoundResolved()):
                    begun[0] = time.perf_counter()
                case Told(HandsDealt()):
                    times.append(time.perf_counter() - begun[0])
                case _:
                    pass

        terms = Terms("Mina", EDITIONS["2020"], open_book=False)
        links = await meet(bytes(32))
        with tempfile.TemporaryDirectory() as folder:
            async with trio.open_nursery() as nursery:
                for place, link in enumerate(links):
                    told = listen if place == 0 else (lambda _: None)
                    nursery.start_soon(
                        seat, link, place, Path(folder), f"bench {number}", terms, told
                    )
    return times
