"""The bot that gets rid of its hand in few plays, and looks no further."""

import itertools
import random
from collections.abc import Collection
from dataclasses import dataclass

from matcha_p2p.games.tichu.bots.solving.calls import is_worth_grand, log_odds
from matcha_p2p.games.tichu.bots.solving.gifts import gifts, holders
from matcha_p2p.games.tichu.bots.solving.hand import cost, split
from matcha_p2p.games.tichu.bots.solving.policy import Spot, lead, wants, wants_bomb
from matcha_p2p.games.tichu.rules import actions, cards
from matcha_p2p.games.tichu.rules.moves import Play, legal_plays, may_pass
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask, seat_after


@dataclass(frozen=True, slots=True)
class Club:
    """Lead the lowest long part, follow with the weakest, and leave tricks to the partner.

    least: the log-odds of being out first above which Tichu is called, as of ``log_odds``.
    grand: whether Grand Tichu may be called.
    """

    name: str = "club"
    least: int = 0
    grand: bool = True

    def choose(self, observation: Observation, _rng: random.Random) -> actions.TichuMove:
        """Return a legal answer."""
        match observation.asked:
            case Ask.GRAND:
                worth = self.grand and is_worth_grand(observation.held.values())
                return actions.AnswerGrand(worth)
            case Ask.PUSH:
                return _give(observation)
            case Ask.CALL:
                silent, *called = observation.legal_moves()
                return called[0] if called and self._calls(observation) else silent
            case Ask.GIFT:
                return _trick_given(observation)
            case _:
                return answer(observation, planned(observation))

    def _calls(self, observation: Observation) -> bool:
        """Tell whether to call Tichu: only one of a pair can be out first."""
        partner = seat_after(observation.seat, 2)
        called = observation.state.calls[partner] > 0
        return not called and log_odds(observation.held.values()) > self.least


def planned(observation: Observation) -> Play | None:
    """Return what to lay in turn or as a bomb; None to pass or to hold."""
    return _bomb(observation) if observation.asked is Ask.HOLD else _turn(observation)


def answer(observation: Observation, play: Play | None) -> actions.TichuMove:
    """Return the answer that lays ``play``, with the wish of the Mah Jong."""
    if play is not None:
        return observation.lay(
            play, wish_of(observation) if cards.MAH_JONG in play.faces else 0
        )
    return actions.Hold() if observation.asked is Ask.HOLD else actions.Pass()


def unseen(observation: Observation) -> list[int]:
    """Return the faces that other hands hold, ascending."""
    state = observation.state
    seen = itertools.chain(*state.won, state.pile, observation.held.values())
    return sorted(set(cards.FACES).difference(seen))


def spot_of(observation: Observation) -> Spot:
    """Return what the policy needs to know of a turn."""
    state, seat = observation.state, observation.seat
    sizes = [len(state.held[seat_after(seat, steps)]) for steps in range(4)]
    calls = [state.calls[seat_after(seat, steps)] > 0 for steps in range(4)]
    return Spot(
        under=state.under,
        from_last=(state.last - seat) % 4,
        sizes=(sizes[0], sizes[1], sizes[2], sizes[3]),
        called=(calls[0], calls[1], calls[2], calls[3]) if not state.out else (False,) * 4,
        points=cards.points(state.pile),
    )


def _give(observation: Observation) -> actions.GiveCards:
    places = {face: place for place, face in observation.held.items()}
    first, second, third = gifts(places)
    return actions.GiveCards((places[first], places[second], places[third]))


def _trick_given(observation: Observation) -> actions.GiveTrick:
    """Give the trick to the enemy who is farther from going out."""
    held = observation.state.held
    enemies = [seat_after(observation.seat, steps) for steps in (1, 3)]
    return actions.GiveTrick(max(enemies, key=lambda seat: len(held[seat])))


def _bomb(observation: Observation) -> Play | None:
    """Bomb at the last call if the trick is worth it; nobody can take it before."""
    state, hand = observation.state, observation.held.values()
    if any(ask is Ask.TURN for _, ask in state.asked):
        return None
    bombs = legal_plays(state, hand)
    if not bombs or not wants_bomb(spot_of(observation), split(hand)):
        return None
    return max(bombs, key=lambda play: gain(hand, play))


def gain(hand: Collection[int], play: Play) -> int:
    """Return how many thousandths of a lead a play saves."""
    return cost(hand) - cost([face for face in hand if face not in play.faces])


def _turn(observation: Observation) -> Play | None:
    state, hand = observation.state, observation.held.values()
    spot = spot_of(observation)
    if state.under is None and not state.wish:
        return lead(split(hand), spot)
    legal = legal_plays(state, hand)
    if state.under is None:
        parts = [part for part in split(hand) if part in legal]
        return lead(parts or [max(legal, key=lambda play: gain(hand, play))], spot)
    plays = [play for play in legal if not play.made.is_bomb]
    best = max(plays or legal, key=lambda play: gain(hand, play), default=None)
    if best is None or not may_pass(state, hand):
        return best
    wanted = plays and wants(best, gain(hand, best), len(split(hand)), spot)
    return best if wanted else None


def wish_of(observation: Observation) -> int:
    """Wish what the next enemy was given, else the highest number that is not seen or held."""
    enemy = seat_after(observation.seat)
    for face, seat in holders(observation).items():
        if seat == enemy and cards.NUMBERS[face] >= cards.LOWEST:
            return cards.NUMBERS[face]
    hidden = {cards.NUMBERS[face] for face in unseen(observation)}
    own = {cards.NUMBERS[face] for face in observation.held.values()}
    return max((n for n in range(cards.LOWEST, cards.ACE + 1) if n in hidden - own), default=0)
