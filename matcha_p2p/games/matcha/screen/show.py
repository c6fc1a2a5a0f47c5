"""Past events, shown in time: a pure queue from events and a clock to scenes.

The game never waits for the queue. An event becomes an act, a series of beats; each beat is a
scene of the past. When no act is left, the present scene is shown. If the queue is more than
two events behind, the oldest acts are skipped.
"""

from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.games.matcha.events import Event, GameEnded, Placed, RoundResolved
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.history import Resolution, Round
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing, Revealing
from matcha_p2p.games.matcha.rules.scoring import Tokens, add
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen import moments
from matcha_p2p.games.matcha.screen.drawing.tokens import winning
from matcha_p2p.games.matcha.screen.scene import Scene, Waiting
from matcha_p2p.games.matcha.words import captions

_FACTORS: Final = {Speed.OFF: 0.0, Speed.FAST: 0.4, Speed.NORMAL: 1.0}
_BEHIND: Final = 2  # acts that may wait for the running act

# Seconds at normal speed.
_BEFORE_LAY: Final = 0.4
_SLIDE: Final = 0.07
_AFTER_LAY: Final = 0.2
_OWN_LAY: Final = 0.06
_HUSH: Final = 0.5
_HUSH_UNOPENED: Final = 0.3
_TURN: Final = 0.07
_OPEN: Final = 0.25
_VERDICT: Final = 0.35
_FLASH: Final = 0.09
_BEFORE_END: Final = 0.4
_LIGHT: Final = 0.25
_DOT: Final = 0.5
_CALM: Final = 10
"""Seconds between two reports of the time waited, if motion is off."""

_SWALLOWED: Final = ("enter", "escape", " ", "left", "right", "up", "down")
"""Keys that only finish the running act, because the person has not seen its question."""


@dataclass(frozen=True, slots=True)
class Beat:
    """``scene`` is shown for ``seconds``."""

    scene: Scene
    seconds: float


@dataclass(frozen=True, slots=True)
class Show:
    """The acts still to be shown.

    since: the time at which the first act began. thinks_since: the time at which the other
    player began to think.
    """

    speed: Speed = Speed.OFF
    acts: tuple[tuple[Beat, ...], ...] = ()
    since: float = 0.0
    thinks_since: float = 0.0

    def follow(self, before: Scene, after: Scene, event: Event, now: float) -> "Show":
        """Return the show after ``event``, which leads from ``before`` to ``after``."""
        show = replace(self, thinks_since=now)
        if self.speed is Speed.OFF or before is after:
            return show
        factor = _FACTORS[self.speed]
        act = tuple(replace(b, seconds=b.seconds * factor) for b in _act(before, after, event))
        if not act:
            return show
        show = show.at(now)
        acts = (*show.acts, act)
        if len(acts) > 1 + _BEHIND:
            return replace(show, acts=acts[-1 - _BEHIND :], since=now)
        return replace(show, acts=acts, since=show.since if show.acts else now)

    def at(self, now: float) -> "Show":
        """Return the show without the acts that are over by ``now``."""
        acts, since = self.acts, self.since
        while acts and since + _seconds(acts[0]) <= now:
            since += _seconds(acts[0])
            acts = acts[1:]
        return replace(self, acts=acts, since=since)

    def over(self) -> "Show":
        """Return the show without acts."""
        return replace(self, acts=())

    def anew(self, now: float) -> "Show":
        """Return the show of a game resumed at ``now``."""
        return replace(self.over(), thinks_since=now)

    def shown(self, scene: Scene, now: float) -> Scene:
        """Return the visible form of ``scene``, the present scene.

        Talk, pages and the state of the line are shown as at present.
        """
        beat = self._beat(now)
        if beat is None:
            return self._waiting(scene, now)
        past = beat[0].scene
        return replace(
            scene,
            game=past.game,
            hand=past.hand,
            lesson=past.lesson,
            lately=past.lately,
            question=Waiting(),
            end=past.end,
            after_game=None,
            work=past.work,
            moment=past.moment,
        )

    def next_change(self, scene: Scene, now: float) -> float | None:
        """Return the seconds until the picture changes, or None if it will not change."""
        beat = self._beat(now)
        if beat is not None:
            return max(0.0, beat[1] - now)
        if not _thinks(scene):
            return None
        if self.speed is Speed.OFF:
            return _CALM - (now - self.thinks_since) % _CALM
        return _DOT - now % _DOT

    def _waiting(self, scene: Scene, now: float) -> Scene:
        """Return ``scene`` with a sign that the other player thinks; without motion if OFF."""
        if not _thinks(scene):
            return scene
        waited = max(0, int(now - self.thinks_since))
        if self.speed is Speed.OFF:
            return replace(scene, moment=replace(moments.STILL, waited=waited - waited % _CALM))
        dots = 1 + int(now / _DOT) % moments.MOST_DOTS
        return replace(scene, moment=replace(moments.STILL, dots=dots, waited=waited))

    def lasts(self, now: float) -> float:
        """Return the seconds until all acts are over."""
        return max(0.0, self.since + sum(map(_seconds, self.acts)) - now)

    def _beat(self, now: float) -> tuple[Beat, float] | None:
        """Return the beat at ``now`` and the time of its end; None after the last beat."""
        ends = self.since
        for act in self.acts:
            for beat in act:
                ends += beat.seconds
                if now < ends:
                    return beat, ends
        return None


