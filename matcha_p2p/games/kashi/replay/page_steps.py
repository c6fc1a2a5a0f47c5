"""A verified game of Kashi-ichi as steps for a page (``review/told.py``).

The event of a step, as the page's view of Kashi-ichi reads it:

{"kind": of the event, "seat": of the event or null}
"""

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.games.plain import word_of
from matcha_p2p.review.told import OPEN, PageStep, isolated


def page_steps(report: Report) -> list[PageStep]:
    """Return the steps of a game, told in the language spoken now."""
    made: list[PageStep] = []
    for step in replay_of(report, isolated).steps:
        seat = getattr(step.event, "seat", None)
        event = {"kind": word_of(type(step.event)), "seat": seat}
        made.append(PageStep(step.entries, {OPEN: step.said}, event))
    return made
