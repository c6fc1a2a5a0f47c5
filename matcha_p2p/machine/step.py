"""The protocol: one pure function that accepts a signed entry or refuses it (SPEC#machine)."""

from typing import assert_never

from matcha_p2p.crypto import signature
from matcha_p2p.errors import Check, CheckError, ProofError, ProtocolViolationError
from matcha_p2p.machine import close, deal, opening, play
from matcha_p2p.machine.events import Event
from matcha_p2p.machine.proofs import ProofCheck, check_proof, own_proof
from matcha_p2p.machine.table import (
    Choosing,
    Closing,
    Committing,
    Dealing,
    Greeted,
    Mixing,
    Opening,
    Playing,
    Showing,
    Start,
    State,
    Table,
    Tossing,
    Unsealing,
    next_due,
    state_tag,
)
from matcha_p2p.rules.seats import SEATS, Seat
from matcha_p2p.transcript.entry import Entry
from matcha_p2p.wire.messages import (
    Action,
    Coin,
    Hello,
    KeepCards,
    KeepCommit,
    KeepOpen,
    Open,
    Own,
    PassTurn,
    PlayCard,
    Result,
    Reveal,
    Shuffle,
    Strip,
)


def step(state: State, entry: Entry) -> tuple[State, tuple[Event, ...]]:
    """Accept one signed entry and return the state after it, or refuse it and change nothing.

    Never asks whose side it is on: player, peer, observer, resume and verifier all fold this.

    Raises:
        ProtocolViolationError: the first check that the entry fails, in the order of
            SPEC#checks. ``seat`` is None if that is the signature or a check before it: then
            nothing proves who made the entry.
    """
    author: Seat | None = None
    try:
        _check_place(state, entry)
        if isinstance(state, Table):
            entry.signed.check(state.hellos[entry.seat].session_key)
            author = entry.seat
            actions = entry.actions()
        else:
            actions = entry.actions()
            _check_greeter(entry, actions)
            author = entry.seat
        after, events = _take_message(state, entry, actions, check_proof)
        _check_state(after, entry)
    except CheckError as error:
        raise ProtocolViolationError(error.check, author, length(state), str(error)) from None
    return after, events


def length(state: State) -> int:
    """Return how many entries the chain has, which is the seq of the next one."""
    match state:
        case Start():
            return 0
        case Greeted():
            return 1
        case Table():
            return state.length
        case _:
            assert_never(state)


def act(table: Table, seat: Seat, action: Action) -> tuple[Table, tuple[Event, ...]]:
    """Return the table after an action that ``seat``, ourselves, is about to sign.

    The code is that of ``step``; only the proofs, which we have just made, are not verified.

    Raises:
        CheckError: the action breaks a rule: a bug of ours.
    """
    return _take_action(table, seat, action, own_proof)


def adopt(table: Table, entry: Entry) -> Table:
    """Return the table, as ``act`` has left it, with our ``entry`` as its last one."""
    return table._replace(head=entry.id, length=entry.seq + 1)


def recall(state: State, entry: Entry) -> State:
    """Return the state after an ``entry`` that was accepted when it came.

    Its signature and its proofs are not verified again; everything else is.

    Raises:
        ProtocolViolationError: it cannot have been accepted.
    """
    try:
        _check_place(state, entry)
        after, _ = _take_message(state, entry, entry.actions(), own_proof)
        _check_state(after, entry)
    except CheckError as error:
        raise ProtocolViolationError(error.check, None, length(state), str(error)) from None
    return after


def _check_place(state: State, entry: Entry) -> None:
    if entry.seq != length(state) or entry.prev != state.head:
        raise ProofError(Check.CHAIN, f"the entry does not follow {length(state)} others")
    if not isinstance(state, Table):  # no key is known that would show whose it is
        _check_turn(entry.seat, SEATS[length(state)])


def _check_state(after: State, entry: Entry) -> None:
    if state_tag(after) != entry.state:
        raise ProofError(Check.STATE, "the author's rules engine has come to another state")


def _check_greeter(entry: Entry, actions: tuple[Action, ...]) -> None:
    """Check that a greeting is signed by the key that it announces, and the key itself."""
    match actions:
        case (Hello(session_key=key), *_):
            signature.check_key(key)
            entry.signed.check(key)
        case _:
            raise ProofError(Check.GRAMMAR, "a game begins with HELLO from each seat")


