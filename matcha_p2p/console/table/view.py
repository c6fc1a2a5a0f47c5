"""The view of a seat at any table, and the meaning of news and keys."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, Generic, TypeVar

from matcha_p2p.console.table.focus import Gone, Talking
from matcha_p2p.console.table.frame import Request, TableKeys
from matcha_p2p.console.table.keys import write
from matcha_p2p.console.table.scene import TableScene, unanswered
from matcha_p2p.console.table.show import Acts
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Bell, Look, Speed
from matcha_p2p.console.terminal.screen import WINDOW, Status
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.front import Advise
from matcha_p2p.language import Sentence
from matcha_p2p.narration.news import Decisions, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, LineTimed, MakeMove, NextGame, TakenUp
from matcha_p2p.wire.talk import Proposal

S = TypeVar("S", bound=TableScene)


class PlayerView(ABC, Generic[S]):
    """The view of a seat at the table. advise: the game's adviser, in practice alone.

    due: the title of the terminal when a move is due. keys: the meaning of keys in this game.
    """

    due: Sentence
    keys: ClassVar[TableKeys[Any]]

    def __init__(self, look: Look, advise: Advise | None = None) -> None:
        self.look: Final = look
        self.advise: Final = advise

    @abstractmethod
    def opening(self, seat: Seat) -> S:
        """Return the scene before all have met."""

    @staticmethod
    @abstractmethod
    def picture(scene: S, columns: int, rows: int, skin: Skin, /) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""

    @staticmethod
    @abstractmethod
    def told(scene: S, news: News, /) -> S:
        """Return the scene after ``news``."""

    @staticmethod
    @abstractmethod
    def acts(speed: Speed, /) -> Acts[S]:
        """Return the game's animations, none of them begun."""

    def begin(self, seat: Seat) -> Staged[S]:
        """Return the state before all have met."""
        return Staged(self.opening(seat), self.acts(self.look.speed))

    def reply(self, scene: S) -> Wish | None:
        """Return the choice of a scene in which nothing is to be decided, or None."""
        del scene
        return None

    def hear(self, state: Staged[S], news: News, now: float) -> tuple[Staged[S], Wish | None]:
        """Return the state after ``news``, and a choice if nothing is to be decided."""
        if not isinstance(news, LineTimed | Decisions):
            state = state.to(unanswered(state.scene))
        scene = self.told(state.scene, news)
        match news:
            case GameEvent(event):
                state = state.follow(scene, event, now)
            case NextGame() | TakenUp():
                state = state.anew(scene, now)
            case _:
                state = state.to(scene)
        return state, self.reply(scene)

    def by(self, state: Staged[S], _: float, /) -> tuple[Staged[S], Wish | None]:
        """Return ``state``: only news and keys change the state."""
        return state, None

    def draw(self, state: Staged[S], columns: int, rows: int, now: float) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return self.picture(state.seen(now), columns, rows, self.look.skin)

    def status(self, state: Staged[S], now: float) -> Status:
        """Return the title of the terminal, and ring when a move is seen to be due."""
        seen = state.seen(now)
        focus = state.scene.focus
        title = self.due() if seen.asked else WINDOW(name=seen.name)
        return Status(
            title=title if seen.name else "",
            calls=_calls(state.scene, seen, self.look.bell),
            draft=focus.draft if isinstance(focus, Talking) else None,
            over=focus == Gone(),
            changes_in=state.changes_in(now),
        )

    def press(self, state: Staged[S], key: str, now: float) -> tuple[Staged[S], Request | None]:
        """Return the state and the choice after a key, which may just finish the animation.

        No key answers a question that is not seen yet.
        """
        runs = state.lasts(now) > 0
        state, taken = state.finish(key, now)
        if taken:
            return state, None
        scene, wish = self.keys.press(state.scene, key)
        answers = isinstance(wish, MakeMove) or scene.question != state.scene.question
        return (state, None) if runs and answers else (state.to(scene), wish)

    def paste(self, state: Staged[S], _: str) -> tuple[Staged[S], Wish | None]:
        """Drop a pasted text: the table takes no pastes as keys."""
        return state, None

    def write(self, state: Staged[S], text: str) -> Staged[S]:
        """Return the state with ``text`` as the line of talk."""
        return state.to(write(state.scene, text))


def _calls(scene: TableScene, seen: TableScene, bell: Bell) -> frozenset[str]:
    """Return the names of calls for the bell; each call rings once, when new."""
    calls = {"move"} if seen.asked else set[str]()
    match bell:
        case Bell.NONE:
            return frozenset()
        case Bell.TURN:
            return frozenset(calls)
        case Bell.ALL:
            after = scene.after_game
            calls |= {f"offer {each.name}" for each in Proposal if after and after.asks(each)}
            heard = sum(by != scene.seat for by, _ in scene.talk)
            return frozenset(calls | {f"talk {number}" for number in range(heard)})
