"""A game of Tichu as text: the logs of its rounds, which the rules judge (``rules/log.py``)."""

import json

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.tichu.review.export import logs


def text_of(report: Report) -> str:
    """Return the logs of a verified game, a JSON value a line."""
    lines = (line for log in logs(report) for line in log)
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
