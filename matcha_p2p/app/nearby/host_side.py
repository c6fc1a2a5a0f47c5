"""Lets guests from the local network in without an invite, while a host waits."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from secrets import token_bytes
from typing import Final, TypeAlias

import trio

from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.console.menu.asker import Asker, InputClosedError
from matcha_p2p.console.menu.menu import Chosen, Large, Menu, MenuAnswer
from matcha_p2p.errors import LinkError
from matcha_p2p.games import USUAL, game_of
from matcha_p2p.language import Sentence
from matcha_p2p.meeting.beacon import TABLE_SIZE, BeaconAnswer, Query, TableAnswer
from matcha_p2p.meeting.nearby import Surroundings, answer_queries
from matcha_p2p.meeting.pairing import (
    EVENING,
    NotLetIn,
    PairingDoor,
    PairingTable,
    RingAnswer,
)
from matcha_p2p.narration.names import is_misleading
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.link import Link, notice_silence, remote_of
from matcha_p2p.transport.listen import PORTS_TRIED, open_sockets, receive_all
from matcha_p2p.transport.local.interfaces import is_near
from matcha_p2p.transport.multicast import Sockets
from matcha_p2p.transport.names import Psk

WelcomeGuest: TypeAlias = Callable[[Link, Psk], Awaitable[None]]

HERE: Final = Sentence(
    "A friend on your network needs no invite: they choose Join a table and pick {name}."
)
HERE_ALONE: Final = Sentence(
    "A friend on this machine needs no invite: they choose Join a table and pick {name}."
)
NEAR: Final = Sentence("On this network")
NEAR_ALONE: Final = Sentence("On this machine")
DOOR: Final = Sentence("At the door")
_AT_THE_DOOR: Final = Sentence('"{guest}" ({address}) is at the door. Let them in?')
_LET_IN: Final = Sentence("Let them in: you tell them a code")
_KEEP_OUT: Final = Sentence("Do not let them in")
_MUTE: Final = Sentence("Mute {address} for {hours} hours: hide knocks from there")
_CLOSE: Final = Sentence("Stop all knocking: only the invite lets guests in at this table")
_ANSWERS: Final[dict[MenuAnswer, RingAnswer]] = {
    Chosen(0): RingAnswer.YES,
    Chosen(2): RingAnswer.MUTE,
    Chosen(3): RingAnswer.CLOSE,
}
_SAY: Final = Sentence('Tell "{guest}" this code: {code}')
_PARTED: Final = {
    NotLetIn.LEFT: Sentence('"{guest}" has left the door.'),
    NotLetIn.UNHEARD: Sentence('"{guest}" knocked and got no answer.'),
    NotLetIn.LATE: Sentence('The code for "{guest}" has expired. "{guest}" may knock again.'),
    NotLetIn.WRONG: Sentence('"{guest}" typed a wrong code. "{guest}" may knock again.'),
    NotLetIn.CLOSED: Sentence(
        '"{guest}" typed the third wrong code. At this table only the invite lets guests in '
        "now."
    ),
}


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that waits for neighbours.

    free: returns the number of empty seats. welcome: takes each guest with the right code.
    """

    setup: SeatSetup
    free: Callable[[], int]
    welcome: WelcomeGuest


@dataclass(frozen=True, slots=True)
class PersonAtTheDoor:
    """Asks the host's person. free: returns the number of empty seats."""

    asker: Asker
    free: Callable[[], int]

    async def admits(self, guest: str, address: Address | None) -> RingAnswer:
        """Ask whether to let ``guest`` in.

        If the name is misleading, or the input has ended, the answer is no.
        """
        if not self.free():
            return RingAnswer.FULL
        if is_misleading(guest):
            return RingAnswer.NO
        mute = _MUTE(address=address, hours=round(EVENING / 3600))
        entries = _LET_IN(), _KEEP_OUT(), mute, _CLOSE()
        asked = _AT_THE_DOOR(guest=guest, address=address)
        try:
            answer = await self.asker.ask(Menu(asked, (), entries, rings=True))
        except InputClosedError:
            return RingAnswer.NO
        return _ANSWERS.get(answer, RingAnswer.NO)

    def tell_code(self, guest: str, code: str) -> None:
        """Show the code in two groups, easier to say."""
        digits = Large(f"{code[:3]} {code[3:]}")
        self.asker.tell(DOOR(), (_SAY(guest=guest, code=digits), digits))

    def part(self, guest: str, why: NotLetIn) -> None:
        """Say why ``guest`` has not come in."""
        self.asker.tell(DOOR(), (_PARTED[why](guest=guest),))


async def let_neighbours_in(
    table: OpenTable, asker: Asker, after: int, around: Surroundings
) -> None:
    """Announce ``table`` on the network while a seat is empty, and let neighbours in.

    asker: asks the host's person. after: the door uses the next free port. Go on until
    cancelled; without a socket, do nothing.
    """
    terms = table.setup.terms
    number = token_bytes(TABLE_SIZE)
    door = PairingDoor(PairingTable(number, terms.name), PersonAtTheDoor(asker, table.free))
    with ExitStack() as stack:
        try:
            line = stack.enter_context(Sockets(around.port))
            ports = range(after + 1, after + 1 + PORTS_TRIED)
            listeners = await open_sockets(ports, around.hosts)
        except (OSError, LinkError):
            return
        for listener in listeners:
            stack.callback(listener.socket.close)
        port: int = listeners[0].socket.getsockname()[1]
        edition = (terms.variant or "") if terms.game == USUAL else ""

        def reply(query: Query, _: Address) -> BeaconAnswer | None:
            free = table.free()
            if query.tags or not door.open or not free:
                return None
            game = game_of(terms.game).number
            return TableAnswer(
                query.nonce, port, number, edition, terms.name, game, terms.seats, free
            )

        heading, here = (NEAR, HERE) if around.hosts is None else (NEAR_ALONE, HERE_ALONE)
        asker.tell(heading(), (here(name=terms.name),))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(line.run)
            nursery.start_soon(answer_queries, line, around.networks, reply)
            nursery.start_soon(
                receive_all, listeners, partial(_receive, door, around, table.welcome)
            )


async def _receive(
    door: PairingDoor, around: Surroundings, welcome: WelcomeGuest, stream: trio.SocketStream
) -> None:
    """Receive a guest from the local networks."""
    address = remote_of(stream)
    if address is None or not is_near(address, around.networks()):
        await trio.aclose_forcefully(stream)
        return
    paired = await door.receive(stream)
    if paired is not None:
        notice_silence(stream)
        await welcome(paired.link, paired.psk)
