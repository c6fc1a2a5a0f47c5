"""Makes the entries of this seat: its greeting, its moves, and what needs no decision."""

from dataclasses import dataclass, field, replace
from typing import assert_never

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.elgamal import Ciphertext, prove_possession, prove_shares, share
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.shuffle import shuffle
from matcha_p2p.crypto.sigma import Proof
from matcha_p2p.errors import Check, IllegalMoveError
from matcha_p2p.machine import close, opening, play
from matcha_p2p.machine.deal import TABLE
from matcha_p2p.machine.events import Event
from matcha_p2p.machine.faces import unmask
from matcha_p2p.machine.step import act, adopt
from matcha_p2p.machine.table import (
    Choosing,
    Closing,
    Committing,
    Dealing,
    Greeted,
    Mixing,
    Opening,
    Over,
    Playing,
    Showing,
    Start,
    Table,
    Tossing,
    Unsealing,
    next_due,
    state_tag,
)
from matcha_p2p.player.hand import look
from matcha_p2p.player.secret import Player
from matcha_p2p.rules.cards import ZERO
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.game import legal_keeps
from matcha_p2p.rules.moves import Keep, Move, Pass, Play
from matcha_p2p.rules.seats import opposite
from matcha_p2p.transcript.entry import Entry, sign_entry
from matcha_p2p.transcript.record import Record, sign_record
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
    Reveal,
    Shuffle,
    Strip,
)
from matcha_p2p.wire.records import Statement


@dataclass(frozen=True, slots=True)
class Offer:
    """The part of a greeting that the seat chooses.

    identity: seed of a long-term key, if the seat shows one. drawn: whether the first dealer
    is drawn; if not, seat 0 deals first.
    """

    edition: Edition
    name: str
    identity: bytes | None = field(default=None, repr=False)
    drawn: bool = True


def greet(player: Player, state: Start | Greeted, offer: Offer) -> Entry:
    """Return the seat's greeting; that of seat 1 also opens the first link of its coins."""
    head = state.head
    known = set(opening.VERSIONS)
    common = known & set(state.hello.versions) if isinstance(state, Greeted) else known
    hello = Hello(
        versions=opening.VERSIONS,
        version=max(common),
        edition=offer.edition.name,
        rules=opening.rules_digest(offer.edition, drawn=offer.drawn),
        name=offer.name,
        session_key=player.session_key,
        anchor=player.chain[0],
        game_key=player.game_key,
        pop=prove_possession(
            player.x, opening.hello_context(head, player.seat), player.random(head)
        ),
    )
    if offer.identity is not None:
        statement = opening.identity_statement(hello, head)
        hello = replace(
            hello,
            identity=signature.public_key(offer.identity),
            certificate=signature.sign(offer.identity, statement),
        )
    actions = (hello,) if player.seat == 0 else (hello, Coin(player.chain[1]))
    seed = player.secrets.session
    return sign_entry(player.seat, player.seat, head, state_tag(state), actions, seed)


def decide(player: Player, table: Table, move: Move) -> tuple[Entry, Table, tuple[Event, ...]]:
    """Return the entry that makes ``move`` and all that follows from it, and what comes of it.

    Raises:
        IllegalMoveError: the move is not the player's to make now, or not legal.
    """
    due = next_due(table)
    mine = due is not None and due.decision and due.seat == player.seat
    if not mine or move not in look(player, table).legal_moves():
        raise IllegalMoveError(Check.GRAMMAR, "this move cannot be made now")
    return _say(player, table, _move_action(player, table, move))


def follow(player: Player, table: Table) -> tuple[Entry, Table, tuple[Event, ...]] | None:
    """Return the entry of all that the seat owes without deciding; None if it owes nothing."""
    due = next_due(table)
    if due is None or due.decision or due.seat != player.seat:
        return None
    return _say(player, table, _due_action(player, table))


def state_record(player: Player, table: Table, statement: Statement) -> Record:
    """Return a record by which the seat makes ``statement`` about the game as it stands."""
    return sign_record(table.gid, player.seat, table.head, statement, player.secrets.session)


