"""Asks which game to play, which variant of its rules, and for how many players."""

from typing import Final, NamedTuple

from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.games import USUAL, game_of, names, usual_table
from matcha_p2p.language import Counted, Sentence

WHICH_GAME: Final = Sentence("Which game?")
WHICH_RULES: Final = Sentence("Which rules?")
HOW_MANY: Final = Sentence("How many players are at the table?")
PLAYERS: Final = Counted("{count} player", "{count} players")


class ChosenTable(NamedTuple):
    """A table: a game, a variant of its rules (None for any), and the number of seats."""

    game: str
    variant: str | None
    seats: int


async def ask_table(asker: Asker, usual: str, edition: str | None) -> ChosenTable | None:
    """Return the table to open; if the person goes back, None.

    usual: the game under the cursor at first. edition: of Matcha by the settings, taken without
    a question.
    """
    while (game := await ask_game(asker, usual)) is not None:
        table = usual_table(game, edition)
        if game == USUAL:
            return ChosenTable(game, table.variant, table.seats)
        usual = game
        variant = await ask_variant(asker, game, WHICH_RULES(), table.variant)
        seats = None if variant is None else await ask_seats(asker, game)
        if variant is not None and seats is not None:
            return ChosenTable(game, variant, seats)
    return None


async def ask_game(
    asker: Asker, usual: str, offered: tuple[str, ...] | None = None
) -> str | None:
    """Return the name of the chosen game; if the person goes back, None.

    offered: the games to choose from, None for all; of a single one nothing is asked. usual:
    the game under the cursor at first.
    """
    offered = offered or tuple(names())
    if len(offered) == 1:
        return offered[0]
    labels = tuple(game_of(name).entry() for name in offered)
    at = offered.index(usual) if usual in offered else 0
    answer = await asker.ask(Menu(WHICH_GAME(), (), labels, at))
    return offered[answer.at] if isinstance(answer, Chosen) else None


async def ask_variant(asker: Asker, game: str, question: str, usual: str) -> str | None:
    """Return the chosen variant of ``game``; if the person goes back, None.

    A game of one variant leaves nothing to ask. usual: the variant under the cursor at first.
    """
    offered = game_of(game)
    names = offered.variants
    if len(names) == 1:
        return names[0]
    first, *rest = map(offered.described, names)
    said = (first, *(paragraph for text in rest for paragraph in ("", text)))
    labels = tuple(map(offered.label, names))
    answer = await asker.ask(Menu(question, said, labels, names.index(usual)))
    return names[answer.at] if isinstance(answer, Chosen) else None


async def ask_seats(asker: Asker, game: str) -> int | None:
    """Return the chosen number of seats for ``game``; if the person goes back, None.

    A game for one number of seats leaves nothing to ask.
    """
    tables = game_of(game).tables
    if len(tables) == 1:
        return tables[0]
    answer = await asker.ask(Menu(HOW_MANY(), (), tuple(map(PLAYERS, tables)), numbers=tables))
    return tables[answer.at] if isinstance(answer, Chosen) else None
