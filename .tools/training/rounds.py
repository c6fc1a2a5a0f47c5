"""The distance of rounds 2 and 3 together from a solution: ``python -m training.rounds``.

    python -m training.rounds --bot expert --positions 50

All cards of round 1 were turned up, in the last set of 2020 or in another. Each seat holds
three of eight unknown cards, and all deals are equally likely. A best response to the bot in
round 2, and to the bot's solution of round 3, is computed exactly. The bot is asked once at
each point of round 2 that the bot's play reaches: for the chance of each move if known, else
for a move. Positions after a set before the last take their values from the table of the bots.
Printed are the gains of the best response in chances to win, on average of both seats: a JSON
object for each position, then for all together. A position takes some 15 seconds, and with its
own ranges a minute.

With ``--own-ranges`` a deal counts as often as the bot, playing both seats, would have come to
the position with it: the bot is asked ``--asked`` times for its moves of round 1 with each hand
(ranges.py). By the seed ``quiet``, asked twice, the expert loses 0.016 on average of 14
positions of 2015 (error 0.005, at most 0.068), and 0.010 of 14 in the last set of 2020 (0.005,
0.060). If both rounds were solved with these ranges, the loss would be a third, in four
positions. But the expert has to guess them: the habits of tells.py do no better than equal
chances, and a short search with each hand gains nothing certain in six positions.

A bot is fit to be called expert if this gain is at most 0.01 on average of 50 positions, and
0.05 in each. The expert loses 0.0026 on average of 50, at most 0.042. Networks trained for
round 2, by exploitability descent on thousands of positions, had come to 0.031 and 0.50 in
round 2 alone.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev

from matcha_p2p.games.matcha.bots.expert import Expert
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving import fast_form, round2
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE
from matcha_p2p.games.matcha.bots.solving.endings import chances_of, ending_of, types_of
from matcha_p2p.games.matcha.bots.solving.round3 import Round3, solution_of
from matcha_p2p.games.matcha.bots.solving.tells import past_of
from matcha_p2p.games.matcha.rules.edition import EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.game import legal_moves, place, reveal
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Play
from matcha_p2p.games.matcha.rules.observation import observe, unseen
from matcha_p2p.games.matcha.rules.phases import Ended, Placing, Revealing
from matcha_p2p.games.matcha.rules.seats import SEATS, opposite
from tests.games.matcha.bots.positions import played
from training.ranges import Asked, explained
from training.round3 import lifted, to_move

HELD = 3
UNKNOWN = 8
DEALS = 560  # C(8, 3) * C(5, 3)


def positions(seed, bot="keen", edition=EDITION_2020, set_number=None, asked=0):
    """Yield games of a bot at the beginning of round 2, all four cards of round 1 turned up.

    set_number: if None, the last set, or any set where no set is the last. asked: how often the
    bot is asked for its past moves with each hand; all deals are equally likely if 0.
    """
    number = 0
    while True:
        number += 1
        seen_so_far = [seen for seen, _ in played(edition, BOTS[bot], f"{seed} {number} 0")]
        for at, seen in enumerate(seen_so_far):
            game = seen.game
            begun = isinstance(game.phase, Placing) and len(game.rounds) == 2
            wanted = (set_number or edition.sets) in (None, game.number)
            if not begun or game.rounds[-1].turns or not wanted:
                continue
            if all(resolution.revealed for resolution in game.rounds[0].resolutions):
                held = [face for _, face in seen.held()]
                position = Position(game, (*held, *unseen(seen)))
                before = [it for it in seen_so_far[:at] if it.game.number == game.number]
                yield position.reached(before, BOTS[bot], asked) if asked else position


@dataclass(frozen=True)
class State:
    """A seat's private knowledge: cards by their place among the unknown cards.

    laid: on the number mat and on the suit mat, None for an empty place.
    """

    hand: tuple[int, ...]
    laid: tuple[int | None, int | None] = (None, None)

    def left(self):
        return [card for card in self.hand if card not in self.laid]

    def after(self, where, card):
        if where == NOWHERE:
            return self
        return State(self.hand, (self.laid[0], card) if where else (card, self.laid[1]))


@dataclass(frozen=True)
class Position:
    """A game at the beginning of round 2. unknown: the eight faces hidden from the public.

    ranges: by seat, how likely each hand has led to here; None if all hands are alike.
    """

    game: object
    unknown: tuple
    ranges: tuple | None = None

    def reached(self, before, bot, times):
        """Return the position with the ranges of a bot that has played both seats.

        before: the observations of the set so far.
        """
        asked = Asked(bot, times)
        ranges = []
        for seat in SEATS:
            own = [it for it in before if it.seat == seat and len(it.legal_moves()) > 1]
            hands = {state.hand: self.faces(seat, state.hand) for state in self.states()}
            ranges.append({it: explained(self.game, own, hands[it], asked) for it in hands})
        return replace(self, ranges=tuple(ranges))

    def weight(self, state, seat):
        """Return how likely a hand is, as a part of all hands' weight."""
        return 1.0 if self.ranges is None else self.ranges[seat][state.hand]

    @cached_property
    def deals(self):
        """The weight of all deals together."""
        states = self.states()
        return sum(
            self.weight(own, 0) * self.weight(other, 1)
            for own in states
            for other in states
            if not set(own.hand) & set(other.hand)
        )

    def states(self):
        return [State(hand) for hand in combinations(range(UNKNOWN), HELD)]

    def faces(self, seat, hand):
        """Return the five cards of ``seat``; cards still held keep the order of their slots."""
        found = {}
        for resolution in self.game.rounds[0].resolutions:
            found[resolution.slots[seat]] = resolution.cards[seat]
        for slot, card in zip(sorted(self.game.hands[seat]), hand, strict=True):
            found[slot] = self.unknown[card]
        return tuple(found[slot] for slot in range(5))

    def after(self, history, seat=None, state=None):
        """Return the game after the turns of ``history``, (seat, where) each.

        ``seat`` of ``state`` lays cards from its slots; the other seat lays any.
        """
        game = self.game
        for author, where in history:
            slot = min(game.hands[author])
            if author == seat and where != NOWHERE:
                slot = sorted(self.game.hands[seat])[state.hand.index(state.laid[where])]
            mat = None if where == NOWHERE else MATS_OF_ROUND[1][where]
            game = place(game, PASS if mat is None else Play(mat, slot))
        return game

    def places(self, game):
        """Return where the seat to move may lay a card, or pass."""
        moves = legal_moves(game)
        mats = {move.mat % 2 for move in moves if isinstance(move, Play)}
        return [*sorted(mats), NOWHERE]


