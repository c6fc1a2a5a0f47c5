"""From a deck to two hands: shuffles, the opened top of a mixed deck, strips (SPEC#deal)."""

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.machine.events import Event, HandsDealt, Shuffled, TableLaid
from matcha_p2p.machine.faces import ZEROS, mask_public, unmask
from matcha_p2p.machine.proofs import Opened, ProofCheck, Reordered
from matcha_p2p.machine.table import Dealing, Deed, Hand, Mixing, Opening, Playing, Table
from matcha_p2p.rules.cards import ZERO, Face
from matcha_p2p.rules.game import Game, deal
from matcha_p2p.rules.seats import SEATS, Seat, opposite
from matcha_p2p.wire.messages import Open, Own, Shuffle, Strip

HAND = 5
TABLE = 6


def mixing(table: Table) -> Mixing:
    """Return the phase in which all cards that nobody keeps are shuffled (SPEC#mix)."""
    faces = sorted(table.game.table, key=lambda face: face.index)
    returned = [
        card
        for seat in SEATS
        for slot, card in enumerate(table.hands[seat].cards)
        if slot not in table.kept[seat]
    ]
    deck = (*mask_public(faces, table.joint_key), *returned, *table.aside)
    return Mixing((table.closer, opposite(table.closer)), deck)


def mix(
    table: Table, phase: Mixing, seat: Seat, action: Shuffle, check: ProofCheck
) -> tuple[Table, tuple[Event, ...]]:
    """Take a shuffle of the cards that went back; after the second one the top is opened.

    Raises:
        ProofError: E_SHUFFLE.
    """
    deck = _shuffled(table, phase.deck, seat, "mix", action, check)
    match phase.owing:
        case (_, waiting):
            following: Mixing | Opening = Mixing((waiting,), deck)
        case _:
            following = Opening(seat, deck, ((), ()), ())
    return table._replace(phase=following), (Shuffled(seat, "mix"),)


def open_top(
    table: Table, phase: Opening, seat: Seat, action: Open, check: ProofCheck
) -> tuple[Table, tuple[Event, ...]]:
    """Take shares of the next positions of the mixed deck, until six faces but zero show.

    The positions that only the other seat has opened are due. If the faces that then show are d
    short of a table, the next d positions are due as well.

    Raises:
        ProofError: E_GRAMMAR for a position too few or too many, E_SHARE, E_CARD.
    """
    theirs = phase.shares[opposite(seat)]
    start = len(phase.shares[seat])
    end = start + len(action.shares)
    if not max(start + 1, len(theirs)) <= end <= TABLE + ZEROS:
        raise ProofError(Check.GRAMMAR, "OPEN leaves out a position, or opens one twice")
    cards = phase.deck[start:end]
    key = table.hellos[seat].game_key
    check(Opened(key, cards, action.shares, table.context("open", seat), action.proof))
    mine = phase.shares[seat] + action.shares
    faces = tuple(
        unmask(phase.deck[place], (mine[place], theirs[place])) for place in range(len(theirs))
    )
    missing = TABLE - sum(face != ZERO for face in faces)
    if end != len(theirs) + missing:
        raise ProofError(Check.GRAMMAR, "OPEN opens a position too few or too many")
    if missing:
        shares = (mine, theirs) if seat == 0 else (theirs, mine)
        return table._replace(phase=Opening(opposite(seat), phase.deck, shares, faces)), ()
    zeros = [face for face in faces if face == ZERO]
    deck = (*phase.deck[end:], *mask_public(zeros, table.joint_key))
    laid = tuple(face for face in faces if face != ZERO)
    return lay_table(table, laid, len(zeros), dealing(table.game, seat, deck))


def lay_table(
    table: Table, faces: tuple[Face, ...], zeros_met: int, phase: Dealing
) -> tuple[Table, tuple[Event, ...]]:
    """Lay six faces on the mats and go on to ``phase``, the deal of the rest.

    Raises:
        ProofError: E_CARD if two of them are the same: then the deck held a card twice.
    """
    try:
        game = deal(table.game, faces)
    except ValueError:
        raise ProofError(Check.CARD, "the opened cards are no table") from None
    laid = TableLaid(game.number, game.dealer, faces, zeros_met)
    return table._replace(game=game, phase=phase), (laid,)


