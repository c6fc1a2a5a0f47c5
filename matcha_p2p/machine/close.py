"""The end of a round, of a set and of a game: kept cards and the result (SPEC#close)."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.machine.deal import mixing
from matcha_p2p.machine.events import Event, GameEnded, Kept
from matcha_p2p.machine.table import (
    Choosing,
    Closing,
    Committing,
    Over,
    Playing,
    Table,
    Tossing,
    Unsealing,
    state_digest,
)
from matcha_p2p.rules.game import draw, keep
from matcha_p2p.rules.phases import AwaitingDeal, Ended, How, Keeping
from matcha_p2p.rules.seats import Seat, opposite
from matcha_p2p.wire.messages import KeepCards, KeepCommit, KeepOpen, Result

COINS: Final = 4096
"""Links in a coin chain: a game that needs more coins ends as a draw."""

DRAWN: Final = 2
"""The outcome of RESULT when nobody wins."""

_NO_SLOTS: Final[frozenset[int]] = frozenset()
_PLAYING: Final = Playing()


def after_round(table: Table, seat: Seat) -> Table:
    """Go on after a round that an action of ``seat`` has ended."""
    match table.game.phase:
        case Ended():
            closing = Closing((seat, opposite(seat)))
            return table._replace(closer=seat, phase=closing)
        case Keeping():
            return table._replace(closer=seat, phase=Committing())
        case AwaitingDeal():
            table = table._replace(closer=seat, kept=(_NO_SLOTS, _NO_SLOTS))
            return next_coin(table)[0]
        case _ if table.phase == _PLAYING:
            return table
        case _:
            return table._replace(phase=_PLAYING)


def next_coin(table: Table) -> tuple[Table, tuple[Event, ...]]:
    """Toss for the next table, or end the game if the chains have no link left."""
    order = (table.closer, opposite(table.closer))
    if table.coins < COINS:
        return table._replace(phase=Tossing(order)), ()
    game = draw(table.game)
    ended = GameEnded(Ended(None, How.DRAW), game.tokens)
    return table._replace(game=game, phase=Closing(order)), (ended,)


def keep_commitment(table: Table, seat: Seat, salt: bytes, backs: Sequence[bytes]) -> bytes:
    """Return the commitment of ``seat`` to keeping the cards ``backs`` (SPEC#keepc)."""
    number = table.game.number.to_bytes(4)
    return H("keep", table.gid, number, bytes([seat]), salt, *backs)


def commit(table: Table, action: KeepCommit) -> tuple[Table, tuple[Event, ...]]:
    """Take the closer's commitment; the other seat decides next."""
    return table._replace(phase=Choosing(action.commitment, table.head)), ()


def choose(
    table: Table, phase: Choosing, seat: Seat, action: KeepCards
) -> tuple[Table, tuple[Event, ...]]:
    """Take the cards that the other seat keeps.

    Raises:
        ProofError: E_KEEP.
    """
    kept = _kept_slots(table, seat, action.backs)
    return table._replace(phase=Unsealing(phase.commitment, phase.since, kept)), ()


def unseal(
    table: Table, phase: Unsealing, seat: Seat, action: KeepOpen
) -> tuple[Table, tuple[Event, ...]]:
    """Take the cards that the closer had committed to keep; the set is over.

    Raises:
        ProofError: E_COMMIT, E_KEEP.
    """
    if keep_commitment(table, seat, action.salt, action.backs) != phase.commitment:
        raise ProofError(Check.COMMIT, "these are not the cards committed to")
    own = _kept_slots(table, seat, action.backs)
    kept = (own, phase.kept) if seat == 0 else (phase.kept, own)
    game = keep(table.game, kept)
    table = table._replace(game=game, kept=kept)
    told = Kept(game.kept)
    if any(kept):
        return table._replace(phase=mixing(table)), (told,)
    table, events = next_coin(table)
    return table, (told, *events)


def _kept_slots(table: Table, seat: Seat, backs: tuple[bytes, ...]) -> frozenset[int]:
    """Return the slots that ``backs`` name: cards left over, each once, in slot order."""
    known = table.hands[seat].backs
    left = table.game.hands[seat]
    slots = [known.index(back) for back in backs if back in known]
    if len(slots) != len(backs) or not set(slots) <= left or slots != sorted(set(slots)):
        raise ProofError(Check.KEEP, "not distinct leftover cards in the order of the hand")
    return frozenset(slots)


def result_of(table: Table) -> Result:
    """Return what both seats have to sign at the end.

    Raises:
        ProofError: E_RESULT if the game is not decided.
    """
    match table.game.phase:
        case Ended(winner):
            outcome = DRAWN if winner is None else winner
            return Result(outcome, state_digest(table))
        case _:
            raise ProofError(Check.RESULT, "the game is not decided")


def sign_off(table: Table, phase: Closing, action: Result) -> tuple[Table, tuple[Event, ...]]:
    """Take a signed result; after the second one nothing more is said.

    Raises:
        ProofError: E_RESULT.
    """
    if action != result_of(table):
        raise ProofError(Check.RESULT, "the result is not that of the game")
    owing = phase.owing[1:]
    return table._replace(phase=Closing(owing) if owing else Over()), ()
