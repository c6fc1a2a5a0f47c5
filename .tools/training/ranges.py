"""How far round 3 is from solved where players have given something away.

    python -m training.ranges --fast --positions 600 --hands 12 --asked 3

The solution of round 3 guesses hands from the past, and trusts the guess only as far as the
solution loses little where the past tells nothing. Here each deal counts as often as the bot,
playing both seats, would have reached the deal: hands are weighed by how well they explain the
moves of rounds 1 and 2. The program prints the gain of an exact best response against the
solution, with the standard error of the mean. ``--fast`` is strong with its search in C
(fast_strong.py).

Chance among few hands looks like knowledge: the more hands are asked about, the smaller the
gain. By the command above the gain is 0.0033 in 2015 (error 0.0004, at most 0.127) and 0.0044
in 2020 (0.0004, 0.089). In 600 other positions of each edition the gain was 0.0036 and 0.0050,
and 0.0049 and 0.0069 against solutions that ignore the past (``--ignoring``).
"""

import argparse
import json
import random
from collections import Counter
from itertools import combinations, permutations
from math import sqrt
from statistics import fmean, stdev

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving.endings import ending_of
from matcha_p2p.games.matcha.bots.solving.round3 import Round3, point_of, solution_of
from matcha_p2p.games.matcha.bots.solving.sequence_form import Side, best_response
from matcha_p2p.games.matcha.bots.solving.tells import past_of
from matcha_p2p.games.matcha.rules.cards import DECK, FACES
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from tests.games.matcha.bots.positions import played
from training.fast_strong import FastStrong
from training.round3 import lifted, to_move

SURPRISE = 0.1
"""The assumed chance that the bot moved otherwise than it moves now: its search is random."""


def positions(edition, bot, seed):
    """Yield (observation as round 3 begins, the set's earlier observations), by game."""
    number = 0
    while True:
        number += 1
        seen = [it for it, _ in played(edition, bot, f"{seed} {number}")]
        for at, each in enumerate(seen):
            game = each.game
            last = isinstance(game.phase, Placing) and len(game.rounds) == 3
            if last and not game.rounds[-1].turns and all(game.hands):
                yield each, [it for it in seen[:at] if it.game.number == game.number]


def hands_of(game, seat):
    """Yield each possible hand of ``seat`` by public knowledge."""
    opened, lone = {}, []
    for each in game.rounds:
        for it in each.resolutions:
            if it.revealed:
                opened[it.slots[seat]] = it.cards[seat]
            elif it.slots[seat] is not None:
                lone.append(it.slots[seat])
    hidden = Counter(DECK)
    hidden.subtract(game.table)
    for each in game.rounds:
        for it in each.resolutions:
            hidden.subtract(card for card in it.cards if card is not None)
    cards = [face for face in FACES for _ in range(hidden[face])]
    held = sorted(game.hands[seat])
    for laid in permutations(range(len(cards)), len(lone)):
        rest = [at for at in range(len(cards)) if at not in laid]
        for kept in combinations(rest, len(held)):
            hand = opened | dict(zip(lone, (cards[at] for at in laid), strict=True))
            hand |= dict(zip(held, (cards[at] for at in kept), strict=True))
            yield tuple(hand[slot] for slot in range(5))


class Asked:
    """A bot that is asked for past moves, so many times with each hand."""

    def __init__(self, bot, times):
        self._bot = bot
        self._times = times
        self._answers = {}

    def share(self, seen, hand, move):
        """Return how often the bot would have made a like move, 0..1.

        Slots of the cards still held do not matter.
        """
        held = seen.game.hands[seen.seat]
        laid = tuple(None if slot in held else card for slot, card in enumerate(hand))
        key = seen.game, laid, tuple(sorted(hand[slot].name for slot in held))
        if key not in self._answers:
            asked, rng = seen._replace(hand=hand), random.Random(repr(key[1:]))
            answers = (self._bot.choose(asked, rng) for _ in range(self._times))
            self._answers[key] = Counter(shown(answer, hand) for answer in answers)
        return self._answers[key][shown(move, hand)] / self._times


def likelihoods(seen, before, seat, asked, rng, hands):
    """Return by type of ``seat`` the chance of the past moves.

    hands: the number of hands asked about for each type.
    """
    game = seen.game
    ending = ending_of(game)
    by_type = {}
    for hand in hands_of(game, seat):
        kind = point_of(observe(game, seat, hand), ending)[0]
        by_type.setdefault(kind, set()).add(hand)
    own = [it for it in before if it.seat == seat and len(it.legal_moves()) > 1]
    found = {}
    for kind, alike in by_type.items():
        some = rng.sample(sorted(alike, key=repr), min(hands, len(alike)))
        found[kind] = fmean(explained(game, own, hand, asked) for hand in some)
    return found


