"""Games in which the seats agree to mask no card, so two zeros of a hand look alike.

The two zeros then have an equal back, which means the first zero.
"""

import contextlib
import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from unittest import mock

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.shuffle import Deck, ShuffleProof, shuffle
from matcha_p2p.crypto.sigma import Context, Random
from matcha_p2p.errors import CheckError
from matcha_p2p.games.matcha.rules.cards import ZERO
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, SLOTS, Keep, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.events import HandsDealt
from matcha_p2p.games.matcha.table.steps import hand_of
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table import seat
from matcha_p2p.table.messages import Action, Seal, encode_action
from matcha_p2p.table.step import act
from matcha_p2p.table.steps import Sealed
from matcha_p2p.table.table import Verb, state_tag
from matcha_p2p.table.verbs import commitment_to
from matcha_p2p.wire.entry import Entry, sign_entry
from protocol.generator.vectors import seed
from tests.duel import Chooser, Duel, next_entry, opened

# Seeds that deal both zeros to the seat that chooses last, or first, the cards to keep.
KEEPER, CLOSER = 11, 7


@dataclass(frozen=True)
class Twins:
    """A game in which a seat holds both zeros. done: when to stop. lays: lay a zero."""

    number: int
    done: Callable[[Duel], bool]
    lays: bool = False

    @cached_property
    def duel(self) -> Duel:
        """The game so far."""
        with mock.patch.object(seat, "shuffle", _shuffled_unmasked):
            duel = opened(f"golden {self.number}")
            while not self.done(duel):
                go_on(duel, (self.choose, self.choose))
        return duel

    def choose(self, observation: Observation) -> Move:
        """Keep or lay one of two zeros; otherwise pass."""
        zeros = [slot for slot, face in observation.held() if face == ZERO]
        match observation.game.phase:
            case Keeping():
                return Keep(frozenset(zeros[:1] if len(zeros) == 2 else ()))
            case _ if self.lays and len(zeros) == 2:
                return Play(MATS_OF_ROUND[len(observation.game.rounds) - 1][0], zeros[0])
            case _:
                return PASS


def go_on(duel: Duel, choosers: tuple[Chooser, Chooser]) -> None:
    """Let the seat that is due say the next entry."""
    entry = next_entry(duel, choosers)
    if entry is None:
        raise RuntimeError("the game is over")
    duel.say(entry)


def twin(duel: Duel) -> bytes:
    """Return the common back of both zeros."""
    piles = duel.table.piles
    backs = Counter(card.back for seat in SEATS for card in piles[hand_of(seat)])
    return next(back for back, count in backs.items() if count == 2)


def _shuffled_unmasked(
    deck: Sequence[Ciphertext],
    key: Point,
    context: Context,
    random: Random,
    last: Sequence[int],
) -> tuple[Deck, ShuffleProof]:
    def zero_masks(label: str, message: bytes, n: int) -> bytes:
        return bytes(n) if label.endswith("/mask") else random(label, message, n)

    return shuffle(deck, key, context, zero_masks, last)


def _has_laid_and_moves(duel: Duel) -> bool:
    game = game_of(duel.table)
    match game.phase:
        case Placing(seat):
            return len(game.hands[seat]) < len(SLOTS)
        case _:
            return False


def _keeps(verb: Verb) -> Callable[[Duel], bool]:
    """Return a condition: cards are to be kept, and the next seat owes ``verb``."""
    return lambda duel: isinstance(duel.table.step, Sealed) and duel.table.owing[0].verb is verb


def _second_deal(duel: Duel) -> bool:
    return duel.events.count(HandsDealt()) == 2


TWIN_LAID = Twins(KEEPER, _has_laid_and_moves, lays=True)
TWINS_TO_KEEP = Twins(KEEPER, _keeps(Verb.MOVE))
TWIN_LEFT_TO_KEEP = Twins(KEEPER, _keeps(Verb.MOVE), lays=True)
TWIN_KEPT = Twins(KEEPER, _second_deal)
TWIN_SEALED = Twins(CLOSER, _second_deal)


def sealed(twins: Twins, salt: bytes, backs: tuple[bytes, ...]) -> Duel:
    """Let the closer commit to keeping ``backs``, and the other seat choose."""
    duel = copy.copy(twins.duel)
    duel.entries = list(duel.entries)
    table, move = duel.table, ("keep", b"".join(backs))
    closer = table.owing[0].seat
    duel.say(said(duel, Seal(commitment_to(table, closer, table.head, salt, move))))
    go_on(duel, (twins.choose, twins.choose))
    return duel


def said(duel: Duel, action: Action) -> Entry:
    """Return an entry of the seat that is due with ``action``, right or wrong."""
    table = after = duel.table
    author = table.owing[0].seat
    with contextlib.suppress(CheckError):
        after, _ = act(table, author, action, 0)
    session, said = duel.players[author].secrets.session, [encode_action(action)]
    return sign_entry(table.length, author, table.head, state_tag(after), said, session)


SALT = seed("salt of a sealed choice")


@cache
def both_sealed() -> Duel:
    """Let the closer commit to keeping both zeros, with their common back."""
    twins = Twins(CLOSER, _keeps(Verb.SEAL))
    return sealed(twins, SALT, (twin(twins.duel),) * 2)


@cache
def laid_sealed() -> Duel:
    """Let the closer commit to keeping a zero after laying the other zero."""
    twins = Twins(CLOSER, _keeps(Verb.SEAL), lays=True)
    return sealed(twins, SALT, (twin(twins.duel),))
