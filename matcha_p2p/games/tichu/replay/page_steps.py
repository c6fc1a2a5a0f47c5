"""A verified game of Tichu as steps for a page (``review/told.py``).

The event of a step, as the page's view of Tichu reads it:

{"kind": of the event, "round", "seat": of the event or null,
 "gifts": [3 faces by each seat] or null}

``gifts`` are open at the first lead, if all books are open.
"""

from collections.abc import Mapping
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.plain import word_of
from matcha_p2p.games.tichu import events
from matcha_p2p.games.tichu.replay.steps import Replay, replay_of
from matcha_p2p.games.tichu.review.rounds import played_rounds
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.review.told import OPEN, PageStep, isolated

_PUBLIC: Final = "public"


def page_steps(report: Report) -> list[PageStep]:
    """Return the steps of a game, told in the language spoken now."""
    replay = replay_of(report, isolated)
    rounds = played_rounds(report)
    made: list[PageStep] = []
    for at, step in enumerate(replay.steps):
        gifts = rounds[step.number - 1].gifts
        event = {
            "kind": word_of(type(step.event)),
            "round": step.number,
            "seat": getattr(step.event, "seat", None),
            "gifts": gifts if isinstance(step.event, events.MahJongShown) else None,
        }
        made.append(PageStep(step.entries, _said(replay, at), event))
    return made


def _said(replay: Replay, at: int) -> Mapping[str, list[str]]:
    """Return the sentences of each look; a look is left out where it says what all may see."""
    said = {OPEN: replay.sentences(at), _PUBLIC: replay.sentences(at, ())}
    said |= {str(seat): replay.sentences(at, (seat,)) for seat in SEATS}
    return {look: lines for look, lines in said.items() if look == OPEN or lines != said[OPEN]}
