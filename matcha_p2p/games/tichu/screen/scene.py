"""One seat's view of Tichu as a value: news go in, and a new scene comes out."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.console.table import hearing
from matcha_p2p.console.table import scene as table_scene
from matcha_p2p.console.table.focus import AtTable, Reading, Talking
from matcha_p2p.console.table.talk import is_muted
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu import questions
from matcha_p2p.games.tichu.answers import Advise, armed_lay, undecided
from matcha_p2p.games.tichu.review.mistakes import BetterMove, RoundAnswers
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveTrick,
    Hold,
    TichuMove,
)
from matcha_p2p.games.tichu.rules.cards import DOG, NUMBERS, points
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask, Round
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import CountedRound, Tichu
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import laid_text
from matcha_p2p.games.tichu.words.seat_words import SeatWords
from matcha_p2p.kinds import kind
from matcha_p2p.narration.news import News
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as session

NO_GIFTS: Final = (None, None, None)


@kind
class Waiting(NamedTuple):
    """The game does not wait for the person."""


@kind
class Marking(NamedTuple):
    """A call, a play, a pass or a bomb is to be chosen; cards are marked in the scene."""


@kind
class GiftChoice(NamedTuple):
    """A card for each: the places for the seat before, the partner and the next seat.

    at: the gift to be chosen now.
    """

    gifts: tuple[int | None, int | None, int | None]
    at: int


Question: TypeAlias = Waiting | Marking | GiftChoice | Listing

WAITING: Final = Waiting()


class BombWindow(NamedTuple):
    """The time for a bomb on a play, among people: all are asked, whatever they hold.

    seconds: of the whole window. shown: when the window opened. waits: whether the person
    takes more time.
    """

    seconds: float
    shown: float = 0.0
    waits: bool = False

    def left(self, now: float) -> float:
        """Return the seconds until the program lays no bomb by itself."""
        return 0.0 if self.waits else max(0.0, self.shown + self.seconds - now)


class Trick(NamedTuple):
    """A finished trick. play: the last play, beaten by nobody."""

    taker: Seat
    play: str
    points: int


class Slide(NamedTuple):
    """Cards between a seat and the middle of the field.

    gone: how far from the middle, 0 to 1. takes: whether the cards are a trick that goes to
    its taker, face down; else they are a play that comes.
    """

    seat: Seat
    gone: float
    takes: bool


class Moment(NamedTuple):
    """What is told in large letters on the field. style: of the field. told: below the word."""

    style: str
    word: str
    told: str


@dataclass(frozen=True, slots=True)
class Scene(table_scene.TableScene):
    """The content of the screen of a seat."""

    words: SeatWords = field(kw_only=True)
    """The teller of the game; it knows the names and the hand as dealt."""
    names: tuple[str, ...] = ()
    """By seat; () before all have met."""
    game: Tichu | None = None
    """The game as its rules see the game; None before all have met."""
    hands: tuple[tuple[int, ...], ...] = ()
    """The hands of all by seat and place as dealt, () for a closed one; of an onlooker."""
    due: Observation | None = None
    """The view in which a move is due, or None."""
    question: Question = WAITING
    """The question to the person, and the answer so far."""
    calls: bool = False
    """Whether Tichu is called with what the person does next."""
    marked: frozenset[int] = frozenset()
    """The places of the marked cards."""
    armed: bool = False
    """Whether the marked cards, a bomb, are laid as soon as the rules allow."""
    window: BombWindow | None = None
    """The window after the last play; None if this seat is not asked, and in practice."""
    left: float = 0.0
    """The seconds for which the window is open."""
    at: int | None = None
    """The place of the card under the cursor; None while no arrow was used."""
    by_plays: bool = False
    """Whether the hand is sorted by plays, not by numbers."""
    trick: tuple[tuple[Seat, Laid | None], ...] = ()
    """The plays and passes (None) in the trick that lies."""
    tricks: tuple[Trick, ...] = ()
    """The tricks of the round that are over; nobody takes the Dog."""
    gave: tuple[int, ...] = ()
    """The faces given to the next seat, the partner and the seat before."""
    got: tuple[int, ...] = ()
    """The faces got from the same seats."""
    coming: tuple[int, ...] = ()
    """The places of these gifts in the hand that is seen next."""
    answers: RoundAnswers = ()
    """The answers in the tricks of this round; kept until the first answer of the next."""
    made: frozenset[int] = frozenset()
    """At a mistake on the board, the places of the cards that were laid."""
    rounds: tuple[events.RoundCounted, ...] = ()
    """The rounds that are counted."""
    finished: CountedRound | None = None
    """The round whose result covers the table until the person goes on."""
    refused: RefusedError | None = None
    """The last refusal of an answer to what is asked now."""
    end: events.GameEnded | None = None
    """The end of the game; None before the end."""
    advised: TichuMove | None = None
    """The answer that the hint for this decision has marked for Enter, or None."""
    reply: TichuMove | None = None
    """The answer to be sent at once, because nothing is to be decided."""
    dealt: int | None = None
    """How many cards of the hand are in sight while the hand is dealt; None for all."""
    flown: float | None = None
    """How far from us the gifts are: 0 at us, 1 at the seats; None while none flies."""
    slide: Slide | None = None
    """The way of a play or of a trick; None while the cards lie."""
    moment: Moment | None = None
    """A bomb or a call, just now."""
    dots: int = 0
    """How many dots show that another player thinks."""
    waited: int = 0
    """Seconds of waiting so far."""

    @property
    def name(self) -> str:
        """Return the name of the other players together; "" before all have met."""
        return self.words.name

    def speaker(self, seat: Seat) -> str:
        """Return the name of another player who talks."""
        return self.words.name_of(seat)

    @property
    def winners(self) -> tuple[Seat, ...] | None:
        """The seats that have won; None before the end of the game."""
        return None if self.end is None else self.end.winners

    @property
    def asked(self) -> bool:
        """Whether a move is due; a hand without a fitting bomb has nothing to decide."""
        return self.due is not None and undecided(self.due, calls=False) is None

    @property
    def is_silent(self) -> bool:
        """Whether nobody can talk."""
        return self.watched is not None or (self.coached and not self.talk)

    @property
    def teams(self) -> tuple[str, str]:
        """The names of both teams, the one of our seat first."""
        around = self.words.around._asdict()
        first = self.words.name_of(self.seat)
        named = self.watched is not None
        mine = captions.TEAM(first=first, **around) if named else captions.TEAM_YOURS(**around)
        return mine, captions.TEAM_OTHER(**around)

    @property
    def is_timed(self) -> bool:
        """Whether others must not see how long the program takes to lay no bomb."""
        return self.advise is None and not self.taught

    @property
    def open_part(self) -> float:
        """The part of the window that is still open, from 1 to 0."""
        return 0.0 if self.window is None else self.left / self.window.seconds

    @property
    def ask(self) -> Ask | None:
        """The question for this seat, or None."""
        return None if self.due is None else self.due.asked

    @property
    def held(self) -> dict[int, int]:
        """The faces of the cards in hand, by place."""
        if self.game is None:
            return {}
        hand, places = self.words.hand, sorted(self.game.round.held[self.seat])[: self.dealt]
        given = () if self.got else self.gave
        faces = {place: hand[place] for place in places if place < len(hand)}
        return {place: face for place, face in faces.items() if face not in given}


def opening(seat: Seat, advise: Advise | None = None) -> Scene:
    """Return the scene before all news. advise: in practice only."""
    words = SeatWords(seat)
    return Scene(seat, words=words, advise=advise, work=captions.MEETING())


def hear(scene: Scene, news: News) -> Scene:
    """Return the scene after a piece of news; muted talk is dropped."""
    if is_muted(scene, news):
        return scene
    words = deepcopy(scene.words)
    teller = NewsNarrator(words, cut=scene.troubles, wishes=scene.wishes)
    told = tuple(teller.tell(news))
    if isinstance(news, session.GameEvent) and isinstance(news.event, events.Met):
        told = told[:-1]  # the seats; the commands are for typing
    lately = () if _is_in_sight(scene, news) else told
    if isinstance(news, session.GameEvent) and isinstance(news.event, events.HandSeen):
        lately = told[:-1]  # the gifts; the hand itself is in sight
    scene = replace(
        scene, words=words, told=scene.told + told, lately=scene.lately + lately, reply=None
    )
    scene = table_scene.heed(scene, news, moved=_is_own_move(news, scene.seat))
    match news:
        case session.GameEvent(event, game):
            return follow_event(replace(scene, game=game), event)
        case session.MoveDue(seen):
            return _fall_due(scene, seen)
        case session.WindowOpened() | session.WindowAnswered():
            return _hear_of_window(scene, news)
        case session.TakenUp(game, names, _):
            return _take_up(scene, game, names)
        case session.NextGame():
            fresh = opening(scene.seat, scene.advise)
            fresh.words.name = scene.name
            return table_scene.begin_next(scene, fresh)
        case _:
            return hearing.hear(scene, news)


def _hear_of_window(scene: Scene, news: session.WindowOpened | session.WindowAnswered) -> Scene:
    """Return the scene with the bar of a window, or after the answer of the program."""
    match news:
        case session.WindowOpened(seconds):
            asked = () if scene.game is None else scene.game.round.asked
            bar = BombWindow(seconds) if (scene.seat, Ask.HOLD) in asked else None
            return replace(scene, window=bar)
        case session.WindowAnswered():
            return held(scene)


def _take_up(scene: Scene, game: Tichu, names: tuple[str, ...]) -> Scene:
    """Return the scene of a game that goes on where ``game`` stands.

    The plays of the trick are those that the rules know; its passes are not kept.
    """
    begun = sum(laid.leads and laid.cards != (DOG,) for laid in game.laid)
    over = begun if game.round.under is None else begun - 1
    same = scene.game is not None and scene.game.number == game.number
    return replace(
        _idle(table_scene.take_up(scene, game, names)),
        trick=_lying(game.round, game.laid),
        tricks=scene.tricks[:over] if same else (),
        gave=scene.gave if scene.got else (),
        rounds=tuple(it for it in scene.rounds if it.number < game.number),
        finished=None,
    )


def _lying(state: Round, laid: tuple[Laid, ...]) -> tuple[tuple[Seat, Laid | None], ...]:
    """Return the plays of the trick that lies, of all plays of the round."""
    trick: tuple[tuple[Seat, Laid | None], ...] = ()
    for each in laid if state.under is not None else ():
        trick = (*(() if each.leads else trick), (each.seat, each))
    return trick


def _idle(scene: Scene) -> Scene:
    scene = replace(scene, due=None, question=WAITING, hint="")
    return replace(scene, marked=frozenset(), advised=None, armed=False, at=None)


def answered(scene: Scene) -> Scene:
    """Return the scene in which the person has answered."""
    scene = _idle(scene)
    return replace(scene, calls=False)


def _fall_due(scene: Scene, seen: Observation) -> Scene:
    """Ask, or answer at once where there is nothing to decide.

    In a window the session sends the answer when the time has passed.
    """
    timed = scene.is_timed and seen.asked is Ask.HOLD
    bomb = armed_lay(seen, scene.marked) if scene.armed else None
    free = (Hold() if scene.calls else None) if timed else undecided(seen, calls=scene.calls)
    if bomb is not None:
        return replace(answered(scene), reply=with_call(scene, bomb, seen))
    if free is not None:
        move = with_call(scene, free, seen)
        if not timed:
            return replace(answered(scene) if move != free else scene, reply=move)
        scene = replace(scene, reply=move)  # a bomb may still take the place of this answer
    held = frozenset(seen.held)
    if scene.game is not None:  # no news tell that others have laid no bomb
        scene = replace(scene, game=scene.game._replace(round=seen.state))
    marked = scene.marked & held
    scene = replace(scene, due=seen, marked=marked, advised=None, refused=None)
    scene = replace(scene, armed=False, hint="", work="")
    asked: Question = Marking()
    match seen.asked:
        case Ask.PUSH:
            scene, asked = replace(scene, marked=frozenset()), GiftChoice(NO_GIFTS, 0)
        case Ask.GIFT:
            asked = questions.trick(scene.words)
        case _:
            pass
    if isinstance(scene.question, Listing):  # a call is confirmed: Enter still means the call
        return replace(scene, question=scene.question._replace(back=asked))
    return replace(scene, question=asked)


def held(scene: Scene) -> Scene:
    """Return the scene after no bomb was laid: cards marked for the next turn stay marked."""
    return replace(_idle(scene), marked=scene.marked, armed=scene.armed, window=None)


def with_call(scene: Scene, move: TichuMove, seen: Observation) -> TichuMove:
    """Return ``move``, with which Tichu is called if the person has said so."""
    if not scene.calls or isinstance(move, AnswerGrand | GiveTrick):
        return move
    return move._replace(tichu=seen.may_call())


def _is_own_move(news: News, own: Seat) -> bool:
    match news:
        case session.GameEvent(Laid(seat=seat) | events.TurnPassed(seat)):
            return seat == own
        case session.GameEvent(events.GiftsGiven()):
            return True
        case _:
            return False


def _is_in_sight(scene: Scene, news: News) -> bool:
    """Tell whether the table shows ``news`` just as well as a sentence does."""
    match news:
        case session.GameEvent(events.Met() | events.TurnPassed() | events.Shuffled()):
            return True
        case _:
            return hearing.is_aside(scene, news)


def follow_event(scene: Scene, event: events.TichuEvent) -> Scene:
    """Return the scene after ``event``. The scene has the game after it already."""
    match event:
        case events.Met(names=names):
            return replace(scene, names=names, work=captions.SHUFFLING())
        case events.RoundBegun(number):
            heading = captions.ROUND_TITLE(number=number)
            scene = replace(scene, headings=(*scene.headings, (len(scene.told) - 1, heading)))
            scene = replace(_idle(scene), trick=(), tricks=(), gave=(), got=(), calls=False)
            if number == 1 and scene.advise is not None:
                scene = table_scene.tell(
                    scene, captions.FIRST(partner=scene.words.around.partner)
                )
            return replace(scene, work=captions.DEALING())
        case events.HandSeen() | events.GiftsGiven() | events.GiftsPlaced():
            return _see_cards(scene, event)
        case events.RoundCounted():
            finished = None if scene.game is None else scene.game.counted
            return replace(scene, rounds=(*scene.rounds, event), finished=finished)
        case events.GameEnded():
            kept = isinstance(scene.focus, Reading | Talking)
            focus = scene.focus if kept else AtTable()
            return replace(_idle(scene), end=event, focus=focus, work="")
        case _:
            return _follow_play(scene, event)


def _see_cards(
    scene: Scene, event: events.HandSeen | events.GiftsGiven | events.GiftsPlaced
) -> Scene:
    match event:
        case events.HandSeen(faces):
            got = tuple(faces[place] for place in scene.coming) or scene.got
            scene = replace(scene, got=got, coming=(), work="")
            return replace(scene, marked=frozenset(), armed=False, at=None)
        case events.GiftsGiven(faces):
            return replace(scene, gave=faces, got=(), work=captions.EXCHANGING())
        case events.GiftsPlaced(places):
            return replace(scene, coming=places)


def _follow_play(scene: Scene, event: events.TichuEvent) -> Scene:
    match event:
        case Laid(seat, leads=leads):
            before = () if leads else scene.trick
            return replace(scene, trick=(*before, (seat, event)), work="", window=None)
        case events.Called(seat) if seat == scene.seat:
            return replace(scene, calls=False)
        case events.TurnPassed(seat):
            return replace(scene, trick=(*scene.trick, (seat, None)))
        case events.TrickTaken(seat, faces) if scene.trick:
            laid = next(each for _, each in reversed(scene.trick) if each is not None)
            play = laid_text(laid.cards, laid.wild)
            taken = Trick(seat, play, points(faces))
            tricks = scene.tricks if faces == (DOG,) else (*scene.tricks, taken)
            return replace(scene, trick=(), tricks=tricks)
        case _:
            return scene


def on_board(scene: Scene, better: BetterMove) -> Scene:
    """Return the table before a mistake, with the cards laid and the better ones marked."""
    seen, words = better.seen, deepcopy(scene.words)
    words.hand = tuple(face for face in seen.hand if face is not None)
    trick = scene.trick or _lying(seen.state, seen.laid)  # a replay has the passes, too
    if trick and trick[-1][0] == seen.seat:
        trick = trick[:-1]
    game = scene.game and scene.game._replace(
        round=seen.state, laid=seen.laid, number=seen.number, totals=seen.totals, stage=None
    )
    return replace(
        _idle(scene),
        seat=seen.seat,
        words=words,
        game=game,
        trick=trick,
        marked=better.places,
        made=better.made,
        rounds=tuple(it for it in scene.rounds if it.number < seen.number),
        tricks=(),
        finished=None,
        dealt=None,
        slide=None,
    )


def gone_faces(scene: Scene) -> frozenset[int]:
    """Return the faces that were laid openly in this round."""
    laid = () if scene.game is None else scene.game.laid
    return frozenset(face for each in laid for face in each.cards)


def order_of(face: int) -> tuple[int, int]:
    """Return the place of a face in a hand sorted by numbers; special cards come last."""
    return (NUMBERS[face] or face, face)
