"""Past events, shown in time: a pure queue from events and a clock to scenes.

The game never waits for the queue. An event becomes an act, a series of beats; each beat is a
scene of the past. When no act is left, the present scene is shown. If too many acts wait, the
oldest are skipped.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.games.game import Event

S = TypeVar("S", bound=TableScene)

_FACTORS: Final = {Speed.OFF: 0.0, Speed.FAST: 0.4, Speed.NORMAL: 1.0, Speed.SLOW: 1.6}
DOT: Final = 0.5
"""Seconds at normal speed between two signs that another player thinks."""
CALM: Final = 10
"""Seconds between two reports of the time waited, if motion is off."""

GO_ON: Final = ("enter", " ", "left", "right", "up", "down")
"""Keys that only end the running act, because the person has not seen the question."""
SKIPS: Final = "escape"
"""Ends all acts."""


PRESENT: Final = frozenset(
    (
        "focus",
        "told",
        "headings",
        "talk",
        "back",
        "turned",
        "unread",
        "muted",
        "troubles",
        "round_trip",
        "evening",
        "decided",
        "checked",
        "findings",
        "audience",
        "watched",
    )
)
"""The fields of a scene that no act delays."""


@dataclass(frozen=True, slots=True)
class Beat(Generic[S]):
    """``scene`` is shown for ``seconds``."""

    scene: S
    seconds: float


@dataclass(frozen=True, slots=True)
class Acts(ABC, Generic[S]):
    """The acts still to be shown.

    since: the time at which the first act began. thinks_since: the time at which the other
    player began to think.
    """

    speed: Speed = Speed.OFF
    behind: ClassVar[int] = 2
    """How many acts may wait for the running act."""
    present: ClassVar[frozenset[str]] = frozenset()
    """The fields of the game's own scene that no act delays: the person's own marks."""
    silent: ClassVar[Mapping[str, Any]]
    """The fields of a scene that asks nothing."""
    acts: tuple[tuple[Beat[S], ...], ...] = ()
    since: float = 0.0
    thinks_since: float = 0.0

    @abstractmethod
    def act(self, before: S, after: S, event: Event) -> tuple[Beat[S], ...]:
        """Return the act of ``event``, at normal speed."""

    def of_past(self, scene: S, past: S) -> S:
        """Return ``past``, which asks nothing, with the talk and pages of ``scene``.

        All other fields are of the past: no word, and no lesson, is ahead of the board.
        """
        now = {name: getattr(scene, name) for name in PRESENT | self.present}
        return replace(past, after_game=None, acting=True, **self.silent, **now)

    @abstractmethod
    def waiting(self, scene: S, now: float) -> S:
        """Return ``scene`` with a sign that another player thinks; without motion if OFF."""

    @abstractmethod
    def thinks(self, scene: S) -> bool:
        """Tell whether another player is connected and has to decide, and this one waits."""

    def follow(self, before: S, after: S, event: Event, now: float) -> Self:
        """Return the show after ``event``, which leads from ``before`` to ``after``."""
        show = replace(self, thinks_since=now)
        if self.speed is Speed.OFF or before is after:
            return show
        factor = _FACTORS[self.speed]
        act = tuple(
            replace(b, seconds=b.seconds * factor) for b in self.act(before, after, event)
        )
        if not act:
            return show
        show = show.at(now)
        acts = (*show.acts, act)
        if len(acts) > 1 + self.behind:
            return replace(show, acts=acts[-1 - self.behind :], since=now)
        return replace(show, acts=acts, since=show.since if show.acts else now)

    def at(self, now: float) -> Self:
        """Return the show without the acts that are over by ``now``."""
        acts, since = self.acts, self.since
        while acts and since + _seconds(acts[0]) <= now:
            since += _seconds(acts[0])
            acts = acts[1:]
        return replace(self, acts=acts, since=since)

    def following(self, now: float) -> Self:
        """Return the show with the next act, if any, in place of the running act."""
        show = self.at(now)
        return replace(show, acts=show.acts[1:], since=now)

    def over(self) -> Self:
        """Return the show without acts."""
        return replace(self, acts=())

    def anew(self, now: float) -> Self:
        """Return the show of a game resumed at ``now``."""
        return replace(self.over(), thinks_since=now)

    def shown(self, scene: S, now: float) -> S:
        """Return the visible form of ``scene``, the present scene.

        Talk, pages and the state of the line are never late (``of_past``).
        """
        beat = self._beat(now)
        return self.waiting(scene, now) if beat is None else self.of_past(scene, beat[0].scene)

    def next_change(self, scene: S, now: float) -> float | None:
        """Return the seconds until the picture changes, or None if it will not change."""
        beat = self._beat(now)
        if beat is not None:
            return max(0.0, beat[1] - now)
        if not self.thinks(scene):
            return None
        if self.speed is Speed.OFF:
            return CALM - (now - self.thinks_since) % CALM
        return DOT - now % DOT

    def lasts(self, now: float) -> float:
        """Return the seconds until all acts are over."""
        return max(0.0, self.since + sum(map(_seconds, self.acts)) - now)

    def _beat(self, now: float) -> tuple[Beat[S], float] | None:
        """Return the beat at ``now`` and the time of its end; None after the last beat."""
        ends = self.since
        for act in self.acts:
            for beat in act:
                ends += beat.seconds
                if now < ends:
                    return beat, ends
        return None


def _seconds(act: tuple[Beat[S], ...]) -> float:
    return sum(beat.seconds for beat in act)
