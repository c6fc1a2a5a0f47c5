"""How the rules refuse."""

from typing import Final

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.language import Sentence


class RefusedError(IllegalMoveError):
    """A rule forbids an action. why: the reason, in the language that is spoken when said."""

    def __init__(self, rule: str, why: Sentence) -> None:
        super().__init__(rule, why.english)
        self.why: Final = why

    def reason(self) -> str:
        """Return the reason, in the spoken language."""
        return self.why()
