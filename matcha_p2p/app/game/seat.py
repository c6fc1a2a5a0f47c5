"""Turns the options of a command into a seat: terms, and a person or a bot."""

import math
from typing import Final

from matcha_p2p.app.front_end import Tastes, front_for
from matcha_p2p.app.game.attend import Chooser, Sitting
from matcha_p2p.app.output import Output
from matcha_p2p.console.table.coach import Advise
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.session.news import Terms
from matcha_p2p.store.home import Home
from matcha_p2p.store.settings import login_name

_BOT_PATIENCE: Final = 600.0


class Wishes(Tastes, total=False):
    """The options of a seat; None is the same as an option that is not given."""

    edition: str | None
    name: str | None
    bot: str | None
    seed: int | None
    open_book: bool
    patience: float | None


def sit_down(
    out: Output,
    home: Home,
    wishes: Wishes,
    keyboard: Keyboard,
    advise: Advise | None = None,
) -> Sitting:
    """Return the seat that ``wishes`` describe.

    keyboard: for line mode. advise: gives hints, in practice only.
    """
    edition, bot, patience = wishes.get("edition"), wishes.get("bot"), wishes.get("patience")
    if patience is None:
        patience = math.inf if bot is None else _BOT_PATIENCE
    terms = Terms(
        name=wishes.get("name") or login_name(),
        edition=None if edition is None else EDITIONS[edition],
        open_book=wishes.get("open_book", False),
        stays=bot is None,
        patience=patience,
    )
    chooser: Chooser
    if bot is None:
        chooser = front_for(out, wishes, keyboard, advise)
    else:
        from matcha_p2p.app.game.bot_seat import Unattended
        from matcha_p2p.bots import BOTS

        chooser = Unattended(BOTS[bot], wishes.get("seed"), out.say)
    return Sitting(terms, chooser, home, out)
