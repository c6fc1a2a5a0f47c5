"""A round: one immutable state, and the functions that lead from one to the next (T5 to T28).

The round is played with places of hands, as an observer sees it. Faces enter when they are laid
open, so the same rules serve a player, an observer and a verifier. Duties that hang on a hidden
hand are judged in ``audit``, once all hands are open.
"""

import enum
from collections.abc import Mapping, Set
from typing import Annotated, Final, NamedTuple, TypeAlias, TypeVar

from matcha_p2p.games.plain import choice, number, sized
from matcha_p2p.games.tichu.rules import cards
from matcha_p2p.games.tichu.rules.cards import ACE, LOWEST, Face, Rank
from matcha_p2p.games.tichu.rules.combinations import (
    DRAGON_ALONE,
    Combination,
    Shape,
    check_follows,
    combination,
)
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

SEATS: Final = (Seat(0), Seat(1), Seat(2), Seat(3))
TEAMS: Final = ((SEATS[0], SEATS[2]), (SEATS[1], SEATS[3]))
"""The seats of each team (T1)."""
HAND: Final = 14
DEALT_FIRST: Final = 8
"""How many cards of its hand a seat sees before the Grand calls (T7)."""
GRAND: Final = 200
SMALL: Final = 100
_BOMB: Final = 4
"""The cards of the smallest bomb."""

_T = TypeVar("_T")

Places: TypeAlias = frozenset[Annotated[int, number(0, HAND - 1)]]
"""Places of a hand."""
_FOUR: Final = sized(len(SEATS))
_Call: TypeAlias = Annotated[int, choice({worth: worth for worth in (0, SMALL, GRAND)})]


class Ask(enum.Enum):
    """What a seat is asked."""

    GRAND = "grand"  # whether it calls Grand Tichu
    PUSH = "push"  # a card for each other seat
    CALL = "call"  # whether it calls Tichu, before the first lead
    HOLD = "hold"  # whether it bombs out of turn
    TURN = "turn"  # to lay cards or pass
    GIFT = "gift"  # which opponent gets the trick of the Dragon


_BEFORE_TRICKS: Final = (Ask.GRAND, Ask.PUSH, Ask.CALL)
_RULE_OF_SEAT: Final = dict.fromkeys(_BEFORE_TRICKS, "T5") | {
    Ask.HOLD: "T24",
    Ask.TURN: "T1",
    Ask.GIFT: "T27",
}
"""The rule that says which seat is asked."""


class Variant(NamedTuple):
    """The parameters of a table.

    every_window: others are asked for a bomb before each action, not only after a play (T24).
    late_tichu: Tichu may be called until one's own first card, not only before the first lead
    (T10).
    """

    every_window: bool = True
    late_tichu: bool = True


class Passed(NamedTuple):
    """A turn at which a wish stood and no wished card was laid (T33).

    held: the places of the seat's hand before the turn. under: the combination on the table,
    None at a lead.
    """

    seat: Seat
    held: Places
    wish: Rank
    under: Combination | None


