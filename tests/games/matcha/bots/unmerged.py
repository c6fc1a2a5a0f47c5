"""Round 3 with every card on its own, built over the rules engine.

The classes must agree with it. It shares nothing with bots.solving.round3 but the solver:
each deal of the hidden cards is played out by ``rules``, and what a player knows is its cards
and what it has seen.
"""

from collections import Counter
from itertools import combinations

from matcha_p2p.games.matcha.bots.solving.sequence_form import Side
from matcha_p2p.games.matcha.bots.valuation.values import Values
from matcha_p2p.games.matcha.rules.cards import DECK, FACES
from matcha_p2p.games.matcha.rules.game import advance, legal_moves
from matcha_p2p.games.matcha.rules.moves import Pass
from matcha_p2p.games.matcha.rules.phases import Ended, Keeping, Placing
from matcha_p2p.games.matcha.rules.scoring import condition


def sides_of(game):
    """Return the game that round 3 is, for both seats. It must be at its beginning."""
    sides = (Side(), Side())
    known = ({}, {})  # what a seat knows -> the first sequence of its decision
    deals = Counter(deals_of(game))
    for hands, ways in deals.items():
        play(game, hands, ways / deals.total(), sides, known)
    return sides


def play(start, hands, chance, sides, known):
    """Add every way to play one deal."""

    def go_on(game, reached, seen):
        match game.phase:
            case Placing(seat):
                moves = legal_moves(game)
                own, sequence = (seat, hands[seat], seen[seat]), reached[seat]
                first = sequence
                if len(moves) > 1:
                    if own not in known[seat]:
                        known[seat][own] = sides[seat].decide([sequence], len(moves)).first
                    first = known[seat][own]
                for at, move in enumerate(moves):
                    after = list(reached)
                    after[seat] = first + at
                    place = "p" if isinstance(move, Pass) else move.mat
                    told = [(*seen[0], place), (*seen[1], place)]
                    told[seat] = (*seen[seat], move)
                    go_on(advance(game, move, hands), after, told)
            case _:
                gain = chance * worth(game)
                sides[0].gain(reached[0], reached[1], gain)
                sides[1].gain(reached[1], reached[0], -gain)

    go_on(start, [0, 0], [(), ()])


def worth(game):
    """Return what a position after round 3 is worth to seat 0."""
    match game.phase:
        case Ended(None):
            return 0.5
        case Ended(winner):
            return float(winner == 0)
        case _ if game.comparing or all(
            condition(game.edition, own) is not None for own in game.tokens
        ):
            return 0.5
        case Keeping():
            dealer = 1 - game.dealer
        case _:
            dealer = game.dealer  # the deal has passed on
    chance = Values.of(game.edition).chance(game.tokens[dealer], game.tokens[1 - dealer])
    return 1 - chance if dealer else chance


def deals_of(game):
    """Yield the hands, slots spent in a revealed way with their faces, for each way to deal."""
    opened = [{}, {}]
    for played in game.rounds:
        for resolution in played.resolutions:
            for seat in (0, 1):
                if resolution.revealed:
                    opened[seat][resolution.slots[seat]] = resolution.cards[seat]
    hidden = Counter(DECK)
    hidden.subtract((*game.table, *opened[0].values(), *opened[1].values()))
    cards = [face for face in FACES for _ in range(hidden[face])]
    needs = [
        (sorted(game.hands[seat]), sorted({*range(5)} - game.hands[seat] - opened[seat].keys()))
        for seat in (0, 1)
    ]
    piles = [len(part) for need in needs for part in need]
    for chosen in splits(tuple(range(len(cards))), piles):
        hands = []
        for seat in (0, 1):
            hand = dict(opened[seat])
            for slots, pile in zip(needs[seat], chosen[2 * seat : 2 * seat + 2], strict=True):
                faces = sorted((cards[at] for at in pile), key=lambda face: face.index)
                hand |= dict(zip(slots, faces, strict=True))
            hands.append(tuple(hand[slot] for slot in range(5)))
        yield tuple(hands)


def splits(cards, sizes):
    """Yield every way to take piles of these sizes from ``cards``, in order."""
    if not sizes:
        yield ()
        return
    for pile in combinations(cards, sizes[0]):
        rest = tuple(card for card in cards if card not in pile)
        for others in splits(rest, sizes[1:]):
            yield (pile, *others)
