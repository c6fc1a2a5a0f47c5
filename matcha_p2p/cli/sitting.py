"""What the options of host and join come to: a player who sits down."""

import getpass
import math
import os
from typing import Final

from matcha_p2p.bots import BOTS
from matcha_p2p.cli.front import Tastes, front_for
from matcha_p2p.cli.game import Chooser, Sitting
from matcha_p2p.cli.home import Home
from matcha_p2p.cli.output import Output
from matcha_p2p.cli.unattended import Unattended
from matcha_p2p.console.keyboard import Keyboard
from matcha_p2p.errors import EncodingError
from matcha_p2p.news import Terms
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.wire.text import NAME_LIMIT, check_name

_STDIN: Final = 0
_NAMELESS: Final = "player"
_BOT_PATIENCE: Final = 600.0


class Wishes(Tastes, total=False):
    """The options of a seat; None is as good as none."""

    edition: str | None
    name: str | None
    bot: str | None
    seed: int | None
    open_book: bool
    patience: float | None


def sit_down(out: Output, home: Home, wishes: Wishes, keyboard: Keyboard) -> Sitting:
    """Return who plays, and how. keyboard: for a person; a bot does not touch it."""
    edition, bot, patience = wishes.get("edition"), wishes.get("bot"), wishes.get("patience")
    terms = Terms(
        name=wishes.get("name") or _login_name(),
        edition=None if edition is None else EDITIONS[edition],
        open_book=wishes.get("open_book", False),
    )
    chooser: Chooser
    if bot is None:
        chooser = front_for(out, wishes, keyboard)
    else:
        chooser = Unattended(BOTS[bot], wishes.get("seed"), out.say)
    if patience is None:
        patience = math.inf if bot is None else _BOT_PATIENCE
    return Sitting(terms, chooser, home, out, patience)


def stdin_keyboard() -> Keyboard:
    """Return the keyboard, or the pipe, that stdin is."""
    return Keyboard(_STDIN)


def terminal_keyboard() -> Keyboard:
    """Return the keyboard of the terminal that runs us, when stdin is used for something else.

    Without one, that of stdin: whoever reads it finds its end, and leaves.
    """
    try:
        return Keyboard(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return stdin_keyboard()


def _login_name() -> str:
    """Return the login name as far as it can be a player's name."""
    try:
        login = getpass.getuser()
        name = login.encode()[:NAME_LIMIT].decode(errors="ignore").strip()
        check_name(name)
    except (OSError, KeyError, ImportError, UnicodeError, EncodingError):
        return _NAMELESS  # nobody is called so here, or nobody else could read it
    return name
