"""Rounds of a set solved by CFR+, many alike at once, over every hand and not over classes.

A round is a tree of public courses. At each point a player's state is the hand at the beginning
of the round, the cards laid unseen before, and the cards laid in this round. Arrays keep the
values of all states of both seats, and a pass over the tree updates the arrays. Games with the
same course, which differ in their cards, are solved side by side.

Source: Tammelin and others, Solving heads-up limit Texas hold'em, IJCAI 2015 (CFR+); Johanson
and others, Accelerating best response calculation in large extensive games, IJCAI 2011 (one
pass over the public tree).
"""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, product

import numpy as np

from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, PLACES
from matcha_p2p.games.matcha.rules.seats import SEATS

NOTHING = -1  # in place of a card
CONTENTS = tuple(product((False, True), repeat=2))
"""Whether a seat has a card on the number mat and on the suit mat."""


@dataclass(frozen=True)
class Kind:
    """A seat's possible states at the beginning of a round: a hand, and cards laid unseen.

    Cards are numbered 0..cards-1. A state is a row of hand, lone, laid (number, suit).
    """

    cards: int
    held: int
    lone: int

    @cached_property
    def types(self):
        """Return each (hand, lone), both in rising order."""
        return [
            (hand, lone)
            for hand in combinations(range(self.cards), self.held)
            for lone in combinations(
                [it for it in range(self.cards) if it not in hand], self.lone
            )
        ]

    @cached_property
    def masks(self):
        """Return the cards of each type as bits."""
        return np.array(
            [sum(1 << card for card in (*hand, *lone)) for hand, lone in self.types]
        )

    @cache  # noqa: B019 -- a handful of kinds lives as long as the program
    def layings(self, content):
        """Return by number mat and suit mat the slots of the hand laid there, or NOTHING."""
        ways = [range(self.held) if on else (NOTHING,) for on in content]
        return [it for it in product(*ways) if it[0] != it[1] or it[0] == NOTHING]

    @cache  # noqa: B019 -- a handful of kinds lives as long as the program
    def laid(self, content):
        """Return the cards on both mats in each state, types first: two arrays."""
        rows = [
            [NOTHING if slot == NOTHING else hand[slot] for slot in laying]
            for hand, _ in self.types
            for laying in self.layings(content)
        ]
        return np.array(rows).T

    @cache  # noqa: B019 -- a handful of kinds lives as long as the program
    def origin(self, content, place):
        """Return for each state the state before a card came to ``place``, and the slot."""
        before = tuple(on and at != place for at, on in enumerate(content))
        number = {laying: at for at, laying in enumerate(self.layings(before))}
        layings = self.layings(content)
        from_, slots = [], []
        for laying in layings:
            taken = tuple(NOTHING if at == place else slot for at, slot in enumerate(laying))
            from_.append(number[taken])
            slots.append(laying[place])
        types = np.arange(len(self.types))[:, None]
        return (types * len(number) + np.array(from_)).ravel(), np.tile(slots, len(types))


class Node:
    """A public point of a round: the next points, and the knowledge gained here.

    Actions are a card of the hand at each free place in turn, and last the pass.
    """

    def __init__(self, course, kinds, games):
        self.seat = course.to_move
        self.content = tuple(
            tuple(place in course.laid[seat] for place in PLACES[:2]) for seat in SEATS
        )
        self.free = () if self.seat is None else course.free(self.seat)
        self.after = {
            place: Node(course.after(place), kinds, games)
            for place in ((*self.free, NOWHERE) if self.seat is not None else ())
        }
        if self.seat is None:
            return
        kind, own = kinds[self.seat], self.content[self.seat]
        layings = kind.layings(own)
        legal = np.ones((len(layings), len(self.free) * kind.held + 1), np.float32)
        for row, laying in enumerate(layings):
            for at in range(len(self.free)):
                for slot in laying:
                    if slot != NOTHING:
                        legal[row, at * kind.held + slot] = 0
        self.legal = np.tile(legal, (len(kind.types), 1))
        shape = (games, *self.legal.shape)
        self.regrets = np.zeros(shape, np.float32)
        self.total = np.zeros(shape, np.float32)
        self.moves = []
        for at, place in enumerate(self.free):
            content = tuple(on or it == place for it, on in enumerate(own))
            before, slots = kind.origin(content, place)
            self.moves.append((place, before, at * kind.held + slots))

    def plan(self):
        """Return how likely each action is now, by regret matching."""
        return _normal(self.regrets, self.legal)

    def average(self):
        """Return how likely each action is on average."""
        return _normal(self.total, self.legal)


