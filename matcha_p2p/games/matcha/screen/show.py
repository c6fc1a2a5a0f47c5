"""The acts of Matcha: a card is laid, a round is judged, the game ends."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final

from matcha_p2p.console.table.show import CALM, DOT, Acts, Beat
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.history import Resolution, Round
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing, Revealing
from matcha_p2p.games.matcha.rules.scoring import Tokens, add
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen import moments
from matcha_p2p.games.matcha.screen.drawing.tokens import short_of, winning
from matcha_p2p.games.matcha.screen.scene import Scene, Waiting
from matcha_p2p.games.matcha.table import events
from matcha_p2p.games.matcha.words import captions

# Seconds at normal speed.
_DEAL: Final = 0.11
_BEFORE_LAY: Final = 0.4
_SLIDE: Final = 0.07
_AFTER_LAY: Final = 0.2
_OWN_LAY: Final = 0.06
_HUSH: Final = 0.5
_LONG_HUSH: Final = 1.2
"""Before a card is turned up that may decide the game."""

_HUSH_UNOPENED: Final = 0.3
_TURN: Final = 0.07
_OPEN: Final = 0.25
_VERDICT: Final = 0.35
_FLASH: Final = 0.09
_BEFORE_END: Final = 0.4
_LIGHT: Final = 0.25

_TABLE: Final = 6
"""The cards of a table."""

_WHOLE: Final = 3
"""The last part of laying a card: the card lies."""


@dataclass(frozen=True, slots=True)
class Show(Acts[Scene]):
    """The acts still to be shown."""

    present: ClassVar = frozenset(("warning", "heeded", "advise"))
    silent: ClassVar = MappingProxyType({"question": Waiting()})

    def act(self, before: Scene, after: Scene, event: events.Event) -> tuple[Beat[Scene], ...]:
        """Return the act of ``event``, at normal speed; cards move at normal speed alone."""
        moves = self.speed.moves
        match event:
            case events.TableLaid() | events.HandSeen():
                return _deal(before, after, event) if moves else ()
            case events.Placed(seat, mat) if after.game is not None:
                beats = _lay(before, after, after.game, seat, mat)
                return beats if moves else tuple(each for each in beats if _lies(each))
            case _:
                return _act(before, after, event)

    def waiting(self, scene: Scene, now: float) -> Scene:
        """Return ``scene`` with a sign that the other player thinks; without motion if OFF."""
        if not self.thinks(scene):
            return scene
        waited = max(0, int(now - self.thinks_since))
        if self.speed is Speed.OFF:
            return replace(scene, moment=replace(moments.STILL, waited=waited - waited % CALM))
        dots = 1 + int(now / DOT) % moments.MOST_DOTS
        return replace(scene, moment=replace(moments.STILL, dots=dots, waited=waited))

    def thinks(self, scene: Scene) -> bool:
        """Tell whether the other player is connected and has to decide, and this one waits."""
        if scene.game is None or scene.watched is not None or scene.work or scene.trouble:
            return False
        match scene.game.phase:
            case Keeping():
                return not scene.asked
            case phase:
                return phase == Placing(opposite(scene.seat))


def _act(before: Scene, after: Scene, event: events.Event) -> tuple[Beat[Scene], ...]:
    match event:
        case events.RoundResolved(played) if after.game is not None:
            return _reveal(before, after, after.game, played)
        case events.GameEnded():
            return _end(after, event)
        case _:
            return ()


def _deal(
    before: Scene, after: Scene, event: events.TableLaid | events.HandSeen
) -> tuple[Beat[Scene], ...]:
    """Return the beats of dealing, a card a beat: the table, and later the own hand."""
    if isinstance(event, events.TableLaid):
        dealt = [(count, 0) for count in range(len(event.table))]
        work = after.work
    else:
        dealt = [(_TABLE, count) for count in range(len(after.hand))]
        work = before.work
    return tuple(
        Beat(replace(after, work=work, moment=moments.Moment(dealt=each)), _DEAL)
        for each in dealt
    )


def _lies(beat: Beat[Scene]) -> bool:
    """Tell whether no card is on its way in ``beat``."""
    laying = beat.scene.moment.laying
    return laying is None or laying.part == _WHOLE


def _lay(
    before: Scene, after: Scene, game: GameState, seat: Seat, mat: int
) -> tuple[Beat[Scene], ...]:
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
            replace(laid, moment=moments.Moment(laying=moments.Laying(seat, mat, _WHOLE))),
            _AFTER_LAY,
        ),
    )


def _reveal(
    before: Scene, after: Scene, game: GameState, played: Round
) -> tuple[Beat[Scene], ...]:
    """Return how a round is judged, a mat at a time."""
    beats: list[Beat[Scene]] = []
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
            hush = _LONG_HUSH if _may_decide(as_laid, resolution.mat) else _HUSH
            beats += _turning(replace(past, game=opened), resolution.mat, after.seat, hush)
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


def _may_decide(game: GameState, mat: int) -> bool:
    """Tell whether a player may win with the token of ``mat``, or with a whisk there."""
    prizes = {game.table[mat].suit, Token.WHISK}
    return any(prizes & short_of(game, seat) for seat in SEATS)


def _turning(scene: Scene, mat: int, seat: Seat, hush: float) -> list[Beat[Scene]]:
    """Return the beats of turning up both cards of a mat, the other player's card first.

    hush: the seconds before the first card turns.
    """

    def turned(theirs: moments.Turned, ours: moments.Turned, seconds: float) -> Beat[Scene]:
        pair = (theirs, ours) if seat else (ours, theirs)
        return Beat(
            replace(scene, moment=moments.Moment(mat, pair, moments.Caption.NOTHING)), seconds
        )

    steps = (moments.Turned.NARROW, moments.Turned.EDGE, moments.Turned.FACE)
    return [
        turned(moments.Turned.BACK, moments.Turned.BACK, hush),
        *(turned(step, moments.Turned.BACK, _TURN) for step in steps),
        *(turned(moments.Turned.FACE, step, _TURN) for step in steps),
        turned(moments.Turned.FACE, moments.Turned.FACE, _OPEN),
    ]


def _flashing(scene: Scene, resolution: Resolution) -> list[Beat[Scene]]:
    """Return the beats in which the gains of a mat stand out twice."""
    still = moments.Moment(resolution.mat)
    if resolution.gain == (None, None):
        return [Beat(replace(scene, moment=still), 4 * _FLASH)]
    shining = replace(scene, moment=replace(still, flash=True))
    return [Beat(shining, _FLASH), Beat(replace(scene, moment=still), _FLASH)] * 2


def _end(after: Scene, event: events.GameEnded) -> tuple[Beat[Scene], ...]:
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
