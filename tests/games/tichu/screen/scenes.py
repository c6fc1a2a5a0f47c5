"""Scenes of a round between you (seat 0), Carl, Bea (your partner) and Dora, move by move.

The rules judge each move, with known hands: no cryptography is needed.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Self

from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.bots.keen import Keen
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import Pass
from matcha_p2p.games.tichu.rules.cards import FACES, MAH_JONG, TEXTS
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Round, Variant
from matcha_p2p.games.tichu.rules.scoring import score
from matcha_p2p.games.tichu.screen.keys import FRAME
from matcha_p2p.games.tichu.screen.scene import Moment, Scene, answered, hear, opening
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import CountedRound, Dealing, new_game
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, MoveDue, TalkHeard, WindowOpened
from matcha_p2p.wire.names import GameId
from tests.console.hints import press_hinted

YOU, CARL, BEA, DORA = SEATS
NAMES = ("Anna", "Carl", "Bea", "Dora")
MINE = "R2 G3 B5 R7 G7 B7 K7 K8 B9 RT KT GQ KA P"
CARLS = "M B2 B3 B4 G5 R6 R9 K9 GT RJ BJ KQ RK D"


def faces(text: str) -> tuple[int, ...]:
    return tuple(TEXTS.index(card) for card in text.split())


def hands() -> list[list[int]]:
    """Return the hands after the exchange; what is left goes to Bea and Dora."""
    mine, carls = faces(MINE), faces(CARLS)
    rest = [face for face in FACES if face not in mine + carls]
    return [list(mine), list(carls), rest[::2], rest[1::2]]


class Story:
    """A round as told to the screen of seat 0. ``scene`` is the current result."""

    def __init__(self, variant: str = "1000", first: Seat = YOU) -> None:
        game = new_game(variant, 4)
        assert game is not None
        self.variant, self.hands = Variant(), hands()
        self.game = game
        self.scene = opening(YOU)
        self.event(events.Met(GameId(bytes(32)), variant, NAMES))
        state = rules.new_round(self.variant, first)
        stage = Dealing("deal", range(8))
        self.game = self.game._replace(number=1, first=first, round=state, stage=stage)
        self.event(events.RoundBegun(1, first))

    def tell(self, *news: News) -> Self:
        for piece in news:
            self.scene = hear(self.scene, piece)
        return self

    def event(self, event: Any) -> Self:
        return self.tell(GameEvent(event, self.game))

    def press(self, *keys: str) -> Self:
        for key in keys:
            self.scene, _ = press_hinted(FRAME, self.scene, key)
        return self

    def view(self, seat: Seat = YOU) -> Observation:
        state = self.game.round
        hand = tuple(self.hands[seat][: max(state.held[seat], default=-1) + 1])
        game = self.game
        return Observation(state, seat, hand, game.laid, game.number, game.totals)

    def ask(self) -> Self:
        """Ask seat 0, if it is to answer."""
        return self.tell(MoveDue(self.view())) if self.game.round.speaker == YOU else self

    def first_eight(self) -> Self:
        self.game = self.game._replace(stage=None)
        return self.event(events.HandSeen(tuple(self.hands[YOU][:8]))).ask()

    def change(self, after: Callable[[Round], Round], laid: Laid | None = None) -> Self:
        """Go on to another state of the round, and tell what has changed."""
        before = self.game.round
        state = after(before)
        if before.speaker == YOU:
            self.scene = answered(self.scene)
        seen = (*self.game.laid, laid) if laid is not None else self.game.laid
        self.game = self.game._replace(round=state, laid=seen)
        for seat in SEATS:
            if state.calls[seat] > before.calls[seat]:
                self.event(events.Called(seat, state.calls[seat]))
        if laid is not None:
            self.event(laid)
        for rank in range(len(before.out), len(state.out)):
            self.event(events.WentOut(state.out[rank], rank))
        for seat in SEATS:
            won = state.won[seat][len(before.won[seat]) :]
            if won:
                self.event(events.TrickTaken(seat, won, seat))
        if state.is_over:
            self.count()
        return self

    def count(self) -> None:
        """Count the round; the game goes on."""
        points = score(self.game.round)
        totals = self.game.totals[0] + points[0], self.game.totals[1] + points[1]
        counted = CountedRound(self.game.round, self.game.laid, points, ())
        self.game = self.game._replace(totals=totals, counted=counted)
        self.event(events.RoundCounted(self.game.number, points, self.game.totals))

    def deal(self, calls: dict[Seat, int] | None = None) -> Self:
        """Let nobody but the seats in ``calls`` call Grand Tichu; deal six more cards."""
        self.first_eight()
        while self.game.round.asked[0][1] is Ask.GRAND:
            seat = self.game.round.asked[0][0]
            called = bool(calls and calls.get(seat) == 200)
            self.change(partial(rules.grand, seat=seat, called=called))
        self.event(events.HandSeen(tuple(self.hands[YOU])))
        return self

    def exchange(self) -> Self:
        """Let all give cards; the hands are those after it."""
        for _ in range(4):
            seat = self.game.round.asked[0][0]
            self.change(partial(rules.push, seat=seat))
        self.event(events.GiftsGiven(faces("B3 GA R3")))
        self.event(events.GiftsPlaced((3, 13, 1)))
        self.event(events.HandSeen(tuple(self.hands[YOU])))
        for _ in range(4):
            seat = self.game.round.asked[0][0]
            self.change(partial(rules.hold, seat=seat))
        leader = next(seat for seat in SEATS if MAH_JONG in self.hands[seat])
        self.change(partial(rules.lead, seat=leader))
        return self.event(events.MahJongShown(leader))

    def holds(self) -> Self:
        """Let all who are asked for a bomb hold, but seat 0 if it has one."""
        while self.game.round.asked and self.game.round.asked[0][1] is Ask.HOLD:
            seat = self.game.round.asked[0][0]
            if seat == YOU and self.view().legal_moves()[1:]:
                break
            self.change(partial(rules.hold, seat=seat))
        return self

    def lay(self, seat: Seat, text: str, wild: int = 0, wish: int = 0) -> Self:
        hand = self.hands[seat]
        laid = {hand.index(face): face for face in faces(text)}
        leads = self.game.round.under is None
        event = Laid(seat, tuple(laid.values()), wild, wish, leads)
        return self.change(lambda state: rules.play(state, seat, laid, wild, wish), event)

    def passes(self, *seats: Seat) -> Self:
        for seat in seats:
            self.change(partial(rules.pass_turn, seat=seat))
            self.event(events.TurnPassed(seat))
        return self


class Told(Story):
    """A story that remembers its news."""

    def __init__(self) -> None:
        self.all: list[News] = []
        super().__init__()

    def tell(self, *news: News):
        self.all += news
        return super().tell(*news)


def dealt() -> Scene:
    return Story().first_eight().scene


def grand_asked() -> Scene:
    return Story().first_eight().press("g").scene


def giving() -> Scene:
    story = Story().deal({CARL: 200})
    return story.ask().press("2", "right", "right", " ", "A").press("escape").scene


def opened() -> Story:
    return Story().deal().exchange()


def waiting() -> Scene:
    return opened().tell(TalkHeard("Good luck!", NAMES[1], Seat(1))).scene


def wished() -> Story:
    """Carl leads a straight and wishes; then he leads a pair, and you may follow."""
    story = opened().lay(CARL, "M B2 B3 B4 G5", wish=12).holds()
    hold = partial(rules.hold, seat=YOU)  # you could bomb
    story.change(hold).holds().passes(BEA).holds()
    story.change(hold).holds().passes(DORA).holds().passes(YOU).holds()
    story.change(hold).holds()
    return story.lay(CARL, "R9 K9").holds().change(hold).holds()


def bombing() -> Story:
    return in_window().holds().ask()


def in_window() -> Story:
    return opened().lay(CARL, "M B2 B3 B4 G5", wish=12).tell(WindowOpened(2.0))


def window() -> Scene:
    """Nobody is told whether you hold a bomb."""
    return replace(in_window().scene, left=1.2)


def following() -> Story:
    story = wished()
    hold = partial(rules.hold, seat=YOU)  # you could bomb
    story.passes(BEA).holds().change(hold).holds().passes(DORA)
    return story.holds().ask()


def passing() -> Scene:
    """You ask for a hint on Carl's pair: to pass."""
    story = opened().lay(CARL, "R9 K9").holds()
    hold = partial(rules.hold, seat=YOU)  # you could bomb
    story.change(hold).holds().passes(BEA).holds().change(hold).holds().passes(DORA)
    judged = Judgement((JudgedMove(Pass(), None),))
    story.scene = replace(story.holds().ask().scene, advise=lambda _: judged)
    return story.press("n", "h").scene