def played_out(position, bot, seat, seed):
    """Return by history ``seat``'s states after round 2 by the bot's play, with chances."""
    ends = {}

    def choices(history, state):
        game = position.after(history, seat, state)
        rng = random.Random(f"{seed} {seat} {state} {history}")
        seen = observe(game, seat, position.faces(seat, state.hand))
        if len(seen.legal_moves()) > 1 and hasattr(bot, "advice"):
            advice = bot.advice(seen)
            chances = zip(advice.moves, advice.chances(), strict=True)
            return [(move, chance) for move, chance in chances if chance]
        return [(bot.choose(seen, rng), 1.0)]

    def after(state, move):
        if not isinstance(move, Play):
            return NOWHERE, state
        slot = sorted(position.game.hands[seat]).index(move.slot)
        return move.mat % 2, state.after(move.mat % 2, state.hand[slot])

    def go(history, states):
        game = position.after(history)
        if len(game.rounds) != 2 or not isinstance(game.phase, Placing):
            ends[history] = states
            return
        author = game.phase.to_move
        led = defaultdict(lambda: defaultdict(float))
        for state, reached in states.items() if author == seat else ():
            for move, chance in choices(history, state):
                where, then = after(state, move)
                led[where][then] += reached * chance
        for where in position.places(game):
            go((*history, (author, where)), led[where] if author == seat else states)

    go((), {state: position.weight(state, seat) for state in position.states()})
    return ends


