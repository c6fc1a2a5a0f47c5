"""The acts of Tichu: each play, pass and trick is seen for a moment before the next one."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final

from matcha_p2p.console.table.show import CALM, DOT, Acts, Beat
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.screen.scene import WAITING, Moment, Scene, Slide
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import shape_words
from matcha_p2p.seats import Seat

# Seconds at normal speed: a round takes a minute if each question is answered at once.
_DEAL: Final = 0.07
_LEADS: Final = 1.0
_ARRIVES: Final = 0.15
_OWN: Final = 0.3  # an own play
_LAID: Final = 1.4
_BOMBED: Final = 2.4
_BOOM: Final = 1.0  # of these, the word alone
_PASSED: Final = 0.5
_CALLED: Final = 1.8
_OUT: Final = 1.5
_TAKEN: Final = 0.6
_AWAY: Final = 0.6
_GIFT: Final = 0.2
_WITHOUT_US: Final = 0.5
"""The factor once the own hand is empty."""
_WAY: Final = (0.25, 0.5, 0.75)
"""The parts of its way at which a play, or a gift, is seen."""
_WAY_OUT: Final = (0.2, 0.4, 0.6, 0.8)
"""The parts of its way at which a trick is seen."""
_MOST_DOTS: Final = 3
_TICK: Final = 0.25
"""Seconds between two pictures of a window that closes."""


@dataclass(frozen=True, slots=True)
class Show(Acts[Scene]):
    """The acts still to be shown: a whole round at most, for a key shows the present."""

    behind: ClassVar[int] = 300
    present: ClassVar = frozenset(("marked", "at", "by_plays", "armed", "calls", "window"))
    silent: ClassVar = MappingProxyType({"question": WAITING, "due": None})

    def act(
        self, before: Scene, after: Scene, event: events.TichuEvent
    ) -> tuple[Beat[Scene], ...]:
        """Return the act of ``event``, at normal speed; our own answers need no time.

        Nothing is shown under the result of a round: the person has not gone on.
        """
        if after.finished is not None:
            return ()
        own = after.seat if after.watched is None else None
        beats = self._act(before, after, event, own)
        game = before.game
        if game is None or own is None or own not in game.round.out:
            return beats
        return tuple(replace(beat, seconds=beat.seconds * _WITHOUT_US) for beat in beats)

    def _act(
        self, before: Scene, after: Scene, event: events.TichuEvent, own: Seat | None
    ) -> tuple[Beat[Scene], ...]:
        moves = self.speed.moves
        match event:
            case events.HandSeen() | events.GiftsGiven() if moves and own is not None:
                return _hand(before, after, event)
            case events.MahJongShown():
                return (Beat(after, _LEADS),)
            case Laid(seat, cards, wild):
                arrives = _arrives(after, seat) if moves else ()
                if seat == own:
                    return arrives
                if combination(cards, wild, None).is_bomb:
                    return *arrives, *_bomb(after, event)
                return *arrives, Beat(after, _LAID)
            case events.Called(seat, worth) if seat != own:
                told = captions.CALL_FOR(name=after.words.name_of(seat), points=worth)
                moment = Moment("call", captions.CALLED[worth](), told)
                return (Beat(replace(after, moment=moment), _CALLED),)
            case events.WentOut(seat) if seat != own:
                return (Beat(after, _OUT),)
            case events.TurnPassed(seat) if seat != own:
                return (Beat(after, _PASSED),)
            case events.TrickTaken(seat):
                lies = replace(after, trick=before.trick, game=before.game)
                lies = replace(lies, slide=Slide(seat, 0, takes=True))
                return Beat(lies, _TAKEN), *(_slides(lies, _WAY_OUT, _AWAY) if moves else ())
            case _:
                return ()

    def waiting(self, scene: Scene, now: float) -> Scene:
        """Return ``scene`` with a sign that another player thinks; without motion if OFF."""
        if scene.window is not None:
            scene = replace(scene, left=scene.window.left(now))
        if not self.thinks(scene):
            return scene
        waited = max(0, int(now - self.thinks_since))
        if self.speed is Speed.OFF:
            return replace(scene, waited=waited - waited % CALM)
        return replace(scene, dots=1 + int(now / DOT) % _MOST_DOTS, waited=waited)

    def next_change(self, scene: Scene, now: float) -> float | None:
        """Return the seconds until the picture changes, or None if it will not change."""
        change = Acts[Scene].next_change(self, scene, now)
        left = 0.0 if scene.window is None else scene.window.left(now)
        if not left:
            return change
        return min(left, _TICK) if change is None else min(left, _TICK, change)

    def thinks(self, scene: Scene) -> bool:
        """Tell whether another seat is asked, and the connection stands."""
        game = scene.game
        if game is None or game.stage is not None or scene.work or scene.trouble:
            return False
        if scene.watched is not None:
            return False
        return scene.end is None and game.round.speaker not in (None, scene.seat)


def _arrives(after: Scene, seat: Seat) -> tuple[Beat[Scene], ...]:
    """Return the beats of a play that comes from ``seat`` to the field."""
    own = seat == after.seat and after.watched is None
    comes = replace(after, slide=Slide(seat, 0, takes=False))
    return _slides(comes, _WAY[::-1], _OWN if own else _ARRIVES)


def _slides(scene: Scene, way: tuple[float, ...], seconds: float) -> tuple[Beat[Scene], ...]:
    """Return the beats of the slide of ``scene`` along ``way``."""
    if scene.slide is None:
        return ()
    slides = [scene.slide._replace(gone=gone) for gone in way]
    return tuple(Beat(replace(scene, slide=each), seconds / len(way)) for each in slides)


def _bomb(after: Scene, laid: Laid) -> tuple[Beat[Scene], ...]:
    """Return the beats of a bomb: the word, then its cards."""
    play = shape_words(laid.cards, laid.wild)
    told = captions.LIES(name=after.words.name_of(laid.seat), play=play)
    moment = Moment("alarm", captions.BOMB_WORD(), told)
    return Beat(replace(after, moment=moment), _BOOM), Beat(after, _BOMBED - _BOOM)


def _hand(
    before: Scene, after: Scene, event: events.HandSeen | events.GiftsGiven
) -> tuple[Beat[Scene], ...]:
    """Return the beats of dealing, a card a beat, or of three gifts that leave or arrive."""
    if isinstance(event, events.GiftsGiven):
        return tuple(Beat(replace(after, flown=gone), _GIFT) for gone in _WAY)
    if before.coming:
        return tuple(Beat(replace(before, flown=1 - gone), _GIFT) for gone in _WAY)
    return tuple(
        Beat(replace(after, dealt=dealt), _DEAL)
        for dealt in range(len(before.held), len(after.held))
    )
