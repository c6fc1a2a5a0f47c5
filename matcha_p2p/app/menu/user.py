"""The person at the menu: settings, output, and how questions are asked."""

import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from matcha_p2p.app.command.front_end import DisplayOptions, asker_for, look_for
from matcha_p2p.app.command.output import Output
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.errors import HomeError, MatchaError
from matcha_p2p.games import USUAL, usual_table
from matcha_p2p.language import speak
from matcha_p2p.store.home import Home
from matcha_p2p.store.settings import Settings, login_name, read_settings, write_settings
from matcha_p2p.transport.servers import Named

if TYPE_CHECKING:
    from matcha_p2p.app.game.run_game import SeatSetup
    from matcha_p2p.app.game.seat import TableOptions
    from matcha_p2p.app.menu.choices import ChosenTable
    from matcha_p2p.games.front import Advise


AT_PRACTISE: Final = 4
"""The entry of the first menu where the cursor stands after the tutorial."""

AT_UNFINISHED: Final = 5
"""The entry of the first menu where the cursor stands when there is a game to go on with."""

_DISPLAYED: Final = ("icons", "color", "theme", "speed", "bell", "hold", "passes")

MenuAction: TypeAlias = Callable[[], int]
"""A chosen command; returns the exit code."""


class RememberingOutput(Output):
    """Output that remembers the last sentence and the last stored game for the menu."""

    def __init__(self) -> None:
        super().__init__(facts=False, before_menu=True)
        self.forget()

    def forget(self) -> None:
        """Remember no sentence and no game."""
        self.last = ""
        self.saved: Path | None = None

    def fact(self, event: str, **fields: object) -> None:
        """Remember the file of a stored game."""
        if event == "transcript":
            self.saved = Path(str(fields["path"]))

    def say(self, sentence: str) -> None:
        """Say something to a person."""
        self.last = sentence
        super().say(sentence)

    def fail(self, sentence: str, exit_code: int, code: str | None) -> None:
        """Say why an action has ended with ``exit_code``."""
        self.last = sentence
        super().fail(sentence, exit_code, code)


class MenuUser:
    """The person at the menu.

    given: options of the command line, which override the settings.
    """

    def __init__(self, home: Home, given: DisplayOptions, keyboard: Keyboard) -> None:
        self.out: Final = RememberingOutput()
        self.home: Final = home
        self.new: Final = not os.path.lexists(home.config)
        self._given: Final = given
        self.keyboard: Final = keyboard
        self.at = 0  # the entry of the first menu where the cursor stands
        self._unfinished = frozenset[Path]()  # the journals at the last look
        self.left: MenuStep | None = None  # the question to ask again after its action was left
        self.settings, wrong = read_settings(home.config)
        for fault in wrong:
            self.out.say(self.out.sentence_of(fault))

    @property
    def name(self) -> str:
        """The name at the table."""
        return self.settings.name or login_name()

    @property
    def servers(self) -> Named:
        """The servers that the settings name."""
        return Named.of(self.settings.stun, self.settings.socks)

    @property
    def game(self) -> str:
        """The game that was practised or hosted last."""
        return self.settings.game or USUAL

    @property
    def edition(self) -> str:
        """The edition of Matcha to play unless the person asks for another."""
        return self.variant(USUAL)

    def variant(self, game: str) -> str:
        """Return the variant of ``game`` to play unless the person asks for another."""
        return usual_table(game, self.settings.edition).variant

    def display(self) -> DisplayOptions:
        """Return the display options: from the command line, else from the settings."""
        set_to = self.settings.options()
        display = {key: set_to[key] for key in _DISPLAYED if key in set_to}
        return cast("DisplayOptions", {**display, **self._given})

    def asker(self) -> AbstractAsyncContextManager[Asker]:
        """Return the asker for the questions: a full screen, or line mode."""
        if look_for(self.out, self.display()) is None:
            self.out.forget()  # the terminal shows the sentence, and a line has no keys
        return asker_for(self.out, self.display(), self.keyboard)

    def set_up_seat(
        self,
        table: "ChosenTable | None" = None,
        advise: "Advise | None" = None,
        *,
        opens: bool = False,
    ) -> "SeatSetup":
        """Return the seat of this person.

        table: None for any table. advise: gives hints, in practice only. opens: whether people
        may watch, if the settings allow watchers.
        """
        from matcha_p2p.app.game.seat import set_up_seat

        remember = self.settings.remember or "on"
        own: TableOptions = {"name": self.name, "remember": remember}
        if table is not None:
            own["game"], own["edition"], own["seats"] = table
        if opens:
            own["watch"] = self.settings.watch
        options = cast("TableOptions", {**own, **self.display()})
        return set_up_seat(self.out, self.home, options, self.keyboard, advise)

    def look_for_games(self) -> None:
        """Let the first menu's cursor stand on the unfinished games, if there is a new one."""
        found = frozenset[Path]()
        with suppress(HomeError):  # told as soon as the games are listed
            found = frozenset(self.home.unfinished_journals())
        if found - self._unfinished:
            self.at = AT_UNFINISHED
        self._unfinished = found

    def remember_game(self, game: str) -> None:
        """Let the cursor stand on ``game`` when a game is chosen the next time."""
        if game != self.game:
            self.change_settings(replace(self.settings, game=game))

    def learn(self, game: str = USUAL) -> int:
        """Go through the tutorial of ``game``; return the exit code."""
        from matcha_p2p.app.practice import tutorial

        self.at = AT_PRACTISE
        self.remember_game(game)
        return tutorial.run(self.out, self.display(), self.keyboard, self.name, game)

    def replay(self, file: Path) -> int:
        """Show the game in ``file`` step by step; return the exit code."""
        from matcha_p2p.app.library import replay

        return replay.run(self.out, self.home, file, "both", 1, **self.display())

    def change_settings(self, settings: Settings) -> tuple[str, ...]:
        """Use and store ``settings``; return why they could not be stored, or ()."""
        if settings.lang is not None and settings.lang != self.settings.lang:
            speak(settings.lang)
        self.settings = settings
        try:
            write_settings(self.home, settings)
        except MatchaError as error:
            return (self.out.sentence_of(error),)
        return ()


MenuStep: TypeAlias = Callable[[Asker, MenuUser], Awaitable[MenuAction | None]]
"""Asks for an action's options; returns the action, or None to show the menu again."""
