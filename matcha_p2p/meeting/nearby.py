"""Searches the own network for waiting players, and answers searches (PEER#beacon).

Without a search no datagram is sent.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Final, Self

import trio

from matcha_p2p.errors import EncodingError
from matcha_p2p.meeting import beacon
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.local.interfaces import Interface, interfaces, is_near
from matcha_p2p.transport.multicast import PORT, Datagrams, Heard, Sockets

ANSWERS_PER_SECOND: Final = 256
ANSWERS_TO_ONE: Final = 8
"""The most answers a second for each of IPv4 and IPv6, and the most answers to one address. A
search sends up to seven queries: three each in two ways, then one to each address."""

ASKED: Final = 3
ASK_EVERY: Final = 0.4
"""How often a query is sent to all, and how many seconds apart."""

SWEEP_AFTER: Final = 1.0
"""Seconds without an answer before a query is sent to each neighbour separately."""

ASK_LIMIT: Final = 1.5
"""The most seconds of a search."""

LATECOMERS: Final = 0.5
"""Seconds to wait for further answers after the first answer."""

MOST_FOUND: Final = 32
MOST_OF_ONE: Final = 2
"""The most answers that count, and the most from one address: the newest."""

_MOST_ADDRESSES: Final = 512
"""How many addresses of a family are told apart: more than most networks have by IPv4."""

_LOOK_EVERY: Final = 15.0
"""Seconds between two looks at the addresses of this machine: it may change networks."""

AnswerQuery = Callable[[beacon.Query, Address], beacon.BeaconAnswer | None]
Networks = Callable[[], Sequence[Interface]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The networks searched for neighbours.

    networks: returns the addresses of this machine on these networks. hosts: the addresses to
    listen on; None for all. port: the port of queries and answers.
    """

    networks: Networks
    hosts: Sequence[str] | None = None
    port: int = PORT

    @classmethod
    def of(cls, hosts: Sequence[str] | None) -> Self:
        """Return this machine's surroundings; with ``hosts``, only the machine itself."""
        return cls(interfaces if hosts is None else _alone, hosts)

    async def search(
        self, query: beacon.Query, own: Sequence[Interface], source: Interface | None = None
    ) -> "tuple[Found, ...]":
        """Return the answers to ``query``, as ``ask``; without a socket, return ().

        source: the interface whose address sends the query; None for any.
        """
        try:
            line = Sockets(0, self.port, source)
        except OSError:
            return ()
        with line:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(line.run)
                found = await ask(line, own, query)
                nursery.cancel_scope.cancel()
        return found


def _alone() -> tuple[Interface, ...]:
    """Return this machine's loopback addresses."""
    return tuple(each for each in interfaces() if each.address.is_loopback)


@dataclass(frozen=True, slots=True)
class Found:
    """A player who waits at ``address``."""

    address: Address
    answer: beacon.BeaconAnswer


class Pacing:
    """Limits the number of queries read, and so answered, in a second.

    If many addresses ask, all addresses have equal shares: a frequent asker cannot hide us from
    the rest.
    """

    def __init__(self, most: int = ANSWERS_PER_SECOND) -> None:
        """Begin; most: in a second, of each family."""
        self._most: Final = most
        self._second = -1
        self._sent: Final = {4: Counter[Address](), 6: Counter[Address]()}

    def admits(self, address: Address) -> bool:
        """Tell whether a further answer may go to ``address`` now, and count the answer."""
        second = int(trio.current_time())
        if second != self._second:
            self._second = second
            for each in self._sent.values():
                each.clear()
        sent = self._sent[address.version]
        asking = len(sent) + (address not in sent)
        share = max(1, min(ANSWERS_TO_ONE, self._most // asking))
        if sent.total() >= self._most or sent[address] >= share:
            return False
        sent[address] += 1
        return True


async def answer_queries(
    line: Datagrams, networks: Networks, reply: AnswerQuery, most: int = ANSWERS_PER_SECOND
) -> None:
    """Answer the queries of neighbours until cancelled.

    networks: returns the addresses of this machine. reply: takes a query and the source, and
    returns an answer or None. most: queries read in a second, of each family.
    """
    pacing = Pacing(most)
    while True:
        own = networks()
        line.join(own)
        with trio.move_on_after(_LOOK_EVERY):
            while True:
                heard = await line.hear()
                if is_near(heard.sender, own):
                    await _answer(line, heard, reply, pacing)


async def _answer(line: Datagrams, heard: Heard, reply: AnswerQuery, pacing: Pacing) -> None:
    with suppress(EncodingError):
        query = beacon.decode_query(heard.datagram)
        answer = reply(query, heard.sender) if pacing.admits(heard.sender) else None
        if answer is not None:
            await line.answer(heard, beacon.encode_answer(answer))


async def ask(
    line: Datagrams, own: Sequence[Interface], query: beacon.Query
) -> tuple[Found, ...]:
    """Ask the neighbours; return the answers of 1.5 s, or of half a second after the first.

    own: the addresses of this machine. query: with a fresh nonce.
    """
    search = _Search(query, own)
    with trio.move_on_after(ASK_LIMIT) as limit:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(search.send, line)
            while True:
                answered = search.answered
                search.take(await line.hear())
                if search.answered and not answered:
                    limit.deadline = min(limit.deadline, trio.current_time() + LATECOMERS)
    return search.found()


class _Search:
    """A query, and the answers so far."""

    def __init__(self, query: beacon.Query, own: Sequence[Interface]) -> None:
        self._query: Final = query
        self._own: Final = own
        self._of: Final[dict[int, dict[Address, list[Found]]]] = {4: {}, 6: {}}

    @property
    def answered(self) -> bool:
        """Whether an answer has come."""
        return any(self._of.values())

    def found(self) -> tuple[Found, ...]:
        """Return the found players: first one of each address, then a second of each address.

        If too many addresses have answered, chance chooses: early answers cannot hide the rest.
        """
        addresses = [found for family in self._of.values() for found in family.values()]
        random.shuffle(addresses)
        turns = zip_longest(*(reversed(found) for found in addresses))
        in_turn = (each for turn in turns for each in turn if each is not None)
        return tuple(islice(in_turn, MOST_FOUND))

    async def send(self, line: Datagrams) -> None:
        """Ask all neighbours a few times. If nobody answers, ask each neighbour separately."""
        datagram = beacon.encode_query(self._query)
        began = trio.current_time()
        for turn in range(ASKED):
            await trio.sleep_until(began + turn * ASK_EVERY)
            await line.call(datagram, self._own)
        await trio.sleep_until(began + SWEEP_AFTER)
        if not self.answered:
            await line.sweep(datagram, self._own)

    def take(self, heard: Heard) -> None:
        """Take a datagram: keep an answer to the query, drop unrelated datagrams."""
        if not is_near(heard.sender, self._own):
            return
        try:
            found = Found(heard.sender, beacon.decode_answer(heard.datagram))
        except EncodingError:
            return
        family = self._of[heard.sender.version]
        of_one = family.get(heard.sender, [])
        if found.answer.nonce != self._query.nonce or found in of_one:
            return
        if not of_one and len(family) >= _MOST_ADDRESSES:
            del family[random.choice(tuple(family))]  # noqa: S311 -- which is lost is no secret
        family[heard.sender] = [*of_one, found][-MOST_OF_ONE:]