def _take_message(
    state: State, entry: Entry, actions: tuple[Action, ...], check: ProofCheck
) -> tuple[State, tuple[Event, ...]]:
    match state:
        case Start():
            return _take_first(state, entry, actions), ()
        case Greeted():
            return _take_second(state, entry, actions)
        case Table():
            return _take_actions(state, entry, actions, check)
        case _:
            assert_never(state)


def _take_first(state: Start, entry: Entry, actions: tuple[Action, ...]) -> State:
    match actions:
        case (Hello() as hello,):
            return opening.greet_first(state, hello, entry.encoded, entry.id)
        case _:
            raise ProofError(Check.GRAMMAR, "entry 0 is HELLO alone")


def _take_second(
    state: Greeted, entry: Entry, actions: tuple[Action, ...]
) -> tuple[State, tuple[Event, ...]]:
    match actions:
        case (Hello() as hello, Coin() as coin):
            table = opening.greet_second(state, hello, coin, entry.encoded)
            return adopt(table, entry), (opening.met(table),)
        case _:
            raise ProofError(Check.GRAMMAR, "entry 1 is HELLO, COIN")


def _take_actions(
    table: Table, entry: Entry, actions: tuple[Action, ...], check: ProofCheck
) -> tuple[State, tuple[Event, ...]]:
    """Take at most one decision and then every action that follows by itself (SPEC#grammar)."""
    seat = entry.seat
    _check_speaker(table, seat, actions)
    events: list[Event] = []
    for number, action in enumerate(actions):
        due = next_due(table)
        if due is None or due.seat != seat or (due.decision and number > 0):
            raise ProofError(Check.GRAMMAR, "the message goes on after its end")
        table, told = _take_action(table, seat, action, check)
        events.extend(told)
    due = next_due(table)
    if due is not None and due.seat == seat and not due.decision:
        raise ProofError(Check.GRAMMAR, "the message leaves out an action that follows")
    return adopt(table, entry), tuple(events)


def _check_turn(seat: Seat, due: Seat) -> None:
    if seat != due:
        raise ProofError(Check.TURN, f"seat {due} has to speak")


def _check_speaker(table: Table, seat: Seat, actions: tuple[Action, ...]) -> None:
    """Check that ``seat`` may speak, and says something.

    A seat that is out of the round may still speak while cards are laid; what it then lays or
    passes is refused as that (E_PLACE, E_PASS).
    """
    due = next_due(table)
    if due is None:
        raise ProofError(Check.TURN, "the game is over")
    out = isinstance(table.phase, Playing) and play.out_of_round(table, seat)
    match actions:
        case ():
            raise ProofError(Check.GRAMMAR, "a message without an action")
        case (PlayCard(), *_) if out:
            raise ProofError(Check.PLACE, "this seat is out of the round and may lay no card")
        case (PassTurn(), *_) if out:
            raise ProofError(
                Check.PASS, "this seat is out of the round and has no turn to pass"
            )
        case _:
            _check_turn(seat, due.seat)


def _take_action(  # noqa: C901, PLR0912 -- the table of the machine, a line a phase
    table: Table, seat: Seat, action: Action, check: ProofCheck
) -> tuple[Table, tuple[Event, ...]]:
    match table.phase, action:
        case Tossing(), Coin() as coin:
            return opening.toss(table, seat, coin)
        case Mixing() as phase, Shuffle() as shuffled:
            return deal.mix(table, phase, seat, shuffled, check)
        case Opening() as phase, Open() as opened:
            return deal.open_top(table, phase, seat, opened, check)
        case Dealing(((_, "shuffle"), *_)) as phase, Shuffle() as shuffled:
            return deal.shuffle_deck(table, phase, seat, shuffled, check)
        case Dealing(((_, "own"), *_)) as phase, Own() as own:
            return deal.shuffle_hand(table, phase, seat, own, check)
        case Dealing(((_, "strip"), *_)) as phase, Strip() as stripped:
            return deal.strip(table, phase, seat, stripped, check)
        case Playing(), PlayCard() as played:
            return play.play_card(table, seat, played)
        case Playing(), PassTurn():
            return play.pass_turn(table, seat)
        case Showing() as phase, Reveal() as shown:
            return play.show(table, phase, seat, shown, check)
        case Committing(), KeepCommit() as sealed:
            return close.commit(table, sealed)
        case Choosing() as phase, KeepCards() as kept:
            return close.choose(table, phase, seat, kept)
        case Unsealing() as phase, KeepOpen() as unsealed:
            return close.unseal(table, phase, seat, unsealed)
        case Closing() as phase, Result() as result:
            return close.sign_off(table, phase, result)
        case _:
            raise ProofError(Check.GRAMMAR, f"{type(action).__name__} is not due")
