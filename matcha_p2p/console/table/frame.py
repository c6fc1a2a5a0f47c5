"""What keys mean at the table of every game; a game adds the keys of its own questions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from matcha_p2p.console.review import findings
from matcha_p2p.console.table import captions, focus, keys
from matcha_p2p.console.table.keymap import Key, KeyTable, obey
from matcha_p2p.console.table.scene import TableScene, answered, tell, unanswered
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.games.asking import ListedAnswer, Listing
from matcha_p2p.games.front import Advise, Judgement
from matcha_p2p.games.game import View
from matcha_p2p.kinds import kind
from matcha_p2p.language import Sentence
from matcha_p2p.narration import audience
from matcha_p2p.narration.after_game import AGREED, OFFERED
from matcha_p2p.narration.evening import OwnResult
from matcha_p2p.narration.news import TakeBack, Wish
from matcha_p2p.narration.quick_phrases import REACTIONS
from matcha_p2p.session import news as heard
from matcha_p2p.wire.talk import Proposal

S = TypeVar("S", bound=TableScene)

MUTE: Final = "x"
"""Mutes the other players' talk, or ends the muting."""


def _again(scene: TableScene) -> str:
    return (captions.REVENGE if scene.outcome is OwnResult.LOST else captions.REMATCH)()


AGAIN: Final[Mapping[Proposal, Sentence | Callable[[TableScene], str]]] = {
    Proposal.BOOKS: captions.OPEN,
    Proposal.REMATCH: _again,
}
HELP_AGAIN: Final = {
    Proposal.BOOKS: captions.HELP_OPEN, Proposal.REMATCH: captions.HELP_REMATCH,
}  # fmt: skip


@kind
class AskHint(NamedTuple):
    """The person asks for a hint. ``advise`` judges ``seen``, the decision due, and is slow."""

    seen: View
    advise: Advise


TURNS: Final[Key[Any]] = Key(
    "space",
    lambda scene, _: (scene.turns(scene.advice), None),
    None,
    captions.HELP_TURN,
    lambda scene: bool(scene.advice),
)
"""Turns the pages of advice, in a game whose own keys leave Space free."""


@kind
class AskAnalysis(NamedTuple):
    """The person asks for an analysis. asked: a value of the game's own, for its analyst."""

    asked: object


Request: TypeAlias = Wish | AskHint | AskAnalysis


