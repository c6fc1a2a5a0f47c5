"""Lessons of a tutorial: their text, and the questions to the student."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from matcha_p2p.games.game import Move, View
from matcha_p2p.language import Sentence
from matcha_p2p.narration.news import Inform, TakeBack, Taught, Wish
from matcha_p2p.session import news
from matcha_p2p.wire.talk import Phrase, Say


@dataclass(frozen=True, slots=True)
class Lesson:
    """An answer to give.

    says: before the answer. keys: on the screen. typed: the lines in line mode. wanted: the
    answers that will do. before: the moves before the lesson.
    """

    says: Sentence
    keys: str
    typed: tuple[str, ...]
    wanted: tuple[str, ...]
    before: tuple[str, ...] = ()


KeyHints: TypeAlias = Callable[[Lesson], str]
"""Tells how an answer is given in a front end."""

PRESS: Final = Sentence("Press {keys}.")
TYPE: Final = Sentence("Type {words}.")
TYPE_AND_CONFIRM: Final = Sentence("Type {words}, then {answer}.")
AGAIN: Final = Sentence("The rules allow that, but this lesson needs another answer. {hint}")
_ARROWS: Final = {
    "up": Sentence("up"),
    "down": Sentence("down"),
    "left": Sentence("left"),
    "right": Sentence("right"),
}


def _typed(lesson: Lesson) -> str:
    words, *answers = lesson.typed
    return TYPE_AND_CONFIRM(words=words, answer=answers[0]) if answers else TYPE(words=words)


def _pressed(lesson: Lesson) -> str:
    keys = (_ARROWS[key]() if key in _ARROWS else key for key in lesson.keys.split())
    return PRESS(keys=" ".join(keys))


ON_SCREEN: Final[KeyHints] = _pressed
BY_LINE: Final[KeyHints] = _typed


def lesson_text(lesson: Lesson, key_hints: KeyHints) -> str:
    """Return the text of a lesson before its answer."""
    return f"{lesson.says()} {key_hints(lesson)}"


async def ask(
    view: View,
    is_wanted: Callable[[Move], bool],
    again: str,
    inform: Inform,
    choices: trio.MemoryReceiveChannel[Wish],
) -> Move | None:
    """Ask until the move is wanted, and return the move. If the student leaves, return None.

    view: the student's view, in which a move is due. again: said after another move.
    """
    due = news.MoveDue(view)
    inform(due)
    async for choice in choices:
        match choice:
            case news.Leave() | news.Concede():
                return None
            case news.MakeMove(move):
                if is_wanted(move):
                    return move
                inform(Taught(again))
                inform(due)
            case Say() | Phrase() | news.Propose() | TakeBack() | news.LetWatch():
                pass  # the others listen, and a lesson takes no answer back
    return None
