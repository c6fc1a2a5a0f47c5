"""Turns the options of a command into a seat: terms, and a person or a bot."""

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from matcha_p2p.app.bots.bot_names import is_known
from matcha_p2p.app.command.front_end import DisplayOptions, asker_for, front_end_for
from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.games import USUAL, game_of, usual_table
from matcha_p2p.games.front import Advise, FrontEnd
from matcha_p2p.games.game import Game
from matcha_p2p.narration.audience import WORDS
from matcha_p2p.session.news import Terms
from matcha_p2p.store.home import Home
from matcha_p2p.store.identity import own_identity
from matcha_p2p.store.settings import login_name

if TYPE_CHECKING:
    from matcha_p2p.console.menu.asker import OpenAsker

_BOT_PATIENCE: Final = 600.0


class SeatOptions(DisplayOptions, total=False):
    """The options of a seat; None stands for an option not given."""

    edition: str | None
    board: Path | None
    name: str | None
    bot: str | None
    seed: int | None
    at_once: bool
    open_book: bool
    patience: float | None
    remember: str
    watch: int | str | None  # digits in the settings
    watchers_see: str
    stun: str | None
    socks: str | None


class TableOptions(SeatOptions, total=False):
    """The options of a seat at a table. game: by its name."""

    game: str
    seats: int


def open_asker(out: Output, options: SeatOptions, keyboard: Keyboard) -> "OpenAsker":
    """Return the way to ask the seat's person before the game; for a bot, line by line."""
    bot = options.get("bot") is not None
    display: DisplayOptions = {"ui": "line"} if bot else options
    return partial(asker_for, out, display, keyboard)


def set_up_seat(
    out: Output,
    home: Home,
    options: TableOptions,
    keyboard: Keyboard,
    advise: Advise | None = None,
) -> SeatSetup:
    """Return the seat with ``options``; the edition is any variant of the game.

    keyboard: for line mode. advise: gives hints, in practice only.

    Raises:
        CommandError: the game has no boards, or the file of the board has faults; or the bot is
            of another game.
        TranscriptError: the file of the board cannot be read.
        HomeError: this player's identity cannot be read or made.
        BotError: the bot is a foreign program that cannot be started.
    """
    game, seed = options.get("game", USUAL), options.get("seed")
    bot, patience = options.get("bot"), options.get("patience")
    if patience is None:
        patience = math.inf if bot is None else _BOT_PATIENCE
    remembers = options.get("remember") != "off" and bot is None and advise is None
    terms = Terms(
        name=options.get("name") or login_name(),
        game=game,
        variant=_variant(game, options),
        open_book=options.get("open_book", False),
        stays=bot is None,
        patience=patience,
        identity=own_identity(home) if remembers else None,
        watchers=int(options.get("watch") or 0),
        sight=WORDS[options.get("watchers_see") or "rounds"],
        bot=bot is not None,
        passes=options.get("passes") == "on",
        holds=options.get("hold", "on") == "on",
        seats=options.get("seats") or usual_table(game).seats,
    )
    front_end: FrontEnd
    if bot is None:
        front_end = front_end_for(out, options, keyboard, game, advise)
    else:
        from matcha_p2p.app.bots.opponents import opponent, see_it_start
        from matcha_p2p.app.game.bot_seat import BotSeat

        if not is_known(game, bot):
            raise CommandError(
                Exit.USAGE,
                "{name!r} is no bot of this game. The bots are: {bots}.",
                name=bot,
                bots=", ".join(game_of(game).bots.names),
            )
        see_it_start(game, bot)
        front_end = BotSeat(opponent(game, bot), game, seed, out.say, complain=out.warn)

    def another(other: str, seats: int) -> SeatSetup:
        table: TableOptions = {"game": other, "seats": seats, "edition": None, "board": None}
        return set_up_seat(out, home, {**options, **table}, keyboard)

    ask = None if bot is not None or out.facts else open_asker(out, options, keyboard)
    at_once = options.get("at_once", False)
    return SeatSetup(terms, front_end, home, out, another, seed, ask, at_once)


def _variant(game: str, options: SeatOptions) -> str | None:
    """Return the variant of the options, with the board of a file if one is given."""
    board = options.get("board")
    if board is None:
        return options.get("edition")
    from matcha_p2p.app.rules.boards import board_in  # with all that verifies files

    played = game_of(game)
    return played.needed(Game.boards).variant_of(board_in(played, board))
