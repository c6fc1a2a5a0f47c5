"""A replay on a full screen, of any game: a place among the steps, the keys, the time."""

import enum
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Iterator,
    Mapping,
)
from dataclasses import dataclass, replace
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    Never,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
)

import trio

from matcha_p2p.chain.verify import Report
from matcha_p2p.console.review import findings, replay_sentences
from matcha_p2p.console.table.focus import AT_TABLE, AtTable, Gone, Reading
from matcha_p2p.console.table.keys import LEAVE_KEYS, PAGES, open_page, read_on
from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.table.show import Acts
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.screen import WINDOW, ScreenView, Status, open_screen
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.front import GameSoFar
from matcha_p2p.games.game import Event, Game
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.review.steps import FIRST_SEAT, Replay, Viewpoint, viewpoints
from matcha_p2p.review.told import Count, PageMistake
from matcha_p2p.seats import Seat

PLAYS: Final = " "
"""The key that lets the replay go on by itself, or stops the replay."""

PAUSE: Final = 1.2
"""Seconds between two steps, after the first is shown, when a replay plays by itself."""

MOST_BEHIND: Final = 12
"""The most steps shown singly to a watcher of a live game: a little more than a round."""

_FORWARD: Final = ("right", "enter", "down")
_BACK: Final = ("left", "up")


class Goal(enum.Enum):
    """The steps to which a key leads."""

    TURN = enum.auto()
    ROUND = enum.auto()
    RESULT = enum.auto()
    DECISION = enum.auto()  # of the player in front


_GOALS: Final[Mapping[str, tuple[Goal, Literal[1, -1]]]] = {
    "pagedown": (Goal.TURN, 1),
    "pageup": (Goal.TURN, -1),
    "s": (Goal.ROUND, 1),
    "S": (Goal.ROUND, -1),
    "n": (Goal.RESULT, 1),
    "d": (Goal.DECISION, 1),
}


S = TypeVar("S", bound=TableScene)
R = TypeVar("R", bound=Replay[Any, Any])


@dataclass(frozen=True, slots=True)
class Live(Generic[R]):
    """A game still in play, as far as shown. position: says how the game is watched."""

    replay: R
    position: Sentence


class MistakeSearch(NamedTuple):
    """The mistakes found so far, in order. done: whether the whole game is judged.

    judged: how many decisions are judged, of ``all``; both 0 while the game is read.
    """

    found: tuple[PageMistake, ...] = ()
    done: bool = False
    judged: int = 0
    all: int = 0