def wishing() -> Scene:
    """You lead the Mah Jong."""
    story = Story()
    story.hands[YOU], story.hands[CARL] = story.hands[CARL], story.hands[YOU]
    return story.deal().exchange().ask().press("1", "enter").scene


def leading() -> Story:
    """You bomb the straight, and lead."""
    story = opened().lay(CARL, "M B2 B3 B4 G5").holds()
    story.lay(YOU, "R7 G7 B7 K7").holds()
    return story.passes(CARL).holds().passes(BEA).holds().passes(DORA).holds().ask()


def ended() -> Story:
    """Carl and Dora are out first and second, after a call of Tichu by Bea."""
    story = leading()
    state = story.game.round
    empty = tuple(
        frozenset[int]() if seat in (CARL, DORA) else state.held[seat] for seat in SEATS
    )
    return story.change(
        lambda _: state._replace(held=empty, out=(CARL, DORA), calls=(0, 0, 100, 0), asked=())
    )


def hinted() -> Scene:
    """You ask for a hint at your lead. It is the same with and without the compiled core."""
    story, coach = leading(), Keen(cards=56)
    story.scene = replace(story.scene, advise=lambda seen: coach.judge(seen, random.Random(0)))
    return story.press("h").scene


def dragon() -> Scene:
    """You may give the Dragon's trick away."""
    story = leading()
    state = story.game.round._replace(asked=((YOU, Ask.GIFT),))
    return story.change(lambda _: state).ask().scene


