"""Rounds: cards laid face down by their backs, passes, and reveals (SPEC#play)."""

from matcha_p2p.errors import Check, ProofError
from matcha_p2p.machine.close import after_round
from matcha_p2p.machine.events import Event, placing_events
from matcha_p2p.machine.faces import unmask
from matcha_p2p.machine.proofs import Opened, ProofCheck
from matcha_p2p.machine.table import Showing, Table
from matcha_p2p.rules.game import is_out, legal_moves, place, reveal
from matcha_p2p.rules.moves import MATS_OF_ROUND, Pass, Play
from matcha_p2p.rules.phases import Placing, Revealing
from matcha_p2p.rules.seats import Seat, opposite
from matcha_p2p.wire.messages import PlayCard, Reveal


def play_card(table: Table, seat: Seat, action: PlayCard) -> tuple[Table, tuple[Event, ...]]:
    """Lay the card that ``action`` names.

    Raises:
        ProofError: E_PLACE, E_BACK, E_SPENT, in this order.
    """
    if not any(isinstance(m, Play) and m.mat == action.mat for m in legal_moves(table.game)):
        raise ProofError(Check.PLACE, f"no card may be laid at mat {action.mat} now")
    backs = table.hands[seat].backs
    if action.back not in backs:
        raise ProofError(Check.BACK, "the back names no card of this hand")
    slot = backs.index(action.back)
    if slot not in table.game.hands[seat]:
        raise ProofError(Check.SPENT, "the card has been played already")
    return _after_move(table, seat, Play(action.mat, slot))


def pass_turn(table: Table, seat: Seat) -> tuple[Table, tuple[Event, ...]]:
    """Pass, which the seat to move may always do."""
    return _after_move(table, seat, Pass())


def out_of_round(table: Table, seat: Seat) -> bool:
    """Tell whether ``seat`` will have no further turn in this round, whoever is to move.

    A move of such a seat fails as an illegal move, not as one out of turn.
    """
    game = table.game
    if not isinstance(game.phase, Placing) or game.phase.to_move == seat:
        return False
    return is_out(game.edition, game.rounds[-1].turns, seat)


def _after_move(table: Table, seat: Seat, move: Play | Pass) -> tuple[Table, tuple[Event, ...]]:
    game = place(table.game, move)
    events = placing_events(table.game, game)
    table = table._replace(game=game)
    match game.phase:
        case Revealing():
            return table._replace(phase=Showing((seat, opposite(seat)))), events
        case _:
            return after_round(table, seat), events


def show(
    table: Table, phase: Showing, seat: Seat, action: Reveal, check: ProofCheck
) -> tuple[Table, tuple[Event, ...]]:
    """Open the contested cards of ``seat``; after both the round is resolved.

    Raises:
        ProofError: E_GRAMMAR for a card too few or too many, E_SHARE, E_CARD.
    """
    hand = table.hands[seat]
    slots = contested_slots(table, seat)
    if len(action.shares) != len(slots):
        raise ProofError(Check.GRAMMAR, "REVEAL opens other cards than the contested ones")
    cards = tuple(hand.cards[slot] for slot in slots.values())
    key = table.hellos[seat].game_key
    check(Opened(key, cards, action.shares, table.context("reveal", seat), action.proof))
    faces = {
        mat: unmask(hand.cards[slot], (hand.shares[slot], share))
        for (mat, slot), share in zip(slots.items(), action.shares, strict=True)
    }
    try:
        game = reveal(table.game, seat, faces)
    except ValueError:
        raise ProofError(Check.CARD, "a card lies open twice") from None
    events = placing_events(table.game, game)
    table = table._replace(game=game)
    match phase.owing:
        case (_, waiting):
            return table._replace(phase=Showing((waiting,))), events
        case _:
            return after_round(table, seat), events


def contested_slots(table: Table, seat: Seat) -> dict[int, int]:
    """Return the slots of the cards that ``seat`` has to open now, by mat, ascending."""
    running = table.game.rounds[-1]
    slots = {mat: running.slot_at(seat, mat) for mat in MATS_OF_ROUND[running.number - 1]}
    theirs = {mat: running.slot_at(opposite(seat), mat) for mat in slots}
    return {
        mat: slot for mat, slot in slots.items() if slot is not None and theirs[mat] is not None
    }
