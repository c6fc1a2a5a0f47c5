"""Asks a person for the name at the table."""

from typing import Final

from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import TextField, Written
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.narration.names import refusal_of

NAME_Q: Final = Sentence("Your name at the table:")


async def ask_name(
    asker: Asker, title: str, said: tuple[str, ...], default: str = ""
) -> str | None:
    """Ask for a name until the name is valid; if the person goes back, return None."""
    wrong: tuple[str, ...] = ()
    while True:
        field = TextField(title, (*wrong, *said), NAME_Q(), default=default)
        match await asker.ask(field):
            case Written(text):
                refusal = refusal_of(text)
                if refusal is None:
                    return text
                wrong = (sentence_of(refusal),)
            case _:
                return None
