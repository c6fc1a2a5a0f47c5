"""Asks which edition of the rules to play, and says how they differ."""

from typing import Final

from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.games.matcha.rules.edition import EDITIONS, Edition
from matcha_p2p.language import Sentence

EDITION: Final = Sentence("Edition {edition}")
WINS: Final = Sentence(
    "Edition {edition}: {suits} tokens of one suit, {whisks} whisks, or all five kinds win."
)
OPEN_ENDED: Final = Sentence(
    "Who passes is out of the round. Cards left over may be kept. Sets go on until somebody "
    "has won."
)
LIMITED: Final = Sentence(
    "In a round each of you has {turns} turns. No card is kept. After {sets} sets tokens are "
    "compared: it is the shorter game."
)


def described(edition: Edition) -> str:
    """Return what wins, and how long a round, a set and the game go on."""
    wins = WINS(edition=edition.name, suits=edition.suits_alike, whisks=edition.whisks_alike)
    if edition.turns is None:
        return f"{wins} {OPEN_ENDED()}"
    return f"{wins} {LIMITED(turns=edition.turns, sets=edition.sets)}"


async def ask_edition(asker: Asker, question: str, usual: str) -> str | None:
    """Return the name of the edition that is chosen, or None to go back.

    usual: the one that Enter chooses.
    """
    names = tuple(EDITIONS)
    first, *rest = map(described, EDITIONS.values())
    said = (first, *(paragraph for text in rest for paragraph in ("", text)))
    labels = tuple(EDITION(edition=name) for name in names)
    answer = await asker.ask(Menu(question, said, labels, names.index(usual)))
    return names[answer.at] if isinstance(answer, Chosen) else None
