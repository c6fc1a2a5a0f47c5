"""The rest of a round, played out by the policy of club with all hands known.

Wishes bind nobody here, and only whole parts are laid: this is a guess, and a quick one.
"""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.tichu.bots.core import core
from matcha_p2p.games.tichu.bots.hand import cost_of, split
from matcha_p2p.games.tichu.bots.policy import Spot, lead, wants, wants_bomb
from matcha_p2p.games.tichu.rules.cards import PHOENIX, points
from matcha_p2p.games.tichu.rules.combinations import DRAGON_ALONE, Combination, Shape, beats
from matcha_p2p.games.tichu.rules.moves import Play
from matcha_p2p.games.tichu.rules.round import Ask, Round

_ALONE: Final = (PHOENIX,)
_DOUBLE: Final = 200
_ALL: Final = 100


def play_out(state: Round, seat: int, hands: Sequence[Sequence[int]], play: Play | None) -> int:
    """Return by how many points the team of ``seat``, which is asked, wins after ``play``.

    hands: the faces of each seat before it. play: None to pass or to hold.
    """
    fast = core()
    if fast is not None:
        return fast.play_out(state, seat, hands, play)
    ending = _Ending(state, hands)
    if play is not None:
        rest = [face for face in hands[seat] if face not in play.faces]
        ending.parts[seat] = list(split(rest))
        ending.lay(seat, play)
    elif state.asked[0][1] is Ask.HOLD:
        ending.turn = next((each for each, ask in state.asked if ask is Ask.TURN), None)
    else:
        ending.turn = seat
        ending.passes_by(seat)
    points_of_team = ending.score()
    return points_of_team if seat % 2 == 0 else -points_of_team


class _Ending:
    """A round that goes on. turn: None when a trick is to be taken."""

    def __init__(self, state: Round, hands: Sequence[Sequence[int]]) -> None:
        self.parts = [list(split(hand)) for hand in hands]
        self.sizes = [len(hand) for hand in hands]
        self.calls = state.calls
        self.out: list[int] = list(state.out)
        self.won = [points(faces) for faces in state.won]
        self.pile = points(state.pile)
        self.under: Combination | None = state.under
        self.last: int = state.last
        self.passes = state.passes
        self.turn: int | None = None

    def score(self) -> int:
        """Play on to the end, and return by how many points the even seats are ahead."""
        while not self._is_decided():
            if self.turn is None:
                self._last_call()
            elif self.under is None:
                seat = self.turn
                self._lay_part(seat, lead(self.parts[seat], self._spot(seat)))
            else:
                self._follow(self.turn, self.under)
        return self._count()

    def _is_decided(self) -> bool:
        sizes = self.sizes
        return not (sizes[0] or sizes[2]) or not (sizes[1] or sizes[3])

    def _spot(self, seat: int) -> Spot:
        sizes, calls = self.sizes, self.calls
        order = (seat, (seat + 1) % 4, (seat + 2) % 4, (seat + 3) % 4)
        called = (False,) * 4 if self.out else tuple(calls[each] > 0 for each in order)
        one, two, three, four = (sizes[each] for each in order)
        from_last = (self.last - seat) % 4
        return Spot(self.under, from_last, (one, two, three, four), called, self.pile)

    def _follow(self, seat: int, under: Combination) -> None:
        best: Play | None = None
        gain = -1
        for part in self.parts[seat]:
            made = part.made
            if part.faces == _ALONE and under.kind is Shape.SINGLE and under != DRAGON_ALONE:
                made = under._replace(strength=under.strength + 1)
            elif made[:2] != under[:2] or made.is_bomb or not beats(made, under):
                continue
            saved = cost_of(part.made, part.faces)
            if saved > gain:
                best, gain = part._replace(made=made), saved
        if best is not None and wants(best, gain, len(self.parts[seat]), self._spot(seat)):
            self._lay_part(seat, best)
        else:
            self.passes_by(seat)

    def _lay_part(self, seat: int, play: Play) -> None:
        parts = self.parts[seat]
        parts[:] = [part for part in parts if part.faces != play.faces]
        self.lay(seat, play)

    def lay(self, seat: int, play: Play) -> None:
        """Lay cards that are no longer among the parts."""
        self.sizes[seat] -= len(play.faces)
        if not self.sizes[seat]:
            self.out.append(seat)
        self.pile += points(play.faces)
        self.under, self.last, self.passes = play.made, seat, 0
        if play.made.kind is Shape.DOG:
            self.under = None
            self.turn = self._next_in((seat + 2) % 4)
        else:
            self.turn = self._next_in((seat + 1) % 4)

    def passes_by(self, seat: int) -> None:
        """Let ``seat`` pass."""
        self.passes += 1
        others = sum(size > 0 for size in self.sizes) - (self.sizes[self.last] > 0)
        self.turn = None if self.passes >= others else self._next_in((seat + 1) % 4)

    def _next_in(self, seat: int) -> int | None:
        """Return ``seat``, or the first after it that is not out; None if all are."""
        for steps in range(4):
            if self.sizes[(seat + steps) % 4]:
                return (seat + steps) % 4
        return None

    def _last_call(self) -> None:
        for seat in range(4):
            for part in self.parts[seat]:
                if not part.made.is_bomb or self.under is None:
                    continue
                if beats(part.made, self.under) and wants_bomb(
                    self._spot(seat), self.parts[seat]
                ):
                    self._lay_part(seat, part)
                    return
        self._take()
        self.turn = self._next_in(self.last)

    def _take(self) -> None:
        owner = self.last
        if self.under == DRAGON_ALONE:
            enemies = ((owner + 1) % 4, (owner + 3) % 4)
            owner = max(enemies, key=self.sizes.__getitem__)
        self.won[owner] += self.pile
        self.pile, self.under, self.passes = 0, None, 0

    def _count(self) -> int:
        """Return by how many points the even seats are ahead (T29, T30)."""
        first = self.out[0]
        sign = 1 if first % 2 == 0 else -1
        called = sum(
            (call if seat == first else -call) * (1 if seat % 2 == 0 else -1)
            for seat, call in enumerate(self.calls)
        )
        if len(self.out) == 2:
            return called + sign * _DOUBLE
        self._take()
        last = next(seat for seat in range(4) if seat not in self.out)
        own = [self.won[seat] for seat in range(4)]
        hand = _ALL - sum(own)
        own[first] += own[last]
        own[last] = 0
        ahead = own[0] + own[2] - own[1] - own[3]
        return called + ahead + (hand if last % 2 else -hand)
