"""Lets in a guest without an invite: a yes, six digits said aloud, and CPace (PEER#pairing).

After the host's yes, the host's program shows the digits, and the guest types the digits. A
stranger who has not heard the digits gets a single guess. The messages between the two programs
do not help to find the digits. No public-key operation is done before the yes.

    guest  CALL ‖ length ‖ [1, nonce, name]
    host   YES ‖ nonce ‖ share              or NO, BUSY or FULL
    guest  share ‖ Noise flight 1           the key of the line is the key of CPace
"""

import enum
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from secrets import randbelow, token_bytes
from typing import Final, Generic, Protocol, TypeVar

import trio
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p.crypto.cpace import Exchange, Message
from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.errors import Check, EncodingError, HandshakeError, LinkError
from matcha_p2p.race import Win, race
from matcha_p2p.transport import link as transport_link
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.listen import Slots, block_of
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.text import check_name

T = TypeVar("T")
Caller = TypeVar("Caller", bound=Hashable)

DIGITS: Final = 6
CODE_LIFE: Final = 120.0
"""Seconds in which a code is valid."""

_ON_THE_WAY: Final = 5.0
"""The most seconds between the host's and the guest's beginning of CODE_LIFE."""

GUESSES: Final = 3
"""The number of wrong codes after which the table opens only to invites."""

MUTED: Final = 60.0
"""Seconds in which calls from an address are ignored after a no."""

MUTED_SHORTLY: Final = 10.0
"""Seconds in which calls from an address are ignored after a guest from there has left."""

LONGEST_MUTED: Final = 3600.0
"""After each vain ring an address is ignored for twice as long, up to an hour."""

EVENING: Final = 6 * 3600.0
"""Seconds in which a caller muted by the person does not ring."""

FREE_RINGS: Final = 3
FIRST_REST: Final = 5.0
LONGEST_REST: Final = 60.0
"""A limit against callers with many addresses: the third address that rings in vain, and each
further address, begins a rest in which nobody is heard. The rest doubles from 5 s to 60 s."""

RING_LIMIT: Final = 120.0
"""Seconds for the called person to say yes or no."""

CALL_LIMIT: Final = 5.0
"""Seconds from the connection to the whole call."""

ANSWER_LIMIT: Final = 300.0
"""Seconds for a guest to wait for the host's yes or no."""

PROOF_LIMIT: Final = 10.0
"""Seconds for a guest to wait for the message after the yes, and after the code."""

SLOTS: Final = 8
SLOTS_OF_A_BLOCK: Final = 4

_CALL: Final = b"matcha+\1"
_VERSION: Final = 1
_NONCE_SIZE: Final = 16
_SHARE_SIZE: Final = 32
_CALL_LIMIT: Final = 128
"""Bytes of the call's fields, at most."""


class _Reply(enum.IntEnum):
    """The host's first byte."""

    NO = 0
    YES = 1
    BUSY = 2
    FULL = 3


class RingAnswer(enum.Enum):
    """The person's answer to a ring."""

    YES = "yes"
    NO = "no"
    MUTE = "mute"  # and the caller does not ring again for the evening
    CLOSE = "close"  # and nobody rings again
    FULL = "full"  # every seat is taken: the person is not asked


class NotLetIn(enum.Enum):
    """The reason why a guest at the door has not come in."""

    LEFT = "left"
    UNHEARD = "unheard"  # the person has not answered
    LATE = "late"  # the code has expired
    WRONG = "wrong"  # the guest typed another code
    CLOSED = "closed"  # it was another code, for the last time


@dataclass(frozen=True, slots=True)
class PairingTable:
    """The table's data at guest and host. number: 4 random bytes. host: a name."""

    number: bytes
    host: str


@dataclass(frozen=True, slots=True)
class Paired:
    """A connection to a person who knows the code. psk: in place of an invite's psk."""

    link: transport_link.Link
    psk: Psk = field(repr=False)


