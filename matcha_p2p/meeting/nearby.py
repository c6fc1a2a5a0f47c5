"""Asks who waits on the own network, and answers whoever asks there (SPEC#beacon).

Nothing is sent while nobody asks.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, Self

import trio

from matcha_p2p.errors import EncodingError
from matcha_p2p.meeting.beacon import (
    Answer,
    Query,
    decode_answer,
    decode_query,
    encode_answer,
    encode_query,
)
from matcha_p2p.transport.local.interfaces import Interface, interfaces, is_near
from matcha_p2p.transport.multicast import PORT, Datagrams, Heard

ANSWERS_PER_SECOND: Final = 20
ANSWERS_TO_ONE: Final = 8
"""How many answers leave in a second, and how many of them to one address: one search sends up
to seven queries, three each in two ways and then one to each address."""

ASKED: Final = 3
ASK_EVERY: Final = 0.4
"""How often a query is sent to all, and how many seconds apart."""

SWEEP_AFTER: Final = 1.0
"""Seconds without an answer after which a query is sent to each neighbour alone."""

ASK_LIMIT: Final = 1.5
"""Seconds that a search takes at most."""

LATECOMERS: Final = 0.5
"""Seconds after the first answer in which others are waited for."""

MOST_FOUND: Final = 32
MOST_OF_ONE: Final = 4
"""How many answers count, and how many from one address."""

_LOOK_EVERY: Final = 15.0
"""Seconds between two looks at the addresses of this machine: it may change networks."""

Reply = Callable[[Query, IPv4Address | IPv6Address], Answer | None]
Networks = Callable[[], Sequence[Interface]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where neighbours are looked for.

    networks: returns the addresses of this machine whose networks count. hosts: to listen on;
    None for all. port: of queries and answers.
    """

    networks: Networks
    hosts: Sequence[str] | None = None
    port: int = PORT

    @classmethod
    def of(cls, hosts: Sequence[str] | None) -> Self:
        """Return those of this machine. hosts: addresses that keep it to itself; or None."""
        return cls(interfaces if hosts is None else _alone, hosts)


def _alone() -> tuple[Interface, ...]:
    """Return the addresses by which this machine reaches itself."""
    return tuple(each for each in interfaces() if each.address.is_loopback)


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody who waits at ``address``."""

    address: IPv4Address | IPv6Address
    answer: Answer


class Pacing:
    """Limits how many queries are read, and so answered, in each second."""

    def __init__(self) -> None:
        self._second = -1
        self._sent: Final = Counter[IPv4Address | IPv6Address]()

    def admits(self, address: IPv4Address | IPv6Address) -> bool:
        """Tell whether one more may leave now, to ``address``; if so, count it."""
        second = int(trio.current_time())
        if second != self._second:
            self._second = second
            self._sent.clear()
        if self._sent.total() >= ANSWERS_PER_SECOND or self._sent[address] >= ANSWERS_TO_ONE:
            return False
        self._sent[address] += 1
        return True


async def answer_queries(line: Datagrams, networks: Networks, reply: Reply) -> None:
    """Answer the queries of neighbours until this is cancelled.

    networks: returns the addresses of this machine. reply: is given a query and its source,
    and returns None for no answer.
    """
    pacing = Pacing()
    while True:
        own = networks()
        line.join(own)
        with trio.move_on_after(_LOOK_EVERY):
            while True:
                heard = await line.hear()
                if is_near(heard.sender, own):
                    await _answer(line, heard, reply, pacing)


async def _answer(line: Datagrams, heard: Heard, reply: Reply, pacing: Pacing) -> None:
    with suppress(EncodingError):
        query = decode_query(heard.datagram)
        answer = reply(query, heard.sender) if pacing.admits(heard.sender) else None
        if answer is not None:
            await line.answer(heard, encode_answer(answer))


async def ask(line: Datagrams, own: Sequence[Interface], query: Query) -> tuple[Found, ...]:
    """Ask the neighbours; return the answers of 1.5 s, or of half a second after the first.

    own: the addresses of this machine. query: its nonce has never been used.
    """
    search = _Search(query, own)
    with trio.move_on_after(ASK_LIMIT) as limit:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(search.send, line)
            while True:
                if search.take(await line.hear()) and len(search.found) == 1:
                    limit.deadline = min(limit.deadline, trio.current_time() + LATECOMERS)
    return tuple(search.found)


class _Search:
    """One query, and who has answered it."""

    def __init__(self, query: Query, own: Sequence[Interface]) -> None:
        self._query: Final = query
        self._own: Final = own
        self.found: Final[list[Found]] = []

    async def send(self, line: Datagrams) -> None:
        """Ask all a few times; if nobody answers, ask each neighbour alone."""
        datagram = encode_query(self._query)
        began = trio.current_time()
        for turn in range(ASKED):
            await trio.sleep_until(began + turn * ASK_EVERY)
            await line.call(datagram, self._own)
        await trio.sleep_until(began + SWEEP_AFTER)
        if not self.found:
            await line.sweep(datagram, self._own)

    def take(self, heard: Heard) -> bool:
        """Note what was heard; return whether it is an answer that is new and counts."""
        if not is_near(heard.sender, self._own):
            return False
        try:
            answer = decode_answer(heard.datagram)
        except EncodingError:
            return False
        found = Found(heard.sender, answer)
        of_one = sum(other.address == heard.sender for other in self.found)
        if (
            answer.nonce != self._query.nonce
            or found in self.found
            or of_one >= MOST_OF_ONE
            or len(self.found) >= MOST_FOUND
        ):
            return False
        self.found.append(found)
        return True