class Solved:
    """Round 3 after some end of round 2: what a seat gains at best against the solution."""

    def __init__(self, ending, past, ways):
        solution = solution_of(ending, past, *ways)
        self.ending = ending
        self.whole = Round3(ending) if solution.round.ending != ending else solution.round
        self.plans = [lifted(self.whole, solution, seat) for seat in SEATS]

    @cached_property
    def kinds(self):
        """By seat, the type of each sequence."""
        found = ({}, {})
        for (kind, history, _), (sequences, _) in self.whole.points.items():
            seat = to_move(self.ending, history)
            for at in range(sequences.start, sequences.stop, sequences.step):
                found[seat][at] = kind
        return found

    @cached_property
    def trees(self):
        """By seat and type, the decisions, last decisions first: parent, sequences."""
        found = (defaultdict(list), defaultdict(list))
        for seat in SEATS:
            for decisions in reversed(self.whole.sides[seat].decisions):
                for at, parent in enumerate(decisions.parents):
                    led = decisions.sequences(at)
                    tree = found[seat][self.kinds[seat][led.start]]
                    tree.append((parent, range(led.start, led.stop, led.step)))
        return found

    @cached_property
    def chances(self):
        return chances_of(self.ending, *(types_of(self.ending, seat) for seat in SEATS))

    @cached_property
    def gains(self):
        """By seat and own type: by sequence, the gain against each type of the other."""
        return tuple(self._gains(seat) for seat in SEATS)

    def _gains(self, seat):
        side, plan = self.whole.sides[seat], self.plans[opposite(seat)]
        mine, theirs = self.kinds[seat], self.kinds[opposite(seat)]
        found = defaultdict(dict)
        for own, row in side.payoffs.items():
            against = found[mine[own]][own] = defaultdict(float)
            for other, gain in row.items():
                pair = (theirs[other], mine[own]) if seat else (mine[own], theirs[other])
                chance = self.chances[pair[0]][pair[1]]
                against[theirs[other]] += gain / chance * plan[other] / plan[0]
        return found

    def best(self, seat, kind, weights):
        """Return the gain of a best response with a type, times the weight of the deals.

        weights: by type of the other, the chance of both types together.
        """
        total = defaultdict(float)
        for own, against in self.gains[seat][kind].items():
            total[own] = sum(gain * weights.get(other, 0.0) for other, gain in against.items())
        for parent, led in self.trees[seat][kind]:
            total[parent] += max(total[at] for at in led)
        return total[0] + seat * sum(weights.values())  # seat 1 wins where seat 0 does not


