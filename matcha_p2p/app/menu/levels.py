"""Asks which bot to play against: the level, and then the temper, if the level has tempers."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.errors import BotError
from matcha_p2p.games import game_of, usual_table
from matcha_p2p.language import Sentence

T = TypeVar("T")

WHICH_LEVEL: Final = Sentence("How strong is the bot?")
WHICH_LEVEL_OF_ALL: Final = Sentence("How strong are the bots?")
WHICH_TEMPER: Final = Sentence("How does the bot play?")
PLAIN: Final = Sentence("plain: the best move, in its view")


def level_menu(game: str, levels: Sequence[str], at: int) -> Menu:
    """Return the question for one of ``levels`` of ``game``, with the cursor at ``at``."""
    names = game_of(game).level_names
    one = min(game_of(game).tables) == 2
    question = WHICH_LEVEL if one else WHICH_LEVEL_OF_ALL
    return Menu(question(), (), tuple(names[level]() for level in levels), at)


async def ask_bot(
    asker: Asker, game: str, go_on: Callable[[str], Awaitable[T | None]]
) -> T | None:
    """Return the result of ``go_on`` for the chosen bot; if the person goes back, None.

    If ``go_on`` returns None, ask again.
    """
    named = game_of(game).bots.levels
    levels = tuple(_able(game, level) for level in named)
    at = named.index(usual_table(game).bot)
    while isinstance(answer := await asker.ask(level_menu(game, levels, at)), Chosen):
        at = answer.at
        done = await _ask_temper(asker, game, levels[at], go_on)
        if done is not None:
            return done
    return None


async def _ask_temper(
    asker: Asker, game: str, level: str, go_on: Callable[[str], Awaitable[T | None]]
) -> T | None:
    tempers = game_of(game).bots.tempers.get(level)
    if tempers is None:
        return await go_on(level)
    said = game_of(game).temper_names
    names = (PLAIN(), *(said[bot.removeprefix(f"{level}-")]() for bot in tempers))
    at = 0
    while isinstance(answer := await asker.ask(Menu(WHICH_TEMPER(), (), names, at)), Chosen):
        at = answer.at
        done = await go_on((level, *tempers)[at])
        if done is not None:
            return done
    return None


def _able(game: str, level: str) -> str:
    """Return ``level``, or the bot that stands in if the level's bot cannot run here."""
    # Imported for practice only: the menu is shown without the bots.
    from matcha_p2p.app.bots.opponents import see_it_start

    try:
        see_it_start(game, level)
    except BotError:
        return game_of(game).bots.stand_ins[level]
    return level
