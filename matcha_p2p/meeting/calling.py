"""Friends find each other again by a shared secret, without an invite (PEER#friends).

A query with tags is for friends only: strangers see fresh bytes each time, and no name. A call
is the first flight of a channel. The key of the channel follows from the secret. A call is
answered after the person's yes, and never twice.
"""

import hmac
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

import trio
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.meeting.beacon import TAG_SIZE, FriendAnswer, Query
from matcha_p2p.meeting.nearby import ANSWERS_PER_SECOND
from matcha_p2p.meeting.pairing import (
    EVENING,
    RING_LIMIT,
    Mutes,
    RingAnswer,
    unless_gone,
)
from matcha_p2p.transport import link as transport_link
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.listen import KNOCK_DEADLINE, Knocks, Slots, block_of
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.noise import HANDSHAKE_SIZE, Responder

HOUR: Final = 3600
"""Seconds of a tag's period; the tag is also valid in the period before and after."""

DAY: Final = 86400
"""Seconds after which two friends change their ports for dialling each other."""

_TAGS_PER_SECOND: Final = 2048
_LEAST_QUERIES: Final = 20
"""For how many secrets queries are examined in a second, and how many queries at least."""

REPEATED_FOR: Final = 3.0
"""Seconds for which a query is answered: a search sends the query several times."""

MUTED: Final = 600.0
"""Seconds in which a friend's calls do not ring after a no, or no answer."""

MUTED_SHORTLY: Final = 10.0
"""Seconds in which a friend's calls do not ring after the friend hung up unanswered. The time
doubles with each such call, up to MUTED, until a call is taken."""

SLOTS: Final = 16
SLOTS_OF_A_BLOCK: Final = 4


@dataclass(frozen=True, slots=True)
class Bond:
    """Keys and secrets of a friendship. ours, theirs: identity keys. secrets: newest first.

    table: whether the caller calls to a table of its own, and is the host.
    """

    name: str
    ours: bytes
    theirs: bytes
    secrets: tuple[bytes, ...] = field(repr=False)
    table: bool = False

    def call_psks(self) -> tuple[Psk, ...]:
        """Return the keys for calling the friend."""
        return tuple(_psk(secret, self.ours, table=self.table) for secret in self.secrets)

    def answer_psks(self) -> tuple[Psk, ...]:
        """Return the keys for calls from the friend."""
        return tuple(_psk(secret, self.theirs, table=self.table) for secret in self.secrets)


@dataclass(frozen=True, slots=True)
class PunchPorts:
    """The two ports for punching between friends. number: the number of their secret."""

    number: int
    ours: int
    theirs: int


def punch_ports(bond: Bond, now: float) -> tuple[PunchPorts, ...]:
    """Return the punch ports for the day of ``now``, for each secret; only friends know them.

    A port is 16384 to 32767, below the ports that systems assign automatically.
    """
    day = int(now) // DAY
    return tuple(
        PunchPorts(number, *(_punch_port(secret, key, day) for key in (bond.ours, bond.theirs)))
        for number, secret in enumerate(bond.secrets)
    )


def call_query(bond: Bond, nonce: bytes, source: Address, now: float) -> Query:
    """Return a query for the friend of ``bond``.

    nonce: new. source: the sending address. now: seconds since 1970.
    """
    hour = int(now) // HOUR
    return Query(nonce, tuple(_tag(secret, nonce, source, hour) for secret in bond.secrets))