def won() -> Scene:
    end = events.GameEnded((CARL, DORA), "points", (300, 1010))
    return ended().event(end).press("enter").scene


def bombed() -> Story:
    return opened().lay(CARL, "M B2 B3 B4 G5").holds().lay(YOU, "R7 G7 B7 K7")


def doubled() -> Scene:
    """You and Bea are out first and second."""
    story = leading()
    held = tuple(
        frozenset[int]() if seat in (YOU, BEA) else story.game.round.held[seat]
        for seat in SEATS
    )
    return story.change(lambda it: it._replace(held=held, out=(BEA, YOU), asked=())).scene


SCENES: dict[str, Callable[[], Scene]] = {
    "grand": dealt,
    "grand_asked": grand_asked,
    "giving": giving,
    "waiting": waiting,
    "lead": lambda: leading().scene,
    "proposed": lambda: leading().press("n", "n", "right").scene,
    "refused": lambda: leading().press("8", "9").scene,
    "wish_bound": lambda: following().scene,
    "wish_met": lambda: following().press("n").scene,
    "bomb_possible": lambda: replace(bombing().scene, left=1.2),
    "bomb_marked": lambda: replace(bombing().press("b").scene, left=0.4),
    "bomb_armed": lambda: opened().press("b", "b").scene,
    "window": window,
    "passing": passing,
    "wishing": wishing,
    "hinted": hinted,
    "tichu_asked": lambda: following().press("t").scene,
    "dragon": dragon,
    "bomb_lies": lambda: bombed().scene,
    "bomb_told": lambda: replace(
        bombed().scene, moment=Moment("alarm", "BOMB", "Carl: a bomb of sevens")
    ),
    "call_told": lambda: replace(
        opened().scene, moment=Moment("call", "GRAND TICHU", "Bea: 200 points, won or lost")
    ),
    "doubled": doubled,
    "round_over": lambda: ended().scene,
    "won": won,
    "helped": lambda: leading().press("?").scene,
    "ruled": lambda: leading().press("m").scene,
    "reviewed": lambda: ended().press("enter", "l").scene,
    "explained": lambda: leading().press("p", "w").scene,
    "talking": lambda: leading().press("/").scene,
    "leaving": lambda: leading().press("q").scene,
}
"""Every scene by its name."""