class Round(NamedTuple):
    """All that is public.

    held: the places of the cards in each hand. asked: the questions to come, in this order.
    calls: the worth of each seat's call, 0 without a call. out: the seats that are out, in the
    order of going out. won: the faces of the tricks of each seat. leader: the seat that has
    shown the Mah Jong, None before. pile: the faces of the running trick. under: the
    combination to beat, None at a lead. last: the seat that laid last. passes: the number of
    passes in a row. wish: the wished number, or 0. passed: the turns for the audit.
    """

    variant: Variant
    held: Annotated[tuple[Places, ...], _FOUR]
    asked: tuple[tuple[Seat, Ask], ...]
    calls: Annotated[tuple[_Call, ...], _FOUR] = (0, 0, 0, 0)
    out: tuple[Seat, ...] = ()
    won: Annotated[tuple[tuple[Face, ...], ...], _FOUR] = ((), (), (), ())
    leader: Seat | None = None
    pile: tuple[Face, ...] = ()
    under: Combination | None = None
    last: Seat = SEATS[0]
    passes: Annotated[int, number(0, len(SEATS))] = 0
    wish: Rank = 0
    passed: tuple[Passed, ...] = ()

    @property
    def speaker(self) -> Seat | None:
        """The seat that is asked now; None at the end, or while the Mah Jong is not shown."""
        return self.asked[0][0] if self.asked else None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do but to count."""
        return not self.asked and is_decided(self.out)


def new_round(variant: Variant, first: Seat) -> Round:
    """Return a round with eight cards dealt to each. first: the seat that is asked first."""
    order = tuple(seat_after(first, steps) for steps in range(4))
    asked = tuple((seat, ask) for ask in _BEFORE_TRICKS for seat in order)
    return Round(variant, (frozenset(range(DEALT_FIRST)),) * 4, asked)


def seat_after(seat: Seat, steps: int = 1) -> Seat:
    """Return who sits ``steps`` after ``seat``; the partner sits two after (T1)."""
    return SEATS[(seat + steps) % 4]


def is_decided(out: tuple[Seat, ...]) -> bool:
    """Tell whether both of one team are out (T28)."""
    return any(set(team) <= set(out) for team in TEAMS)


def is_double(out: tuple[Seat, ...]) -> bool:
    """Tell whether one team has gone out first and second (T29)."""
    return len(out) == 2 and is_decided(out)


def grand(state: Round, seat: Seat, *, called: bool) -> Round:
    """Answer whether ``seat`` calls Grand Tichu. After the last answer, deal six more (T7, T8).

    Raises:
        RefusedError: T4, T5 or T31.
    """
    _check_asked(state, seat, Ask.GRAND)
    state = state._replace(asked=state.asked[1:])
    if called:
        state = state._replace(calls=_with(state.calls, seat, GRAND))
    if state.asked[0][1] is Ask.PUSH:
        return state._replace(held=(frozenset(range(HAND)),) * 4)
    return state


def call_tichu(state: Round, seat: Seat) -> Round:
    """Call Tichu at the slot of ``seat``, before what is asked there (T10).

    Raises:
        RefusedError: T10 or T31.
    """
    _check_running(state)
    if seat != state.speaker:
        raise RefusedError("T10", Sentence("Tichu is called only at your own turn to answer."))
    if len(state.held[seat]) != HAND:
        raise RefusedError("T10", Sentence("Tichu is called with 14 cards in hand."))
    if state.calls[seat]:
        raise RefusedError("T10", Sentence("A player calls only once in a round."))
    led = any(len(held) < HAND for held in state.held)
    if led and not state.variant.late_tichu:
        raise RefusedError("T10", Sentence("Here Tichu is called only before the first lead."))
    return state._replace(calls=_with(state.calls, seat, SMALL))


def push(state: Round, seat: Seat) -> Round:
    """Take note that ``seat`` has given a card to each other seat (T11, T12).

    Raises:
        RefusedError: T4, T5 or T31.
    """
    _check_asked(state, seat, Ask.PUSH)
    return state._replace(asked=state.asked[1:])


def lead(state: Round, seat: Seat) -> Round:
    """Let ``seat``, which has shown the Mah Jong after the exchange, have the first lead (T13).

    Raises:
        ValueError: the exchange is not over, or the Mah Jong was shown already.
    """
    if state.leader is not None or any(ask is not Ask.CALL for _, ask in state.asked):
        raise ValueError("the Mah Jong is shown once, after the exchange")
    return state._replace(leader=seat, asked=(*state.asked, (seat, Ask.TURN)))


def hold(state: Round, seat: Seat) -> Round:
    """Answer that ``seat`` lays no bomb now, or does not call before the first lead (T24).

    After the last answer of the last call the trick is taken.

    Raises:
        RefusedError: T4, T5, T24, T27 or T31.
    """
    _check_asked(state, seat, Ask.HOLD, Ask.CALL)
    state = state._replace(asked=state.asked[1:])
    return _take(state) if state.pile and not state.asked else state


def pass_turn(state: Round, seat: Seat) -> Round:
    """Let ``seat`` pass (T22). After the pass of the last other seat comes the last call (T25).

    Raises:
        RefusedError: T1, T4, T22, T24, T27 or T31.
    """
    _check_asked(state, seat, Ask.TURN)
    if state.under is None:
        raise RefusedError("T22", Sentence("A lead cannot be passed."))
    state = _noted(state, seat, ())._replace(passes=state.passes + 1)
    if state.passes < len([each for each in SEATS if state.held[each] and each != state.last]):
        turn = _next_in(state, seat_after(seat))
        asked = _holds(state, seat, turn) if state.variant.every_window else ()
        return state._replace(asked=(*asked, (turn, Ask.TURN)))
    state = state._replace(asked=_holds(state, seat, None))
    return state if state.asked else _take(state)


def check_lays(state: Round, seat: Seat, places: Set[int]) -> None:
    """Let ``seat`` lay the cards at ``places`` of its hand, whatever they are.

    Raises:
        RefusedError: T1, T4, T7, T24, T27 or T31.
    """
    _check_asked(state, seat, Ask.TURN, Ask.HOLD)
    if not places <= state.held[seat]:
        raise RefusedError("T7", Sentence("This card is not in the hand."))


def play(
    state: Round, seat: Seat, laid: Mapping[int, int], wild: int = 0, wish: int = 0
) -> Round:
    """Lay cards, in turn or as a bomb out of turn (T16 to T20, T23).

    laid: the face at each place of the hand. wild: the number of the Phoenix, or 0. wish: the
    wished number, or 0.

    Raises:
        RefusedError: T1, T4, T7, T14 to T19, T23, T24, T27 or T31.
    """
    check_lays(state, seat, laid.keys())
    faces = tuple(sorted(laid.values()))
    made = combination(faces, wild, state.under)
    check_follows(faces, made, state.under)
    if wish and cards.MAH_JONG not in faces:
        raise RefusedError("T19", Sentence("Only the Mah Jong makes a wish."))
    if wish and not LOWEST <= wish <= ACE:
        raise RefusedError("T19", Sentence("A number from 2 to 14 is wished."))
    if state.asked[0][1] is Ask.HOLD and not made.is_bomb:
        raise RefusedError("T24", Sentence("Out of turn only a bomb is laid."))
    return _laid(_noted(state, seat, faces), seat, laid, made)._replace(
        wish=wish or (0 if _has(faces, state.wish) else state.wish)
    )


def gift(state: Round, seat: Seat, receiver: Seat) -> Round:
    """Give the trick that the Dragon has won to an opponent (T27).

    Raises:
        RefusedError: T4, T27 or T31.
    """
    _check_asked(state, seat, Ask.GIFT)
    if receiver in (seat, seat_after(seat, 2)):
        raise RefusedError("T27", Sentence("The trick of the Dragon goes to an opponent."))
    return _collect(state, receiver)


def _check_running(state: Round) -> None:
    if state.is_over:
        raise RefusedError("T31", Sentence("The round is over."))
    if not state.asked:
        raise RefusedError("T13", Sentence("The Mah Jong has not been shown."))


def _check_asked(state: Round, seat: Seat, *answers: Ask) -> None:
    """Let ``seat`` answer, if what is asked is one of ``answers``."""
    _check_running(state)
    asked, ask = state.asked[0]
    if ask not in answers:
        raise RefusedError(
            _rule_of_mismatch(ask, answers[0]), Sentence("Something else is due.")
        )
    if seat != asked:
        raise RefusedError(_RULE_OF_SEAT[ask], Sentence("Another player is asked now."))


def _rule_of_mismatch(ask: Ask, answer: Ask) -> str:
    if ask in _BEFORE_TRICKS or answer in _BEFORE_TRICKS:
        return "T4"
    return "T27" if Ask.GIFT in (ask, answer) else "T24"


def _noted(state: Round, seat: Seat, faces: tuple[int, ...]) -> Round:
    """Note a turn that has not fulfilled a wish; nobody is bound out of turn (T21)."""
    if not state.wish or state.asked[0][1] is not Ask.TURN or _has(faces, state.wish):
        return state
    turn = Passed(seat, state.held[seat], state.wish, state.under)
    return state._replace(passed=(*state.passed, turn))


def _has(faces: tuple[int, ...], number: int) -> bool:
    return any(cards.NUMBERS[face] == number for face in faces)


def _laid(state: Round, seat: Seat, laid: Mapping[int, int], made: Combination) -> Round:
    """Return the round with the cards on the table, and what is asked then."""
    held = state.held[seat] - laid.keys()
    state = state._replace(
        held=_with(state.held, seat, held),
        out=state.out if held else (*state.out, seat),
        pile=(*state.pile, *laid.values()),
        under=made,
        last=seat,
        passes=0,
    )
    if made.kind is Shape.DOG:
        return _collect(state._replace(last=seat_after(seat, 2)), seat)
    if is_decided(state.out):
        return _take(state)
    turn = _next_in(state, seat_after(seat))
    return state._replace(asked=(*_holds(state, seat, turn), (turn, Ask.TURN)))


def _holds(state: Round, acted: Seat, turn: Seat | None) -> tuple[tuple[Seat, Ask], ...]:
    """Ask all seats that can publicly have a bomb, but ``turn`` (T24)."""
    order = [seat_after(acted, steps) for steps in range(1, 5)]
    return tuple(
        (seat, Ask.HOLD) for seat in order if len(state.held[seat]) >= _BOMB and seat != turn
    )


def _take(state: Round) -> Round:
    """Let who laid last have the trick, or give it away (T27)."""
    if state.under == DRAGON_ALONE and not is_double(state.out):
        return state._replace(asked=((state.last, Ask.GIFT),))
    return _collect(state, state.last)


def _collect(state: Round, seat: Seat) -> Round:
    """Give the pile to ``seat``. Then ``last`` leads, or the next who is not out (T26, T28)."""
    won = _with(state.won, seat, (*state.won[seat], *state.pile))
    over = is_decided(state.out)
    asked = () if over else ((_next_in(state, state.last), Ask.TURN),)
    return state._replace(won=won, pile=(), under=None, passes=0, asked=asked)


def _next_in(state: Round, seat: Seat) -> Seat:
    """Return ``seat``, or the first after it that is not out."""
    while not state.held[seat]:
        seat = seat_after(seat)
    return seat


def _with(values: tuple[_T, ...], seat: Seat, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
