"""Full screen: the scene in the application's thread, and its seat at the table."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import OneStyleAndTextTuple, StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from matcha_p2p.console import captions
from matcha_p2p.console.bridge import Console, leave, redraw, running
from matcha_p2p.console.cells import Fragment, key_of
from matcha_p2p.console.keys import NAMED_KEYS, paste, press
from matcha_p2p.console.layout import draw, settled
from matcha_p2p.console.scene import Gone, Scene, hear
from matcha_p2p.console.skins import STYLES, Look
from matcha_p2p.news import Choice, Leave, News
from matcha_p2p.rules.moves import Seat

_ESCAPE_AFTER: Final = 0.05
"""Seconds after which a lone escape byte is the key, and not the beginning of another one."""

_DEPTHS: Final = {None: None, True: ColorDepth.DEPTH_8_BIT, False: ColorDepth.DEPTH_1_BIT}


class Screen:
    """The scene and what shows it. Made anywhere, then touched by the UI thread alone.

    emit: takes what the person chooses.
    """

    def __init__(
        self,
        seat: Seat,
        look: Look,
        emit: Callable[[Choice], None],
        input: Input | None = None,  # noqa: A002 -- prompt_toolkit's word
        output: Output | None = None,
    ) -> None:
        self.scene = Scene(seat)
        self._skin: Final = look.skin
        self._emit: Final = emit
        self.application: Final = self._build(look, input, output)

    def _build(
        self, look: Look, input_: Input | None, output: Output | None
    ) -> Application[None]:
        window = Window(FormattedTextControl(self._fragments, show_cursor=False))
        application = Application[None](
            Layout(window),
            style=Style.from_dict(dict(STYLES)),
            key_bindings=self._bindings(),
            color_depth=_DEPTHS[look.colours],
            full_screen=True,
            mouse_support=True,
            enable_page_navigation_bindings=False,
            input=input_,
            output=output,
        )
        application.ttimeoutlen = _ESCAPE_AFTER
        return application

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key in NAMED_KEYS:
            bindings.add(key, eager=True)(self._pressing(key))
        bindings.add(Keys.Any)(self._type)
        bindings.add(Keys.BracketedPaste)(self._paste)
        bindings.add("c-l")(self._redraw)
        return bindings

    def _redraw(self, _: KeyPressEvent) -> None:
        redraw(self.application)

    def _pressing(self, key: str) -> Callable[[KeyPressEvent], None]:
        return lambda _: self._press(key)

    def _type(self, event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            self._press(event.data)

    def _paste(self, event: KeyPressEvent) -> None:
        self._show(paste(self.scene, event.data))

    def _press(self, key: str) -> None:
        scene, choice = press(self.scene, key)
        if choice is not None:
            self._emit(choice)
        self._show(scene)

    def hear(self, news: News) -> None:
        """Show what ``news`` tell."""
        self._show(hear(self.scene, news))

    def news_over(self) -> None:
        """Close, unless there is an end of the game to look at."""
        if self.scene.end is None:
            self._show(replace(self.scene, focus=Gone()))

    def _show(self, scene: Scene) -> None:
        before, size = self.scene, self.application.output.get_size()
        self.scene = settled(scene, size.columns, size.rows)
        if self.scene.focus == Gone():
            leave(self.application)
        if self.scene.asked != before.asked or self.scene.name != before.name:
            self._call_attention()
        self.application.invalidate()

    def _call_attention(self) -> None:
        """Ring if a move is due, and say so in the title of the terminal."""
        output = self.application.output
        if self.scene.asked:
            output.bell()
            output.set_title(captions.WINDOW_DUE)
        else:
            output.set_title(captions.WINDOW.format(name=self.scene.name))
        output.flush()

    def _fragments(self) -> StyleAndTextTuples:
        size = self.application.output.get_size()
        fragments: StyleAndTextTuples = []
        for line in draw(self.scene, size.columns, size.rows, self._skin):
            fragments += map(self._clickable, line)
            fragments.append(("", "\n"))
        return fragments[:-1]

    def _clickable(self, fragment: Fragment) -> OneStyleAndTextTuple:
        style, text = fragment
        key = key_of(style)
        return (style, text) if key is None else (style, text, partial(self._click, key))

    def _click(self, key: str, event: MouseEvent) -> None:
        if event.event_type is MouseEventType.MOUSE_UP:
            self._press(key)


class FullScreen:
    """A person at a terminal with a screen of its own."""

    def __init__(
        self,
        look: Look,
        input: Input | None = None,  # noqa: A002 -- prompt_toolkit's word
        output: Output | None = None,
    ) -> None:
        self._look: Final = look
        self._input: Final = input
        self._output: Final = output

    async def play(
        self,
        seat: Seat,
        news: trio.MemoryReceiveChannel[News],
        choices: trio.MemorySendChannel[Choice],
    ) -> None:
        """Show ``news`` from the first on, and send what the person chooses meanwhile.

        The end of a game stays on the screen until it is closed; a screen that is closed or
        lost before leaves the game.
        """
        try:
            first = await news.receive()
        except trio.EndOfChannel:
            return  # nobody has come, and nothing is to be seen
        console = Console[Choice]()
        screen = Screen(seat, self._look, console.emit, self._input, self._output)
        async with running(console, screen.application), trio.open_nursery() as nursery:
            console.call(screen.hear, first)
            nursery.start_soon(_follow, news, console, screen)
            async for choice in console.emitted:
                await choices.send(choice)
            nursery.cancel_scope.cancel()
        if screen.scene.end is None:
            await choices.send(Leave())
        async for _ in news:
            pass  # the session is still at its last words


async def _follow(
    news: trio.MemoryReceiveChannel[News], console: Console[Choice], screen: Screen
) -> None:
    async for piece in news:
        console.call(screen.hear, piece)
    console.call(screen.news_over)