def _say(
    player: Player, table: Table, action: Action
) -> tuple[Entry, Table, tuple[Event, ...]]:
    """Sign ``action`` and every action that follows from it by itself, as one entry."""
    actions: list[Action] = []
    events: list[Event] = []
    after = table
    while True:
        actions.append(action)
        after, told = act(after, player.seat, action)
        events.extend(told)
        due = next_due(after)
        if due is None or due.decision or due.seat != player.seat:
            break
        action = _due_action(player, after)
    seed = player.secrets.session
    tag = state_tag(after)
    entry = sign_entry(table.length, player.seat, table.head, tag, actions, seed)
    return entry, adopt(after, entry), tuple(events)


def _move_action(player: Player, table: Table, move: Move) -> Action:
    backs = table.hands[player.seat].backs
    match move:
        case Play(mat, slot):
            return PlayCard(mat, backs[slot])
        case Pass():
            return PassTurn()
        case Keep(slots):
            if isinstance(table.phase, Choosing):
                return KeepCards(_backs(player, table, slots))
            commitment, _ = _sealed(player, table, table.head, slots)
            return KeepCommit(commitment)
        case _:
            assert_never(move)


def _due_action(player: Player, table: Table) -> Action:  # noqa: C901 -- a line a phase
    """Return the action that the phase asks of the player."""
    match table.phase:
        case Tossing():
            return Coin(player.chain[table.coins + 1])
        case Mixing(deck=deck):
            return _shuffle(player, table, deck, "mix")
        case Opening() as phase:
            return _open_top(player, table, phase)
        case Dealing(((_, "shuffle"), *_), deck):
            return _shuffle(player, table, deck, "deal")
        case Dealing(((_, "own"), *_)):
            own = _shuffle(player, table, table.hands[player.seat].cards, "own")
            return Own(own.deck, own.proof)
        case Dealing():
            cards = table.hands[opposite(player.seat)].cards
            return Strip(*_shares(player, table, cards, "strip"))
        case Showing():
            hand = table.hands[player.seat].cards
            slots = play.contested_slots(table, player.seat).values()
            cards = tuple(hand[slot] for slot in slots)
            return Reveal(*_shares(player, table, cards, "reveal"))
        case Unsealing() as phase:
            return _unseal(player, table, phase)
        case Closing():
            return close.result_of(table)
        case Playing() | Committing() | Choosing() | Over():
            raise RuntimeError("nothing is due by itself")
        case _:
            assert_never(table.phase)


def _shuffle(player: Player, table: Table, deck: tuple[Ciphertext, ...], label: str) -> Shuffle:
    context = table.context(label, player.seat)
    return Shuffle(*shuffle(deck, table.joint_key, context, player.random(table.head)))


def _shares(
    player: Player, table: Table, cards: tuple[Ciphertext, ...], label: str
) -> tuple[tuple[Point, ...], Proof]:
    context = table.context(label, player.seat)
    return prove_shares(player.x, cards, context, player.random(table.head))


def _open_top(player: Player, table: Table, phase: Opening) -> Open:
    """Open what the other has opened, and as many cards more as the table then lacks."""
    theirs = phase.shares[opposite(player.seat)]
    both = zip(phase.deck, theirs, strict=False)
    faces = [unmask(card, (shared, share(player.x, card))) for card, shared in both]
    missing = TABLE - sum(face != ZERO for face in faces)
    start = len(phase.shares[player.seat])
    cards = phase.deck[start : len(theirs) + missing]
    return Open(*_shares(player, table, cards, "open"))


def _backs(player: Player, table: Table, slots: frozenset[int]) -> tuple[bytes, ...]:
    return tuple(table.hands[player.seat].backs[slot] for slot in sorted(slots))


def _sealed(
    player: Player, table: Table, since: bytes, slots: frozenset[int]
) -> tuple[bytes, KeepOpen]:
    """Return the commitment, made after the entry ``since``, to keep ``slots``; its opening.

    The salt follows from the secret and the choice, so that nothing has to be remembered.
    """
    backs = _backs(player, table, slots)
    salt = player.random(since)("keep", b"".join(backs), 32)
    return close.keep_commitment(table, player.seat, salt, backs), KeepOpen(salt, backs)


def _unseal(player: Player, table: Table, phase: Unsealing) -> KeepOpen:
    """Find the own choice again: try the at most 32 choices against the commitment."""
    for choice in legal_keeps(table.game, player.seat):
        commitment, opened = _sealed(player, table, phase.since, choice.slots)
        if commitment == phase.commitment:
            return opened
    raise RuntimeError("the commitment was not made with this secret")