class Mutes(Generic[Caller]):
    """Callers ignored for a while after a vain ring."""

    def __init__(self) -> None:
        self._until: Final[dict[Caller, float]] = {}
        self._times: Final = Counter[Caller]()

    def hears(self, caller: Caller) -> bool:
        """Tell whether ``caller`` may ring."""
        return trio.current_time() >= self._until.get(caller, -math.inf)

    def mute(self, caller: Caller, seconds: float, longest: float) -> bool:
        """Mute ``caller``, each time for twice as long; return whether this is the first time.

        seconds: the first and least time. longest: the limit of the doubling.
        """
        longer = min(seconds * 2 ** min(self._times[caller], 10), longest)
        self._until[caller] = trio.current_time() + max(seconds, longer)
        self._times[caller] += 1
        return self._times[caller] == 1

    def pardon(self, caller: Caller) -> None:
        """Forget how often ``caller`` has rung in vain."""
        del self._times[caller]


class Doorkeeper(Protocol):
    """The host's person, who answers rings and reads the code."""

    async def admits(self, guest: str, address: Address | None) -> RingAnswer:
        """Ask whether to let ``guest`` in. Cancelled when the guest leaves."""
        ...

    def tell_code(self, guest: str, code: str) -> None:
        """Show the six digits, for the person to say to ``guest``."""

    def part(self, guest: str, why: NotLetIn) -> None:
        """Say why ``guest`` has not come in."""


class PairingDoor:
    """The door of a table, open to guests without an invite.

    draw_code: returns six digits; given only by tests.
    """

    def __init__(
        self,
        table: PairingTable,
        keeper: Doorkeeper,
        draw_code: Callable[[], str] = lambda: f"{randbelow(10**DIGITS):0{DIGITS}}",
    ) -> None:
        self._table: Final = table
        self._keeper: Final = keeper
        self._draw_code: Final = draw_code
        self._slots: Final = Slots(SLOTS, SLOTS_OF_A_BLOCK, CALL_LIMIT)
        self._mutes: Final = Mutes[Address | None]()
        self._wrong = 0
        self._closed = False
        self._in_vain = 0
        self._rests_until = -math.inf
        self._busy = False

    @property
    def open(self) -> bool:
        """Whether guests are heard: until three wrong codes, or until the person closes."""
        return self._wrong < GUESSES and not self._closed

    async def receive(self, stream: trio.abc.Stream) -> Paired | None:
        """Let the guest on ``stream`` in, or close ``stream`` and return None."""
        paired = None
        try:
            call = await self._hear_call(stream)
            if call is not None and self._hears(transport_link.remote_of(stream)):
                paired = await self._take_turn(stream, *call)
        except (OSError, LinkError, EncodingError):
            pass  # a stranger, or a guest who has left
        finally:
            if paired is None:
                await trio.aclose_forcefully(stream)
        return paired

    async def _hear_call(self, stream: trio.abc.Stream) -> tuple[bytes, str] | None:
        """Return the nonce and the name in a call, or None if the call takes too long."""
        with self._slots.hold(block_of(transport_link.remote_of(stream))):
            return decode_call(await _receive_call(stream))
        return None

    def _hears(self, address: Address | None) -> bool:
        return self.open and self._mutes.hears(address)

    async def _take_turn(
        self, stream: trio.abc.Stream, nonce: bytes, guest: str
    ) -> Paired | None:
        """Let ``guest`` in. If another guest is at the door, or the door rests, say BUSY."""
        if self._busy or trio.current_time() < self._rests_until:
            await transport_link.send_all(stream, bytes([_Reply.BUSY]))
            return None
        self._busy = True
        address = transport_link.remote_of(stream)
        try:
            said = await self._ask(stream, guest, address)
            if said is RingAnswer.FULL:
                await transport_link.send_all(stream, bytes([_Reply.FULL]))
                return None
            if said is not RingAnswer.YES:
                self._rest(address, EVENING if said is RingAnswer.MUTE else MUTED)
                self._closed = said is RingAnswer.CLOSE
                await transport_link.send_all(stream, bytes([_Reply.NO]))
                return None
            self._in_vain = 0
            self._mutes.pardon(address)
            return await self._exchange(stream, nonce, guest)
        except LinkError:
            self._rest(address, MUTED_SHORTLY)
            self._keeper.part(guest, NotLetIn.LEFT)
            return None
        finally:
            self._busy = False

    async def _ask(
        self, stream: trio.abc.Stream, guest: str, address: Address | None
    ) -> RingAnswer:
        """Return the person's answer; if no answer comes in two minutes, return NO."""
        with trio.move_on_after(RING_LIMIT):
            return await unless_gone(stream, lambda: self._keeper.admits(guest, address))
        self._keeper.part(guest, NotLetIn.UNHEARD)
        return RingAnswer.NO

    def _rest(self, address: Address | None, seconds: float) -> None:
        """Mute ``address`` for ``seconds``. If many addresses ring in vain, hear nobody."""
        if self._mutes.mute(address, seconds, LONGEST_MUTED):
            self._in_vain += 1
            if self._in_vain >= FREE_RINGS:
                rest = FIRST_REST * 2 ** min(self._in_vain - FREE_RINGS, 10)
                self._rests_until = trio.current_time() + min(rest, LONGEST_REST)

    async def _exchange(
        self, stream: trio.abc.Stream, nonce: bytes, guest: str
    ) -> Paired | None:
        """Draw a code, and take the guest's single guess."""
        code, own = self._draw_code(), token_bytes(_NONCE_SIZE)
        exchange = _begin(self._table, guest, nonce + own, code)
        await transport_link.send_all(stream, bytes([_Reply.YES]) + own + exchange.message.Y)
        self._keeper.tell_code(guest, code)
        share = None
        with trio.move_on_after(CODE_LIFE):
            share = await transport_link.receive_exactly(stream, _SHARE_SIZE)
        if share is None:
            self._keeper.part(guest, NotLetIn.LATE)
            return None
        try:
            with trio.fail_after(CALL_LIMIT):
                psk = _psk(exchange.key_as_initiator(Message(share)))
                responder, _ = await transport_link.hear_knock(stream, psk)
                return Paired(await transport_link.answer(stream, responder), psk)
        except (HandshakeError, EncodingError, trio.TooSlowError):
            self._wrong += 1
            self._keeper.part(guest, NotLetIn.WRONG if self.open else NotLetIn.CLOSED)
            return None