class FindMistakes(Protocol):
    """Judges a game, slowly."""

    def __call__(self, *, count: Count) -> Iterator[PageMistake] | None:
        """Return the mistakes in order, or None if no decision can be judged.

        count: told in the calling thread how many decisions are judged.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPlace(ABC, Generic[S, R]):
    """The place in a replay. at: the step, from 0. focus: the table, or an open page.

    own: the seat in front, if the view shows no seat alone. live: the way in which a live game
    is watched; None for a stored game. judging: the mistakes of the game; None until the person
    asks. turned: the advice whose pages were turned last, and how often.
    """

    replay: R
    view: Viewpoint
    own: Seat = FIRST_SEAT
    at: int = 0
    focus: AtTable | Reading | Gone = AT_TABLE
    live: Sentence | None = None
    judging: MistakeSearch | None = None
    turned: tuple[str, int] = ("", 0)

    @classmethod
    def begin(
        cls, replay: R, view: Viewpoint | None = None, at: int = 0, own: Seat = FIRST_SEAT
    ) -> Self:
        """Begin at the step ``at``, or at the last step; the replay has at least one step.

        view: None for all open cards.
        """
        chosen = view or viewpoints(len(replay.names), own)["both"]
        return cls(replay=replay, at=min(at, len(replay.steps) - 1), view=chosen, own=own)

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.replay.steps) - 1

    @property
    def is_last(self) -> bool:
        """Whether no step follows."""
        return self.at == self.last

    @property
    def event(self) -> Event:
        """The event of the step."""
        return self.replay.steps[self.at].event

    @property
    def mistake(self) -> Mistake | None:
        """The mistake at the step, as far as the game is judged."""
        found = () if self.judging is None else self.judging.found
        return next((it.told() for it in found if it.step == self.at), None)

    @property
    def keys(self) -> str:
        """The keys of every replay in words; only a stored game can be judged, and once."""
        if self.judging is None and self.live is None:
            return replay_sentences.KEYS_JUDGED()
        found = self.judging is not None and self.judging.found
        return (replay_sentences.KEYS_MISTAKES if found else replay_sentences.KEYS)()

    @property
    def title(self) -> str:
        """The players' names, for the title of the terminal."""
        return WINDOW(name=listed(self.replay.names))

    @abstractmethod
    def at_step(self) -> S:
        """Return the scene of the step, without the cards that the view must not show."""

    @abstractmethod
    def before(self, scene: S, mistake: Mistake) -> S:
        """Return the board before ``mistake``, with both moves marked."""

    def scene(self) -> S:
        """Return the scene to draw: of a mistake, the board before the step."""
        scene, mistake = self.at_step(), self.mistake
        if mistake is None:
            return scene
        shown = self.before(scene, mistake)
        told = findings.beside(mistake)
        return replace(shown, lesson=told, lately=mistake.why, turned=self.turned)

    @abstractmethod
    def reaches(self, goal: Goal, at: int) -> bool:
        """Tell whether the step ``at`` is a ``goal``."""

    @staticmethod
    @abstractmethod
    def picture(scene: S, columns: int, rows: int, skin: Skin) -> TerminalFrame:
        """Return the frame of ``scene``."""

    @staticmethod
    @abstractmethod
    def acts(speed: Speed) -> Acts[S]:
        """Return the game's animations, none of them begun."""

    def next_view(self) -> Self:
        """Return the same place, seen by the next view."""
        views = [*viewpoints(len(self.replay.names), self.own).values()]
        return replace(self, view=views[(views.index(self.view) + 1) % len(views)])

    @property
    def usual(self) -> Sentence:
        """The sentence about a step that is no mistake."""
        match len(self.view.shown):
            case 0:
                return replay_sentences.AS_PUBLIC
            case 1:
                return replay_sentences.AS_SEAT
            case _:
                return replay_sentences.AS_BOTH

    def press(self, key: str) -> Self:
        """Return the place after a key. A key without a meaning changes nothing."""
        key = latin(key)
        match self.focus:
            case Gone():
                return self
            case _ if key in LEAVE_KEYS:
                return replace(self, focus=Gone())
            case Reading() as reading:
                return self._turned(read_on(self.scene(), reading, key))
            case AtTable() if key in PAGES:
                return self._turned(open_page(self.scene(), PAGES[key]))
            case AtTable() if key in ("q", "escape"):
                return replace(self, focus=Gone())
            case AtTable() if key in _FORWARD:
                return replace(self, at=min(self.at + 1, self.last))
            case AtTable() if key in _BACK:
                return replace(self, at=max(self.at - 1, 0))
            case AtTable() if key in ("home", "end"):
                return replace(self, at=0 if key == "home" else self.last)
            case AtTable():
                return self.own_key(key)

    def own_key(self, key: str) -> Self:
        """Return the place after a key at the table that neither moves a step nor leaves."""
        match key:
            case _ if key in _GOALS:
                return self._to(*_GOALS[key])
            case _ if key in (findings.ANALYSES, findings.BACK):
                return self._to_mistake(1 if key == findings.ANALYSES else -1)
            case "v":
                return self.next_view()
            case findings.TURNS if self.mistake is not None:
                scene = self.scene()
                return replace(self, turned=scene.turns(scene.advice).turned)
            case _:
                return self

    def _to(self, goal: Goal, by: Literal[1, -1]) -> Self:
        """Go to the next step that is a ``goal``, or to the last; back, to the first."""
        end = self.last if by == 1 else 0
        there = (at for at in range(self.at + by, end + by, by) if self.reaches(goal, at))
        return replace(self, at=next(there, end))

    def _to_mistake(self, by: Literal[1, -1]) -> Self:
        """Begin to judge a stored game; later go to the next mistake, or to the one before."""
        if self.live is not None:
            return self
        if self.judging is None:
            return replace(self, judging=MistakeSearch())
        steps = [it.step for it in self.judging.found]
        if not steps:
            return self
        later = [step for step in steps if step > self.at] or steps
        earlier = [step for step in steps if step < self.at] or steps
        return replace(self, at=later[0] if by == 1 else earlier[-1])

    def position(self) -> str:
        """Return the line of the position: the usual one, or what judging has found."""
        steps = {"number": self.at + 1, "count": len(self.replay.steps)}
        if self.live is not None:
            return self.live(**steps)
        if self.judging is None:
            return self.usual(**steps, name=self.replay.names[self.view.front])
        found, done, judged, of_all = self.judging
        mistake = self.mistake
        if mistake is not None:
            place = [it.step for it in found].index(self.at)
            told = findings.position(mistake, place, len(found))
            return replay_sentences.MISTAKE(**steps, mistake=told)
        if not done and not of_all:
            return replay_sentences.READING(**steps)
        if not done:
            progress = {"judged": judged, "all": of_all, "found": len(found)}
            return replay_sentences.JUDGING(**steps, **progress)
        judged_all = replay_sentences.JUDGED if found else replay_sentences.FLAWLESS
        return judged_all(**steps, found=len(found))

    def _turned(self, scene: S) -> Self:
        match scene.focus:
            case AtTable() | Reading() as focus:
                return replace(self, focus=focus)
            case _:
                return self


