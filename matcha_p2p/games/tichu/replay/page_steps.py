"""A verified game of Tichu as steps for a page (``review/told.py``).

The state of a step, as the page's view of Tichu reads it:

{"kind", "round", "seat": of the event or null, "hands": [4 hands or null each],
 "counts": [cards of each hand], "calls": [0, 100 or 200 each], "out": [seats, in their order],
 "pile": [faces of the trick], "top": [the faces laid last], "by": their seat or null,
 "wish": number or 0, "won": [points in the tricks of each seat], "totals",
 "points": [a, b] of a counted round or null, "gifts": [3 faces by each seat] or null}

``hands`` are open once the file opens the hands of the round, at the first lead and after it.
``gifts`` are open at the first lead, if all books are open.
"""

from collections.abc import Mapping
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.tichu import events
from matcha_p2p.games.tichu.replay.steps import Replay, ReplayStep, replay_of
from matcha_p2p.games.tichu.review.rounds import Hands, played_rounds
from matcha_p2p.games.tichu.rules.cards import points
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import SEATS, Round
from matcha_p2p.review.told import OPEN, PageStep, isolated
from matcha_p2p.seats import Seat

_PUBLIC: Final = "public"
_KINDS: Final = {
    events.RoundBegun: "round",
    events.Called: "called",
    events.MahJongShown: "shown",
    Laid: "laid",
    events.TurnPassed: "passed",
    events.TrickTaken: "taken",
    events.WentOut: "out",
    events.RoundCounted: "counted",
    events.GameEnded: "end",
}


def page_steps(report: Report) -> list[PageStep]:
    """Return the steps of a game, told in the language spoken now."""
    replay = replay_of(report, isolated)
    rounds = played_rounds(report)
    trick: list[Laid] = []
    made: list[PageStep] = []
    for at, step in enumerate(replay.steps):
        match step.event:
            case Laid():
                trick.append(step.event)
            case events.TrickTaken() | events.RoundBegun():
                trick.clear()
            case _:
                pass
        state = _state(step, rounds[step.number - 1].gifts, trick)
        made.append(PageStep(step.entries, _said(replay, at), state))
    return made


def _said(replay: Replay, at: int) -> Mapping[str, list[str]]:
    """Return the sentences of each look; a look is left out where it says what all may see."""
    said = {OPEN: replay.sentences(at), _PUBLIC: replay.sentences(at, ())}
    said |= {str(seat): replay.sentences(at, (seat,)) for seat in SEATS}
    return {look: lines for look, lines in said.items() if look == OPEN or lines != said[OPEN]}


def _state(step: ReplayStep, gifts: Hands | None, trick: list[Laid]) -> Mapping[str, object]:
    game, event = step.game, step.event
    is_next = game.counted is not None and game.number > step.number
    state = game.counted.round if game.counted is not None and is_next else game.round
    is_open = state.leader is not None
    top = trick[-1] if trick else None
    return {
        "kind": _KINDS[type(event)],
        "round": step.number,
        "seat": getattr(event, "seat", None),
        "hands": [_held(step, state, seat) if is_open else None for seat in SEATS],
        "counts": [len(held) for held in state.held],
        "calls": list(state.calls),
        "out": list(state.out),
        "pile": [face for laid in trick for face in laid.faces],
        "top": [] if top is None else list(top.faces),
        "by": None if top is None else top.seat,
        "wish": state.wish,
        "won": [points(won) for won in state.won],
        "totals": list(game.totals),
        "points": list(event.points) if isinstance(event, events.RoundCounted) else None,
        "gifts": gifts if isinstance(event, events.MahJongShown) else None,
    }


def _held(step: ReplayStep, state: Round, seat: Seat) -> list[int] | None:
    """Return the cards that ``seat`` holds, None while its hand is closed."""
    hand = step.hands[seat]
    return [hand[place] for place in sorted(state.held[seat])] if hand else None