async def enter(
    stream: trio.abc.Stream,
    table: PairingTable,
    name: str,
    ask_code: Callable[[], Awaitable[str]],
) -> Paired:
    """Knock at ``table`` as ``name``, and come in by the host's code.

    ask_code: returns the six digits typed by the person; cancelled when the host hangs up.

    Raises:
        LinkError: the host has said no, is busy with another guest, has no empty seat, or has
            hung up.
        HandshakeError: the code was wrong, or the answerer is not the host.
    """
    try:
        async with transport_link.closed_on_failure(stream):
            return await _enter(stream, table, name, ask_code)
    except EncodingError:
        raise HandshakeError(
            'The answer came from another program than matcha. Ask "{host}" for the invite.',
            code="pair-strange",
            host=table.host,
        ) from None
    except LinkError as error:
        raise _hung_up(error, table) from None


async def _enter(
    stream: trio.abc.Stream,
    table: PairingTable,
    name: str,
    ask_code: Callable[[], Awaitable[str]],
) -> Paired:
    nonce = token_bytes(_NONCE_SIZE)
    await transport_link.send_all(stream, encode_call(nonce, name))
    reply = _Reply.NO
    with trio.move_on_after(ANSWER_LIMIT):
        reply = _decode_reply(await transport_link.receive_exactly(stream, 1))
    if reply is not _Reply.YES:
        raise _turned_away(reply, table)
    theirs = None
    with trio.move_on_after(PROOF_LIMIT):
        theirs = await transport_link.receive_exactly(stream, _NONCE_SIZE + _SHARE_SIZE)
    if theirs is None:
        raise _gone(table)
    code = await _typed_in_time(stream, ask_code, table)
    exchange = _begin(table, name, nonce + theirs[:_NONCE_SIZE], code)
    psk = _psk(exchange.key_as_responder(Message(theirs[_NONCE_SIZE:])))
    await transport_link.send_all(stream, exchange.message.Y)
    return Paired(await _prove(stream, psk, table), psk)


async def _typed_in_time(
    stream: trio.abc.Stream, ask_code: Callable[[], Awaitable[str]], table: PairingTable
) -> str:
    """Return the code typed by the person while the host waits."""
    late = trio.current_time() + CODE_LIFE - _ON_THE_WAY
    try:
        return await unless_gone(stream, ask_code)
    except LinkError:
        if trio.current_time() < late:
            raise
        raise LinkError(
            'The code has expired after two minutes. Knock again: "{host}" has to say yes '
            "again, and gets another code.",
            code="pair-late",
            host=table.host,
        ) from None


