"""Runs the tutorial at a front end: rounds by the rules alone, without peer or cryptography."""

from collections.abc import Mapping
from typing import Final

import trio

from matcha_p2p.games.tichu.bots.arena import OpenRound
from matcha_p2p.games.tichu.lessons import lessons
from matcha_p2p.games.tichu.lessons.lessons import TichuLesson
from matcha_p2p.games.tichu.rules.actions import (
    GiveCards,
    GiveTrick,
    Pass,
    TichuMove,
)
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.games.tichu.rules.moves import plays
from matcha_p2p.games.tichu.rules.notation import text_of
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, Ask, Variant, seat_after
from matcha_p2p.games.tichu.rules.scoring import score
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import TARGETS, CountedRound, Tichu, begin
from matcha_p2p.games.tichu.table.told import changes
from matcha_p2p.games.tichu.words.notation import read_gifts, read_lays
from matcha_p2p.narration.lessons import KeyHints, texts_of
from matcha_p2p.narration.lessons import teach as take_through
from matcha_p2p.narration.news import Inform, Taught, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.wire.names import GameId

STUDENT: Final = SEATS[0]
_NAMES: Final[Mapping[type, str]] = {Pass: "pass", GiveTrick: "gift"}
"""The moves that events tell apart by their names."""


async def teach(
    inform: Inform,
    choices: trio.MemoryReceiveChannel[Wish],
    name: str,
    key_hints: KeyHints,
) -> None:
    """Take the student ``name``, at seat 0, through the lessons until the end or a leave."""
    every = [lesson for deal in lessons.DEALS for lesson in deal.lessons]
    room = Classroom(inform, name)
    await take_through(room, every, texts_of(key_hints), lessons.END, inform, choices)


def _counted(game: Tichu) -> Tichu:
    """Return the game after its round is counted: over, or at the next round."""
    points = score(game.round)
    totals = game.totals[0] + points[0], game.totals[1] + points[1]
    counted = CountedRound(game.round, game.laid, points, hands=())  # no lesson looks back
    after = game._replace(totals=totals, counted=counted)
    if after.won is not None:
        return after
    following, _ = after.begin_round(seat_after(game.first))
    return following


class Classroom:
    """A table at which all hands are known. inform: tells the student."""

    def __init__(self, inform: Inform, name: str) -> None:
        self._inform: Final = inform
        self._dealt: lessons.Deal | None = None
        self.game = begin(TARGETS[lessons.VARIANT], Variant())
        names = (name, *(other() for other in lessons.OTHERS))
        self._tell(events.Met(GameId(bytes(32)), lessons.VARIANT, names))

    def lead_to(self, lesson: TichuLesson) -> Observation:
        """Play until the student is asked what ``lesson`` asks, in the lesson's round."""
        deal = next(each for each in lessons.DEALS if lesson in each.lessons)
        if deal is not self._dealt:
            self.close()
            self.deal(deal)
        left = list(lesson.before)
        while left or self.game.round.asked[0] != (STUDENT, lesson.ask):
            self.make(self._scripted(left))
        return self.view()

    def wants(self, lesson: TichuLesson, move: TichuMove) -> bool:
        """Tell whether ``move`` will do, its cards in any order."""
        seen = self.view()
        typed = sorted(text_of(seen, move).split())
        return any(typed == sorted(wanted.split()) for wanted in lesson.wanted)

    def close(self) -> None:
        """Play the round to its end, if one has begun."""
        if self._dealt is None:
            return
        self._inform(Taught(lessons.PLAYED_ON()))
        left, number = list(self._dealt.rest), self.game.number
        while self.game.number == number and not self.game.is_over:
            seen = self.view(self.game.round.asked[0][0])
            if left:
                self.make(self._scripted(left))
            elif seen.asked is Ask.TURN and seen.state.under is None:
                longest = max(plays(seen.held.values()), key=lambda play: len(play.faces))
                self.make(seen.lay(longest))
            else:
                self.make(seen.legal_moves()[0])

    def deal(self, deal: lessons.Deal) -> None:
        """Begin a round."""
        first = STUDENT if self.game.number == 0 else self.game.first
        if self.game.number == 0:
            self.game, _ = self.game.begin_round(first)
        hands = [[TEXTS.index(card) for card in hand.split()] for hand in deal.hands]
        self._dealt, self._gifts = deal, deal.gifts
        self._open = OpenRound(self.game.parameters, first, hands)
        self.game = self.game._replace(stage=None)
        self._tell(events.RoundBegun(self.game.number, first))
        self._tell(self._hand())

    def view(self, seat: Seat = STUDENT) -> Observation:
        """Return what ``seat`` sees."""
        seen = self._open.seen(seat)
        return seen._replace(number=self.game.number, totals=self.game.totals)

    def _scripted(self, turns: list[str]) -> TichuMove:
        """Return the answer of the seat that is asked; a turn is taken from ``turns``."""
        seen = self.view(self.game.round.asked[0][0])
        match seen.asked:
            case Ask.PUSH:
                places = read_gifts(self._gifts[seen.seat], seen.held)
                if places is None:
                    raise ValueError(f"seat {seen.seat} lacks a gift")
                left, partner, right = places
                return GiveCards((right, partner, left))
            case Ask.TURN:
                turn = turns.pop(0)
                return Pass() if turn == "pass" else read_lays(turn, seen).lays[0]
            case _:
                return seen.legal_moves()[0]

    def make(self, move: TichuMove) -> None:
        """Let the seat that is asked answer."""
        before = self.game
        seat, ask = before.round.asked[0]
        given = self._given(move) if seat == STUDENT else None
        self._open.take(seat, move)
        laid, state = self.view().laid, self._open.state
        played = before._replace(round=state, laid=laid)
        after = _counted(played) if state.is_over else played
        for event in changes(before, after, seat, _NAMES.get(type(move), "")):
            counted = isinstance(event, events.RoundCounted | events.GameEnded)
            self.game = after if counted else played
            self._tell(event)
        self.game = after
        if given is not None:
            self._tell(given)
        then = state.asked[0][1] if state.asked else None
        if (ask, then) == (Ask.PUSH, Ask.CALL):
            self._tell(events.GiftsPlaced((HAND - 3, HAND - 2, HAND - 1)))
        if (ask, then) in ((Ask.GRAND, Ask.PUSH), (Ask.PUSH, Ask.CALL)):
            self._tell(self._hand())

    def _given(self, move: TichuMove) -> events.GiftsGiven | None:
        if not isinstance(move, GiveCards):
            return None
        held = self.view().held
        return events.GiftsGiven(tuple(held[place] for place in move.places))

    def _hand(self) -> events.HandSeen:
        return events.HandSeen(tuple(self.view().held.values()))

    def _tell(self, event: events.TichuEvent) -> None:
        self._inform(news.GameEvent(event, self.game))
