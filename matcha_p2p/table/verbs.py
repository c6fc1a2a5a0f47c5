"""Takes an action, and asks the game for the next step (SPEC#verbs)."""

import string
from typing import Final, assert_never

from matcha_p2p.crypto.shuffle import LARGEST, SMALLEST
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.seats import Seat
from matcha_p2p.table import messages, steps
from matcha_p2p.table import piles as table_piles
from matcha_p2p.table.game import GameMove
from matcha_p2p.table.proofs import Opened, ProofCheck, Reordered
from matcha_p2p.table.table import SealedMove, Table, Verb, debts, game_digest
from matcha_p2p.wire.encoding import pack

_LETTERS: Final = frozenset(string.ascii_lowercase)
_LABEL: Final = 16


def take(
    table: Table, seat: Seat, action: messages.Action, place: int, check: ProofCheck
) -> Table:
    """Return the table after an owed action of ``seat`` and all automatic steps.

    place: of the action in its message, from 0.

    Raises:
        CheckError: another action is owed (E_GRAMMAR), or ``action`` fails a check of its verb.
        GuardError: the game has a bug.
    """
    match table.owing[0].verb, table.step, action:
        case Verb.COIN, _, messages.Toss(link):
            return _toss(table, seat, link)
        case Verb.SHUF, steps.Shuffle() as step, messages.Shuf() as shuffled:
            return _shuffle(table, step, seat, shuffled, place, check)
        case Verb.SHARE, steps.Share() as step, messages.Shares() as shares:
            return _share(table, step, seat, shares, place, check)
        case Verb.MOVE, steps.Decide(), messages.MoveAction(move):
            return _complete(table, steps.Moved(_judged(table, seat, move)))
        case Verb.SEAL, _, messages.Seal(commitment):
            sealed = SealedMove(seat, commitment, table.head)
            return _paid(table._replace(seals=(*table.seals, sealed)))
        case Verb.MOVE, steps.Sealed(), messages.MoveAction(move):
            return _known(table, seat, move)
        case Verb.UNSEAL, _, messages.Unseal(salt, move):
            return _known(_opened_seal(table, seat, salt, move), seat, move)
        case Verb.RESULT, _, messages.Result() as result:
            return _signed_off(table, result)
        case _:
            due = table.owing[0].verb.value
            raise ProofError(Check.GRAMMAR, f"{due} is due, not this action")


def next_link(seat: Seat, link: bytes) -> bytes:
    """Return the hash of ``link``: the link that a coin chain opens just before ``link``."""
    return H("coin", bytes([seat]), link)


def commitment_to(
    table: Table, seat: Seat, since: bytes, salt: bytes, move: steps.Wire
) -> bytes:
    """Return the commitment of ``seat`` to ``move``, made after the entry ``since``."""
    return H("seal", table.gid, since, bytes([seat]), salt, pack(move))


def result_of(table: Table) -> messages.Result:
    """Return the RESULT that all seats have to sign at the end.

    Raises:
        GuardError: the game is over without a result, or the result names no seats.
    """
    with table_piles.BlamingNobody():
        outcome = table.game.result()
    if outcome is None:
        raise table_piles.GuardError("the game is over without a result")
    if not {*outcome} <= {*table.seats}:
        raise table_piles.GuardError("the result names a seat that the table lacks")
    return messages.Result(outcome, game_digest(table.game))


def owed_reads(table: Table, step: steps.Share, seat: Seat) -> tuple[steps.Read, ...]:
    """Return the cards for which ``seat`` owes a share, in the order of the step."""
    return tuple(
        [
            read
            for read in step.reads
            if table_piles.card_at(table.piles, read).owes(seat, read.reader)
        ]
    )


def ask(table: Table, *, first: bool = False) -> Table:
    """Ask the game for steps until a seat owes an action, or the game is over.

    Raises:
        GuardError: the game asks for an impossible step.
    """
    while True:
        with table_piles.BlamingNobody():
            step = table.game.next(table.piles)
        _check_step(table, step, first=first)
        first = False
        owing = debts(step, table.piles)
        table = table._replace(step=step, owing=owing, seals=(), moves=())
        if owing:
            return table
        # Besides a Share, only a Shuffle of fewer than two cards needs no action.
        outcome = _faces(table, step) if isinstance(step, steps.Share) else steps.Mixed()
        table = _done(table, outcome)


