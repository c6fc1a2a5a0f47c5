"""Lessons of a tutorial: their text, and the questions to the student."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

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
    return PRESS(keys=" ".join(f"[{key}]" for key in keys))


ON_SCREEN: Final[KeyHints] = _pressed
BY_LINE: Final[KeyHints] = _typed


L = TypeVar("L")
L_contra = TypeVar("L_contra", contravariant=True)

LessonTexts: TypeAlias = Callable[[L], tuple[str, str]]
"""Returns the text of a lesson before its answer, and the text after another answer."""


class Classroom(Protocol[L_contra]):
    """The table of a tutorial: a game by the rules alone, with the student at seat 0.

    The room tells each event as a session does. The front end shows the events in its own time,
    and shows a text of the teacher once it has shown all events before the text.
    """

    def lead_to(self, lesson: L_contra, /) -> View:
        """Play until the student is asked what ``lesson`` asks; return the student's view."""
        ...

    def wants(self, lesson: L_contra, move: Move, /) -> bool:
        """Tell whether ``move`` will do."""
        ...

    def make(self, move: Move, /) -> None:
        """Let the student move."""
        ...

    def close(self) -> None:
        """Play on after the last lesson."""
        ...


async def teach(
    room: Classroom[L],
    lessons: Iterable[L],
    texts: LessonTexts[L],
    end: Sentence,
    inform: Inform,
    choices: trio.MemoryReceiveChannel[Wish],
) -> None:
    """Take the student through ``lessons`` until the end or a leave."""
    for lesson in lessons:
        seen, (text, again) = room.lead_to(lesson), texts(lesson)
        inform(Taught(text))
        move = await ask(seen, partial(room.wants, lesson), again, inform, choices)
        if move is None:
            return
        inform(Taught(""))
        room.make(move)
    room.close()
    inform(Taught(end(), last=True))


def texts_of(key_hints: KeyHints) -> LessonTexts[Lesson]:
    """Return what says each lesson and its keys."""
    return lambda lesson: (lesson_text(lesson, key_hints), AGAIN(hint=key_hints(lesson)))


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
            case Say() | Phrase() | news.Propose() | news.LetWatch():
                pass  # the others listen
            case news.Think() | TakeBack():
                pass  # a lesson has no clock, and takes no answer back
    return None
