"""The part of a scene that all games share: the talk, the sentences, the connection."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeVar

from matcha_p2p.console.review.findings import Findings
from matcha_p2p.console.table import captions
from matcha_p2p.console.table.focus import AT_TABLE, Focus, Talking
from matcha_p2p.games.front import Advise
from matcha_p2p.kinds import kind
from matcha_p2p.narration.after_game import AfterGame
from matcha_p2p.narration.evening import OwnResult, outcome_of
from matcha_p2p.narration.news import News, Recognised
from matcha_p2p.narration.standing import ALARMING, tell_standing
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection import changes
from matcha_p2p.session.news import NO_WISHES, LineChanged, Wishes
from matcha_p2p.session.watching import UNWATCHED, Watching


@kind
class Replaying(NamedTuple):
    """An onlooker watches a verified game.

    position: the number of the step, the count of steps, and the view. keys: the words about
    keys. why: of the last round.
    """

    position: str
    keys: str
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableScene(ABC):
    """The content of a screen, as far as no game has a part in it."""

    hides: ClassVar[bool] = True
    """Whether the game hides cards, which players can offer to show."""

    seat: Seat
    """Our seat; for an onlooker, the seat at the bottom of the screen."""
    focus: Focus = AT_TABLE
    """Where the keys go."""
    told: tuple[str, ...] = ()
    """Every sentence so far, the oldest first."""
    lately: tuple[str, ...] = ()
    """The sentences of ``told`` that the table itself does not show just as well."""
    asides: int = 0
    """How many sentences at the end of ``lately`` answer the last key, outside of ``told``."""
    headings: tuple[tuple[int, str], ...] = ()
    """The headings in ``told``, each after the number of sentences above the heading."""
    talk: tuple[tuple[Seat, str], ...] = ()
    """The speaker and the text, the oldest first. None: another player, unknown which."""
    back: int = 0
    """How many pieces of talk the reader has scrolled back."""
    turned: tuple[str, int] = ("", 0)
    """The advice whose pages were turned last, and how often."""
    unread: int = 0
    """How many pieces of talk were heard since the last key."""
    muted: str | None = None
    """The player whose talk is muted; "" for all others, None for nobody."""
    troubles: Mapping[str, str] = field(default_factory=dict[str, str])
    """The trouble with the line to each neighbour, by the neighbour's name."""
    warning: str = ""
    """The warning that a player may be an impostor, or ""."""
    heeded: bool = False
    """Whether we have moved since the warning, so that its beginning is enough."""
    round_trip: float | None = None
    """Seconds to the peer and back; None if unknown."""
    work: str = ""
    """The work of the programs; "" if they wait for a person."""
    lesson: str = ""
    """The text of the tutorial, or ""."""
    taught: bool = False
    """Whether this is a tutorial."""
    lesson_over: bool = False
    """Whether the tutorial ends with the text."""
    hint: str = ""
    """The hint, if the person has asked; a hint holds for one decision."""
    after_game: AfterGame | None = None
    """The agreements and offers after the end; None before the end, and after a leave."""
    evening: tuple[OwnResult, ...] = ()
    """How the earlier games of the evening ended, the oldest first."""
    score: tuple[int, ...] = ()
    """Games won before this game, by us first; () in the first game of these players."""
    question: Any = None
    """What is asked, a value of the game's own."""
    end: Any = None
    """How the game has ended, a value of the game's own; None before the end."""
    advise: Advise | None = None
    """Advice, with hints and undo; in practice only."""
    decided: int = 0
    """How many decisions can be taken back; in practice only."""
    findings: Findings | None = None
    """The analysis, as far as done; None until the person asks."""
    checked: bool = False
    """Whether the finished game has been verified as a whole."""
    audience: Watching = UNWATCHED
    """The watchers, and the cards visible to watchers."""
    acting: bool = False
    """Whether the scene is of the past: an act is shown."""
    watched: Replaying | None = None
    """The state of an onlooker; None for a player."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name of the other players together; "" before all have met."""

    @abstractmethod
    def speaker(self, seat: Seat) -> str:
        """Return the name of another player who talks."""

    @property
    @abstractmethod
    def winners(self) -> Sequence[Seat] | None:
        """The seats that have won, none after a draw; None before the end of the game."""

    @property
    def is_over(self) -> bool:
        """Whether the screen shows the end of the game, or of the tutorial."""
        return self.winners is not None or self.lesson_over

    @property
    def outcome(self) -> OwnResult | None:
        """How the game ended for our seat; None before the end, and for an onlooker."""
        if self.winners is None or self.watched is not None:
            return None
        return outcome_of(self.seat, self.winners)

    @property
    def games(self) -> tuple[OwnResult, ...]:
        """How all games of the evening ended, this game included if it is over."""
        return self.evening if self.outcome is None else (*self.evening, self.outcome)

    @property
    def wins(self) -> tuple[int, ...]:
        """The games won, this game included if it is over, by us first; () as ``score``."""
        others = (seat for seat in range(len(self.score)) if seat != self.seat)
        won = (seat in (self.winners or ()) for seat in (self.seat, *others))
        return tuple(map(sum, zip(self.score, won, strict=False)))

    @property
    def wishes(self) -> Wishes:
        """The wishes for another game, as last told."""
        return NO_WISHES if self.after_game is None else self.after_game.wishes

    @property
    def coached(self) -> bool:
        """Whether hints and undo are at hand."""
        return self.advise is not None

    @property
    @abstractmethod
    def asked(self) -> bool:
        """Whether a move is due."""

    @property
    @abstractmethod
    def is_silent(self) -> bool:
        """Whether nobody can talk."""

    @property
    def is_sought(self) -> bool:
        """Whether a resumed game waits for the other players."""
        return self.work == captions.SEEKING(name=self.name)

    @property
    def trouble(self) -> str:
        """The trouble that began first, or ""."""
        return next(iter(self.troubles.values()), "")

    @property
    def advice(self) -> str:
        """Return the lesson, or the hint for the move that is due."""
        return self.hint if self.hint and self.asked else self.lesson

    @property
    def leaf(self) -> int:
        """Return how often the pages of the advice were turned."""
        advice, times = self.turned
        return times if advice == self.advice else 0

    def turns(self, advice: str) -> Self:
        """Return the scene with the next page of ``advice`` in sight."""
        told, times = self.turned
        return replace(self, turned=(advice, times + 1 if told == advice else 1))

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes found by the analysis so far."""
        return () if self.findings is None else self.findings.mistakes

    @property
    def is_talking(self) -> bool:
        """Whether keys write a line of talk."""
        return isinstance(self.focus, Talking)


AnyScene = TypeVar("AnyScene", bound=TableScene)

_LASTING: Final = (
    "names", "talk", "back", "unread", "muted", "troubles", "warning", "heeded", "round_trip",
)  # fmt: skip
"""The fields that the next game of the same players keeps."""


def take_up(scene: AnyScene, game: object, names: Sequence[str]) -> AnyScene:
    """Return the scene of a game that goes on: not over yet, and its players are sought."""
    found: dict[str, Any] = {"game": game, "names": names}
    scene = replace(scene, end=None, after_game=None, checked=False, **found)
    return replace(scene, work=captions.SEEKING(name=scene.name))


def begin_next(scene: AnyScene, fresh: AnyScene) -> AnyScene:
    """Return ``fresh``, the scene of the next game: only the players and their talk remain."""
    return replace(
        fresh,
        focus=scene.focus if isinstance(scene.focus, Talking) else AT_TABLE,
        told=scene.told[-1:],
        lately=scene.told[-1:],
        evening=scene.games,
        **{name: getattr(scene, name) for name in _LASTING},
    )


def tell(scene: AnyScene, sentence: str) -> AnyScene:
    """Return the scene with one more sentence that is not from news."""
    scene = unanswered(scene)
    return replace(scene, told=(*scene.told, sentence), lately=(*scene.lately, sentence))


def answered(before: AnyScene, after: AnyScene) -> AnyScene:
    """Return ``after``; the sentences that ``before`` lacks answer a key and are no record."""
    more = len(after.lately) - len(before.lately)
    return replace(after, told=before.told, asides=before.asides + more)


def unanswered(scene: AnyScene) -> AnyScene:
    """Return the scene without the answer to the last key."""
    kept = scene.lately[: len(scene.lately) - scene.asides]
    return replace(scene, lately=kept, asides=0) if scene.asides else scene


def review(scene: TableScene) -> list[tuple[str, str]]:
    """Return all past events as paragraphs, headings in a style of their own."""
    headings = dict(scene.headings)
    paragraphs: list[tuple[str, str]] = []
    for place, sentence in enumerate(scene.told):
        if place in headings:
            paragraphs += [("", "")] if paragraphs else []
            paragraphs.append(("class:now", headings[place]))
        paragraphs.append(("", sentence))
    return paragraphs


def heed(scene: AnyScene, news: News, *, moved: bool) -> AnyScene:
    """Return the scene with the warning of ``news``, if any. moved: whether we have moved."""
    warning = scene.warning
    if isinstance(news, Recognised) and news.standing in ALARMING:
        warning = f"{warning} {tell_standing(news)}".strip()
    return replace(scene, warning=warning, heeded=scene.heeded or moved)


def follow_line(scene: AnyScene, news: LineChanged) -> AnyScene:
    """Return the scene with the troubles after a change of the line to a neighbour."""
    troubles = dict(scene.troubles)
    trouble = _trouble_of(news.change, news.name)
    if trouble:
        troubles[news.name] = trouble
    else:
        troubles.pop(news.name, None)
    return replace(scene, troubles=troubles)


def _trouble_of(change: changes.LineChange, name: str) -> str:
    """Return the words about the trouble that begins with ``change``, or ""."""
    match change:
        case changes.LineUp() | changes.LineHeard() | changes.LineEnded():
            return ""
        case changes.LineQuiet(seconds):
            return captions.QUIET(name=name, seconds=round(seconds))
        case changes.LineDown():
            return captions.DOWN(name=name)
        case changes.LineDialled(tries):
            return captions.DIALLED(name=name, tries=tries)
