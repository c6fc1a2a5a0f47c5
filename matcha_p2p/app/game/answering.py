"""What a host's person types while waiting: answers at the door, and answer codes of guests."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import trio

from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.invite import Invite
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import MOST_TARGETS, PUNCH_LIMIT, punch_as_host
from matcha_p2p.transport.reply import Reply

_TRYING: Final = Sentence(
    "The answer leads to {places}. Trying for {minutes} minutes; leave this open."
)
_FAILED: Final = Sentence(
    "Both of you have tried for {minutes} minutes. At least one router changes ports, or "
    "blocks this. A VPN that you both have, or a forwarded port at either end, will do."
)


class Lines(Protocol):
    """Where typed lines come from."""

    async def read(self) -> str | None:
        """Wait for a line; None when there are no more."""
        ...


class TypedLines:
    """Gives each line of ``keyboard`` to who has asked for one, and others to ``take``."""

    def __init__(self, keyboard: Keyboard, take: Callable[[str], None]) -> None:
        self._keyboard: Final = keyboard
        self._take: Final = take
        self._asking: list[trio.MemorySendChannel[str | None]] = []
        self._ended = False

    async def read(self) -> str | None:
        """Wait for the next line; None when there are no more."""
        if self._ended:
            return None
        asking, lines = trio.open_memory_channel[str | None](1)
        self._asking.append(asking)
        try:
            return await lines.receive()
        finally:
            if asking in self._asking:
                self._asking.remove(asking)

    async def run(self) -> None:
        """Read until there are no more lines."""
        while (line := await self._keyboard.read()) is not None:
            if self._asking:
                self._asking.pop().send_nowait(line)
            elif line.strip():
                self._take(line)
        self._ended = True
        for asking in self._asking:
            asking.send_nowait(None)
        self._asking.clear()


class Punching:
    """Dials the guest of ``invite`` when an answer code says where; the latest one counts."""

    def __init__(
        self,
        invite: Invite,
        out: Output,
        welcome: Callable[[Link, Psk], Awaitable[None]],
    ) -> None:
        self._invite: Final = invite
        self._out: Final = out
        self._welcome: Final = welcome
        self._codes, self._arrived = trio.open_memory_channel[tuple[Endpoint, ...]](8)

    def take(self, line: str) -> None:
        """Take a line that may hold an answer code."""
        if self._invite.punch_port is None:
            return
        try:
            targets = Reply.parse(line, self._invite.secret).targets(self._invite.endpoints)[
                :MOST_TARGETS
            ]
            self._codes.send_nowait(targets)
        except InviteError as error:
            self._out.fact("answer", places=[], code=error.code)
            self._out.write(f"{sentence_of(error)}\n")
        except trio.WouldBlock:
            pass  # nobody pastes so many in a moment
        else:
            self._out.fact("answer", places=[*map(str, targets)], code=None)
            places = ", ".join(str(target.address) for target in targets)
            self._out.write(f"{_TRYING(places=places, minutes=round(PUNCH_LIMIT / 60))}\n")

    async def run(self) -> None:
        """Dial whom the codes name, until cancelled."""
        current = trio.CancelScope()
        async with trio.open_nursery() as nursery:
            async for targets in self._arrived:
                current.cancel()
                current = trio.CancelScope()
                nursery.start_soon(self._try, targets, current)

    async def _try(self, targets: tuple[Endpoint, ...], scope: trio.CancelScope) -> None:
        port, link = self._invite.punch_port or 0, None
        with scope, trio.move_on_after(PUNCH_LIMIT) as limit:
            link = await punch_as_host(port, targets, self._invite.psk)
        if link is not None:
            await self._welcome(link, self._invite.psk)
        elif limit.cancelled_caught:
            self._out.write(f"{_FAILED(minutes=round(PUNCH_LIMIT / 60))}\n")
