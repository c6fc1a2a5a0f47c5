"""Questions whose answers are a list."""

from typing import Any, NamedTuple

from matcha_p2p.kinds import kind


class ListedAnswer(NamedTuple):
    """An answer.

    key: a character that chooses the answer at once. words: shown after the key. gives: a move,
    another question, or a value of the game.
    """

    key: str
    words: str
    gives: Any


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