async def _prove(stream: trio.abc.Stream, psk: Psk, table: PairingTable) -> transport_link.Link:
    try:
        with trio.fail_after(PROOF_LIMIT):
            return await transport_link.confirm(stream, await transport_link.knock(stream, psk))
    except (LinkError, HandshakeError, trio.TooSlowError):
        raise HandshakeError(
            'The code was wrong. Knock again: "{host}" has to say yes again, and gets '
            "another code.",
            code="pair-code",
            host=table.host,
        ) from None


def _turned_away(reply: _Reply, table: PairingTable) -> LinkError:
    if reply is _Reply.BUSY:
        return LinkError(
            'Another guest is at the door of "{host}". Try again in a minute.',
            code="pair-busy",
            host=table.host,
        )
    if reply is _Reply.FULL:
        return LinkError(
            'Every seat at the table of "{host}" is taken.', code="table-full", host=table.host
        )
    return LinkError(
        '"{host}" did not let you in. Ask "{host}", or knock again.',
        code="pair-no",
        host=table.host,
    )


def _hung_up(error: LinkError, table: PairingTable) -> LinkError:
    """Return ``error``, or the error for a connection that ended without a reply."""
    return _gone(table) if error.code is None else error


def _gone(table: PairingTable) -> LinkError:
    return LinkError(
        '"{host}" has hung up. Wait a minute and knock again, or ask for the invite.',
        code="pair-gone",
        host=table.host,
    )


def _begin(table: PairingTable, guest: str, sid: bytes, code: str) -> Exchange:
    about = pack(["matcha/v1 pairing", table.number, table.host, guest])
    return Exchange.begin(code.encode(), about, sid, 1 + randbelow(ORDER - 1))


def _psk(key: bytes) -> Psk:
    return Psk(HKDF(SHA256(), 32, salt=None, info=b"matcha/v1 pairing psk").derive(key))


def encode_call(nonce: bytes, name: str) -> bytes:
    """Return a guest's first message. nonce: 16 random bytes. name: the guest's."""
    fields = pack([_VERSION, nonce, name])
    return _CALL + bytes([len(fields)]) + fields


async def _receive_call(stream: trio.abc.Stream) -> bytes:
    """Return the fields of a call; stop at the first bytes if they do not begin a call."""
    if await transport_link.receive_exactly(stream, len(_CALL)) != _CALL:
        raise EncodingError(Check.ENCODING, "this is no call")
    (size,) = await transport_link.receive_exactly(stream, 1)
    if size > _CALL_LIMIT:
        raise EncodingError(Check.LIMIT, "a call is too long")
    return await transport_link.receive_exactly(stream, size)


def decode_call(fields: bytes) -> tuple[bytes, str]:
    """Return the nonce and the name in the fields of a call.

    Raises:
        EncodingError: ``fields`` are no call, or the name is malformed.
    """
    match unpack(fields):
        case [1, bytes(nonce), str(name)] if len(nonce) == _NONCE_SIZE:
            check_name(name)
            return nonce, name
        case _:
            raise EncodingError(Check.ENCODING, "a call has a nonce and a name")


def _decode_reply(byte: bytes) -> _Reply:
    try:
        return _Reply(byte[0])
    except ValueError:
        raise EncodingError(Check.ENCODING, "no reply is of this kind") from None


async def unless_gone(stream: trio.abc.Stream, ask: Callable[[], Awaitable[T]]) -> T:
    """Return the answer of a person.

    Raises:
        LinkError: the other end hangs up, or speaks out of turn, before the answer.
    """

    async def wait_for_person(win: Win[T | LinkError]) -> None:
        await win(await ask())

    async def wait_for_end(win: Win[T | LinkError]) -> None:
        try:
            await transport_link.receive_exactly(stream, 1)
            await win(LinkError("The other program sent a message out of turn."))
        except LinkError as error:
            await win(error)

    first = await race(wait_for_person, wait_for_end)
    if isinstance(first, LinkError):
        raise first
    return first
