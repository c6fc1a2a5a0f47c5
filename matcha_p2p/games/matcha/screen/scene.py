"""One seat's view as a value: news go in, and a new scene comes out.

The functions neither draw, wait nor send. The question to the person (``question``) and the
target of the keys (``focus``) are separate states: a move can be due while a line of talk is
written.
"""

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.console.table import hearing
from matcha_p2p.console.table.captions import YOU
from matcha_p2p.console.table.focus import AtTable, Page, Reading, Talking
from matcha_p2p.console.table.scene import TableScene, begin_next, heed, take_up
from matcha_p2p.console.table.talk import is_muted
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.judgement import HandsBySet
from matcha_p2p.games.matcha.rules.moves import Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen.moments import STILL, Moment
from matcha_p2p.games.matcha.table import events
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.games.matcha.words.seat_words import SeatWords
from matcha_p2p.kinds import kind
from matcha_p2p.narration import news as narration_news
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.session import news as session_news

PASSING: Final = 5
"""The place after the five cards of the hand: the pass, or the end of the choice to keep."""


@kind
class Waiting(NamedTuple):
    """The game does not wait for the person."""


@kind
class Picking(NamedTuple):
    """A card of the hand or the pass is to be chosen; ``at`` is a slot or PASSING."""

    observation: Observation
    at: int


@kind
class Aiming(NamedTuple):
    """The card of ``slot`` is chosen, and goes to ``mat`` unless the person chooses again."""

    observation: Observation
    slot: int
    mat: int


@kind
class Sorting(NamedTuple):
    """The set is over; ``kept`` are the slots to keep so far, ``at`` a slot or PASSING."""

    observation: Observation
    at: int
    kept: frozenset[int]


@kind
class Ready(NamedTuple):
    """``move`` is made when confirmed; else the state is ``before`` again."""

    observation: Observation
    move: Move
    before: "Picking | Aiming | Sorting"


OpenQuestion: TypeAlias = Picking | Aiming | Sorting | Ready
Question: TypeAlias = Waiting | OpenQuestion


@dataclass(frozen=True, slots=True)
class Scene(TableScene):
    """The content of the screen. A pair is by seat."""

    names: tuple[str, str] = ("", "")
    """Of both players; "" before the two have met."""
    game: GameState | None = None
    """The game as its rules see the game; None before the two have met."""
    hand: tuple[Face, ...] = ()
    """Our own five cards, by slot; () before the deal."""
    question: Question = Waiting()
    """The question to the person, and the answer so far."""
    work: str = field(default_factory=captions.MEETING)
    """The work of the programs; "" if they wait for a person."""
    theirs: tuple[Face, ...] = ()
    """The other hand, by slot, if it may be seen; else ()."""
    hands: HandsBySet = field(default_factory=dict[int, tuple[Face, ...]])
    """Our own hand of each set in which we have decided, by the set's number."""
    transcript: bytes = b""
    """The transcript of the finished game; b"" before the end."""
    made: Move | None = None
    """At a mistake on the board, the move made."""
    moment: Moment = STILL
    """The part of the last event now being shown."""

    def called(self, seat: Seat) -> str:
        """Return a player's name on this screen."""
        mine = seat == self.seat and self.watched is None
        return YOU() if mine else self.names[seat]

    @property
    def name(self) -> str:
        """Return the other player's name."""
        return self.names[opposite(self.seat)]

    def speaker(self, seat: Seat) -> str:
        """Return the name of another player who talks."""
        return self.names[seat]

    @property
    def winners(self) -> tuple[Seat, ...] | None:
        """The seats that have won; None before the end of the game."""
        if self.end is None:
            return None
        winner = self.end.ended.winner
        return () if winner is None else (winner,)

    @property
    def is_silent(self) -> bool:
        """Whether nobody can talk: nobody hears an onlooker, or a person in practice."""
        return self.watched is not None or (self.coached and not self.talk)

    @property
    def asked(self) -> bool:
        """Whether a move is due."""
        return self.question != Waiting()


def headed(
    event: events.Event, game: GameState, told: tuple[int, int]
) -> list[tuple[int, str]]:
    """Return the heading of a round among the sentences, if the round begins with ``event``.

    told: the number of sentences before the event, and after the event. The outcome of a round
    stands above the heading of the next round.
    """
    match event:
        case events.TableLaid(number=number):
            return [(told[0], captions.REVIEW_ROUND(number=number, round=1))]
        case events.RoundResolved(played) if game.rounds[-1].number > played.number:
            after = game.rounds[-1].number
            heading = captions.REVIEW_ROUND(number=game.number, round=after)
            return [(told[1] - 1, heading)]  # above the sentence about the round's mats
        case _:
            return []