class TableKeys(ABC, Generic[S]):
    """The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

    Keys have the names of prompt_toolkit (enter, escape, left, f10, c-c), or are the typed
    character. A game adds the table ``own``; its keys work while no list, page or question of
    the frame is open.
    """

    own: ClassVar[KeyTable[Any]] = ()
    lists: ClassVar[bool] = False
    """Whether the game asks questions whose answers are a list."""
    undo_help: ClassVar[Sentence] = captions.HELP_UNDO
    offers: ClassVar[Mapping[str, Proposal]] = {"o": Proposal.BOOKS, "r": Proposal.REMATCH}

    def __init__(self) -> None:
        self.common: Final[KeyTable[S]] = (
            self._page("? f1", focus.Page.HELP, captions.HELP_LABEL, captions.HELP_HELP, 0),
            self._page("m f2", focus.Page.RULES, captions.RULES, captions.HELP_RULES, 3),
            Key("/ tab f3", keys.speak, _speak_label, captions.HELP_TALK, rank=0),
            self._page("l f4", focus.Page.REVIEW, captions.REVIEW, captions.HELP_REVIEW, 2),
            Key("h", self._hint,
                captions.HINT, captions.HELP_HINT, self._coaches, unless=_no_hint),
            Key("u", self._undo, self._undo_label, self.undo_help, self._undoes,
                unless=self._nothing_to_undo),
            self._page("w f5", focus.Page.WHY, captions.WHY, captions.HELP_WHY, 2),
            Key(" ".join(REACTIONS), keys.speak),
            Key("q", lambda scene, _: (keys.leaving(scene), None),
                captions.LEAVE, captions.HELP_LEAVE, rank=0),
            Key(MUTE, lambda scene, _: (keys.mute(scene), None),
                _mute_label, captions.HELP_MUTE, _mutes, rank=4),
            Key("v", lambda scene, _: (keys.admitting(scene), None),
                audience.LABEL, audience.HELP_KEYS, _admits, rank=4),
            Key("pageup pagedown", lambda scene, key: (keys.scroll_talk(scene, key), None),
                None, captions.HELP_SCROLL, sign=captions.PAGES),
        )  # fmt: skip
        """The keys of the table, the same in all games."""
        self.ending: Final[KeyTable[S]] = (
            Key("enter", self.after, self._closing, captions.HELP_CLOSE),
            Key(findings.ANALYSES, self._analyse, captions.ANALYSIS, captions.HELP_ANALYSIS,
                lambda scene: self.analysis(scene) is not None),
            *(Key(key, self.after, AGAIN[said], HELP_AGAIN[said], partial(_allows, said=said))
              for key, said in self.offers.items()),
            replace(TURNS, help=None),
        )  # fmt: skip
        """The keys at the end of a round or of the game."""
        self.acting: Final[KeyTable[S]] = (
            Key("space enter", _stays, captions.GOES_ON, captions.HELP_GO_ON),
            Key("escape", _stays, captions.SKIPS, captions.HELP_SKIP),
        )
        """The keys during an act, which the stage obeys (``Staged.finish``)."""
        self.listed: Final[KeyTable[S]] = (
            Key("enter", self._chosen, captions.CHOOSES, captions.HELP_CHOOSE),
            Key(
                "left up right down",
                self._choosing,
                None,
                captions.HELP_STEP,
                sign=captions.ARROWS,
            ),
            Key("escape c-h", self._back, captions.BACK, captions.HELP_BACK, self._has_back),
            replace(TURNS, help=None),
        )
        """The keys of a list of answers, besides the key of each answer."""

    # For a game to add.

    @abstractmethod
    def idle(self, scene: S) -> S:
        """Return the scene without a question."""

    @abstractmethod
    def decision(self, scene: S) -> View | None:
        """Return the decision due, as a good player is asked; None if no decision is due."""

    @abstractmethod
    def advised(self, scene: S, judgement: Judgement) -> S:
        """Return the scene with a hint, whose answer is marked for Enter."""

    @abstractmethod
    def chosen(self, scene: S, gives: object) -> tuple[S, Wish | None]:
        """Return the scene and the choice after an answer was chosen: ``gives``, no list."""

    def undone(self, scene: S) -> S | None:
        """Return the scene before the last part of an answer not yet given; None without."""
        del scene
        return None

    def over(self, scene: S) -> bool:
        """Tell whether an end is shown, of the game or of a part."""
        return (scene.end is not None or scene.lesson_over) and not scene.asked

    def closes(self, scene: S) -> bool:
        """Tell whether Enter closes the table now."""
        del scene
        return True

    def analysis(self, scene: S) -> object | None:
        """Return the question for the analyst; None if nothing can be judged now."""
        del scene
        return None

    def returned(self, scene: S) -> S:
        """Return the scene after the person has taken a decision back."""
        return self.idle(tell(scene, captions.TAKEN_BACK()))

    def told(self, scene: S, sentence: str) -> S:
        """Return the scene with the answer to a key."""
        return tell(scene, sentence)

    def parted(self, scene: S, choice: Wish) -> tuple[S, Wish | None]:
        """Return the scene and the choice after the person has left or conceded."""
        return replace(self.idle(scene), focus=focus.Departing()), choice

    # The tables that hold now: of the question, and of the table.

    def first(self, scene: S) -> KeyTable[S]:
        """Return the keys of the question."""
        asked = self._asked(scene)
        if asked is not None:
            return (*(self._option(each) for each in asked.options), *self.listed)
        if scene.focus != focus.AtTable() or scene.watched is not None:
            return ()
        if scene.acting:
            return self.acting
        return self.ending if self.over(scene) else self.own

    def _asked(self, scene: S) -> Listing | None:
        """Return the open list, or None."""
        match scene.focus, scene.question:
            case focus.OpenList(asked), _:
                return asked
            case focus.AtTable(), Listing() as asked if not self.over(scene):
                return asked
            case _:
                return None

    def _ask(self, scene: S, asked: Listing) -> S:
        """Return the scene with another state of the open list, or another list."""
        if isinstance(scene.focus, focus.OpenList):
            return replace(scene, focus=focus.OpenList(asked))
        return replace(scene, question=asked)

    def help(self) -> tuple[KeyTable[S], ...]:
        """Return all tables of the page of help."""
        listed = self.listed if self.lists else ()
        return self.own, listed, self.acting, self.ending, self.common

    def hinted(
        self, scene: S, asked: AskHint, judgement: Judgement
    ) -> tuple[S, Request | None]:
        """Return the scene with the hint asked for, if the person still waits for the hint.

        If Enter was pressed meanwhile, Enter gives the advised answer now.
        """
        if not _hint_comes(scene) or self.decision(scene) != asked.seen:
            return scene, None
        advised = answered(scene, self.advised(scene, judgement))
        entered = scene.hint == captions.HINT_ENTERED() and scene.focus == focus.AtTable()
        return self._press(advised, "enter") if entered else (advised, None)

    def press(self, scene: S, key: str) -> tuple[S, Request | None]:
        """Return the scene and the choice after a key. Each key marks talk as read.

        A sentence that only answers a key stands until the next key, and not in the log.
        """
        if scene.unread and not isinstance(scene.focus, focus.Reading):
            scene = replace(scene, unread=0)
        scene = unanswered(scene)
        pressed, request = self._press(scene, key if scene.is_talking else latin(key))
        return (answered(scene, pressed) if request is None else pressed), request

    def _press(self, scene: S, key: str) -> tuple[S, Request | None]:
        match scene.focus:
            case focus.Gone():
                return scene, None
            case focus.Departing():
                return (keys.gone(scene) if key in keys.LEAVE_KEYS else scene), None
            case _ if key in keys.LEAVE_KEYS:
                return keys.leaving(scene), None
            case focus.Talking(draft):
                return keys.talk(scene, draft, key)
            case focus.Reading() as reading:
                return self.read(scene, reading, key), None
            case focus.AtTable() if key == "enter" and _hint_comes(scene):
                return replace(scene, hint=captions.HINT_ENTERED()), None
            case focus.AtTable():
                own, alone = self.first(scene), _without_coming(scene)
                found = obey(own, alone, key, self.told) or obey(
                    self.common, scene, key, self.told
                )
                return found or (scene, None)
            case focus.OpenList():
                return self._answer(scene, key)

    def _answer(self, scene: S, key: str) -> tuple[S, Request | None]:
        """Answer a list of the frame; another key of the table closes it first."""
        closed = replace(scene, focus=focus.AtTable())
        found = obey(self.first(scene), scene, key, self.told)
        if found is None:
            found = obey(self.common, closed, key, self.told)
            if found == (scene, None):  # the key that has opened the list
                return closed, None
        return found or (scene, None)

    def read(self, scene: S, reading: focus.Reading, key: str) -> S:
        """Return the scene after a key on a page; the analysis leads to the board."""
        found = scene.mistakes
        if key == findings.TURNS and reading.at is not None and found:
            return scene.turns(findings.beside(found[reading.at]))
        after = findings.reading_after(reading, key, len(found))
        if after is not None:
            return replace(scene, focus=after)
        return keys.read_on(scene, reading, key)

    def _analyse(self, scene: S, _: str) -> tuple[S, AskAnalysis | None]:
        """Open the analysis, and ask for an analysis unless it is there."""
        asked, opened = self.analysis(scene), keys.open_page(scene, focus.Page.ANALYSIS)
        if scene.findings is not None and scene.findings.asked == asked:
            return opened, None
        return replace(opened, findings=findings.Findings(asked)), AskAnalysis(asked)

    def _page(
        self, on: str, page: focus.Page, label: Sentence, told: Sentence, rank: int
    ) -> Key[S]:
        def opens(scene: S, _: str) -> tuple[S, None]:
            return keys.open_page(scene, page), None

        return Key(on, opens, label, told, rank=rank)

    def _option(self, option: ListedAnswer) -> Key[S]:
        return Key(option.key, lambda scene, _: self._take(scene, option.gives))

    def _chosen(self, scene: S, _: str) -> tuple[S, Wish | None]:
        asked = self._asked(scene)
        return (scene, None) if asked is None else self._take(scene, asked.marked.gives)

    def _take(self, scene: S, gives: object) -> tuple[S, Wish | None]:
        """Take an answer: another list, a wish of the frame, or a value of the game."""
        match gives:
            case Listing():
                return self._ask(scene, gives._replace(back=self._asked(scene))), None
            case _ if not isinstance(scene.focus, focus.OpenList):
                return self.chosen(scene, gives)
            case heard.Leave() | heard.Concede():
                return self.parted(scene, gives)
            case TakeBack():
                scene = self.returned(replace(scene, focus=focus.AtTable()))
                return replace(scene, end=None, after_game=None), gives
            case heard.LetWatch():
                return replace(scene, focus=focus.AtTable()), gives
            case _:
                return replace(scene, focus=focus.AtTable()), None

    def _choosing(self, scene: S, key: str) -> tuple[S, None]:
        asked = self._asked(scene)
        moved = scene if asked is None else self._ask(scene, asked.moved(keys.STEPS[key]))
        return moved, None

    def _has_back(self, scene: S) -> bool:
        asked = self._asked(scene)
        return asked is not None and (asked.back is not None or asked is not scene.question)

    def _back(self, scene: S, _: str) -> tuple[S, None]:
        match scene.focus:
            case focus.OpenList(Listing(back=Listing() as before)):
                return self._ask(scene, before), None
            case focus.OpenList():
                return replace(scene, focus=focus.AtTable()), None
            case _:
                return replace(scene, question=scene.question.back), None

    def _hint(self, scene: S, _: str) -> tuple[S, AskHint | None]:
        seen = self.decision(scene)
        if seen is None or scene.advise is None or _hint_comes(scene):
            return scene, None
        return replace(scene, hint=captions.HINT_COMING()), AskHint(seen, scene.advise)

    def _coaches(self, scene: S) -> bool:
        return scene.coached

    def _undo(self, scene: S, _: str) -> tuple[S, None]:
        undone = self.undone(scene)
        return (keys.taking_back(scene) if undone is None else undone), None

    def _undo_label(self, scene: S) -> str:
        return "" if self.over(scene) else captions.UNDO()

    def _undoes(self, scene: S) -> bool:
        return scene.coached or self.undone(scene) is not None

    def _nothing_to_undo(self, scene: S) -> str:
        decided = scene.decided or self.undone(scene) is not None
        return "" if decided else captions.NOTHING_DECIDED()

    def _closing(self, scene: S) -> str:
        return (captions.CLOSES if self.closes(scene) else captions.GOES_ON)()

    def after(self, scene: S, key: str) -> tuple[S, Wish | None]:
        """Return the scene and the choice after a key at the end of the game."""
        if key == "enter":
            return keys.gone(scene), None
        offers, proposal = scene.after_game, self.offers[key]
        if offers is None:
            return scene, None
        said = AGREED if offers.asks(proposal) else OFFERED
        scene = replace(scene, after_game=offers.offer(proposal))
        return tell(scene, said[proposal]()), heard.Propose(proposal)


def _stays(scene: S, _: str) -> tuple[S, None]:
    return scene, None


def _hint_comes(scene: TableScene) -> bool:
    return scene.hint in (captions.HINT_COMING(), captions.HINT_ENTERED())


def _without_coming(scene: S) -> S:
    """Return the scene that waits for no hint: what the person marks now stays marked."""
    return replace(scene, hint="") if _hint_comes(scene) else scene


def _no_hint(scene: TableScene) -> str:
    return "" if scene.asked else captions.NO_HINT()


def _speak_label(scene: TableScene) -> str:
    return "" if scene.is_silent or scene.watched is not None else captions.SPEAK()


def _mutes(scene: TableScene) -> bool:
    return bool(scene.name)


def _mute_label(scene: TableScene) -> str:
    return captions.MUTE() if scene.talk and not scene.is_silent else ""


def _admits(scene: TableScene) -> bool:
    return bool(scene.audience.most and not scene.audience.closed)


def _allows(scene: TableScene, said: Proposal) -> bool:
    return scene.after_game is not None and scene.after_game.allows(said)
