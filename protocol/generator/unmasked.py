"""Games in which the seats agree to mask no card, so that two zeros of a hand are one card.

They have one back then, which means the first of them.
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
from matcha_p2p.machine.close import keep_commitment
from matcha_p2p.machine.events import HandsDealt
from matcha_p2p.machine.step import act
from matcha_p2p.machine.table import Choosing, Committing, Table, next_due, state_tag
from matcha_p2p.player import reply
from matcha_p2p.rules.cards import ZERO
from matcha_p2p.rules.game import Keep, Move, Play
from matcha_p2p.rules.moves import MATS_OF_ROUND, PASS, SLOTS
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.phases import Keeping, Placing
from matcha_p2p.transcript.entry import Entry, sign_entry
from matcha_p2p.wire.messages import Action, KeepCommit
from protocol.generator.vectors import seed
from tests.duel import Duel, next_entry, opened

# Seeds with which a seat is dealt both zeros that chooses last what to keep, or first.
KEEPER, CLOSER = 9, 6


@dataclass(frozen=True)
class Twins:
    """A game in which a seat holds both zeros. done: tells when to stop. lays: one of them."""

    number: int
    done: Callable[[Duel], bool]
    lays: bool = False

    @cached_property
    def duel(self) -> Duel:
        """The game so far."""
        with mock.patch.object(reply, "shuffle", _shuffled_unmasked):
            duel = opened(f"golden {self.number}")
            while not self.done(duel):
                entry = next_entry(duel, (self.choose, self.choose))
                if entry is None:
                    raise RuntimeError("the game ends before")
                duel.say(entry)
        return duel

    def choose(self, observation: Observation) -> Move:
        """Keep one of two zeros, or lay one, and do nothing else."""
        zeros = [slot for slot, face in observation.held() if face == ZERO]
        match observation.game.phase:
            case Keeping():
                return Keep(frozenset(zeros[:1] if len(zeros) == 2 else ()))
            case _ if self.lays and len(zeros) == 2:
                return Play(MATS_OF_ROUND[len(observation.game.rounds) - 1][0], zeros[0])
            case _:
                return PASS


def twin(duel: Duel) -> bytes:
    """Return the one back of both zeros."""
    backs = Counter(back for hand in duel.table.hands for back in hand.backs)
    return next(back for back, count in backs.items() if count == 2)


def _shuffled_unmasked(
    deck: Sequence[Ciphertext], key: Point, context: Context, random: Random
) -> tuple[Deck, ShuffleProof]:
    def zero_masks(label: str, message: bytes, n: int) -> bytes:
        return bytes(n) if label.endswith("/mask") else random(label, message, n)

    return shuffle(deck, key, context, zero_masks)


def _has_laid_and_moves(duel: Duel) -> bool:
    match duel.table.game.phase:
        case Placing(seat):
            return len(duel.table.game.hands[seat]) < len(SLOTS)
        case _:
            return False


def _is_in(phase: type) -> Callable[[Duel], bool]:
    return lambda duel: isinstance(duel.state, Table) and isinstance(duel.table.phase, phase)


def _second_deal(duel: Duel) -> bool:
    return duel.events.count(HandsDealt()) == 2


TWIN_LAID = Twins(9, _has_laid_and_moves, lays=True)
TWINS_TO_KEEP = Twins(KEEPER, _is_in(Choosing))
TWIN_LEFT_TO_KEEP = Twins(KEEPER, _is_in(Choosing), lays=True)
TWIN_KEPT = Twins(KEEPER, _second_deal)
TWIN_SEALED = Twins(CLOSER, _second_deal)


def sealed(twins: Twins, salt: bytes, backs: tuple[bytes, ...]) -> Duel:
    """Let the closer commit to keeping ``backs``, and the other seat choose."""
    duel = copy.copy(twins.duel)
    duel.entries = list(duel.entries)
    due = next_due(duel.table)
    if due is None:
        raise RuntimeError("nobody has to commit to anything")
    action = KeepCommit(keep_commitment(duel.table, due.seat, salt, backs))
    duel.say(said(duel, action))
    entry = next_entry(duel, (twins.choose, twins.choose))
    if entry is None:
        raise RuntimeError("nobody chooses")
    duel.say(entry)
    return duel


def said(duel: Duel, action: Action) -> Entry:
    """Return what the seat that is due says, be it right or wrong."""
    due, table = next_due(duel.table), duel.table
    if due is None:
        raise RuntimeError("nobody is due")
    with contextlib.suppress(CheckError):
        table, _ = act(table, due.seat, action)
    session = duel.players[due.seat].secrets.session
    place, tag = duel.table.length, state_tag(table)
    return sign_entry(place, due.seat, duel.table.head, tag, [action], session)


SALT = seed("salt of a KEEPO")


@cache
def both_sealed() -> Duel:
    """Let the closer commit to keeping both zeros, which have one back."""
    twins = Twins(CLOSER, _is_in(Committing))
    return sealed(twins, SALT, (twin(twins.duel),) * 2)


@cache
def laid_sealed() -> Duel:
    """Let the closer commit to keeping a zero whose twin is laid."""
    twins = Twins(CLOSER, _is_in(Committing), lays=True)
    return sealed(twins, SALT, (twin(twins.duel),))