class BestResponse:
    """The best response of ``seat`` in a position to how the other comes to its ``ends``.

    ways: how round 3 is solved. solved: what was solved already.
    """

    def __init__(self, position, seat, ends, ways, solved):
        self.position, self.seat, self.ends = position, seat, ends
        self.ways, self.solved = ways, solved

    def value(self):
        """Return the chance to win, over all deals."""
        return sum(self._at((), self.position.states()).values())

    def _at(self, history, states):
        """Return what each of the own states is worth here, times the chance to come here."""
        game = self.position.after(history)
        if len(game.rounds) != 2 or not isinstance(game.phase, Placing):
            return self._end(history, game, states)
        author = game.phase.to_move
        worth = {}
        for where in self.position.places(game):
            then = (*history, (author, where))
            if author != self.seat:
                for state, value in self._at(then, states).items():
                    worth[state] = worth.get(state, 0.0) + value
                continue
            after = {
                state: [state.after(where, card) for card in state.left()]
                if where != NOWHERE
                else [state]
                for state in states
            }
            value = self._at(
                then, list(dict.fromkeys(it for led in after.values() for it in led))
            )
            for state, led in after.items():
                worth[state] = max(worth.get(state, 0.0), *(value[it] for it in led), 0.0)
        return worth

    def _end(self, history, game, states):
        """Return the same where round 2 is over."""
        worth = dict.fromkeys(states, 0.0)
        laid = [{where for author, where in history if author == seat} for seat in SEATS]
        contested = sorted((laid[0] & laid[1]) - {NOWHERE})
        own, other = defaultdict(list), defaultdict(dict)
        for state in states:
            own[tuple(state.laid[where] for where in contested)].append(state)
        for state, chance in self.ends[history].items():
            other[tuple(state.laid[where] for where in contested)][state] = chance
        for mine, held in own.items():
            for theirs, met in other.items():
                if not set(mine) & set(theirs):
                    shown = (mine, theirs) if self.seat == 0 else (theirs, mine)
                    following = self._shown(game, contested, shown)
                    for state, value in self._following(following, held, met).items():
                        worth[state] += value
        return worth

    def _shown(self, game, contested, shown):
        """Return the game with the given cards turned up."""
        if not isinstance(game.phase, Revealing):
            return game
        for seat in SEATS:
            cards = zip(contested, shown[seat], strict=True)
            faces = {MATS_OF_ROUND[1][at]: self.position.unknown[card] for at, card in cards}
            game = reveal(game, seat, faces)
        return game

    def _following(self, game, held, met):
        """Return the values of states at the beginning of round 3 or at the end of the game."""
        together = {
            state: [it for it in met.items() if not set(state.hand) & set(it[0].hand)]
            for state in held
        }
        if isinstance(game.phase, Ended):
            winner = game.phase.winner
            won = 0.5 if winner is None else float(winner == self.seat)
            return {
                state: won * self._weight(state) * sum(chance for _, chance in others)
                for state, others in together.items()
            }
        ending, past = ending_of(game), past_of(game)
        if (ending, past) not in self.solved:
            self.solved[ending, past] = Solved(ending, past, self.ways)
        solved = self.solved[ending, past]
        worth = {}
        for state, others in together.items():
            weights = defaultdict(float)
            for other, chance in others:
                weights[self._kind(ending, other)] += chance * self._weight(state)
            kind = self._kind(ending, state)
            worth[state] = solved.best(self.seat, kind, weights)
        return worth

    def _weight(self, state):
        return self.position.weight(state, self.seat) / self.position.deals

    def _kind(self, ending, state):
        """Return the type of a state: live cards held, and live cards laid that stayed down."""
        left, laid = (
            sum(1 << self.position.unknown[card].index for card in cards if card is not None)
            for cards in (state.left(), state.laid)
        )
        return left & ending.live, laid & ending.live


def loss(position, bot, seed):
    """Return what best responses gain, on average of both seats, and how many endings met."""
    solved = {}
    won = 0.0
    ways = (round2.weights_of, fast_form.solve) if isinstance(bot, Expert) else ()
    for seat in SEATS:
        ends = played_out(position, bot, opposite(seat), seed)
        won += BestResponse(position, seat, ends, ways, solved).value()
    return (won - 1) / 2, len(solved)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bot", default="strong")
    parser.add_argument("--positions", type=int, default=50, help="2 or more")
    parser.add_argument("--first", type=int, default=0, help="how many to pass over")
    parser.add_argument("--seed", default="rounds")
    parser.add_argument("--edition", choices=[*EDITIONS], default="2020")
    parser.add_argument("--set", type=int, help="which one, the last if left out")
    parser.add_argument("--own-ranges", action="store_true", help="deals as the bot plays")
    parser.add_argument("--asked", type=int, default=4, help="times about each hand")
    options = parser.parse_args()
    losses = []
    edition = EDITIONS[options.edition]
    if options.own_ranges:
        found = positions(options.seed, options.bot, edition, options.set, options.asked)
    else:
        found = positions(options.seed, edition=edition, set_number=options.set)
    for number, position in enumerate(found):
        if number < options.first:
            continue
        if len(losses) == options.positions:
            break
        began = time.process_time()
        lost, endings = loss(position, BOTS[options.bot], options.seed)
        losses.append(lost)
        figures = {"position": number, "loss": round(lost, 5), "endings": endings}
        figures["seconds"] = round(time.process_time() - began)
        print(json.dumps(figures), flush=True)
    figures = {"mean": fmean(losses), "error": stdev(losses) / sqrt(len(losses))}
    figures["max"] = max(losses)
    rounded = {name: round(it, 5) for name, it in figures.items()}
    print(json.dumps({"positions": len(losses), **rounded}))


if __name__ == "__main__":
    main()