P = TypeVar("P", bound=ReplayPlace[Any, Any])
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class ReplayPosition(Generic[P]):
    """A place in a replay, and the manner of showing its scene.

    due: the time at which the next step comes by itself, or None.
    """

    place: P
    staged: Staged[Any]
    due: float | None = None

    def to(self, place: P, now: float) -> Self:
        """Go to another place. One step forward is shown with its animation."""
        before, staged = self.place, self.staged.over()
        scene = place.scene()
        if place.at == before.at + 1 and place.view == before.view:
            staged = staged.follow(scene, place.event, now)
        return replace(self, place=place, staged=staged.to(scene))

    def grown(self, live: Live[Any], now: float) -> Self:
        """Go on with more of a live game.

        A watcher at the end so far sees the new steps, singly unless the new steps are too
        many. A watcher of earlier steps stays there.
        """
        followed = self.due is not None or self.place.is_last
        place = replace(self.place, replay=live.replay, live=live.position)
        if followed and place.last - place.at > MOST_BEHIND:
            place = replace(place, at=place.last)
        grown = replace(self, place=place, staged=self.staged.to(place.scene()))
        if grown.due is None and followed and not place.is_last:
            return replace(grown, due=now)
        return grown

    def judged(self, judging: MistakeSearch) -> Self:
        """Go on with more of the game judged; a running animation goes on."""
        place = replace(self.place, judging=judging)
        return replace(self, place=place, staged=self.staged.to(place.scene()))

    def go_on_by_itself(self, now: float) -> Self:
        """Let the next step come after the animation; after the last step, stop."""
        if self.place.is_last:
            return replace(self, due=None)
        return replace(self, due=now + self.staged.lasts(now) + PAUSE)


class ReplayView(Generic[P, E]):
    """The view of an onlooker, and the meaning of the keys."""

    def __init__(self, skin: Skin) -> None:
        self._skin: Final = skin

    def by(self, state: ReplayPosition[P], now: float) -> tuple[ReplayPosition[P], None]:
        """If the next step comes by itself and is due, take the step."""
        if state.due is None or now < state.due:
            return state, None
        return state.to(state.place.press("right"), now).go_on_by_itself(now), None

    def draw(
        self, state: ReplayPosition[P], columns: int, rows: int, now: float
    ) -> TerminalFrame:
        """Return the frame of the table at this step, or of the open page."""
        return state.place.picture(state.staged.seen(now), columns, rows, self._skin)

    def status(self, state: ReplayPosition[P], now: float) -> Status:
        """Return the players' names for the title of the terminal."""
        return Status(
            title=state.place.title,
            over=state.place.focus == Gone(),
            changes_in=_soonest(state, now),
        )

    def press(
        self, state: ReplayPosition[P], key: str, now: float
    ) -> tuple[ReplayPosition[P], E | None]:
        """Return the position after a key.

        Playing by itself stops at every key, except that the key PLAYS can start it.
        """
        if latin(key) == PLAYS and state.place.focus == AtTable():
            if state.due is not None:
                return replace(state, due=None), None
            return replace(state, due=now), None
        return replace(state.to(state.place.press(key), now), due=None), None

    def paste(self, state: ReplayPosition[P], _: str) -> tuple[ReplayPosition[P], E | None]:
        """Drop a pasted text: a replay has no field."""
        return state, None

    def write(self, state: ReplayPosition[P], _: str) -> ReplayPosition[P]:
        """Return ``state``: a replay has no field."""
        return state


