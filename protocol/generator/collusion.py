"""Two seats that agree how a game shall end, and play it so.

While nothing is kept, the tables of a whole game follow from its first two entries and the coin
chains; and who lays a card where the other lays none takes the token of that mat, whatever the
card is. So both know at the start which mats each has to take.
"""

from itertools import product
from typing import TypeAlias

from matcha_p2p.crypto.sponge import H, draw, stream
from matcha_p2p.rules.cards import FACES, Face
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.game import Keep, Move, Play
from matcha_p2p.rules.moves import MATS_OF_ROUND, PASS, Seat
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.phases import How
from matcha_p2p.rules.record import mats_of
from matcha_p2p.rules.scoring import NO_TOKENS, Tokens, add, condition, outcome
from tests.duel import Chooser, Duel

# Who takes the two mats of each round, from the first round of the game on.
Plan: TypeAlias = tuple[tuple[Seat | None, Seat | None], ...]
_Standing: TypeAlias = tuple[int, tuple[Tokens, Tokens], tuple[int, int], bool]

ROUNDS_OF_A_SET = len(MATS_OF_ROUND)
CARDS_OF_A_HAND = 5


def tables_to_come(duel: Duel, sets: int) -> tuple[tuple[Face, ...], ...]:
    """Return the tables of the first ``sets`` sets of a game in which nothing is kept."""
    chains = [player.chain for player in duel.players]
    seeds = (
        H("table", duel.table.gid, n.to_bytes(4), chains[0][n], chains[1][n])
        for n in range(1, sets + 1)
    )
    return tuple(tuple(FACES[i] for i in draw(stream(seed), 16, 6)) for seed in seeds)


def agree(edition: Edition, tables: tuple[tuple[Face, ...], ...], how: How) -> Plan | None:
    """Return a plan by which the game ends ``how`` within the sets of ``tables``."""
    hopeless: set[_Standing] = set()

    def go_on(standing: _Standing) -> Plan | None:
        number, tokens, laid, comparing = standing
        played, place = divmod(number, ROUNDS_OF_A_SET)
        if played == len(tables) or standing in hopeless:
            return None
        if place == 0:
            laid = (0, 0)
        for owners in product((None, 0, 1), repeat=2):
            cards = (laid[0] + owners.count(0), laid[1] + owners.count(1))
            if max(cards) > CARDS_OF_A_HAND:
                continue
            gained = _gained(tables[played], place, owners, tokens)
            last = (number + 1) == ROUNDS_OF_A_SET * (edition.sets or 0)
            ended = outcome(edition, gained, comparing=comparing, last=last)
            if ended is not None and ended.how is how:
                return (owners,)
            tie = all(condition(edition, own) is not None for own in gained)
            rest = None if ended else go_on((number + 1, gained, cards, tie))
            if rest is not None:
                return (owners, *rest)
        hopeless.add(standing)
        return None

    return go_on((0, (NO_TOKENS, NO_TOKENS), (0, 0), False))


def _gained(
    table: tuple[Face, ...],
    place: int,
    owners: tuple[Seat | None, Seat | None],
    tokens: tuple[Tokens, Tokens],
) -> tuple[Tokens, Tokens]:
    mats = MATS_OF_ROUND[place]
    first, second = (
        add(
            tokens[seat],
            tuple(table[m].suit for m, s in zip(mats, owners, strict=True) if s == seat),
        )
        for seat in (0, 1)
    )
    return first, second


def by_plan(plan: Plan) -> Chooser:
    """Return how either seat plays ``plan``, keeping nothing."""

    def choose(observation: Observation) -> Move:
        game, seat = observation.game, observation.seat
        first = observation.legal_moves()[0]
        if isinstance(first, Keep):
            return first
        place = len(game.rounds) - 1
        owners = plan[ROUNDS_OF_A_SET * (game.number - 1) + place]
        laid = mats_of(game.rounds[-1].turns, seat)
        for mat, owner in zip(MATS_OF_ROUND[place], owners, strict=True):
            if owner == seat and mat not in laid:
                return Play(mat, min(game.hands[seat]))
        return PASS

    return choose
