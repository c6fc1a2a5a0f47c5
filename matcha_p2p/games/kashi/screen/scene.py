"""One seat's view of Kashi-ichi as a value: news go in, and a new scene comes out.

The functions neither draw, wait nor send.
"""

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeAlias

from matcha_p2p.console.table import hearing
from matcha_p2p.console.table.focus import AtTable, Reading, Talking
from matcha_p2p.console.table.scene import TableScene, begin_next, heed, take_up, tell
from matcha_p2p.console.table.talk import is_muted
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.front import Advise
from matcha_p2p.games.kashi import questions
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.draft import Draft, begin
from matcha_p2p.games.kashi.rules.game import most_paid
from matcha_p2p.games.kashi.rules.moves import Go, TurnAction
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import GameState, Paying, Questioning, Starting, Turn
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.routes import Footprints, trodden
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.words.names import goods_words, shown
from matcha_p2p.games.kashi.words.seat_words import ONLOOKER, SeatWords
from matcha_p2p.kinds import kind
from matcha_p2p.narration.news import News
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as heard


@kind
class Waiting(NamedTuple):
    """The game does not wait for the person."""


@kind
class Beginning(NamedTuple):
    """The person chooses the start square number ``at`` of the board."""

    at: int


@kind
class Walking(NamedTuple):
    """The turn runs, and ``at`` is the chosen square. way: which of the ways there.

    plan: the rest of the turn that a hint has laid out.
    """

    draft: Draft
    at: int
    way: int = 0
    plan: tuple[TurnAction, ...] = ()

    @property
    def step(self) -> tuple[TurnAction, ...]:
        """The next step of the plan: a whole walk, or another action."""
        walk = tuple(takewhile(lambda action: isinstance(action, Go), self.plan))
        return walk or self.plan[:1]


@kind
class Placing(NamedTuple):
    """``order`` brings a shop, for one of ``squares``; ``at`` is the chosen square.

    order: 0 to take one of the own shops back, from one of ``squares``.
    """

    draft: Draft
    order: int
    squares: tuple[int, ...]
    at: int


@kind
class Closing(NamedTuple):
    """The turn ``draft`` is ended when confirmed."""

    draft: Draft


@kind
class Settling(NamedTuple):
    """Upkeep of ``owed`` is due: ``gold`` so far, ``most`` at most; ``points`` can be lost."""

    owed: int
    most: int
    gold: int
    points: int


WAITING: Final = Waiting()

InTurn: TypeAlias = Walking | Placing | Closing
"""The questions of a running turn."""

Question: TypeAlias = Waiting | Beginning | InTurn | Settling | Listing


class Teller(SeatWords):
    """Tells the events as line mode does, but for what the board shows as well."""

    def tell(self, event: events.Event, game: GameState) -> list[str]:
        """Return the sentences about ``event``. game: the game after ``event``."""
        match event:
            case events.Met():
                return []
            case events.OrdersDrawn(orders):
                told = "; ".join(self.order(game.board, order) for order in orders)
                return [captions.DRAWN(orders=told)]
            case events.GameEnded(resigned=gone):
                first, *_, won = super().tell(event, game)
                return [won] if gone is None else [first, won]
            case _:
                return super().tell(event, game)

    def take_up(
        self, game: GameState, names: tuple[str, ...], hand: tuple[Any, ...]
    ) -> list[str]:
        """Return the round in which a resumed game stands."""
        return super().take_up(game, names, hand)[:1]

    def order(self, board: Board, number: int) -> str:
        """Return an order by its goods and guest: the screen shows no number."""
        order = board.order(number)
        goods, guest = goods_words(board, order.goods), shown(board.guests[order.guest])
        return captions.ORDER(goods=goods, guest=guest)


