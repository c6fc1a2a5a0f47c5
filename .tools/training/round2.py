"""Round 2 of a set solved by numpy, where all cards of round 1 were turned up.

What its ends are worth is what round 3 is worth if both play it as if every deal were as likely
as the others. A position takes some 2 s of one core.
"""

from collections import defaultdict
from itertools import product

import numpy as np

from matcha_p2p.games.matcha.bots.solving.course import NUMBER_MAT, SUIT_MAT, Course
from matcha_p2p.games.matcha.bots.solving.masks import (
    ZEROS,
    award,
    bits_of,
    mat_of,
    pack_tokens,
)
from matcha_p2p.games.matcha.bots.valuation.verdicts import GOES_ON, PAIR, verdicts_after
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND
from matcha_p2p.games.matcha.rules.seats import SEATS, opposite
from training.plans import CONTENTS, NOTHING, Kind, Rounds
from training.rounds import HELD, UNKNOWN

KIND = Kind(UNKNOWN, HELD, 0)
"""What each seat may have as round 2 begins."""

ITERATIONS = {2: 100, 3: 30}
"""Of CFR+, by the round, where next to nothing is to be lost."""


class Table:
    """The mats, tokens and verdicts of a position; cards are 0..7, or NOTHING."""

    def __init__(self, position):
        game = position.game
        self.course = Course(game.edition.turns, game.dealer, (HELD, HELD))
        self.begun = pack_tokens(game.tokens[0]) << PAIR | pack_tokens(game.tokens[1])
        comparing, last = game.comparing, game.number == game.edition.sets
        self.verdicts = {
            2: verdicts_after(game.edition, comparing=comparing, last=False, next_dealer=None),
            3: verdicts_after(
                game.edition,
                comparing=comparing,
                last=last,
                next_dealer=opposite(game.dealer),
            ),
        }
        bits = [*bits_of(position.unknown, ZEROS), 0]  # the last one is that of NOTHING
        self.gains, self.outcome = zip(
            *(_gains(mat_of(mat, game.table[mat]), bits) for mat in range(6)), strict=True
        )

    def judged(self, number, before):
        """Return the verdicts after a round: by the tokens before it, and by both outcomes."""
        first, second = (self.gains[mat] for mat in MATS_OF_ROUND[number - 1])
        tokens = before[:, None, None] + first[:, None] + second
        found, where = np.unique(tokens, return_inverse=True)
        verdicts = np.array([self.verdicts[number][int(it)] for it in found], np.float32)
        return verdicts[where].reshape(tokens.shape)

    def outcomes(self, number, laid):
        """Return how both mats of a round come out, each by its number among the gains.

        laid: by seat the cards on the number mat and on the suit mat, numbers or arrays, which
        are multiplied out.
        """
        return tuple(
            self.outcome[mat][laid[0][place], laid[1][place]]
            for place, mat in enumerate(MATS_OF_ROUND[number - 1])
        )

    def gained(self, number, laid):
        """Return the tokens of both that a round adds."""
        mats = zip(MATS_OF_ROUND[number - 1], self.outcomes(number, laid), strict=True)
        return sum(self.gains[mat][outcome] for mat, outcome in mats)

    def course_of(self, kinds):
        return Course(self.course.limit, self.course.to_move, tuple(it.held for it in kinds))


def _gains(mat, bits):
    """Return the gains possible at a mat, and by two cards the index of their gain."""
    found = np.zeros((len(bits), len(bits)), np.int64)
    for one, other in product(range(len(bits)), repeat=2):
        tokens = [0, 0]
        award(mat, bits[one], bits[other], tokens)
        found[one, other] = tokens[0] << PAIR | tokens[1]
    gains, outcome = np.unique(found, return_inverse=True)
    return gains, outcome.reshape(found.shape)


def possible(kinds, content):
    """Return by the states of both seats where no card is with both."""
    first, second = (
        np.repeat(kind.masks, len(kind.layings(own)))
        for kind, own in zip(kinds, content, strict=True)
    )
    return first[:, None] & second == 0


def solved(position):
    """Return round 2 of ``position`` as Rounds that have been solved."""
    rounds = valued(position)
    rounds.solve(ITERATIONS[2])
    return rounds


def valued(position):
    """Return round 2 of ``position`` as Rounds that have not been solved."""
    table = Table(position)
    kinds = (KIND, KIND)
    judged = table.judged(2, np.array([table.begun]))[0]
    worth = {}
    for content in product(CONTENTS, repeat=2):
        first, second = (KIND.laid(own) for own in content)
        found = judged[table.outcomes(2, (first[:, :, None], second[:, None, :]))]
        met = possible(kinds, content)
        found = np.broadcast_to(found, met.shape)
        if (met & (found == GOES_ON)).any():
            found = np.where(found == GOES_ON, _going_on(table, content), found)
        worth[content] = _weighed(found, met, kinds)[None]
    return Rounds(table.course, kinds, 1, worth)