def explained(game, own, hand, asked):
    """Return the chance that the bot makes these moves with this hand."""
    likely = 1.0
    for seen in own:
        turns = game.rounds[len(seen.game.rounds) - 1].turns
        made = turns[len(seen.game.rounds[-1].turns)].move
        share = asked.share(seen, hand, made)
        others = len(seen.legal_moves()) - 1
        likely *= (1 - SURPRISE) * share + SURPRISE * (1 - share) / others
    return likely


def shown(move, hand):
    return (move.mat, hand[move.slot]) if isinstance(move, Play) else None


def weighed(whole, likely):
    """Return both sides of the game with deals weighed by the past."""
    kinds = ({}, {})
    for (kind, history, _), (sequences, _) in whole.points.items():
        seat = to_move(whole.ending, history)
        for at in range(sequences.start, sequences.stop, sequences.step):
            kinds[seat][at] = kind
    sides = Side(whole.sides[0].decisions), Side(whole.sides[1].decisions)
    weights = [
        [likely[seat][kinds[seat][at]] if at else 0.0 for at in range(side.sequences)]
        for seat, side in enumerate(whole.sides)
    ]
    reaching = Round3(whole.ending, reaching=True).sides[0].payoffs
    total = sum(reach_of(reaching, whole, weights))
    for own, row in whole.sides[0].payoffs.items():
        for other, gain in row.items():
            part = gain * weights[0][own] * weights[1][other] / total
            sides[0].gain(own, other, part)
            sides[1].gain(other, own, -part)
    for seat in (0, 1):
        sides[seat].sequences = whole.sides[seat].sequences
    return sides


def reach_of(reaching, whole, weights):
    """Yield how likely each pair of types is, once: by the ends in which both always go first.

    Every pair of types meets where each takes the first choice of each of its decisions.
    """
    firsts = []
    for side in whole.sides:
        plan = [1.0] + [0.0] * (side.sequences - 1)
        for decisions in side.decisions:
            for at, parent in enumerate(decisions.parents):
                plan[decisions.sequences(at).start] = plan[parent]
        firsts.append(plan)
    for own, row in reaching.items():
        for other, chance in row.items():
            yield (
                chance * firsts[0][own] * firsts[1][other] * weights[0][own] * weights[1][other]
            )


def loss(ending, solution, likely):
    """Return the gain of best responses on average of both seats.

    likely: for each seat, the chance of the past moves, by type.
    """
    whole = solution.round if solution.round.ending == ending else Round3(ending)
    sides = weighed(whole, likely)
    plans = [lifted(whole, solution, seat) for seat in (0, 1)]
    return sum(best_response(sides[seat], plans[1 - seat]) for seat in (0, 1)) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bot", choices=[*BOTS], default="strong")
    parser.add_argument("--fast", action="store_true", help="strong, its search in C")
    parser.add_argument("--positions", type=int, default=20, help="of each edition, 2 or more")
    parser.add_argument("--hands", type=int, default=3, help="asked about, of each type")
    parser.add_argument("--asked", type=int, default=1, help="times about each hand")
    parser.add_argument("--ignoring", action="store_true", help="the past, in solutions")
    parser.add_argument("--seed", default="ranges")
    options = parser.parse_args()
    if options.fast and options.bot != "strong":
        parser.error("--fast is for strong alone")
    bot = FastStrong() if options.fast else BOTS[options.bot]
    for name, edition in EDITIONS.items():
        losses = []
        rng = random.Random(options.seed)
        for seen, before in positions(edition, bot, options.seed):
            ending = ending_of(seen.game)
            solution = solution_of(ending, None if options.ignoring else past_of(seen.game))
            if solution is not None:
                asked, hands = Asked(bot, options.asked), options.hands
                likely = [likelihoods(seen, before, seat, asked, rng, hands) for seat in SEATS]
                losses.append(loss(ending, solution, likely))
            if len(losses) == options.positions:
                break
        found = {
            "positions": len(losses),
            "mean": round(fmean(losses), 6),
            "error": round(stdev(losses) / sqrt(len(losses)), 6),
            "max": round(max(losses), 6),
        }
        print(json.dumps({name: found}), flush=True)


if __name__ == "__main__":
    main()
