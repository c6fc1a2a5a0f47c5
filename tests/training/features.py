"""What a network is told of a decision in round 2 of a last set: numbers and switches.

All is said as the seat to move sees it, and of cards only how they stand to the four mats that
are left, so that positions with other suits and numbers are alike. So are positions that differ
in how much is at stake in all: what a mat decides is told as a part of that.
"""

from itertools import combinations, product

import numpy as np

from matcha_p2p.bots.solving.course import NOWHERE, NUMBER_MAT, SUIT_MAT, Course
from matcha_p2p.bots.solving.masks import WHISK, ZEROS, bits_of, mat_of, pack_tokens
from matcha_p2p.bots.valuation.verdicts import GOES_ON, PAIR, verdicts_after
from matcha_p2p.rules.edition import EDITION_2020
from matcha_p2p.rules.seats import opposite
from tests.training.rounds import HELD

MATS = range(2, 6)
MAT_PAIRS = list(combinations(range(len(MATS)), 2))
OUTCOMES = 5  # of a mat: nobody lays, a token to either, and with a whisk for the other
MOST = 3  # so many cards of one kind that nobody has seen, or more
_LITTLE = 1e-6  # of what is at stake
FAILS, BEATABLE, BEST = range(3)  # how a card stands to a mat


def _histories():
    found = []

    def go(course, places):
        if course.to_move is not None:
            found.append(places)
            for place in (*course.free(course.to_move), NOWHERE):
                go(course.after(place), (*places, place))

    go(Course(EDITION_2020.turns, 0, (HELD, HELD)), ())
    return {places: at for at, places in enumerate(found)}


HISTORIES = _histories()
"""Each way to come to a decision in the round, by the places of the turns, and its number."""

NUMBERS = 1 + len(MATS) * OUTCOMES + len(MAT_PAIRS) * OUTCOMES**2
CARD = 3 * len(MATS) + 9 * len(MAT_PAIRS)
"""How many switches describe one card."""

_LAID = NUMBERS + len(HISTORIES)
_UNSEEN = _LAID + 2 * 4
_UNSEEN_PAIRS = _UNSEEN + len(MATS) * (MOST + 1)
_HAND = _UNSEEN_PAIRS + len(MAT_PAIRS) * 3
_WEIGHED = _HAND + CARD
_STANDINGS = 3 * len(MATS)
INPUTS = _WEIGHED + (_STANDINGS + 2 * 4 + 2) * OUTCOMES
"""How many inputs describe a decision: numbers, switches, and what these have to do with what
a mat decides: the numbers of a mat for each card that stands so to it."""

PASSING = 2 * CARD
_ACTION_WEIGHED = PASSING + 1
ACTION_INPUTS = _ACTION_WEIGHED + 2 * _STANDINGS * OUTCOMES
"""How many inputs describe one move: switches, and the same."""


class Outlook:
    """What one seat's moves in a position are about. worth: the numbers that are told."""

    def __init__(self, position, seat):
        game = position.game
        self.bits = bits_of(position.unknown, ZEROS)
        self.mats = [mat_of(mat, game.table[mat]) for mat in MATS]
        self._seat = seat
        self._own = pack_tokens(game.tokens[seat])
        self._other = pack_tokens(game.tokens[opposite(seat)])
        self._within = verdicts_after(
            game.edition, comparing=False, last=False, next_dealer=None
        )
        self._at_end = verdicts_after(
            game.edition, comparing=False, last=True, next_dealer=opposite(game.dealer)
        )
        self.worth = self._worth()

    def _verdict(self, verdicts, own, other):
        pair = other << PAIR | own if self._seat else own << PAIR | other
        verdict = verdicts[pair]
        return 1 - verdict if self._seat and verdict != GOES_ON else verdict

    def _worth(self):
        """Return the mean verdict over all outcomes, and what one and two mats add to it.

        What they add is a part of what all of it is on average; what two add goes beyond what
        each of them does.
        """
        gains = [
            [
                (0, 0),
                (mat.token, 0),
                (0, mat.token),
                (mat.token, WHISK),
                (WHISK, mat.token),
            ]
            for mat in self.mats
        ]
        values = np.empty((OUTCOMES,) * len(MATS))
        for chosen in product(range(OUTCOMES), repeat=len(MATS)):
            (a, b), (c, d), (e, f), (g, h) = (
                row[at] for row, at in zip(gains, chosen, strict=True)
            )
            own, other = self._own + a + c, self._other + b + d
            verdict = self._verdict(self._within, own, other)
            if verdict == GOES_ON:
                verdict = self._verdict(self._at_end, own + e + g, other + f + h)
            values[chosen] = 2 * verdict - 1
        mean = values.mean()
        axes = range(len(MATS))
        alone = [values.mean(tuple({*axes} - {mat})) - mean for mat in axes]
        paired = [
            values.mean(tuple({*axes} - {one, two})) - mean - alone[one][:, None] - alone[two]
            for one, two in MAT_PAIRS
        ]
        added = [*alone, *(it.ravel() for it in paired)]
        size = sum(float((it**2).mean()) for it in added) ** 0.5
        return [float(mean), *(np.concatenate(added) / max(size, _LITTLE)).tolist()]

    @property
    def alone(self):
        """Return what each outcome of each mat adds to the mean."""
        return np.array(self.worth[1 : 1 + len(MATS) * OUTCOMES]).reshape(len(MATS), OUTCOMES)

    def standing(self, card, others):
        """Return how a card stands to each mat. others: the cards unknown to the seat."""
        found = []
        for mat in self.mats:
            if not card & mat.matching:
                found.append(FAILS)
            elif others & mat.matching & ~mat.beaten[card]:
                found.append(BEATABLE)
            else:
                found.append(BEST)
        return found


