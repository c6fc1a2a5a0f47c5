"""A verified game of Kashi-ichi as steps for a page (``review/told.py``).

The event of a step, as the page's view of Kashi-ichi reads it:

{"kind", "seat": of the event or null}
"""

from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi import events
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.review.told import OPEN, PageStep, isolated

_KINDS: Final[dict[type, str]] = {
    events.FirstDrawn: "first",
    events.Started: "started",
    events.TurnTaken: "turn",
    events.OrdersDrawn: "orders",
    events.IdleAnswered: "answered",
    events.AreasSettled: "settled",
    events.UpkeepPaid: "paid",
    events.GameEnded: "end",
}


def page_steps(report: Report) -> list[PageStep]:
    """Return the steps of a game, told in the language spoken now."""
    made: list[PageStep] = []
    for step in replay_of(report, isolated).steps:
        seat = getattr(step.event, "seat", None)
        event = {"kind": _KINDS[type(step.event)], "seat": seat}
        made.append(PageStep(step.entries, {OPEN: step.said}, event))
    return made
