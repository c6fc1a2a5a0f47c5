"""The bot that gets rid of its hand in few plays, and looks no further."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.tichu.bots.answers import (
    HOLD,
    PASS,
    TICHU,
    GiveDragon,
    GiveFaces,
    LayFaces,
    Move,
    SayGrand,
)
from matcha_p2p.games.tichu.bots.calls import is_worth_grand, is_worth_tichu
from matcha_p2p.games.tichu.bots.hand import cost, split
from matcha_p2p.games.tichu.bots.observation import FaceView
from matcha_p2p.games.tichu.bots.policy import Spot, lead, wants, wants_bomb
from matcha_p2p.games.tichu.rules.cards import (
    ACE,
    DOG,
    DRAGON,
    LOWEST,
    MAH_JONG,
    NUMBERS,
    PHOENIX,
    points,
)
from matcha_p2p.games.tichu.rules.moves import Play, legal_plays, may_pass
from matcha_p2p.games.tichu.rules.round import Ask, seat_after

_GIVEN: Final[dict[int, int]] = dict(
    zip((MAH_JONG, DOG, PHOENIX, DRAGON), (8, 4, 30, 20), strict=True)
)
"""How high the special cards count among gifts."""
_HEIGHT: Final = 60
"""What a card one number higher is worth, in thousandths of a lead."""


@dataclass(frozen=True, slots=True)
class Club:
    """Lead the lowest long part, follow with the weakest, and leave tricks to the partner."""

    name: str = "club"

    def choose(self, observation: FaceView, _rng: random.Random) -> Move:
        """Return a legal answer."""
        match observation.ask:
            case Ask.GRAND:
                return SayGrand(is_worth_grand(observation.hand))
            case Ask.PUSH:
                return _gifts(observation.hand)
            case Ask.CALL:
                return TICHU if _calls(observation) else HOLD
            case Ask.GIFT:
                return _trick_given(observation)
            case Ask.HOLD:
                return _bomb(observation)
            case Ask.TURN:
                return _turn(observation)


def spot_of(observation: FaceView) -> Spot:
    """Return what the policy needs to know of a turn."""
    state, seat = observation.state, observation.seat
    sizes = [len(state.held[seat_after(seat, steps)]) for steps in range(4)]
    calls = [state.calls[seat_after(seat, steps)] > 0 for steps in range(4)]
    return Spot(
        under=state.under,
        from_last=(state.last - seat) % 4,
        sizes=(sizes[0], sizes[1], sizes[2], sizes[3]),
        called=(calls[0], calls[1], calls[2], calls[3]) if not state.out else (False,) * 4,
        points=points(state.pile),
    )


def _calls(observation: FaceView) -> bool:
    """Tell whether to call Tichu: only one of a pair can be out first."""
    partner = seat_after(observation.seat, 2)
    called = observation.state.calls[partner] > 0
    return observation.may_call() and not called and is_worth_tichu(observation.hand)


def _gifts(hand: Sequence[int]) -> GiveFaces:
    """Give low cards that the hand does not need to the enemies, and a high one across."""
    rest = list(hand)
    given: list[int] = []
    for sign in (1, 1, -1):
        worst = min(rest, key=lambda face: _price(rest, face, sign))
        rest.remove(worst)
        given.append(worst)
    return GiveFaces((given[0], given[2], given[1]))


def _price(hand: Sequence[int], face: int, sign: int) -> int:
    height = _GIVEN.get(face, NUMBERS[face])
    return cost([each for each in hand if each != face]) + sign * _HEIGHT * height


def _trick_given(observation: FaceView) -> GiveDragon:
    """Give the trick to the enemy who is farther from going out."""
    held = observation.state.held
    enemies = [seat_after(observation.seat, steps) for steps in (1, 3)]
    return GiveDragon(max(enemies, key=lambda seat: len(held[seat])))


def _bomb(observation: FaceView) -> Move:
    """Bomb at the last call if the trick is worth it; nobody can take it before."""
    state, hand = observation.state, observation.hand
    if any(ask is Ask.TURN for _, ask in state.asked):
        return HOLD
    bombs = legal_plays(state, hand)
    if not bombs or not wants_bomb(spot_of(observation), split(hand)):
        return HOLD
    return LayFaces(max(bombs, key=lambda play: gain(hand, play)))


def gain(hand: Sequence[int], play: Play) -> int:
    """Return how many thousandths of a lead a play saves."""
    return cost(hand) - cost([face for face in hand if face not in play.faces])


def _turn(observation: FaceView) -> Move:
    state, hand = observation.state, observation.hand
    spot, legal = spot_of(observation), legal_plays(state, hand)
    if state.under is None:
        parts = [part for part in split(hand) if part in legal] if state.wish else split(hand)
        if not parts:
            parts = [max(legal, key=lambda play: gain(hand, play))]
        return laid(observation, lead(parts, spot))
    plays = [play for play in legal if not play.made.is_bomb]
    best = max(plays or legal, key=lambda play: gain(hand, play), default=None)
    if best is None:
        return PASS
    if may_pass(state, hand) and (
        not plays or not wants(best, gain(hand, best), len(split(hand)), spot)
    ):
        return PASS
    return laid(observation, best)


def laid(observation: FaceView, play: Play) -> LayFaces:
    """Return the move that lays ``play``, with the wish of the Mah Jong."""
    return LayFaces(play, _wish(observation) if MAH_JONG in play.faces else 0)


def _wish(observation: FaceView) -> int:
    """Wish what the next enemy was given, else the highest number that is not seen or held."""
    if observation.given:
        number = NUMBERS[observation.given[0]]
        if number >= LOWEST and observation.given[0] in observation.held_by_others():
            return number
    hidden = {NUMBERS[face] for face in observation.unseen()}
    own = {NUMBERS[face] for face in observation.hand}
    return max((n for n in range(LOWEST, ACE + 1) if n in hidden - own), default=0)