def card_switches(standing):
    """Return which of the CARD switches are on for a card."""
    on = [3 * mat + standing[mat] for mat in range(len(MATS))]
    start = 3 * len(MATS)
    for number, (one, two) in enumerate(MAT_PAIRS):
        on.append(start + 9 * number + 3 * standing[one] + standing[two])
    return on


def switches(outlook, places, hand, laid):
    """Return which inputs are on, one as often as it is named, and how each card stands.

    places: of the turns of the round. hand: the bits of the cards with which it began. laid: of
    those on the number mat and on the suit mat, 0 for none.
    """
    others = sum(outlook.bits) & ~sum(hand)
    standing = {card: outlook.standing(card, others) for card in hand}
    on = [NUMBERS + HISTORIES[places]]
    for place, card in enumerate(laid):
        on.append(_LAID + 4 * place + (standing[card][place] if card else 3))
    for number, mat in enumerate(outlook.mats):
        count = (others & mat.matching).bit_count()
        on.append(_UNSEEN + (MOST + 1) * number + min(MOST, count))
    for number, (one, two) in enumerate(MAT_PAIRS):
        both = others & outlook.mats[one].matching & outlook.mats[two].matching
        on.append(_UNSEEN_PAIRS + 3 * number + min(2, both.bit_count()))
    for card in hand:
        if card not in laid:
            on += [_HAND + at for at in card_switches(standing[card])]
    return on, standing


def moves(free, hand, laid, standing):
    """Return each move as its number among the actions of a node, and its switches."""
    found = []
    for at, place in enumerate(free):
        for slot, card in enumerate(hand):
            if card not in laid:
                on = [place * CARD + it for it in card_switches(standing[card])]
                found.append((at * HELD + slot, on))
    found.append((len(free) * HELD, [PASSING]))
    return found


def input_row(outlook, places, on):
    """Return what a network is told of a decision. on: which inputs are, as by ``switches``."""
    row = np.zeros(INPUTS, np.float32)
    row[:NUMBERS] = outlook.worth
    np.add.at(row, list(on), 1)
    alone = outlook.alone
    hand = row[_HAND : _HAND + _STANDINGS].reshape(len(MATS), 3)
    laid = row[_LAID : _LAID + 2 * 4].reshape(2, 4)
    theirs = np.array([_laid_by_the_other(places, place) for place in (NUMBER_MAT, SUIT_MAT)])
    row[_WEIGHED:] = np.concatenate(
        [
            (hand[:, :, None] * alone[:, None]).ravel(),
            (laid[:, :, None] * alone[:2, None]).ravel(),
            (theirs[:, None] * alone[:2]).ravel(),
        ]
    )
    return row


def action_row(outlook, on):
    """Return what a network is told of a move."""
    row = np.zeros(ACTION_INPUTS, np.float32)
    row[list(on)] = 1
    standings = row[:PASSING].reshape(2, CARD)[:, :_STANDINGS].reshape(2, len(MATS), 3)
    row[_ACTION_WEIGHED:] = (standings[..., None] * outlook.alone[:, None]).ravel()
    return row


def _laid_by_the_other(places, place):
    """Return whether the seat that is not to move has a card there."""
    course = Course(EDITION_2020.turns, 0, (HELD, HELD))
    for it in places:
        course = course.after(it)
    return place in course.laid[opposite(course.to_move)]