def _check_step(table: Table, step: steps.Step, *, first: bool) -> None:
    if first and not (isinstance(step, steps.Coin) and step.order[:1] == table.seats[-1:]):
        raise table_piles.GuardError(
            "the first step is a coin of all seats, the last seat first"
        )
    match step:
        case steps.Coin(order) | steps.Over(order):
            _check_all(table, order)
            if isinstance(step, steps.Coin) and table.coins == steps.COINS:
                raise table_piles.GuardError("the coin chains have no link left")
        case steps.Share(reads, order, label):
            _check_all(table, order)
            _check_label(label)
            table_piles.check_reads(table.piles, reads)
        case steps.Shuffle():
            _check_shuffle(table, step)
        case steps.Decide(seat):
            _check_some(table, (seat,))
        case steps.Sealed(order):
            _check_some(table, order)
        case _:
            assert_never(step)


def _check_shuffle(table: Table, step: steps.Shuffle) -> None:
    _check_some(table, step.order)
    _check_label(step.label)
    if step.pile not in table.piles:
        raise table_piles.GuardError(f"there is no pile {step.pile!r}")
    pile = table.piles[step.pile]
    if len(pile) > LARGEST:
        raise table_piles.GuardError(f"{len(pile)} cards are more than a shuffle can prove")
    if not step.give:
        return
    if len(step.give) > len(pile) or not set(step.give) <= table.deck.all:
        raise table_piles.GuardError(
            "a card of the pile is given to each of some seats of this table"
        )
    if len(step.order) != 1 or not table_piles.is_own(pile, step.order[0]):
        raise table_piles.GuardError(
            "one seat gives cards, and only those that it alone may know"
        )
    if len(pile) < SMALLEST:
        raise table_piles.GuardError(
            "a pile of one card is not shuffled, so none of it is given"
        )
    if table.step != steps.Decide(step.order[0]):
        raise table_piles.GuardError("cards are given that their owner has not just chosen")


def _check_all(table: Table, order: steps.Order) -> None:
    if len(order) != len(table.deck.all) or frozenset(order) != table.deck.all:
        raise table_piles.GuardError(f"{order} is no permutation of all seats")


def _check_some(table: Table, order: steps.Order) -> None:
    seats = set(order)
    if not order or len(seats) != len(order) or not seats <= table.deck.all:
        raise table_piles.GuardError(f"{order} are not different seats of this table")


def _check_label(label: str) -> None:
    if not (0 < len(label) <= _LABEL and _LETTERS.issuperset(label)):
        raise table_piles.GuardError(f"{label!r} is no label: 1 to 16 letters a-z")


def _paid(table: Table) -> Table:
    """Return the table without the first debt."""
    return table._replace(owing=table.owing[1:])


def _complete(table: Table, outcome: steps.Outcome, *blaming: Check) -> Table:
    """Return the table after the last debt of a step, with the game's next step."""
    return ask(_done(table, outcome, *blaming))


def _done(table: Table, outcome: steps.Outcome, *blaming: Check) -> Table:
    """Let the game take ``outcome``. blaming: the checks by which it may blame the author."""
    with table_piles.BlamingNobody(*blaming):
        game, piles = table.game.done(outcome, table.piles)
    laid, out = table_piles.lay(table.piles, piles, table.out, table.deck)
    return table._replace(game=game, piles=laid, out=out)


def _judged(table: Table, seat: Seat, move: steps.Wire) -> GameMove:
    """Let the game judge ``move``: only E_RULE and E_BACK blame the author."""
    with table_piles.BlamingNobody(Check.RULE, Check.BACK):
        return table.game.judge(seat, move, table.piles)


