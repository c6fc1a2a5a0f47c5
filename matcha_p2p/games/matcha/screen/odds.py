"""The odds at each open mat, from counting cards alone: for practice."""

from math import comb
from typing import Final, NamedTuple

from matcha_p2p.games.matcha.rules.cards import DEMANDS, matches
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND
from matcha_p2p.games.matcha.rules.observation import Observation, unseen
from matcha_p2p.games.matcha.rules.seats import opposite

_HAND: Final = 5
_MATS: Final = 6


class Odds(NamedTuple):
    """At ``mat``, ``matching`` of the ``hidden`` cards match.

    held: the probability that the other player holds one, or has laid one face down; 0..1.
    None if the other player has laid no card there and can lay none any more.
    """

    mat: int
    matching: int
    hidden: int
    held: float | None


def odds(seen: Observation) -> tuple[Odds, ...]:
    """Return the odds of the mats of this round and of later rounds, in order.

    Each hidden card is taken to be as likely as another in the other player's hand; what that
    player has laid, and where, is left out.
    """
    hidden, other = unseen(seen), opposite(seen.seat)
    shown = sum(
        resolution.cards[other] is not None
        for played in seen.game.rounds
        for resolution in played.resolutions
    )
    unknown = _HAND - shown
    running = seen.game.rounds[-1]
    out = is_out(seen.game.edition, running.turns, other)
    found: list[Odds] = []
    for mat in range(2 * (len(seen.game.rounds) - 1), _MATS):
        card = seen.game.table[mat]
        matching = sum(matches(DEMANDS[mat], card, each) for each in hidden)
        none = comb(len(hidden) - matching, unknown) / comb(len(hidden), unknown)
        no_more = not seen.game.hands[other] or (
            out and mat in MATS_OF_ROUND[running.number - 1]
        )
        nothing = no_more and running.slot_at(other, mat) is None
        found.append(Odds(mat, matching, len(hidden), None if nothing else 1 - none))
    return tuple(found)