@dataclass(frozen=True, slots=True)
class Scene(TableScene):
    """The content of the screen."""

    hides = False

    names: tuple[str, ...] = ()
    """Of all players, by seat; () before all have met."""
    game: GameState | None = None
    """The game as the table has it; None before all have met."""
    sent: GameState | None = None
    """The game with our turn, from the turn's end until the table has the turn."""
    question: Question = WAITING
    """The question to the person, and the answer so far."""
    answer: str = ""
    """The answer to the last key, until the next key."""
    refused: str = ""
    """The rule that has refused the last action, and why; "" if none has."""
    marked: int = 0
    """The order whose goods and way are shown, or 0."""
    lit: Footprints = ()
    """The way of the last turn of another player."""
    transcript: bytes = b""
    """The file of the finished game; b"" before."""
    made: Footprints | None = None
    """At a mistake on the board, the way gone; ``lit`` is the better way."""

    @property
    def name(self) -> str:
        """Return the names of all others."""
        return self.words.name

    @property
    def words(self) -> Teller:
        """Return the teller of the next event, who calls nobody "you" if this is a replay."""
        seat = self.seat if self.watched is None else ONLOOKER
        return Teller(seat, self.names, self.game)

    def speaker(self, seat: Seat) -> str:
        """Return the name of another player who talks."""
        return self.names[seat]

    @property
    def winners(self) -> tuple[Seat, ...] | None:
        """The seats that have won; None before the end of the game."""
        return None if self.end is None else self.end.winners

    @property
    def asked(self) -> bool:
        """Whether a move is due."""
        return self.question != WAITING

    @property
    def is_silent(self) -> bool:
        """Whether nobody can talk."""
        return self.watched is not None or (self.coached and not self.talk)

    @property
    def draft(self) -> Draft | None:
        """Return the running turn, if it is ours."""
        asked = self.question.back if isinstance(self.question, Listing) else self.question
        return asked.draft if isinstance(asked, Walking | Placing | Closing) else None

    @property
    def shown(self) -> GameState | None:
        """Return the game with the actions of the running turn."""
        return (self.sent or self.game) if self.draft is None else self.draft.game

    def called(self, seat: Seat) -> str:
        """Return a player's name on this screen."""
        return self.words.name_of(seat)


def fresh(seat: Seat, advise: Advise | None = None) -> Scene:
    """Return the scene before all have met."""
    return Scene(seat, work=captions.MEETING(), advise=advise)


def ask(outlook: Outlook) -> Question:
    """Return the first state of the question for a due move."""
    game, seat = outlook
    player = game.players[seat]
    match game.phase:
        case Starting():
            return Beginning(0)
        case Turn():
            draft = begin(game)
            return Walking(draft, draft.at)
        case Paying():
            most = most_paid(player)
            return Settling(len(player.shops), most, most, player.points)
        case Questioning():
            return questions.vote()
        case _:
            return WAITING


def hear(scene: Scene, news: News) -> Scene:
    """Return the scene after a piece of news; the talk of muted players is dropped."""
    if is_muted(scene, news):
        return scene
    cut = {*scene.troubles, *(scene.names if scene.is_sought else ())}
    teller = NewsNarrator(scene.words, cut=cut, wishes=scene.wishes)
    sentences = tuple(teller.tell(news))
    lately = () if hearing.is_aside(scene, news) else sentences
    scene = replace(scene, told=scene.told + sentences, lately=scene.lately + lately)
    scene = heed(scene, news, moved=_is_own_move(news, scene.seat))
    match news:
        case heard.GameEvent(event, game):
            return _follow(scene, event, game)
        case heard.MoveDue(view):
            return replace(
                scene,
                game=view.game,
                sent=None,
                question=ask(view),
                answer="",
                refused="",
                hint="",
                work="",
            )
        case heard.TakenUp(game, names, _):
            return replace(take_up(scene, game, names), sent=None, question=WAITING, lit=())
        case heard.NextGame(score):
            return begin_next(scene, replace(fresh(scene.seat, scene.advise), score=score))
        case heard.Settled(transcript):
            return hearing.hear(replace(scene, transcript=transcript), news)
        case _:
            return hearing.hear(scene, news)


def _is_own_move(news: News, own: Seat) -> bool:
    match news:
        case heard.GameEvent(events.Started(seat) | events.TurnTaken(seat)):
            return seat == own
        case _:
            return False


def _follow(scene: Scene, event: events.Event, game: GameState) -> Scene:
    before, scene = scene.game, replace(scene, game=game, sent=None)
    match event:
        case events.Met(names=names):
            return replace(scene, names=names, work=captions.DRAWING())
        case events.FirstDrawn() if scene.coached:
            return tell(scene, captions.FIRST())
        case events.TurnTaken(seat, actions):
            start = None if before is None else before.players[seat].person
            lit = () if seat == scene.seat else trodden(game, start, actions)
            return replace(scene, lit=lit, work="", marked=_still(scene.marked, game))
        case events.GameEnded():
            kept = isinstance(scene.focus, Reading | Talking)
            focus = scene.focus if kept else AtTable()
            return replace(
                scene, end=event, question=WAITING, focus=focus, work="", lit=(), marked=0
            )
        case _:
            return replace(scene, work="")


def _still(order: int, game: GameState) -> int:
    return order if order in game.row else 0
