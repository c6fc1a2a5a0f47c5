"""Why the rules refuse a choice: the number of the rule, and a sentence for a person."""

from matcha_p2p.errors import IllegalMoveError, filled
from matcha_p2p.language import Sentence


class RefusedError(IllegalMoveError):
    """The rules refuse a choice. rule: "K21" for example."""

    def __init__(self, rule: str, why: Sentence, **fields: object) -> None:
        super().__init__(rule, filled(why.text_in("en"), fields, str))
        self._why = why
        self._fields = fields

    def reason(self) -> str:
        """Return the reason, in the spoken language."""
        return self._why(**self._fields)
