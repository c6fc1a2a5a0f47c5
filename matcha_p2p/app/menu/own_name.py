"""Asks a person for the name at the table."""

from typing import Final

from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import TextField, Written
from matcha_p2p.language import Sentence
from matcha_p2p.narration.names import can_be_a_name
from matcha_p2p.store.settings import NO_NAME
from matcha_p2p.wire.text import NAME_LIMIT

NAME_Q: Final = Sentence("Your name at the table:")


async def ask_name(
    asker: Asker, title: str, said: tuple[str, ...], default: str = ""
) -> str | None:
    """Ask for a name until the name is valid; if the person goes back, return None."""
    wrong: tuple[str, ...] = ()
    while True:
        field = TextField(title, (*wrong, *said), NAME_Q(), default=default)
        match await asker.ask(field):
            case Written(text) if can_be_a_name(text):
                return text
            case Written():
                wrong = (NO_NAME(limit=NAME_LIMIT),)
            case _:
                return None