def swallows(scene: Scene, key: str) -> bool:
    """Tell whether ``key``, during an act, only finishes the act."""
    return key in _SWALLOWED and not scene.is_talking


def _seconds(act: tuple[Beat, ...]) -> float:
    return sum(beat.seconds for beat in act)


def _thinks(scene: Scene) -> bool:
    """Tell whether the other player is connected and has to decide, and this player waits."""
    if scene.game is None or scene.watched is not None or scene.work or scene.trouble:
        return False
    match scene.game.phase:
        case Keeping():
            return not scene.asked
        case phase:
            return phase == Placing(opposite(scene.seat))


def _act(before: Scene, after: Scene, event: Event) -> tuple[Beat, ...]:
    match event:
        case Placed(seat, mat) if after.game is not None:
            return _lay(before, after, after.game, seat, mat)
        case RoundResolved(played) if after.game is not None:
            return _reveal(before, after, after.game, played)
        case GameEnded():
            return _end(after, event)
        case _:
            return ()


def _lay(
    before: Scene, after: Scene, game: GameState, seat: Seat, mat: int
) -> tuple[Beat, ...]:
    """Return the beats of laying a card: the own card turns over, the other card slides in."""
    told = " ".join(_news(before, after))
    laid = replace(before, game=_unresolved(game, game.rounds[mat // 2], 0), work=told)

    def part(number: int) -> Scene:
        return replace(laid, moment=moments.Moment(laying=moments.Laying(seat, mat, number)))

    if seat == after.seat and after.watched is None:
        return Beat(part(1), _OWN_LAY), Beat(part(2), _OWN_LAY)
    return (
        Beat(replace(before, work=""), _BEFORE_LAY),
        Beat(part(1), _SLIDE),
        Beat(part(2), _SLIDE),
        Beat(
            replace(laid, moment=moments.Moment(laying=moments.Laying(seat, mat, 3))),
            _AFTER_LAY,
        ),
    )


def _reveal(before: Scene, after: Scene, game: GameState, played: Round) -> tuple[Beat, ...]:
    """Return how a round is judged, a mat at a time."""
    beats: list[Beat] = []
    told = _news(before, after)
    for place, resolution in enumerate(played.resolutions):
        if resolution.slots == (None, None):
            continue
        as_laid = _unresolved(game, played, place)
        judged = _unresolved(game, played, place + 1)
        opened = judged._replace(tokens=as_laid.tokens)
        judging = captions.REVEALING if resolution.revealed else captions.STAYS_CLOSED
        turning = judging(mat=MATS[resolution.mat])
        past = replace(before, work=turning, lately=(*before.lately, *told[:place]))
        sentence = told[place] if place < len(told) else ""
        if resolution.revealed:
            beats += _turning(replace(past, game=opened), resolution.mat, after.seat)
            moment = moments.Moment(resolution.mat, said=moments.Caption.VERDICT)
            scene = replace(past, game=opened, moment=moment, work=sentence)
            beats.append(Beat(scene, _VERDICT))
        else:
            moment = moments.Moment(resolution.mat, said=moments.Caption.NOTHING)
            beats.append(Beat(replace(past, game=opened, moment=moment), _HUSH_UNOPENED))
        beats += _flashing(replace(past, game=judged, work=sentence), resolution)
    return tuple(beats)


def _news(before: Scene, after: Scene) -> tuple[str, ...]:
    """Return the sentences about an event; an onlooker's scene has no other sentences."""
    count = len(before.lately)
    return after.lately[count:] if after.lately[:count] == before.lately else after.lately


def _turning(scene: Scene, mat: int, seat: Seat) -> list[Beat]:
    """Return the beats of turning up both cards of a mat, the other player's card first."""

    def turned(theirs: moments.Turned, ours: moments.Turned, seconds: float) -> Beat:
        pair = (theirs, ours) if seat else (ours, theirs)
        return Beat(
            replace(scene, moment=moments.Moment(mat, pair, moments.Caption.NOTHING)), seconds
        )

    steps = (moments.Turned.NARROW, moments.Turned.EDGE, moments.Turned.FACE)
    return [
        turned(moments.Turned.BACK, moments.Turned.BACK, _HUSH),
        *(turned(step, moments.Turned.BACK, _TURN) for step in steps),
        *(turned(moments.Turned.FACE, step, _TURN) for step in steps),
        turned(moments.Turned.FACE, moments.Turned.FACE, _OPEN),
    ]


def _flashing(scene: Scene, resolution: Resolution) -> list[Beat]:
    """Return the beats in which the gains of a mat stand out twice."""
    still = moments.Moment(resolution.mat)
    if resolution.gain == (None, None):
        return [Beat(replace(scene, moment=still), 4 * _FLASH)]
    shining = replace(scene, moment=replace(still, flash=True))
    return [Beat(shining, _FLASH), Beat(replace(scene, moment=still), _FLASH)] * 2


def _end(after: Scene, event: GameEnded) -> tuple[Beat, ...]:
    """Return the beats in which the winning tokens light up in turn."""

    def lit(count: int) -> Scene:
        scene = replace(after, moment=replace(moments.STILL, lit=count), work=after.lately[-1])
        return replace(scene, lately=after.lately[:-1])

    lights = (Beat(lit(count + 1), _LIGHT) for count in range(len(winning(event))))
    return Beat(lit(0), _BEFORE_END), *lights


def _unresolved(game: GameState, played: Round, judged: int) -> GameState:
    """Return ``game`` when only the first mats of ``played`` were judged, and no more."""
    if not played.resolutions:
        return game
    first, second = (
        _less(played.tokens[seat], [each.gain[seat] for each in played.resolutions[judged:]])
        for seat in SEATS
    )
    tokens = first, second
    partly = played._replace(resolutions=played.resolutions[:judged], tokens=tokens)
    rounds = (*game.rounds[: played.number - 1], partly)
    return game._replace(rounds=rounds, tokens=tokens, phase=Revealing(((), ()), ((), ())))


def _less(tokens: Tokens, gains: list[Token | None]) -> Tokens:
    """Return a player's tokens before ``gains``."""
    gained = add((0, 0, 0, 0, 0), tuple(gains))
    leaf, bowl, water, scoop, whisk = (
        have - got for have, got in zip(tokens, gained, strict=True)
    )
    return leaf, bowl, water, scoop, whisk