def _weighed(verdicts, met, kinds):
    """Return what is above a half, times the chance of the deal."""
    deals = possible(kinds, (CONTENTS[0], CONTENTS[0])).sum()
    return ((verdicts - 0.5) * met / deals).astype(np.float32)


def _going_on(table, content):
    """Return what each pair of states of round 2 is worth as round 3 begins, from 0 to 1."""
    contested = [
        place for place in (NUMBER_MAT, SUIT_MAT) if all(own[place] for own in content)
    ]
    alone = [
        [place for place, on in enumerate(own) if on and place not in contested]
        for own in content
    ]
    kinds = tuple(
        Kind(UNKNOWN - 2 * len(contested), HELD - sum(own), len(lone))
        for own, lone in zip(content, alone, strict=True)
    )
    states = [
        _by_shown(KIND.laid(own), content=own, contested=contested, alone=lone)
        for own, lone in zip(content, alone, strict=True)
    ]
    shown = list(product(states[0], states[1]))
    shown = [pair for pair in shown if not set(pair[0]) & set(pair[1])]
    rest = np.array([[it for it in range(UNKNOWN) if it not in (*a, *b)] for a, b in shown])
    before = _tokens_after(table, content, contested, shown)
    values = _round3(table, kinds, rest, before)
    size = [len(KIND.types) * len(KIND.layings(own)) for own in content]
    found = np.zeros(size, np.float32)
    numbers = [{it: at for at, it in enumerate(kind.types)} for kind in kinds]
    for pair, cards, value in zip(shown, rest, values, strict=True):
        anew = {int(card): at for at, card in enumerate(cards)}
        rows, types = [[], []], [[], []]
        for seat in SEATS:
            for state, hand, lone in states[seat][pair[seat]]:
                if not {*hand, *lone} & set(pair[opposite(seat)]):
                    named = tuple(tuple(anew[it] for it in pile) for pile in (hand, lone))
                    rows[seat].append(state)
                    types[seat].append(numbers[seat][named])
        found[np.ix_(*rows)] = value[np.ix_(*types)]
    return found


def _by_shown(laid, *, content, contested, alone):
    """Return by the cards turned up each state of a seat, its hand left and its lone cards."""
    layings = len(KIND.layings(content))
    found = defaultdict(list)
    for state, cards in enumerate(laid.T.tolist()):
        hand, _ = KIND.types[state // layings]
        left = tuple(card for card in hand if card not in cards)
        lone = tuple(sorted(cards[place] for place in alone))
        found[tuple(cards[place] for place in contested)].append((state, left, lone))
    return found


def _tokens_after(table, content, contested, shown):
    """Return the tokens after round 2, by what was turned up: any lone card gains the same."""
    laid = []
    for seat in SEATS:
        cards = [np.zeros(len(shown), int) + (0 if on else NOTHING) for on in content[seat]]
        for at, place in enumerate(contested):
            cards[place] = np.array([pair[seat][at] for pair in shown])
        laid.append(cards)
    return table.begun + table.gained(2, laid)


def _round3(table, kinds, rest, before):
    """Return what each pair of types has in each game of round 3, from 0 to 1.

    rest: by game the cards not public. before: by game the tokens of both.
    """
    games = len(rest)
    cards = np.concatenate([rest, np.full((games, 1), NOTHING)], axis=1)  # at NOTHING, the last
    judged = table.judged(3, before)
    game = np.arange(games)[:, None, None]
    worth = {}
    for content in product(CONTENTS, repeat=2):
        if all(sum(own) <= kind.held for own, kind in zip(content, kinds, strict=True)):
            first, second = (
                cards[:, kind.laid(own)].transpose(1, 0, 2)
                for own, kind in zip(content, kinds, strict=True)
            )
            number, suit = table.outcomes(3, (first[:, :, :, None], second[:, :, None, :]))
            worth[content] = _weighed(
                judged[game, number, suit], possible(kinds, content), kinds
            )
    rounds = Rounds(table.course_of(kinds), kinds, games, worth)
    rounds.solve(ITERATIONS[3])
    met = possible(kinds, (CONTENTS[0], CONTENTS[0]))
    return np.where(met, 0.5 + rounds.values() * met.sum(), 0.0)
