"""Asks which edition of the rules to play, and tells the differences."""

from typing import Final

from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.games import USUAL, offer
from matcha_p2p.language import Sentence

EDITION: Final = Sentence("Edition {edition}")


async def ask_edition(asker: Asker, question: str, usual: str) -> str | None:
    """Return the name of the chosen edition; if the person goes back, None.

    usual: the edition under the cursor at first.
    """
    names = offer(USUAL).variants
    first, *rest = map(offer(USUAL).described, names)
    said = (first, *(paragraph for text in rest for paragraph in ("", text)))
    labels = tuple(EDITION(edition=name) for name in names)
    answer = await asker.ask(Menu(question, said, labels, names.index(usual)))
    return names[answer.at] if isinstance(answer, Chosen) else None
