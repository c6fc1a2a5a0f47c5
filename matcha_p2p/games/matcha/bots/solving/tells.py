"""Guesses the cards of players in round 3 from rounds 1 and 2 of a set.

The probability of a lay is a guess from public knowledge: the cards that the card matches and
beats, the worth of the tokens at stake, the cards already laid. Its weights were fitted to the
play of the strong bot by ``.tools/training/tells.py``. A type is as likely as its hands
explain the moves made. All inputs are public, so both seats come to the same guess.
"""

import functools
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import mul
from typing import Final, TypeAlias, cast

from matcha_p2p.games.matcha.bots.solving.endings import Endgame, Type, types_of
from matcha_p2p.games.matcha.bots.solving.masks import CARDS, mat_of
from matcha_p2p.games.matcha.bots.valuation.values import FOLDER, Values
from matcha_p2p.games.matcha.bots.valuation.worth import worths
from matcha_p2p.games.matcha.rules.cards import DECK, FACES, ZERO, Face, Token
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.history import Round, Turn
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, Play
from matcha_p2p.games.matcha.rules.scoring import Tokens, add
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState

_SLOTS: Final = range(5)
_SUITED: Final = (1 << 16) - 1
_HANDS: Final = 8
"""Hands of a type to look at, drawn by a seed of their own."""
_ANYTHING: Final = 0.02
"""How often a player is thought to do anything at all."""
_CHANCE: Final = 25.0
"""Scales a network's value of a token to about the size of the other inputs."""

_NOTHING: Final = (0.0,) * 8
"""The stakes where no card can be laid."""
_NO_CARD: Final = (0.0,) * 7
"""The effects of no card at a mat."""

Inputs: TypeAlias = tuple[float, ...]
Weights: TypeAlias = tuple[dict[Type, float], dict[Type, float]]
"""By seat and type, the factor by which the past changes the probability of the type."""


@dataclass(frozen=True, slots=True)
class Past:
    """The public knowledge of a set before its round 3.

    tokens: each seat's tokens as the set began. last: whether the set is the edition's last
    set.
    """

    edition: Edition
    last: bool
    dealer: Seat
    table: tuple[Face, ...]
    tokens: tuple[Tokens, Tokens]
    rounds: tuple[Round, ...]


def past_of(game: GameState) -> Past:
    """Return the public knowledge before the running round of ``game``."""
    rounds = game.rounds[:-1]
    first = game.rounds[0]
    tokens = first.tokens_before(SEATS[0]), first.tokens_before(SEATS[1])
    last = game.number == game.edition.sets
    return Past(game.edition, last, game.dealer, game.table, tokens, rounds)


