"""How a program plays at a table of three or four seats: the session's own code, and dialling.

The app dials as in a star. Here the seats dial along any graph, so this module dials for them.
"""

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, cast

import trio

from matcha_p2p import games
from matcha_p2p.app.game.play import FinishedGames, Games, open_unfinished
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.seats import Seat
from matcha_p2p.session import series
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import Inbox
from matcha_p2p.session.reconnect import DIAL_LIMIT, Neighbour, Place
from matcha_p2p.session.session import begin as begin_game
from matcha_p2p.session.session import take_up
from matcha_p2p.session.state import Transition
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Binding
from tests.duel import roster_of, secrets_of
from tests.simulator.wire import End

if TYPE_CHECKING:
    from tests.simulator.machine import Program
    from tests.simulator.world import World

PORT = 4720
"""The first of the ports at which a seat awaits its neighbours, by their seats."""

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 8.0
"""Seconds between two calls."""


async def begin(
    world: "World", program: "Program", links: Mapping[int, End], sitting: SeatSetup
) -> int:
    """Play from the greetings on. links: to each neighbour."""
    plan, seat = world.plan, program.seat
    variant = games.seated(plan.game).variants[0]
    game = games.find(plan.game, variant, len(plan.seats))
    assert game is not None
    names = [machine.name for machine in world.machines]
    roster = roster_of(plan.seed, game, names)
    secrets = secrets_of(plan.seed, seat)
    chain = Chain.begin(seat, secrets, Binding(roster.id), world.psk, roster)
    ups = [LineUp(Binding(end.binding), None, Seat(peer)) for peer, end in links.items()]
    ledger = Ledger(sitting.home.new_journal(), chain, sitting.home.marks)
    begun = await trio.to_thread.run_sync(begin_game, chain, sitting.terms, *ups)
    first = {Seat(peer): cast("Link", end) for peer, end in links.items()}
    return await _play(world, ledger, begun, first, sitting)


async def resume(world: "World", sitting: SeatSetup, *, older: bool) -> int:
    """Go on with the game on the disk."""

    def open_it() -> Ledger:
        return open_unfinished(sitting.home, None, older=older)

    ledger = await trio.to_thread.run_sync(open_it)
    neighbours = [Seat(seat) for seat in world.plan.neighbours(ledger.chain.seat)]
    begun = take_up(ledger.chain, sitting.terms, ledger.talk.spoken, neighbours)
    return await _play(world, ledger, begun, dict.fromkeys(neighbours), sitting)


async def _play(
    world: "World",
    ledger: Ledger,
    begun: Transition,
    first: Mapping[Seat, Link | None],
    sitting: SeatSetup,
) -> int:
    finished = FinishedGames(sitting)
    played = DiallingSeries(world, ledger, sitting, finished)
    try:
        return await finished.run(played, Games(played, begun, first, None))
    finally:
        played.ledger.close()


class DiallingSeries(series.Series):
    """A game whose seats listen for their neighbours and dial them."""

    def __init__(
        self, world: "World", ledger: Ledger, sitting: SeatSetup, finished: FinishedGames
    ) -> None:
        super().__init__(ledger, sitting.terms, Place((), None), finished.store)
        self._world = world

    async def _reconnect(self, found: Mapping[Seat, Neighbour], inbox: Inbox) -> None:
        del inbox
        async with trio.open_nursery() as nursery:
            for peer, line in found.items():
                if self._world.plan.direct or not line.beside:
                    nursery.start_soon(self._keep, peer, line)

    async def _keep(self, peer: Seat, line: Neighbour) -> None:
        """Listen for ``peer``, and dial ``peer`` whenever the line needs another link."""
        seat = self.ledger.chain.seat
        door = self._world.listen(PORT + peer)

        async def welcome(end: End) -> None:
            await line.links.send(cast("Link", end))

        with closing(door):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(door.serve_each, {_key(peer, seat): welcome})
                pause = FIRST_PAUSE
                while True:
                    await line.connection.trouble()
                    await trio.sleep(pause * (0.5 + self._world.rng.random()))
                    pause = min(2 * pause, LONGEST_PAUSE)
                    if not line.connection.troubled:
                        pause = FIRST_PAUSE
                        continue
                    machine = self._world.machines[peer]
                    there = Endpoint(machine.address, PORT + seat)
                    try:
                        link = await self._world.dial([there], _key(seat, peer), DIAL_LIMIT)
                    except (LinkError, HandshakeError):
                        continue
                    await line.links.send(cast("Link", link))
                    await trio.sleep(0.1)  # to take the link up


def _key(dialler: int, other: int) -> bytes:
    return H("test link", bytes([dialler, other]))