def _soonest(state: ReplayPosition[P], now: float) -> float | None:
    """Return the seconds until the picture changes, or None."""
    shown = state.staged.changes_in(now)
    if state.due is None:
        return shown
    step = max(0.0, state.due - now)
    return step if shown is None else min(shown, step)


JUDGE: Final = "judge"
"""A person asks that the game be judged."""


class JudgedView(ReplayView[P, str]):
    """The view of an onlooker of a stored game that can be judged."""

    def press(
        self, state: ReplayPosition[P], key: str, now: float
    ) -> tuple[ReplayPosition[P], str | None]:
        """Return the position after a key, and the request to judge the game or None."""
        pressed, _ = super().press(state, key, now)
        asked = state.place.judging is None and pressed.place.judging is not None
        return pressed, JUDGE if asked else None


def position_at(place: P, speed: Speed = Speed.OFF) -> ReplayPosition[P]:
    """Return the position at ``place``, without a running animation."""
    return ReplayPosition(place, Staged(place.scene(), place.acts(speed)))


async def view(
    place: ReplayPlace[Any, Any], look: Look, find: FindMistakes | None = None
) -> None:
    """Show a replay until the screen is closed, or the terminal is gone.

    find: judges the game if the person asks; None if nobody can.
    """
    looking = JudgedView[ReplayPlace[Any, Any]](look.skin)
    state = position_at(place, look.speed)
    async with open_screen(looking, state, look) as screen, trio.open_nursery() as nursery:
        async for _ in screen.emitted:
            nursery.start_soon(_judge, find, screen.change)
        nursery.cancel_scope.cancel()


async def _judge(find: FindMistakes | None, change: "Change[P]") -> None:
    """Show the progress after each decision, and each mistake as soon as it is found."""
    judging = MistakeSearch()

    def show(later: MistakeSearch) -> None:
        nonlocal judging
        judging = later
        change(lambda at, _: at.judged(later))

    def count(judged: int, of_all: int) -> None:
        trio.from_thread.run_sync(show, judging._replace(judged=judged, all=of_all))

    def begin() -> Iterator[PageMistake]:
        return (None if find is None else find(count=count)) or iter(())

    mistakes = await trio.to_thread.run_sync(begin, abandon_on_cancel=True)
    while True:
        mistake = await trio.to_thread.run_sync(next, mistakes, None, abandon_on_cancel=True)
        if mistake is None:
            break
        show(judging._replace(found=(*judging.found, mistake)))
    show(judging._replace(done=True))


_Watching: TypeAlias = ScreenView[ReplayPosition[ReplayPlace[Any, Any]], Never]


async def follow(game: Game, look: Look, seen: AsyncIterator[GameSoFar]) -> None:
    """Show a live game, as it grows, until the screen is closed; as ``view`` does.

    The first game in ``seen`` has steps.
    """
    growing = _live(seen, game.needed(Game.replay))
    first = await anext(growing)
    place = game.needed(Game.watch)(first.replay)
    place = replace(place, at=place.last, live=first.position)
    looking: _Watching = ReplayView[ReplayPlace[Any, Any], Never](look.skin)
    state = position_at(place, look.speed)
    async with open_screen(looking, state, look) as screen, trio.open_nursery() as nursery:
        nursery.start_soon(_grow, screen.change, growing)
        async for _ in screen.emitted:
            pass  # no value comes out; the loop ends with the screen
        nursery.cancel_scope.cancel()


async def _live(
    seen: AsyncIterator[GameSoFar], replay_of: Callable[[Report], R]
) -> AsyncGenerator[Live[R]]:
    async for report, position in seen:
        yield Live(await trio.to_thread.run_sync(replay_of, report), position)


Change: TypeAlias = Callable[[Callable[[ReplayPosition[P], float], ReplayPosition[P]]], None]
"""Lets the screen go on to another state."""


async def _grow(change: Change[P], growing: AsyncIterable[Live[Any]]) -> None:
    async for live in growing:

        def step(
            state: ReplayPosition[P], now: float, live: Live[Any] = live
        ) -> ReplayPosition[P]:
            return state.grown(live, now)

        change(step)
