"""Chooses a person's front end: the full screen if the terminal allows, else line mode."""

import functools
import os
import shutil
import sys
from typing import TYPE_CHECKING, Final, TypedDict

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.console.terminal import skins
from matcha_p2p.console.terminal.ambiguous_width import draws_wide
from matcha_p2p.console.terminal.looks import Bell, Depth, Look, Speed, depth_of
from matcha_p2p.games import game_of
from matcha_p2p.games.front import Analysis, AnalysisRequest, Decision, Judgement
from matcha_p2p.games.game import Game
from matcha_p2p.language import Sentence, spoken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from matcha_p2p.console.menu.asker import Asker
    from matcha_p2p.console.terminal.keyboard import Keyboard
    from matcha_p2p.games.front import Advise, Analyst, FrontEnd
    from matcha_p2p.narration.news import Choose, News
    from matcha_p2p.review.analysis import Mistake
    from matcha_p2p.seats import Seat


TOO_SMALL: Final = Sentence(
    "The full screen needs a terminal of {columns}x{rows}, and this one is smaller: all is "
    "told line by line."
)


class DisplayOptions(TypedDict, total=False):
    """The display options; an option left out has the default."""

    ui: str
    icons: str | None
    ascii: bool
    color: str
    theme: str
    speed: str
    bell: str | None
    hold: str
    passes: str


def front_end_for(
    out: Output,
    display: DisplayOptions,
    keyboard: "Keyboard",
    game: str,
    advise: "Advise | None" = None,
) -> "FrontEnd":
    """Return the front end of a player of ``game``: line mode if the game has no screen.

    keyboard: read by line mode only. advise: only in practice.

    Raises:
        CommandError: the full screen is asked for, and there is no terminal.
        MissingPartError: the game lacks the front end.
    """
    played, look = game_of(game), look_for(out, display)
    if look is None or (display.get("ui") != "full" and not played.has(Game.screen)):
        from matcha_p2p.console.lines.dialogue import dialogue_of
        from matcha_p2p.console.lines.lines import LineMode

        holds, kind = display.get("hold", "on") == "on", dialogue_of(played)
        converse = functools.partial(
            kind, game=played, advise=advise, analyst=_analyst(played), holds=holds
        )
        return LineMode(out.show, keyboard, converse, _bell_by_line(out, display))
    played.see_it_has(Game.screen)
    return _OnScreen(look, played, advise)


class _OnScreen:
    """The full screen. The screen is loaded when a game begins: an invite is shown before."""

    def __init__(self, look: Look, game: Game, advise: "Advise | None") -> None:
        self._look: Final = look
        self._game: Final = game
        self._advise: Final = advise

    async def play(self, seat: "Seat", news: "AsyncIterator[News]", choose: "Choose") -> None:
        """Show ``news`` until they end, and pass on the choices of the person's keys."""
        screen = self._game.needed(Game.screen)
        front_end = screen(self._look, _analyst(self._game), self._advise)
        await front_end.play(seat, news, choose)


def _analyst(game: Game) -> "Analyst | None":
    """Return the judge of decisions in finished games, or None if the game has no judge."""
    return _Analyst(game) if game.has(Game.analysis) else None


class _Analyst:
    """Judges decisions of finished games; loads the bots of ``game`` only when asked."""

    def __init__(self, game: Game) -> None:
        self._game: Final = game

    def begin(self, asked: AnalysisRequest) -> Analysis:
        return self._game.needed(Game.analysis).begin(asked)

    def judge(self, decision: Decision) -> Judgement:
        return self._game.needed(Game.analysis).judge(decision)

    def mistake(
        self, found: Judgement, names: "Sequence[str]", seat: "Seat | None"
    ) -> "Mistake | None":
        return self._game.needed(Game.analysis).mistake(found, names, seat)

    def notes(self, analysis: Analysis, seat: "Seat | None") -> "Sequence[str]":
        return self._game.needed(Game.analysis).notes(analysis, seat)


def asker_for(
    out: Output, display: DisplayOptions, keyboard: "Keyboard"
) -> "AbstractAsyncContextManager[Asker]":
    """Return the asker for questions before and after a game: a full screen, or line mode.

    Raises:
        CommandError: the full screen is asked for, and there is no terminal.
    """
    look = look_for(out, display)
    if look is None:
        from matcha_p2p.console.menu.asker import line_asker

        return line_asker(
            out.show, keyboard, rings=_bell_by_line(out, display) is not Bell.NONE
        )
    from matcha_p2p.console.menu.screen import screen_asker

    return screen_asker(look)


def look_for(out: Output, display: DisplayOptions) -> Look | None:
    """Return the look of a full screen here, or None for line mode.

    If only the size of the terminal forbids the full screen, ``out`` says so, once.

    Raises:
        CommandError: the full screen is asked for, and there is no terminal.
    """
    ui = display.get("ui", "auto")
    if ui == "full" and not _at_terminal(out):
        raise CommandError(
            Exit.USAGE,
            "The full screen needs a terminal for input and output, and works without "
            "--json. Play with --ui line.",
            code="no-terminal",
        )
    if ui == "full":
        return _look(display)
    if ui == "line" or not (_at_terminal(out) and _moves_cursor()):
        return None
    if not skins.have_room(*shutil.get_terminal_size()):
        _tell_of_size(out)
        return None
    return _look(display)


def _at_terminal(out: Output) -> bool:
    return not out.facts and sys.stdin.isatty() and sys.stdout.isatty()


def _moves_cursor() -> bool:
    return os.name == "nt" or os.environ.get("TERM", "") not in ("", "dumb", "unknown")


@functools.cache  # a command may ask more than once
def _tell_of_size(out: Output) -> None:
    out.say(TOO_SMALL(columns=skins.LEAST_COLUMNS, rows=skins.LEAST_ROWS))


def _look(display: DisplayOptions) -> Look:
    depth = depth_of(os.environ, display.get("color", "auto"))
    skin = _skin(display)
    if depth in (Depth.NONE, Depth.SIXTEEN):
        skin = skins.with_framed_cards(skin)
    return Look(
        skin,
        display.get("theme", "dark"),
        depth,
        Speed(display.get("speed", "normal")),
        Bell(display.get("bell") or "turn"),
    )


def _bell_by_line(out: Output, display: DisplayOptions) -> Bell:
    """Return when the bell rings in line mode: only where a person has asked for the bell."""
    return Bell.NONE if out.facts else Bell(display.get("bell") or "none")


def usual_icons() -> str:
    """Return the default drawing of suits."""
    return "kanji" if spoken() == "ja" else "symbol"


def _skin(display: DisplayOptions) -> skins.Skin:
    poor = os.environ.get("TERM") == "linux"  # its font has neither icons nor kanji
    if display.get("ascii") or poor or "utf" not in sys.stdout.encoding.lower():
        return skins.ASCII
    skin = skins.skin_called(display.get("icons") or usual_icons())
    return skins.with_ascii_frames(skin) if _frames_are_wide() else skin


@functools.cache  # asking the terminal loses what is typed meanwhile
def _frames_are_wide() -> bool:
    return draws_wide(sys.stdin.fileno(), sys.stdout.fileno())