@dataclass(frozen=True, slots=True)
class PublicState:
    """The public knowledge as ``seat`` decides in round 1 or 2.

    past: the set up to the running round. number: the number of the running round. turns: the
    turns of this round so far. tokens: each seat's tokens. held: the number of cards that each
    seat holds.
    """

    past: Past
    number: int
    turns: tuple[Turn, ...]
    tokens: tuple[Tokens, Tokens]
    held: tuple[int, int]
    seat: Seat

    def laying(self) -> dict[int, list[Inputs]]:
        """Return, for each place where the seat may lay a card, the inputs of each lay.

        By the index of its face: first the inputs common to all moves, then the inputs of the
        place, then the effects of the card there and elsewhere.
        """
        mats = self._free()
        unseen = _unseen(self.past.table, self.past.rounds)
        every = self._every()
        stakes = {mat: self._at_stake(mat) for mat in range(2 * self.number - 2, 6)}
        doing = {mat: self._doing(mat, unseen) for mat in stakes}
        theirs = _mats_laid(self.turns, opposite(self.seat))
        found: dict[int, list[Inputs]] = {}
        for mat in mats:
            other = mat ^ 1
            there = [float(mat % 2), float(mat in theirs), *stakes[mat]]
            there += stakes[other] if other in mats else _NOTHING
            found[mat % 2] = [
                (
                    *every,
                    0.0,
                    *there,
                    *doing[mat][card],
                    *(doing[other][card][:5] if other in mats else _NO_CARD[:5]),
                    *self._later(card, stakes, doing),
                )
                for card in range(len(FACES))
            ]
        return found

    def passing(self) -> Inputs:
        """Return the inputs of the pass."""
        mats = self._free()
        there = [*self._at_stake(mats[0]), *self._at_stake(mats[-1])]
        return (*self._every(), 1.0, 0.0, 0.0, *there, *_NO_CARD, *_NO_CARD[:5], *_NOTHING[:3])

    def _free(self) -> list[int]:
        mine = _mats_laid(self.turns, self.seat)
        return [mat for mat in MATS_OF_ROUND[self.number - 1] if mat not in mine]

    def _every(self) -> list[float]:
        """Return the inputs common to all moves."""
        seat, other = self.seat, opposite(self.seat)
        return [
            1.0,
            float(self.number - 1),
            float(self.past.dealer == seat),
            float(self.past.last),
            self.held[seat] / 5,
            self.held[other] / 5,
            float(len(_mats_laid(self.turns, seat))),
            float(len(_mats_laid(self.turns, other))),
            float(is_out(self.past.edition, self.turns, other)),
        ]

    def _doing(self, mat: int, unseen: int) -> list[Inputs]:
        """Return each card's effect at ``mat``: zero, no match, or beaten by 0, 1, more cards.

        Then the number of unseen cards that match there, and the number that the card beats.
        """
        there = mat_of(mat, self.past.table[mat])
        rivals = unseen & there.matching
        found: list[Inputs] = []
        for face in FACES:
            beaten = there.beaten.get(1 << face.index)
            if beaten is None:
                kind, beats = int(face != ZERO), 0
            else:
                beats = (rivals & beaten).bit_count()
                kind = 2 + min(2, (rivals & ~beaten & ~(1 << face.index)).bit_count())
            switches = [0.0] * 5
            switches[kind] = 1.0
            found.append((*switches, rivals.bit_count() / 3, beats / 3))
        return found

    def _later(
        self, card: int, stakes: dict[int, list[float]], doing: dict[int, list[Inputs]]
    ) -> Inputs:
        """Return how many later mats the card wins for sure, how many perhaps; their worth."""
        best, some, worth = 0.0, 0.0, 0.0
        for mat in range(2 * self.number, 6):
            switches = doing[mat][card]
            best += switches[2]
            some += switches[3] + switches[4]
            worth += stakes[mat][0] * sum(switches[2:5])
        return best, some, worth

    def _at_stake(self, mat: int) -> list[float]:
        """Return the worth of the mat's token and of a whisk, to this seat and to the opponent.

        First by the nearness to a winning condition, then by the change of the chances at the
        beginning of a set.
        """
        seat, other = self.seat, opposite(self.seat)
        edition = self.past.edition
        suit = Token(self.past.table[mat].index // 4)  # a table card is never a zero
        kinds = [(token, side) for token in (suit, Token.WHISK) for side in (seat, other)]
        near = [worths(edition, self.tokens[side])[token] for token, side in kinds]
        chances = [
            _CHANCE
            * _gained(
                edition,
                self.tokens[side],
                self.tokens[opposite(side)],
                token,
                next_to_deal=self.past.dealer != side,
            )
            for token, side in kinds
        ]
        return near + chances


@functools.lru_cache(maxsize=256)
def _gained(
    edition: Edition, own: Tokens, other: Tokens, token: Token, *, next_to_deal: bool
) -> float:
    """Return how much ``token`` adds to somebody's chance at the beginning of a set."""
    more = add(own, (token,))
    values = Values.of(edition)
    if next_to_deal:
        return values.chance(more, other) - values.chance(own, other)
    return values.chance(other, own) - values.chance(other, more)


class Habits:
    """The assumed play of the players of an edition: a network that scores moves.

    layers: the units of each layer. A unit is its bias, then the weights of its inputs. The
    last layer has one unit.
    """

    def __init__(self, layers: Sequence[Sequence[Sequence[float]]]) -> None:
        """Take the weights."""
        self._layers: Final = layers

    @classmethod
    @functools.cache  # two editions
    def of(cls, edition: Edition) -> "Habits":
        """Return the shipped habits, read at their first use."""
        text = (FOLDER / f"tells-{edition.name}.json").read_text(encoding="ascii")
        return cls(cast("list[list[list[float]]]", json.loads(text)))

    def likely(self, inputs: Inputs) -> float:
        """Return the weight of a move, in proportion to its probability."""
        *hidden, out = self._layers
        row: Sequence[float] = inputs
        for layer in hidden:
            sums = [bias + sum(map(mul, weights, row)) for bias, *weights in layer]
            row = [it if it > 0 else 0.0 for it in sums]
        bias, *weights = out[0]
        return math.exp(bias + sum(map(mul, weights, row)))


class _Likely(dict[Inputs, float]):
    """A cache of the network's answers: many cards are alike."""

    def __init__(self, habits: Habits) -> None:
        super().__init__()
        self._habits: Final = habits

    def __missing__(self, inputs: Inputs) -> float:
        """Ask for the first time."""
        found = self[inputs] = self._habits.likely(inputs)
        return found


class _Decision:
    """A past decision: the probability of the decision for each hand."""

    def __init__(
        self, scene: PublicState, habits: Habits, held: Sequence[int], made: Turn
    ) -> None:
        """Take a scene. held: the slots that the seat still held."""
        self._held: Final = held
        likely = _Likely(habits)
        self._skipped: Final = likely[scene.passing()]
        laying = {
            place: [likely[inputs] for inputs in cards]
            for place, cards in scene.laying().items()
        }
        self._all: Final = [sum(column) for column in zip(*laying.values(), strict=True)]
        self._slot: Final = made.move.slot if isinstance(made.move, Play) else None
        self._laid: Final = laying[made.move.mat % 2] if isinstance(made.move, Play) else []
        self._anything: Final = _ANYTHING / (len(laying) * len(held) + 1)

    def chance(self, hand: Sequence[int]) -> float:
        """Return the probability of the decision with ``hand``, by slot the index of a face."""
        total = self._skipped
        for slot in self._held:
            total += self._all[hand[slot]]
        part = self._skipped if self._slot is None else self._laid[hand[self._slot]]
        return (1 - _ANYTHING) * part / total + self._anything


def weights_of(ending: Endgame, past: Past) -> Weights:
    """Return the factors by which the past changes the probability of the types of round 3.

    ending: the solved ending; the ending's types name all live cards that were laid unseen.
    """
    hidden = Counter(DECK)
    hidden.subtract(past.table)
    for cards in turned_up(past.rounds):
        hidden.subtract(cards.values())
    blanks = [card.index for card in hidden.elements() if not ending.live >> card.index & 1]
    return _weights(ending, past, blanks, SEATS[0]), _weights(ending, past, blanks, SEATS[1])


def _weights(ending: Endgame, past: Past, blanks: list[int], seat: Seat) -> dict[Type, float]:
    """Return the factors of one seat.

    blanks: the indices of the blanks' faces; this function shuffles the list.
    """
    rng = random.Random(0)  # the same for both seats, whoever asks
    decisions = list(_decisions(past, seat))
    opened = {slot: face.index for slot, face in turned_up(past.rounds)[seat].items()}
    laid = [slot for played in past.rounds for slot in played.laid[seat] if slot is not None]
    hand = [opened.get(slot, 0) for slot in _SLOTS]
    held = [slot for slot in _SLOTS if slot not in laid]
    lone = [slot for slot in laid if slot not in opened]
    found: dict[Type, float] = {}
    for kind in types_of(ending, seat):
        own, lying = map(_indices, kind)
        total = 0.0
        for _ in range(_HANDS):
            rng.shuffle(blanks)
            spare = len(held) - len(own)
            others = blanks[spare:]
            more = rng.sample(others, len(lone) - len(lying))
            unseen = [*lying, *more]
            rng.shuffle(unseen)
            for slots, cards in ((held, (*own, *blanks[:spare])), (lone, unseen)):
                for slot, card in zip(slots, cards, strict=True):
                    hand[slot] = card
            total += math.prod(decision.chance(hand) for decision in decisions)
        found[kind] = total
    return found


def done_so(past: Past, seat: Seat) -> Callable[[Sequence[int]], float]:
    """Return a function: the probability of ``seat``'s moves, for a hand of face indices."""
    decisions = list(_decisions(past, seat))
    return lambda hand: math.prod(decision.chance(hand) for decision in decisions)


def doing(scene: PublicState, cards: Iterable[int]) -> Callable[[int, int | None], float]:
    """Return a function: the weight of laying a card at a place, or of laying no card for None.

    cards: the possible cards, by the index of a face.
    """
    likely = _Likely(Habits.of(scene.past.edition))
    skipped = likely[scene.passing()]
    laying = {
        place: {card: likely[inputs[card]] for card in cards}
        for place, inputs in scene.laying().items()
    }
    return lambda place, card: skipped if card is None else laying[place][card]


def _indices(cards: int) -> list[int]:
    return [bit.bit_length() - 1 for bit in CARDS[cards]]


def _decisions(past: Past, seat: Seat) -> Iterator[_Decision]:
    """Yield the decisions of ``seat``, each with its probability by hand."""
    habits = Habits.of(past.edition)
    held = (list(_SLOTS), list(_SLOTS))
    for scene, turn in scenes(past):
        if turn.seat == seat and not turn.auto:
            yield _Decision(scene, habits, list(held[seat]), turn)
        if isinstance(turn.move, Play):
            held[turn.seat].remove(turn.move.slot)


def scenes(past: Past) -> Iterator[tuple[PublicState, Turn]]:
    """Yield each turn of the past, with the public knowledge before the turn."""
    tokens = past.tokens
    held = [len(_SLOTS), len(_SLOTS)]
    for at, played in enumerate(past.rounds):
        before = replace(past, rounds=past.rounds[:at])
        for number, turn in enumerate(played.turns):
            turns = played.turns[:number]
            yield (
                PublicState(
                    before, played.number, turns, tokens, (held[0], held[1]), turn.seat
                ),
                turn,
            )
            held[turn.seat] -= isinstance(turn.move, Play)
        tokens = played.tokens


def _mats_laid(turns: tuple[Turn, ...], seat: Seat) -> list[int]:
    """Return the mats where ``seat`` has laid a card in ``turns``."""
    return [
        turn.move.mat for turn in turns if turn.seat == seat and isinstance(turn.move, Play)
    ]


def _unseen(table: tuple[Face, ...], rounds: tuple[Round, ...]) -> int:
    """Return the suited cards that are hidden after ``rounds``."""
    seen = [*table, *(card for cards in turned_up(rounds) for card in cards.values())]
    return _SUITED & ~functools.reduce(lambda bits, card: bits | 1 << card.index, seen, 0)


def turned_up(rounds: tuple[Round, ...]) -> tuple[dict[int, Face], dict[int, Face]]:
    """Return the cards turned up, by seat and slot."""
    found: tuple[dict[int, Face], dict[int, Face]] = ({}, {})
    for played in rounds:
        for resolution in played.resolutions:
            for opened, slot, card in zip(
                found, resolution.slots, resolution.cards, strict=True
            ):
                if slot is not None and card is not None:
                    opened[slot] = card
    return found
