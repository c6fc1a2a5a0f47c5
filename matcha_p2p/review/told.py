"""A game as told to a page: each step's event and sentences.

The page draws the game itself from what its own verifier has found, and draws nothing if an
event is not one of the verified game.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypedDict, TypeVar

from matcha_p2p.games.plain import Form
from matcha_p2p.language import LANGUAGES, speak, spoken
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.review.steps import Replay, viewpoints

T = TypeVar("T")

_ERROR: Final = re.compile(r"(?<=[(\uff08])\+-(?=\d)")
"""The sign before an error, as each terminal can show it. An error stands in brackets."""

OPEN: Final = "open"
"""The look of a reader who sees all opened cards."""

_PUBLIC: Final = "public"
_WHY: Final = "why"
"""Stands for no look, but for the reasons of what has happened."""

_ISOLATE: Final = "\u2068"
"""Begins a text that may run from right to left and does not turn the text around it."""
_END: Final = "\u2069"


@dataclass(frozen=True, slots=True)
class PageStep:
    """A step of a game.

    entries: how many entries of the transcript the step needs. said: the sentences in the
    language spoken now, by the reader's choice (a word of the game's view); OPEN stands for
    each choice that is left out, and "why" has the reasons, if the game tells reasons. event:
    kind and seat of its plain form, and what the game's replay adds for the drawing; in every
    language the same. All else the page finds itself.
    """

    entries: int
    said: Mapping[str, Sequence[str]]
    event: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PageMistake:
    """A mistake at a step. told: returns the mistake in the language spoken now."""

    step: int
    told: Callable[[], Mistake]


Count: TypeAlias = Callable[[int, int], None]
"""Is told how many decisions are judged, and of how many."""


def counted(decisions: Sequence[T], count: Count | None) -> Iterator[T]:
    """Yield each decision, and tell ``count`` before that how many others are judged."""
    for done, decision in enumerate(decisions):
        if count is not None:
            count(done, len(decisions))
        yield decision


class ToldMistakes(TypedDict):
    """The mistakes for the page. steps: in order. sentences: of each step, by language.

    marks: of each step, the better move.
    """

    steps: list[int]
    marks: list[Mapping[str, Sequence[int]]]
    sentences: dict[str, list[list[str]]]


class ToldStep(TypedDict):
    """A step for the page. said: the places of its sentences in ``ToldGame.sentences``."""

    entries: int
    said: dict[str, list[int]]
    event: Mapping[str, object]


class ToldGame(TypedDict):
    """A game for the page. sentences: by language, in one order."""

    sentences: dict[str, list[str]]
    steps: list[ToldStep]


def page_steps(replay: Replay[Any, Any], events: Callable[[Any], Form[Any]]) -> list[PageStep]:
    """Return the steps of a game, told in the language spoken now.

    replay: with names as ``isolated`` writes them. events: the form of the events in a state.
    """
    views = viewpoints(len(replay.names))
    looks = {_PUBLIC: views.pop("public"), OPEN: views.pop("both")}
    looks |= {str(view.front): view for view in views.values()}
    made: list[PageStep] = []
    for at, step in enumerate(replay.steps):
        said = {look: replay.sentences(at, view) for look, view in looks.items()}
        differing = {look: it for look, it in said.items() if look == OPEN or it != said[OPEN]}
        if why := replay.why(at):
            differing[_WHY] = why
        plain = events(step.game).write(step.event)
        event = {name: plain[name] for name in ("kind", "seat") if name in plain}
        made.append(PageStep(step.entries, differing, {**event, **step.shows}))
    return made


def told_game(steps: Callable[[], Sequence[PageStep]]) -> ToldGame:
    """Return the game that ``steps`` tells in the language spoken now, in all languages."""
    told = list(_in_languages(steps).values())
    places: dict[tuple[str, ...], int] = {}
    told_steps: list[ToldStep] = []
    for same in zip(*told, strict=True):
        first = same[0]
        said = {
            look: [
                places.setdefault(lines, len(places))
                for lines in zip(*(step.said[look] for step in same), strict=True)
            ]
            for look in first.said
        }
        told_steps.append({"entries": first.entries, "said": said, "event": first.event})
    sentences = {
        language: [lines[place] for lines in places] for place, language in enumerate(LANGUAGES)
    }
    return {"sentences": sentences, "steps": told_steps}


def told_mistakes(mistakes: Sequence[PageMistake]) -> ToldMistakes:
    """Return ``mistakes`` in all languages; errors have the sign of a book."""
    said = _in_languages(
        lambda: [[_ERROR.sub("±", line) for line in each.told().said()] for each in mistakes]
    )
    marks = [each.told().marks for each in mistakes]
    return {"steps": [each.step for each in mistakes], "marks": marks, "sentences": said}


def _in_languages(tell: Callable[[], T]) -> dict[str, T]:
    """Return what ``tell`` returns in each language."""
    before, told = spoken(), dict[str, T]()
    try:
        for language in LANGUAGES:
            speak(language)
            told[language] = tell()
    finally:
        speak(before)
    return told


def isolated(name: str) -> str:
    """Return a player's name as the name can stand in a sentence of a page."""
    return f"{_ISOLATE}{name}{_END}"
