"""Line mode: append-only, one fact a line, for screen readers, dumb terminals and scripts."""

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

import trio

from matcha_p2p.console.lines.conversation import AnyDialogue, Task
from matcha_p2p.console.terminal.keyboard import BELL, PROMPT, Keyboard
from matcha_p2p.console.terminal.looks import Bell
from matcha_p2p.narration.news import Choose, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as session_news
from matcha_p2p.session.news import Leave

_FIRST_SAID: Final = 30
"""Seconds of thinking until line mode tells the time, then after twice as many, and so on."""


class LineMode:
    """A person at a terminal, or a script at a pipe.

    write: shows text at once, line ends included. converse: begins the dialogue of a seat.
    bell: the news for which the bell rings.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        keyboard: Keyboard,
        converse: Callable[[Seat], AnyDialogue],
        bell: Bell = Bell.NONE,
    ) -> None:
        self._write: Final = write
        self._keyboard: Final = keyboard
        self._converse: Final = converse
        self._bell: Final = bell
        self._at_prompt = False

    async def play(
        self,
        seat: Seat,
        news: AsyncIterator[News],
        choose: Choose,
    ) -> None:
        """Show ``news`` until the news end, and send the person's choices meanwhile."""
        conversation = self._converse(seat)
        async with trio.open_nursery() as nursery:
            replies = _Replies(choose)
            typing = False
            pondered, clock = None, trio.CancelScope()
            async for piece in news:
                self._show(conversation.hear(piece), asking=conversation.waiting)
                if _calls(piece, self._bell):
                    self._write(BELL)
                replies.follow(conversation)
                if conversation.pondered is not pondered:
                    pondered = conversation.pondered
                    clock.cancel()
                    clock = trio.CancelScope()
                    if pondered is not None:
                        nursery.start_soon(self._tell_thinking, conversation, clock)
                if not typing:  # before the game begins there is no choice to make
                    nursery.start_soon(self._type, conversation, replies, choose, nursery)
                    typing = True
            nursery.cancel_scope.cancel()
        self._leave_prompt()

    async def _tell_thinking(self, conversation: AnyDialogue, clock: trio.CancelScope) -> None:
        """Say now and then for how long the other player thinks, until ``clock`` is stopped."""
        with clock:
            said, began = _FIRST_SAID, trio.current_time()
            while True:
                await trio.sleep_until(began + said)
                self._show([conversation.tell_thinking(said)], asking=conversation.waiting)
                said *= 2

    async def _type(
        self,
        conversation: AnyDialogue,
        replies: "_Replies",
        choose: Choose,
        nursery: trio.Nursery,
    ) -> None:
        while True:
            line = await self._keyboard.read()
            if line is None:
                choose(Leave())
                return
            if self._keyboard.echoes:
                self._at_prompt = False
            answer = conversation.read(line)
            self._show(answer.lines, asking=conversation.waiting)
            if answer.task is not None:
                nursery.start_soon(self._perform, answer.task, conversation)
            replies.follow(conversation)
            if answer.choice is not None:
                choose(answer.choice)

    async def _perform(self, task: Task, conversation: AnyDialogue) -> None:
        def show(lines: Iterable[str]) -> None:
            self._show(lines, asking=conversation.waiting)

        await conversation.perform(task, show)

    def _show(self, lines: Iterable[str], *, asking: bool) -> None:
        """Show ``lines`` below the earlier lines, and a prompt if an answer is awaited."""
        text = "".join(f"{line}\n" for line in lines)
        if text:
            self._leave_prompt()
        if asking and not self._at_prompt:
            text += PROMPT
            self._at_prompt = True
        if text:
            self._write(text)

    def _leave_prompt(self) -> None:
        if self._at_prompt:
            self._write("\n")
            self._at_prompt = False


def _calls(piece: News, bell: Bell) -> bool:
    """Tell whether the bell rings for ``piece``."""
    match piece:
        case session_news.MoveDue():
            return bell is not Bell.NONE
        case session_news.TalkHeard() | session_news.PhraseHeard() | session_news.Offered():
            return bell is Bell.ALL
        case _:
            return False


class _Replies:
    """Makes the choices of the program itself, each once."""

    def __init__(self, choose: Choose) -> None:
        self._choose: Final = choose
        self._reply: Wish | None = None

    def follow(self, conversation: AnyDialogue) -> None:
        """Send the reply of ``conversation``, if it is another one."""
        if conversation.reply is not self._reply:
            self._reply = conversation.reply
            if self._reply is not None:
                self._choose(self._reply)