def _toss(table: Table, seat: Seat, link: bytes) -> Table:
    if next_link(seat, link) != table.links[seat]:
        raise ProofError(Check.COIN, "the link does not lead to the last one")
    links = (*table.links[:seat], link, *table.links[seat + 1 :])
    table = table._replace(links=links)
    if len(table.owing) > 1:
        return _paid(table)
    number = table.coins + 1
    value = H("coin value", table.gid, number.to_bytes(4), *links)
    return _complete(table._replace(coins=number), steps.Tossed(value))


def _shuffle(
    table: Table,
    step: steps.Shuffle,
    seat: Seat,
    action: messages.Shuf,
    place: int,
    check: ProofCheck,
) -> Table:
    before = table.piles[step.pile]
    if len(action.deck) != len(before):
        found = f"{len(action.deck)} cards come back of {len(before)}"
        raise ProofError(Check.SHUFFLE, found)
    masked = tuple(card.masked for card in before)
    context = table.context(seat, step.label, place)
    check(Reordered(masked, action.deck, table.deck.key, context, action.proof))
    after = table.deck.shuffled(before, action.deck, step, seat)
    table = table._replace(piles=table_piles.frozen({**table.piles, step.pile: after}))
    return _paid(table) if len(table.owing) > 1 else _complete(table, steps.Mixed())


def _share(
    table: Table,
    step: steps.Share,
    seat: Seat,
    action: messages.Shares,
    place: int,
    check: ProofCheck,
) -> Table:
    owed = owed_reads(table, step, seat)
    if len(action.shares) != len(owed):
        message = f"{len(action.shares)} shares for {len(owed)} cards"
        raise ProofError(Check.SHARE, message)
    cards = tuple(table_piles.card_at(table.piles, read).masked for read in owed)
    key = table.hellos[seat].game_key
    context = table.context(seat, step.label, place)
    check(Opened(key, cards, action.shares, context, action.proof))
    chosen = all(table_piles.card_at(table.piles, read).reader == seat for read in step.reads)
    piles = {name: list(table.piles[name]) for name in {read.pile for read in step.reads}}
    for read, share in zip(owed, action.shares, strict=True):
        card = piles[read.pile][read.place]
        shares = (*card.shares[:seat], share, *card.shares[seat + 1 :])
        piles[read.pile][read.place] = card._replace(shares=shares)
    last = len(table.owing) == 1
    if last:
        for read in step.reads:
            card = piles[read.pile][read.place]
            piles[read.pile][read.place] = table.deck.read(card, read.reader)
    changed = {name: table_piles.Pile(pile) for name, pile in piles.items()}
    laid = table_piles.frozen({**table.piles, **changed})
    table = table._replace(piles=laid)
    if not last:
        return _paid(table)
    table_piles.check_open(laid, table.out, table.deck)
    blaming = (Check.RULE,) if chosen else ()
    return _complete(table, _faces(table, step), *blaming)


def _faces(table: Table, step: steps.Share) -> steps.Shared:
    faces = [
        table_piles.card_at(table.piles, read).face
        for read in step.reads
        if read.reader is None
    ]
    return steps.Shared(tuple(face for face in faces if face is not None))


def _signed_off(table: Table, action: messages.Result) -> Table:
    if action != result_of(table):
        raise ProofError(Check.RESULT, "the result is not that of the game")
    return _paid(table)


def _known(table: Table, seat: Seat, move: steps.Wire) -> Table:
    """Take a known move of a Sealed, judged on the state before the step."""
    judged = _judged(table, seat, move)
    table = table._replace(moves=(*table.moves, (seat, judged)))
    if len(table.owing) > 1:
        return _paid(table)
    return _complete(table, steps.Unsealed(dict(table.moves)))


def _opened_seal(table: Table, seat: Seat, salt: bytes, move: steps.Wire) -> Table:
    sealed, *others = table.seals
    if commitment_to(table, seat, sealed.since, salt, move) != sealed.commitment:
        raise ProofError(Check.SEAL, "this is not the move that the seat has sealed")
    return table._replace(seals=tuple(others))