class FriendQueries:
    """Answers friends who ask the network for us; a recorded query is not answered.

    knocks_of: returns the memory of a friend's earlier queries, as of IncomingCalls.
    """

    def __init__(self, bonds: Sequence[Bond], knocks_of: Callable[[Bond], Knocks]) -> None:
        self._bonds: Final = bonds
        self._heard: Final = {bond.theirs: knocks_of(bond) for bond in bonds}
        self._current: Final[dict[bytes, float]] = {}  # nonces of the last seconds, in order

    @property
    def most(self) -> int:
        """How many queries to read in a second: each is compared for every secret."""
        secrets = sum(len(bond.secrets) for bond in self._bonds)
        return min(ANSWERS_PER_SECOND, max(_LEAST_QUERIES, _TAGS_PER_SECOND // secrets))

    def reply(
        self, query: Query, source: Address, port: int, now: float
    ) -> FriendAnswer | None:
        """Return the answer to a friend's new query from ``source``, otherwise None."""
        asker = self._asker(query, source, now) if query.tags else None
        if asker is None or not self._is_current(asker[0], query.nonce):
            return None
        return FriendAnswer(query.nonce, port, _answer_tag(asker[1], query.nonce, port))

    def _asker(self, query: Query, source: Address, now: float) -> tuple[Bond, bytes] | None:
        """Return the friend who asks, and the secret of the query, or None."""
        hour = int(now) // HOUR
        for bond in self._bonds:
            for secret in bond.secrets:
                for each in (hour, hour - 1, hour + 1):
                    tag = _tag(secret, query.nonce, source, each)
                    if any(hmac.compare_digest(tag, asked) for asked in query.tags):
                        return bond, secret
        return None

    def _is_current(self, bond: Bond, nonce: bytes) -> bool:
        """Tell whether this run of the program has first heard the query just now."""
        now = trio.current_time()
        while self._current and next(iter(self._current.values())) < now - REPEATED_FOR:
            del self._current[next(iter(self._current))]
        if self._heard[bond.theirs].remember(nonce):
            self._current[nonce] = now
        return nonce in self._current


def is_from(bond: Bond, given: FriendAnswer) -> bool:
    """Tell whether the friend of ``bond`` sent the answer ``given``."""
    tags = (_answer_tag(secret, given.nonce, given.port) for secret in bond.secrets)
    return any(hmac.compare_digest(tag, given.tag) for tag in tags)


class IncomingCalls:
    """Hears the calls of friends; strangers get no byte and cost no public-key operation.

    ask: asks the person whether to take the call of a friend; cancelled when the friend hangs
    up. knocks_of: returns the memory of a friend's first messages, so that no message is
    answered twice. Each friend has a memory, so no friend can push out another friend's. mutes:
    the friends that are not heard for a while, None for none yet.
    """

    def __init__(
        self,
        bonds: Sequence[Bond],
        ask: Callable[[Bond], Awaitable[RingAnswer]],
        knocks_of: Callable[[Bond], Knocks],
        mutes: Mutes[bytes] | None = None,
    ) -> None:
        kinds = [replace(bond, table=table) for bond in bonds for table in (False, True)]
        self._keys: Final = [(bond, psk) for bond in kinds for psk in bond.answer_psks()]
        self._ask: Final = ask
        self._knocks: Final = {bond.theirs: knocks_of(bond) for bond in bonds}
        self._slots: Final = Slots(SLOTS, SLOTS_OF_A_BLOCK, KNOCK_DEADLINE)
        self._busy = False
        self._mutes: Final = Mutes[bytes]() if mutes is None else mutes

    async def receive(self, stream: trio.abc.Stream) -> "Call | None":
        """Return the call on ``stream``, or close ``stream`` and return None."""
        call = None
        try:
            flight = await self._hear(stream)
            found = None if flight is None else self._recognise(flight)
            if found is not None and self._hears(found[0]):
                self._busy = True
                try:
                    call = await self._take(stream, *found)
                finally:
                    self._busy = False
        except (OSError, LinkError, HandshakeError):
            pass  # a stranger, or a friend who has hung up
        finally:
            if call is None:
                await trio.aclose_forcefully(stream)
        return call

    def _hears(self, bond: Bond) -> bool:
        return not self._busy and self._mutes.hears(bond.theirs)

    async def _hear(self, stream: trio.abc.Stream) -> bytes | None:
        with self._slots.hold(block_of(transport_link.remote_of(stream))):
            return await transport_link.receive_exactly(stream, HANDSHAKE_SIZE)
        return None

    def _recognise(self, flight: bytes) -> tuple[Bond, Psk, Responder] | None:
        """Return the friend who has made ``flight``, or None for an unknown or old flight."""
        for bond, psk in self._keys:
            responder = Responder(psk)
            try:
                responder.read(flight)
            except HandshakeError:
                continue
            new = self._knocks[bond.theirs].remember(flight)
            return (bond, psk, responder) if new else None
        return None

    async def _take(
        self, stream: trio.abc.Stream, bond: Bond, psk: Psk, responder: Responder
    ) -> "Call | None":
        said, muted = RingAnswer.NO, MUTED
        try:
            with trio.move_on_after(RING_LIMIT):
                said = await unless_gone(stream, lambda: self._ask(bond))
        except LinkError:
            muted = MUTED_SHORTLY
        if said is not RingAnswer.YES:
            seconds = EVENING if said is RingAnswer.MUTE else muted
            self._mutes.mute(bond.theirs, seconds, longest=MUTED)
            return None
        self._mutes.pardon(bond.theirs)
        link = None
        with trio.move_on_after(KNOCK_DEADLINE):
            link = await transport_link.answer(stream, responder)
        return None if link is None else Call(bond, link, psk)


@dataclass(frozen=True, slots=True)
class Call:
    """A connection to a friend. psk: takes the place of an invite's."""

    bond: Bond
    link: transport_link.Link
    psk: Psk = field(repr=False)


async def ring(connect: Callable[[], Awaitable[trio.abc.Stream]], bond: Bond) -> Call:
    """Call the friend of ``bond``, by the newest secret, then by the secret before.

    connect: returns a new stream to a possible place of the friend.

    Raises:
        OSError: nobody answers at the place.
        LinkError: the answerer is not the friend, or the friend has not said yes.
    """
    for number in range(len(bond.secrets)):
        with suppress(LinkError):
            return await ring_once(await connect(), bond, number)
    raise _untaken()


async def ring_once(stream: trio.abc.Stream, bond: Bond, number: int) -> Call:
    """Call the friend of ``bond`` by secret ``number``. A failure closes ``stream``.

    Raises:
        LinkError: the answerer does not know the secret, or the call was not taken.
    """
    psk = bond.call_psks()[number]
    try:
        with trio.fail_after(RING_LIMIT):
            async with transport_link.closed_on_failure(stream):
                return Call(
                    bond,
                    await transport_link.confirm(
                        stream, await transport_link.knock(stream, psk)
                    ),
                    psk,
                )
    except (LinkError, HandshakeError, trio.TooSlowError):
        raise _untaken() from None


def _untaken() -> LinkError:
    return LinkError("Nobody there knows the secret, or the call was not answered.")


def _psk(secret: bytes, dialler: bytes, *, table: bool) -> Psk:
    info = (b"matcha/v1 table psk" if table else b"matcha/v1 call psk") + dialler
    return Psk(HKDF(SHA256(), 32, salt=None, info=info).derive(secret))


def _punch_port(secret: bytes, dialler: bytes, day: int) -> int:
    message = b"matcha/v1 punch" + day.to_bytes(8, "big") + dialler
    drawn = int.from_bytes(hmac.digest(secret, message, "sha256")[:2], "big")
    return 0x4000 | drawn & 0x3FFF


def _tag(secret: bytes, nonce: bytes, source: Address, hour: int) -> bytes:
    message = b"matcha/v1 call" + hour.to_bytes(8, "big") + nonce + source.packed
    return hmac.digest(secret, message, "sha256")[:TAG_SIZE]


def _answer_tag(secret: bytes, nonce: bytes, port: int) -> bytes:
    message = b"matcha/v1 here" + port.to_bytes(2, "big") + nonce
    return hmac.digest(secret, message, "sha256")[:TAG_SIZE]
