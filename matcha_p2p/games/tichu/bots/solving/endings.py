"""The rest of a round, played out by the policy of club with all hands known.

This is a guess, and a quick one: nobody wishes, and a part is broken only to stop an enemy or
to fulfil a wish, and then only for cards of one number.
"""

from collections.abc import Collection, Sequence
from typing import Final

from matcha_p2p.games.tichu.bots.solving.core import core
from matcha_p2p.games.tichu.bots.solving.hand import cost, cost_of, split
from matcha_p2p.games.tichu.bots.solving.policy import Spot, lead, wants, wants_bomb
from matcha_p2p.games.tichu.rules import cards
from matcha_p2p.games.tichu.rules.combinations import DRAGON_ALONE, Combination, Shape, beats
from matcha_p2p.games.tichu.rules.moves import Play
from matcha_p2p.games.tichu.rules.round import Ask, Round

_ALONE: Final = (cards.PHOENIX,)
_OF_ONE_NUMBER: Final = (Shape.SINGLE, Shape.PAIR, Shape.TRIPLE)
_DOUBLE: Final = 200
_ALL: Final = 100


def play_out(
    state: Round,
    seat: int,
    worlds: Sequence[Sequence[Sequence[int]]],
    plays: Sequence[Play | None],
    wish: int = 0,
) -> list[list[int]]:
    """Return by how many points the team of ``seat``, which is asked, wins: by play and world.

    worlds: the faces of each seat before the play. plays: None to pass or to hold. wish: made
    with the Mah Jong.
    """
    fast = core()
    if fast is not None:
        return fast.play_out(state, seat, worlds, plays, wish)
    return [[_outcome(state, seat, hands, play, wish) for hands in worlds] for play in plays]


def _outcome(
    state: Round, seat: int, hands: Sequence[Sequence[int]], play: Play | None, wish: int
) -> int:
    ending = _Ending(state, hands)
    if play is not None:
        if cards.MAH_JONG in play.faces:
            ending.wish = wish
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
        self.hands = [set(hand) for hand in hands]
        self.calls = state.calls
        self.out: list[int] = list(state.out)
        self.won = [cards.points(faces) for faces in state.won]
        self.pile = cards.points(state.pile)
        self.under: Combination | None = state.under
        self.last: int = state.last
        self.passes = state.passes
        self.wish = state.wish
        self.turn: int | None = None

    def score(self) -> int:
        """Play on to the end, and return by how many points the even seats are ahead."""
        while not self._is_decided():
            if self.turn is None:
                self._last_call()
            elif self.under is None:
                self._begin(self.turn)
            else:
                self._follow(self.turn, self.under)
        return self._count()

    @property
    def sizes(self) -> list[int]:
        """How many cards each seat holds."""
        return [len(hand) for hand in self.hands]

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

    def _begin(self, seat: int) -> None:
        """Lead a part, one with the wished number if there is one."""
        parts = self.parts[seat]
        wished = [part for part in parts if _has(part.faces, self.wish)]
        self._lay_part(seat, lead(wished or parts, self._spot(seat)))

    def _follow(self, seat: int, under: Combination) -> None:
        spot, wish = self._spot(seat), self.wish
        if _has(self.hands[seat], wish) and (
            self._follows_whole(seat, under, spot, wish)
            or self._follows_broken(seat, under, spot, wish)
        ):
            return
        if self._follows_whole(seat, under, spot):
            return
        if spot.from_last != 2 and spot.is_urgent and self._follows_broken(seat, under, spot):
            return
        self.passes_by(seat)

    def _follows_whole(self, seat: int, under: Combination, spot: Spot, wish: int = 0) -> bool:
        """Follow with a whole part. wish: a number that the part has and a bomb may have."""
        best: Play | None = None
        gain = -1
        for part in self.parts[seat]:
            made = part.made
            if wish and not _has(part.faces, wish):
                continue
            if part.faces == _ALONE and under.kind is Shape.SINGLE and under != DRAGON_ALONE:
                made = under._replace(strength=under.strength + 1)
            elif not beats(made, under) or (made.is_bomb and not wish):
                continue
            saved = cost_of(part.made, part.faces)
            if saved > gain:
                best, gain = part._replace(made=made), saved
        if best is None or not (wish or wants(best, gain, len(self.parts[seat]), spot)):
            return False
        self._lay_part(seat, best)
        return True

    def _follows_broken(self, seat: int, under: Combination, spot: Spot, wish: int = 0) -> bool:
        """Follow with cards of one number out of the parts. wish: their number."""
        if under.kind not in _OF_ONE_NUMBER or under == DRAGON_ALONE:
            return False
        hand = self.hands[seat]
        numbers = (wish,) if wish else range(cards.LOWEST, cards.ACE + 1)
        taken = [_taken(hand, under, each) for each in numbers if 2 * each > under.strength]
        left = [(cost(hand.difference(play.faces)), play) for play in taken if play]
        if not left:
            return False
        least, best = min(left)
        gain = cost(hand) - least
        if not (wish or wants(best, gain, len(self.parts[seat]), spot)):
            return False
        self.parts[seat] = list(split(hand.difference(best.faces)))
        self.lay(seat, best)
        return True

    def _lay_part(self, seat: int, play: Play) -> None:
        parts = self.parts[seat]
        parts[:] = [part for part in parts if part.faces != play.faces]
        self.lay(seat, play)

    def lay(self, seat: int, play: Play) -> None:
        """Lay cards that are no longer among the parts."""
        self.hands[seat].difference_update(play.faces)
        if not self.hands[seat]:
            self.out.append(seat)
        self.pile += cards.points(play.faces)
        self.under, self.last, self.passes = play.made, seat, 0
        if _has(play.faces, self.wish):
            self.wish = 0
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


def _has(faces: Collection[int], wish: int) -> bool:
    return wish > 0 and any(cards.NUMBERS[face] == wish for face in faces)


def _taken(hand: Collection[int], under: Combination, number: int) -> Play | None:
    """Return cards of one number, with the Phoenix if one is missing; None if more are."""
    faces = tuple(sorted(face for face in hand if cards.NUMBERS[face] == number))[: under.size]
    made = under._replace(strength=2 * number)
    if len(faces) == under.size:
        return Play(made, faces)
    if cards.PHOENIX in hand and len(faces) == under.size - 1 > 0:
        return Play(made, (*faces, cards.PHOENIX), number)
    return None
