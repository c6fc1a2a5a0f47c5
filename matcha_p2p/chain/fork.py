"""Forks: two different entries of one seat at one place of the chain (SPEC#fork)."""

from collections.abc import Sequence
from typing import assert_never

from matcha_p2p.errors import Check, ProofError, ProtocolViolationError
from matcha_p2p.table.table import Greetings, State, Table
from matcha_p2p.wire.entry import Entry


def check_fork(state: State, log: Sequence[Entry], entry: Entry) -> None:
    """Check that ``entry`` contradicts no earlier entry of its author.

    log: the entries before ``state``. An entry that is merely out of place passes here, and
    ``step`` refuses the entry (E_CHAIN).

    Raises:
        ProtocolViolationError: E_FORK. Both entries together are the evidence.
    """
    if entry.seq >= len(log):
        return
    first = log[entry.seq]
    same_place = (first.seat, first.prev) == (entry.seat, entry.prev)
    if same_place and first.id != entry.id and _signed(state, entry):
        message = f"seat {entry.seat} has signed another entry {entry.seq} on the same chain"
        raise ProtocolViolationError(Check.FORK, entry.seat, len(log), message)


def _signed(state: State, entry: Entry) -> bool:
    try:
        entry.signed.check(_session_key(state, entry))
    except ProofError:
        return False
    return True


def _session_key(state: State, entry: Entry) -> bytes:
    match state:
        case Table(hellos=hellos) | Greetings(hellos=hellos):
            return hellos[entry.seat].session_key
        case _:
            assert_never(state)