def _normal(weights, legal):
    totals = weights.sum(axis=2, keepdims=True)
    even = legal / legal.sum(axis=1, keepdims=True)
    return np.where(totals > 1e-12, weights / np.maximum(totals, 1e-12), even)


class Rounds:
    """Several rounds with the same course: their trees, and the values of their ends.

    worth: by the contents of both seats, the value to seat 0 of each pair of states, an array
    of (games, states of seat 0, states of seat 1), times the chance of the deal.
    """

    def __init__(self, course, kinds, games, worth):
        self.kinds, self.games, self.worth = kinds, games, worth
        self.root = Node(course, kinds, games)

    def solve(self, iterations):
        """Run CFR+ for a number of iterations, both seats in turn."""
        for turn in range(1, iterations + 1):
            for seat in SEATS:
                self._learn(seat, turn)

    def _learn(self, seat, turn):
        start = [np.ones((self.games, len(kind.types)), np.float32) for kind in self.kinds]
        self._walk(self.root, seat, *start, turn)

    def _walk(self, node, seat, first, second, turn):
        """Return what each state of ``seat`` is worth, times the other's chance to come."""
        if node.seat is None:
            worth = self.worth[node.content]
            if seat:
                return -np.matmul(first[:, None, :], worth)[:, 0, :]
            return np.matmul(worth, second[:, :, None])[:, :, 0]
        plan = node.plan()
        reaches = (first, second)
        led = {NOWHERE: reaches[node.seat] * plan[:, :, -1]}
        for place, before, action in node.moves:
            led[place] = reaches[node.seat][:, before] * plan[:, before, action]
        found = {
            place: self._walk(
                node.after[place],
                seat,
                *((then, second) if node.seat == 0 else (first, then)),
                turn,
            )
            for place, then in led.items()
        }
        if node.seat != seat:
            return sum(found.values())
        values = np.zeros_like(plan)
        values[:, :, -1] = found[NOWHERE]
        for place, before, action in node.moves:
            values[:, before, action] = found[place]
        mean = (values * plan).sum(axis=2)
        regrets = node.regrets + (values - mean[:, :, None]) * node.legal
        node.regrets = np.maximum(regrets, 0)
        node.total += turn * reaches[seat][:, :, None] * plan
        return mean

    def best(self, seat, plans):
        """Return by game the value of a best response of ``seat`` to ``plans``.

        plans: by node of the other seat, the chance of each action.
        """
        start = [np.ones((self.games, len(kind.types)), np.float32) for kind in self.kinds]
        return self._best(self.root, seat, start[1 - seat], plans).sum(axis=1)

    def _best(self, node, seat, reach, plans):
        if node.seat is None:
            worth = self.worth[node.content]
            if seat:
                return -np.matmul(reach[:, None, :], worth)[:, 0, :]
            return np.matmul(worth, reach[:, :, None])[:, :, 0]
        if node.seat == seat:
            found = np.where(node.legal > 0, 0.0, -np.inf) + np.zeros((self.games, 1, 1))
            found[:, :, -1] = self._best(node.after[NOWHERE], seat, reach, plans)
            for place, before, action in node.moves:
                after = node.after[place]
                found[:, before, action] = self._best(after, seat, reach, plans)
            return found.max(axis=2)
        plan = plans[node]
        total = self._best(node.after[NOWHERE], seat, reach * plan[:, :, -1], plans)
        for place, before, action in node.moves:
            led = reach[:, before] * plan[:, before, action]
            total = total + self._best(node.after[place], seat, led, plans)
        return total

    def averages(self):
        """Return by node how likely each action is on average."""
        found, open_ = {}, [self.root]
        while open_:
            node = open_.pop()
            if node.seat is not None:
                found[node] = node.average()
                open_ += node.after.values()
        return found

    def values(self):
        """Return the values for both types if both seats play by their averages.

        An array of (games, types of seat 0, types of seat 1), times the chance of the deal.
        """
        start = [np.ones((self.games, len(kind.types)), np.float32) for kind in self.kinds]
        return self._values(self.root, *start)

    def _values(self, node, first, second):
        if node.seat is None:
            worth = first[:, :, None] * self.worth[node.content] * second[:, None, :]
            counts = [len(kind.types) for kind in self.kinds]
            split = (self.games, counts[0], -1, counts[1], worth.shape[2] // counts[1])
            return worth.reshape(split).sum(axis=(2, 4))
        plan = node.average()
        reach = (first, second)[node.seat]
        led = {NOWHERE: reach * plan[:, :, -1]}
        for place, before, action in node.moves:
            led[place] = reach[:, before] * plan[:, before, action]
        return sum(
            self._values(
                node.after[place], *((then, second) if not node.seat else (first, then))
            )
            for place, then in led.items()
        )
