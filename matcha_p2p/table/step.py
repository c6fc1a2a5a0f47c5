"""The protocol: one pure function that accepts a signed entry or refuses it (SPEC#step)."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias, assert_never

from matcha_p2p.crypto import signature
from matcha_p2p.errors import Check, CheckError, ProofError, ProtocolViolationError
from matcha_p2p.seats import Seat
from matcha_p2p.table import table as tables
from matcha_p2p.table.game import TableGame
from matcha_p2p.table.greeting import check_listed, greet, is_last, sit_down
from matcha_p2p.table.messages import Action, Hello, Toss, decode_action
from matcha_p2p.table.moves import MoveForms
from matcha_p2p.table.proofs import ProofCheck, check_proof, own_proof
from matcha_p2p.table.verbs import take
from matcha_p2p.wire.entry import Entry

_NO_MOVES: Final[MoveForms] = {}


class AllGreeted(NamedTuple):
    """All seats have greeted each other. table: the table after the last greeting."""

    table: tables.Table


class Taken(NamedTuple):
    """An action was taken. after: the table after the action and all automatic steps."""

    before: tables.Table
    seat: Seat
    action: Action
    after: tables.Table


TableEvent: TypeAlias = AllGreeted | Taken
"""An event at the table; all events are public."""


def step(state: tables.State, entry: Entry) -> tuple[tables.State, tuple[TableEvent, ...]]:
    """Accept a signed entry: return the state after the entry, and the events.

    The function takes no side: player, peer, observer, resume and verifier all fold it.

    Raises:
        ProtocolViolationError: the entry fails a check; the error has the first failed check
            in the order of SPEC#checks. If the signature or an earlier check fails, the author
            of the entry is not proven, and ``seat`` is None.
    """
    author: Seat | None = None
    try:
        _check_place(state, entry)
        if isinstance(state, tables.Table):
            entry.signed.check(state.hellos[entry.seat].session_key)
            author = entry.seat
            actions = actions_of(entry, state.game)
        else:
            actions = actions_of(entry, None)
            _check_greeter(state, entry, actions)
            author = entry.seat
        after, events = _take_message(state, entry, actions, check_proof)
        _check_state(after, entry)
    except CheckError as error:
        raise ProtocolViolationError(error.check, author, length(state), str(error)) from None
    return after, events


def recall(state: tables.State, entry: Entry) -> tuple[tables.State, tuple[TableEvent, ...]]:
    """Return the state after an ``entry`` that was accepted when it came, and the events.

    All checks are repeated except the signature and the proofs.

    Raises:
        ProtocolViolationError: the entry cannot have been accepted.
    """
    try:
        _check_place(state, entry)
        game = state.game if isinstance(state, tables.Table) else None
        after, events = _take_message(state, entry, actions_of(entry, game), own_proof)
        _check_state(after, entry)
    except CheckError as error:
        raise ProtocolViolationError(error.check, None, length(state), str(error)) from None
    return after, events


def act(
    table: tables.Table, seat: Seat, action: Action, place: int
) -> tuple[tables.Table, Taken]:
    """Return the table after our own action, before ``seat`` signs the action.

    The code of ``step`` checks the action; only our own fresh proofs are not verified.

    Raises:
        CheckError: the action breaks a rule: a bug of ours, or an illegal move.
    """
    after = take(table, seat, action, place, own_proof)
    return after, Taken(table, seat, action, after)


def adopt(table: tables.Table, entry: Entry) -> tables.Table:
    """Return ``table``, after all actions of ``entry``, with ``entry`` as the new head."""
    return table._replace(head=entry.id, length=entry.seq + 1)


def length(state: tables.State) -> int:
    """Return the number of entries in the chain, equal to the seq of the next entry."""
    match state:
        case tables.Greetings(hellos=hellos):
            return len(hellos)
        case tables.Table():
            return state.length
        case _:
            assert_never(state)


def actions_of(entry: Entry, game: TableGame | None) -> tuple[Action, ...]:
    """Decode the actions of ``entry``; game: None while seats greet each other.

    Raises:
        EncodingError: the error of ``decode_action`` for the first malformed action.
    """
    forms = _NO_MOVES if game is None else game.forms
    return tuple([decode_action(fields, forms) for fields in entry.fields])


def _check_place(state: tables.State, entry: Entry) -> None:
    if entry.seq != length(state) or not (entry.prev == state.head or _begins(state)):
        raise ProofError(Check.CHAIN, f"the entry does not follow {length(state)} others")
    if isinstance(state, tables.Greetings):  # no key is known yet to prove the author
        _check_turn(entry.seat, Seat(length(state)))
    elif entry.seat not in state.seats:
        raise ProofError(Check.TURN, f"the table has no seat {entry.seat}")


def _begins(state: tables.State) -> bool:
    """Tell whether the next entry is to name a roster: then its signature counts first."""
    return isinstance(state, tables.Greetings) and not state.hellos


def _check_state(after: tables.State, entry: Entry) -> None:
    if tables.state_tag(after) != entry.state:
        raise ProofError(Check.STATE, "the author's rules engine has come to another state")


def _check_greeter(state: tables.Greetings, entry: Entry, actions: Sequence[Action]) -> None:
    """Check the key that a greeting announces, and the signature by this key."""
    match actions:
        case (Hello(session_key=key) as hello, *_):
            signature.check_key(key)
            check_listed(state, hello)
            entry.signed.check(key)
        case _:
            raise ProofError(Check.GRAMMAR, "a game begins with HELLO from each seat")


def _take_message(
    state: tables.State, entry: Entry, actions: Sequence[Action], check: ProofCheck
) -> tuple[tables.State, tuple[TableEvent, ...]]:
    match state:
        case tables.Greetings():
            return _take_greeting(state, entry, actions)
        case tables.Table():
            return _take_actions(state, entry, actions, check)
        case _:
            assert_never(state)


def _take_greeting(
    state: tables.Greetings, entry: Entry, actions: Sequence[Action]
) -> tuple[tables.State, tuple[TableEvent, ...]]:
    """Take HELLO alone, or of the last seat HELLO, COIN: only now all keys are known."""
    if entry.prev != state.head:
        raise ProofError(Check.ROSTER, "seat 0 has begun a game under another roster")
    match actions:
        case (Hello() as hello,) if not is_last(state):
            greet(state, hello)
            hellos, entries = (*state.hellos, hello), (*state.entries, entry.encoded)
            after = state._replace(head=entry.id, hellos=hellos, entries=entries)
            return after, ()
        case (Hello() as hello, Toss() as toss) if is_last(state):
            met = sit_down(state, hello, entry.encoded, greet(state, hello))
            table = take(met, entry.seat, toss, 1, own_proof)
            return adopt(table, entry), (AllGreeted(met),)
        case _:
            raise ProofError(Check.GRAMMAR, "each seat says HELLO alone, the last HELLO, COIN")


def _take_actions(
    table: tables.Table, entry: Entry, actions: Sequence[Action], check: ProofCheck
) -> tuple[tables.State, tuple[TableEvent, ...]]:
    """Take at most a single decision, then all automatic actions (SPEC#grammar)."""
    seat = entry.seat
    due = tables.next_due(table)
    if due is None:
        raise ProofError(Check.TURN, "the game is over")
    _check_turn(seat, due.seat)
    if not actions:
        raise ProofError(Check.GRAMMAR, "a message without an action")
    events: list[TableEvent] = []
    for place, action in enumerate(actions):
        if place and not owes_more(table, seat):
            raise ProofError(Check.GRAMMAR, "the message goes on after its end")
        after = take(table, seat, action, place, check)
        events.append(Taken(table, seat, action, after))
        table = after
    if owes_more(table, seat):
        raise ProofError(Check.GRAMMAR, "the message leaves out an action that follows")
    return adopt(table, entry), tuple(events)


def owes_more(table: tables.Table, seat: Seat) -> bool:
    """Tell whether the message of ``seat`` goes on: ``seat`` owes an automatic action."""
    return bool(table.owing) and table.owing[0].seat == seat and not tables.is_decision(table)


def _check_turn(seat: Seat, due: Seat) -> None:
    if seat != due:
        raise ProofError(Check.TURN, f"seat {due} has to speak")
