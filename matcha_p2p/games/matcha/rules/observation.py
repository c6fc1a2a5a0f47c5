"""The view of one seat, a person or a bot, and the moves of the seat."""

from collections import Counter
from typing import NamedTuple

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.matcha.rules.cards import DECK, Face
from matcha_p2p.games.matcha.rules.game import deal, legal_keeps, legal_moves, place, reveal
from matcha_p2p.games.matcha.rules.moves import SLOTS, Move
from matcha_p2p.games.matcha.rules.phases import (
    AWAITING_DEAL,
    KEEPING,
    PLACING,
    Placing,
    Revealing,
)
from matcha_p2p.games.matcha.rules.scoring import condition, outcome
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.plain import Natural
from matcha_p2p.games.timing import Timing, forced_if_single


class Observation(NamedTuple):
    """The public game, and the faces of the seat's own cards; no other faces.

    hand: the faces in its slots 0..4 of this set, including cards already laid. earlier: the
    number and its hand of each earlier set whose hand the program has seen.
    """

    game: GameState
    seat: Seat
    hand: tuple[Face, ...]
    earlier: tuple[tuple[Natural, tuple[Face, ...]], ...] = ()

    def held(self) -> tuple[tuple[int, Face], ...]:
        """Return the cards still in hand, as (slot, face), by slot."""
        return tuple([(slot, self.hand[slot]) for slot in sorted(self.game.hands[self.seat])])

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the seat's possible decisions now, () if the game waits for another seat.

        While cards are being kept, return the seat's choices; a seat without cards has one
        choice, to keep no card.
        """
        match self.game.phase:
            case Placing(to_move):
                return legal_moves(self.game) if to_move == self.seat else ()
            case _:
                return legal_keeps(self.game, self.seat)

    def timing(self) -> Timing:
        """Return the timing of the answer: a seat moves places, and all know which it has."""
        return forced_if_single(self.legal_moves())


def observe(game: GameState, seat: Seat, faces: tuple[Face, ...]) -> Observation:
    """Return the observation of ``seat``, which holds or has laid ``faces``.

    Raises:
        ValueError: ``faces`` are not five cards.
    """
    if len(faces) != len(SLOTS):
        raise ValueError("a hand is five cards")
    return Observation(game, seat, faces)


def check_decision(observation: Observation) -> None:
    """Check that the seat has to decide now, and that the rules lead to the game in this set.

    An observation may come from another program. Libraries in C rely on a valid observation.

    Raises:
        ValueError: the seat has no decision, or the rules lead elsewhere.
    """
    game, seat = observation.game, observation.seat
    if game.phase not in (PLACING[seat], KEEPING):
        raise ValueError("nothing is to be decided")
    try:
        same = _replayed(game) == game
    except IllegalMoveError as error:
        raise ValueError(f"a move breaks the rules: {error}") from error
    if not same:
        raise ValueError("the rules lead to another position")
    if len(observation.hand) != len(SLOTS):
        raise ValueError("a hand is five cards")
    for played in game.rounds:
        for resolution in played.resolutions:
            slot, card = resolution.slots[seat], resolution.cards[seat]
            if slot is not None and card not in (None, observation.hand[slot]):
                raise ValueError("the seat has turned up a card that it does not have")
    if not _lying(observation) <= Counter(DECK):
        raise ValueError("a card is there more often than in the deck")


def _replayed(game: GameState) -> GameState:
    """Return the game to which the turns and the open cards of the set of ``game`` lead."""
    if not game.rounds:
        raise ValueError("no round has begun")
    first = game.rounds[0]
    tokens = first.tokens_before(SEATS[0]), first.tokens_before(SEATS[1])
    comparing = condition(game.edition, tokens[0]) is not None
    if outcome(game.edition, tokens, comparing=comparing, last=False):
        raise ValueError("the game was over before this set")
    begun = game._replace(tokens=tokens, comparing=comparing, phase=AWAITING_DEAL)
    state = deal(begun, game.table)
    for played in game.rounds:
        for turn in played.turns:
            if not turn.auto:
                state = place(state, turn.move)
        for seat in SEATS if isinstance(state.phase, Revealing) else ():
            opened = {it.mat: card for it in played.resolutions if (card := it.cards[seat])}
            state = reveal(state, seat, opened)
    return state


def unseen(observation: Observation) -> list[Face]:
    """Return the cards that the seat has not seen in this set, in the order of DECK.

    The opponent holds or has laid some of these cards; the rest were not dealt.
    """
    return list((Counter(DECK) - _lying(observation)).elements())


def _lying(observation: Observation) -> Counter[Face]:
    """Count the cards that the seat has seen in this set."""
    game, other = observation.game, opposite(observation.seat)
    opened = [
        card
        for played in game.rounds
        for resolution in played.resolutions
        if (card := resolution.cards[other]) is not None
    ]
    return Counter((*game.table, *observation.hand, *opened))
