"""What one seat may see, be it a person's or a bot's, and the answers that it can give."""

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple, assert_never

from matcha_p2p.games.plain import Natural
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import ACE, LOWEST, MAH_JONG, Face, Rank
from matcha_p2p.games.tichu.rules.moves import Play, can_bomb, check_duty, legal_plays, may_pass
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask, Round, seat_after
from matcha_p2p.games.tichu.rules.scoring import Points
from matcha_p2p.games.timing import Forced, InWindow, Passing, Timing
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat


class Laid(NamedTuple):
    """Cards that a seat has laid. leads: they have begun a trick."""

    seat: Seat
    cards: tuple[Face, ...]
    wild: Rank
    wish: Rank
    leads: bool


class Observation(NamedTuple):
    """The public game, and the faces of the seat's own cards; nothing else.

    hand: the faces by place, also of cards already laid; None for cards that the seat cannot
    read. laid: the plays of this round, in order. number: the number of the round. totals: the
    points of earlier rounds. given: the gifts of this round to the next seat, the partner and
    the seat before. received: the gifts from these, in the same order. Both are () before.
    """

    state: Round
    seat: Seat
    hand: tuple[Face | None, ...]
    laid: tuple[Laid, ...]
    number: Natural
    totals: Points
    given: tuple[Face, ...] = ()
    received: tuple[Face, ...] = ()

    @property
    def held(self) -> dict[int, int]:
        """The cards still in hand that the seat can read: the faces by place."""
        held = self.state.held[self.seat]
        return {
            place: face
            for place, face in enumerate(self.hand)
            if face is not None and place in held
        }

    @property
    def trick(self) -> int:
        """The number of the trick in the round, from 1: of this one, or of the one to lead."""
        return sum(each.leads for each in self.laid) + (self.state.under is None)

    @property
    def asked(self) -> Ask | None:
        """The question for the seat now, or None."""
        speaks = self.state.speaker == self.seat
        return self.state.asked[0][1] if speaks else None

    def legal_moves(self) -> tuple[actions.TichuMove, ...]:
        """Return the answers that the seat can give now; () if no question waits for the seat.

        Of plays with the same numbers there is one (``plays``).
        """
        calls = (False, True) if self.may_call() else (False,)
        return tuple(answer for tichu in calls for answer in self._answers(tichu=tichu))

    def timing(self) -> Timing:
        """Return the timing of the answer. No card of the hand may change the timing.

        The last card is a forced lead, but for the Mah Jong, which is laid with a wish.
        """
        state, held = self.state, self.state.held[self.seat]
        match self.asked:
            case Ask.CALL if not self.may_call():
                return Forced(self.legal_moves()[0])
            case Ask.HOLD if not (self.may_call() or can_bomb(state, self.seat)):
                return Forced(actions.Hold())
            case Ask.HOLD:
                return InWindow(actions.Hold())
            case Ask.TURN if state.under is not None:
                return Passing(actions.Pass())
            case Ask.TURN if len(held) == 1 and any(
                MAH_JONG in laid.cards for laid in self.laid
            ):
                return Forced(actions.Lay(tuple(held), 0, 0))
            case _:
                return None

    def lay(self, play: Play, wish: int = 0) -> actions.Lay:
        """Return ``play``, cards of this hand, as an answer."""
        places = {face: place for place, face in self.held.items()}
        return actions.Lay(tuple(sorted(places[face] for face in play.faces)), play.wild, wish)

    def check(self, move: actions.TichuMove) -> None:
        """See that the rules allow ``move``.

        Raises:
            RefusedError: a rule forbids the move.
        """
        state, seat = self.state, self.seat
        if actions.calls_tichu(move):
            state = rules.call_tichu(state, seat)
        match move:
            case actions.AnswerGrand(called):
                rules.grand(state, seat, called=called)
            case actions.GiveCards():
                rules.push(state, seat)
            case actions.ShowMahJong() | actions.Hold():
                rules.hold(state, seat)
            case actions.Pass():
                rules.pass_turn(state, seat)
            case actions.Lay(places, wild, wish):
                laid = {place: self.held[place] for place in places}
                rules.play(state, seat, laid, wild, wish)
            case actions.GiveTrick(receiver):
                rules.gift(state, seat, receiver)
            case _:
                assert_never(move)
        self.check_duty(move)

    def check_duty(self, move: actions.TichuMove) -> None:
        """See that ``move`` passes over no duty of the hand, which others judge only later.

        Raises:
            RefusedError: T13 or T21.
        """
        hand = self.held
        match move:
            case actions.Lay(places):
                check_duty(self.state, hand.values(), [hand[p] for p in places if p in hand])
            case actions.Pass():
                check_duty(self.state, hand.values(), ())
            case actions.Hold() if self.asked is Ask.CALL and MAH_JONG in hand.values():
                raise RefusedError("T13", Sentence("You have the Mah Jong, so show it."))
            case _:
                pass

    def may_call(self) -> bool:
        """Tell whether the seat can call Tichu with its answer (T10)."""
        if self.asked in (None, Ask.GRAND, Ask.GIFT):
            return False
        try:
            rules.call_tichu(self.state, self.seat)
        except RefusedError:
            return False
        return True

    def _answers(self, *, tichu: bool) -> Iterator[actions.TichuMove]:
        hand = self.held
        match self.asked:
            case Ask.GRAND:
                yield from (actions.AnswerGrand(called=False), actions.AnswerGrand(called=True))
            case Ask.PUSH:
                yield from (actions.GiveCards(gifts, tichu) for gifts in permutations(hand, 3))
            case Ask.CALL:
                places = [place for place, face in hand.items() if face == MAH_JONG]
                yield actions.ShowMahJong(places[0], tichu) if places else actions.Hold(tichu)
            case Ask.GIFT:
                yield from (actions.GiveTrick(seat_after(self.seat, steps)) for steps in (1, 3))
            case Ask.HOLD:
                yield actions.Hold(tichu)
                yield from self._plays(tichu=tichu)
            case Ask.TURN:
                if may_pass(self.state, hand.values()):
                    yield actions.Pass(tichu)
                yield from self._plays(tichu=tichu)
            case _:  # the seat is not asked
                pass

    def _plays(self, *, tichu: bool) -> Iterator[actions.Lay]:
        for play in legal_plays(self.state, self.held.values()):
            wishes = (0, *range(LOWEST, ACE + 1)) if MAH_JONG in play.faces else (0,)
            lay = self.lay(play)
            yield from (lay._replace(wish=wish, tichu=tichu) for wish in wishes)
