"""Questions whose answers are a list: the same value on the screen and in line mode."""

from typing import Any, Final, NamedTuple

from matcha_p2p.kinds import kind
from matcha_p2p.language import Sentence

YES: Final = Sentence("yes")
NO: Final = Sentence("no")


class ListedAnswer(NamedTuple):
    """An answer.

    key: a character that chooses the answer at once. words: shown after the key. gives: a move,
    another question, or a value of the game. typed: a word that line mode takes too, in
    English as the commands are. line: the words in line mode, if there are better ones.
    """

    key: str
    words: str
    gives: Any
    typed: str = ""
    line: str = ""


@kind
class Listing(NamedTuple):
    """A list of answers; the answer ``at`` is marked, and Enter chooses the marked answer.

    back: the question before, or None after a question of the game.
    """

    asks: str
    options: tuple[ListedAnswer, ...]
    at: int = 0
    back: Any = None

    @property
    def marked(self) -> ListedAnswer:
        """The marked answer."""
        return self.options[self.at]

    def moved(self, step: int) -> "Listing":
        """Return the question with another answer marked."""
        return self._replace(at=(self.at + step) % len(self.options))

    def read(self, text: str) -> ListedAnswer | None:
        """Return the answer that a line means: its key, its words, or how ``typed`` begins."""
        low = text.casefold()
        for option in self.options:
            if low in (option.key.casefold(), option.words.casefold()) and low:
                return option
        begun = [each for each in self.options if low and each.typed.startswith(low)]
        return begun[0] if len(begun) == 1 else None


def sure(asks: str, gives: object) -> Listing:
    """Return the question whether to do what a yes gives; a no gives None."""
    options = ListedAnswer("y", YES(), gives, "yes"), ListedAnswer("n", NO(), None, "no")
    return Listing(asks, options)
