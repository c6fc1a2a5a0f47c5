"""Answer codes that the host's person pastes: then both programs dial each other at once."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import trio

from matcha_p2p.app.command.output import Output
from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.codes.reply import Reply
from matcha_p2p.transport.endpoints import Endpoint, at_port
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.local.interfaces import addresses_of_machine
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import MOST_TARGETS, PUNCH_LIMIT, punch_as_host

_TRYING: Final = Sentence(
    "The answer code leads to {places}. Trying for {minutes} minutes; leave this open."
)
_FAILED: Final = Sentence(
    "Both programs tried for {minutes} minutes. At least one router changes ports or blocks "
    "the connection. Use a VPN together, or forward a port at either end."
)
_MINUTES: Final = round(PUNCH_LIMIT / 60)


class AnswerCodes:
    """Dials the guest at the addresses of the latest answer code.

    invite: returns the guest's invite, as it is now. tell: tells the person.
    """

    def __init__(
        self, invite: Callable[[], Invite], out: Output, tell: Callable[[Sequence[str]], None]
    ) -> None:
        self._invite: Final = invite
        self._out: Final = out
        self._tell: Final = tell
        self._codes, self._taken = trio.open_memory_channel[tuple[Endpoint, ...]](8)

    def take(self, text: str) -> None:
        """Take a pasted code, and tell the code's addresses, or the fault."""
        try:
            invite = self._invite()
            reply = Reply.parse(text, invite.secret)
            own = (*invite.endpoints, *at_port(addresses_of_machine(), 1))
            targets = reply.targets(own)[:MOST_TARGETS]
            self._codes.send_nowait(targets)
        except InviteError as error:
            self._out.fact("answer", places=[], code=error.code)
            self._tell((sentence_of(error),))
        except trio.WouldBlock:
            pass  # nobody pastes nine codes in a moment
        else:
            self._out.fact("answer", places=[*map(str, targets)], code=None)
            places = ", ".join(str(target.address) for target in targets)
            self._tell((_TRYING(places=places, minutes=_MINUTES),))

    async def run(self, welcome: Callable[[Link, Psk], Awaitable[None]]) -> None:
        """Dial the guests of the codes, and pass each to ``welcome``; until cancelled."""
        port = self._invite().punch_port
        if port is None:
            return
        current = trio.CancelScope()
        async with trio.open_nursery() as nursery:
            async for targets in self._taken:
                current.cancel()
                current = trio.CancelScope()
                nursery.start_soon(self._try, port, targets, current, welcome)

    async def _try(
        self,
        port: int,
        targets: tuple[Endpoint, ...],
        scope: trio.CancelScope,
        welcome: Callable[[Link, Psk], Awaitable[None]],
    ) -> None:
        link = None
        with scope, trio.move_on_after(PUNCH_LIMIT) as limit:
            link = await punch_as_host(port, targets, self._invite().psk)
        if link is not None:
            await welcome(link, self._invite().psk)
        elif limit.cancelled_caught:
            self._tell((_FAILED(minutes=_MINUTES),))