def hear(scene: Scene, news: narration_news.News) -> Scene:
    """Return the scene after a piece of news; a muted player's talk is dropped."""
    if is_muted(scene, news):
        return scene
    told = len(scene.told)
    cut = {*scene.troubles, *(scene.names if scene.is_sought else ())}
    words = SeatWords(scene.seat, scene.name, scene.hand)
    teller = NewsNarrator(words, cut=cut, wishes=scene.wishes)
    sentences: tuple[str, ...] = () if _is_greeting(news) else tuple(teller.tell(news))
    scene = replace(
        scene,
        hand=words.hand,
        told=scene.told + sentences,
        lately=scene.lately + sentences[: _worth(scene, news)],
    )
    scene = heed(scene, news, moved=_is_own_move(news, scene.seat))
    match news:
        case session_news.GameEvent(event, game):
            headings = headed(event, game, (told, len(scene.told)))
            scene = replace(scene, game=game, headings=(*scene.headings, *headings))
            return _follow(scene, event)
        case session_news.MoveDue(observation):
            return replace(
                scene,
                game=observation.game,
                hand=observation.hand,
                hands={**scene.hands, observation.game.number: observation.hand},
                question=ask(observation),
                hint="",
                work="",
            )
        case session_news.TakenUp(game, names, _):
            return replace(take_up(scene, game, names), question=Waiting(), transcript=b"")
        case session_news.NextGame(score):
            return begin_next(scene, Scene(scene.seat, advise=scene.advise, score=score))
        case session_news.Settled(transcript):
            scene = hearing.hear(scene, news)
            judged = isinstance(scene.focus, Reading) and scene.focus.page is Page.ANALYSIS
            focus = AtTable() if judged else scene.focus
            return replace(scene, focus=focus, transcript=transcript)
        case _:
            return hearing.hear(scene, news)


def ask(observation: Observation) -> Question:
    """Return the first state of the question for a due move."""
    held = observation.held()
    first = held[0][0] if held else PASSING
    if isinstance(observation.game.phase, Keeping):
        return Sorting(observation, first, frozenset())
    return Picking(observation, first)


def free_mats(observation: Observation) -> list[int]:
    """Return the mats where a card can be laid now, ascending."""
    return sorted({move.mat for move in observation.legal_moves() if isinstance(move, Play)})


def _is_greeting(news: narration_news.News) -> bool:
    """Tell whether ``news`` is in the title, and speaks of the commands of line mode."""
    match news:
        case session_news.GameEvent(events.Met()):
            return True
        case _:
            return False


def _is_own_move(news: narration_news.News, own: Seat) -> bool:
    match news:
        case session_news.GameEvent(events.Placed(seat) | events.Passed(seat)):
            return seat == own
        case _:
            return False


def _worth(scene: Scene, news: narration_news.News) -> int:
    """Return how many sentences of ``news`` the table does not show just as well."""
    match news:
        case session_news.GameEvent(events.RoundResolved()):
            return 2  # the mats; tokens and the next round are in sight
        case session_news.GameEvent(events.TableLaid()) | session_news.TakenUp():
            return 1
        case session_news.GameEvent(
            events.HandsDealt() | events.HandSeen() | events.Passed(auto=True)
        ):
            return 0  # the cards, and the state of the player
        case _:
            return 0 if hearing.is_aside(scene, news) else 9


def _follow(scene: Scene, event: events.Event) -> Scene:
    match event:
        case events.Met(names=names):
            return replace(scene, names=names, work=captions.SHUFFLING())
        case events.TableLaid():
            return replace(scene, hand=(), work=captions.DEALING())
        case events.Shuffled(seat, label):
            own = seat == scene.seat
            sentence = (captions.SHUFFLED_YOURS if own else captions.SHUFFLED)[label]
            return replace(scene, work=sentence(name=scene.name))
        case events.HandsDealt() | events.HandSeen():
            return replace(scene, work="")
        case events.GameEnded():
            kept = isinstance(scene.focus, Reading | Talking)
            focus = scene.focus if kept else AtTable()
            return replace(scene, end=event, question=Waiting(), focus=focus, work="")
        case _:
            return scene
