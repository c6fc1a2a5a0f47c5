"""Positions of rounds that careless bots have played."""

import random

from matcha_p2p.games.tichu.bots.arena import OpenRound, deal
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.rules.moves import legal_plays, may_pass
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Variant


def decisions(seeds):
    """Yield the table, what its seat sees, and its plays, where cards can be laid.

    The plays end with None where the seat may pass or hold.
    """
    for seed in seeds:
        table = OpenRound(Variant(), SEATS[seed % 4], deal(random.Random(seed)))
        rng = random.Random(seed)
        while (seat := table.state.speaker) is not None:
            seen = table.seen(seat)
            held = seen.held.values()
            plays = legal_plays(table.state, held)
            if plays:
                holds = seen.asked is Ask.HOLD or may_pass(table.state, held)
                yield table, seen, [*plays, *([None] if holds else [])]
            table.take(seat, BOTS["casual"].choose(seen, rng))


def hands_of(table):
    """Return the faces that each seat holds."""
    return [tuple(table.seen(seat).held.values()) for seat in SEATS]