def dealing(game: Game, a: Seat, deck: tuple[Ciphertext, ...]) -> Dealing:
    """Return the phase in which ``deck`` is shuffled, seat ``a`` first, and dealt.

    A seat that kept cards shuffles its whole hand before the other strips it (SPEC#deal).
    """
    b = opposite(a)
    owing: list[tuple[Seat, Deed]] = [(a, "shuffle"), (b, "shuffle")]
    if game.kept[b]:
        owing.append((b, "own"))
    if not game.kept[a]:
        owing.append((b, "strip"))
    if game.kept[a]:
        owing.append((a, "own"))
    owing.append((a, "strip"))
    if game.kept[a]:
        owing.append((b, "strip"))
    return Dealing(tuple(owing), deck)


def shuffle_deck(
    table: Table, phase: Dealing, seat: Seat, action: Shuffle, check: ProofCheck
) -> tuple[Table, tuple[Event, ...]]:
    """Take a shuffle of the deck; after the second one the cards are dealt.

    Raises:
        ProofError: E_SHUFFLE.
    """
    deck = _shuffled(table, phase.deck, seat, "deal", action, check)
    owing = phase.owing[1:]
    table = table._replace(phase=Dealing(owing, deck))
    if owing[0][1] != "shuffle":
        table = hand_out(table, deck)
    return table, (Shuffled(seat, "deal"),)


def shuffle_hand(
    table: Table, phase: Dealing, seat: Seat, action: Own, check: ProofCheck
) -> tuple[Table, tuple[Event, ...]]:
    """Take a keeper's shuffle of its own hand, kept and new cards together.

    Raises:
        ProofError: E_SHUFFLE.
    """
    before = table.hands[seat].cards
    hand = _shuffled(table, before, seat, "own", Shuffle(action.hand, action.proof), check)
    table = table.with_hand(seat, table.new_hand(seat, hand))
    return _deed_done(table, phase, (Shuffled(seat, "own"),))


def strip(
    table: Table, phase: Dealing, seat: Seat, action: Strip, check: ProofCheck
) -> tuple[Table, tuple[Event, ...]]:
    """Take ``seat``'s shares of the other hand; after that its owner alone can open it.

    Raises:
        ProofError: E_SHARE.
    """
    owner = opposite(seat)
    hand = table.hands[owner]
    if len(action.shares) != HAND:
        raise ProofError(Check.SHARE, f"STRIP has {len(action.shares)} shares, not five")
    key = table.hellos[seat].game_key
    check(Opened(key, hand.cards, action.shares, table.context("strip", seat), action.proof))
    table = table.with_hand(owner, Hand(hand.cards, hand.backs, action.shares))
    return _deed_done(table, phase, ())


def _deed_done(
    table: Table, phase: Dealing, events: tuple[Event, ...]
) -> tuple[Table, tuple[Event, ...]]:
    owing = phase.owing[1:]
    if owing:
        return table._replace(phase=Dealing(owing, phase.deck)), events
    return table._replace(phase=Playing()), (*events, HandsDealt())


def hand_out(table: Table, deck: tuple[Ciphertext, ...]) -> Table:
    """Deal ``deck``: new cards to seat 0, to seat 1, two aside; kept cards stay first."""
    place = 0
    hands: list[Hand] = []
    for seat in SEATS:
        kept = [table.hands[seat].cards[slot] for slot in sorted(table.kept[seat])]
        new = deck[place : place + HAND - len(kept)]
        place += len(new)
        hands.append(table.new_hand(seat, (*kept, *new)))
    return table._replace(hands=(hands[0], hands[1]), aside=deck[place:])


def _shuffled(
    table: Table,
    before: tuple[Ciphertext, ...],
    seat: Seat,
    label: str,
    action: Shuffle,
    check: ProofCheck,
) -> tuple[Ciphertext, ...]:
    if len(action.deck) != len(before):
        found = f"{len(action.deck)} cards come back of {len(before)}"
        raise ProofError(Check.SHUFFLE, found)
    context = table.context(label, seat)
    check(Reordered(before, action.deck, table.joint_key, context, action.proof))
    return action.deck
