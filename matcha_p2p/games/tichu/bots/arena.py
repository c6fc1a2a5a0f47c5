"""Bots against bots, with all hands known and no cryptography."""

import random
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple, TypeAlias, assert_never

from matcha_p2p.errors import BotError
from matcha_p2p.games import json_values
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.games.matches.intervals import Z, reach
from matcha_p2p.games.matches.ratings import Lead, Unit
from matcha_p2p.games.tichu.bots.bot import Bot
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.moves import bombs
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.scoring import DOUBLE, Points, score
from matcha_p2p.seats import Seat

Players: TypeAlias = tuple[Bot, Bot, Bot, Bot]
"""The bot of each seat."""


class OpenRound:
    """A round with all hands known, and what each seat sees of it. hands: faces by place.

    given: what each seat gives to the next seat, the partner and the seat before.
    """

    def __init__(
        self, variant: rules.Variant, first: Seat, hands: Iterable[Iterable[int]]
    ) -> None:
        self.state = rules.new_round(variant, first)
        self.hands = [list(hand) for hand in hands]
        self.given: list[tuple[int, ...]] = [(), (), (), ()]
        self._gifts: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())] * 4
        self._bombs: list[list[frozenset[int]]] = [[]] * 4  # the places, after the exchange
        self._laid: tuple[Laid, ...] = ()

    def seen(self, seat: Seat) -> Observation:
        """Return what ``seat`` sees."""
        state, hand = self.state, tuple[int | None, ...](self.hands[seat])
        if state.asked and state.asked[0][1] is rules.Ask.GRAND:
            hand = (*hand[: rules.DEALT_FIRST], *(None,) * (rules.HAND - rules.DEALT_FIRST))
        given, received = self._gifts[seat]
        return Observation(state, seat, hand, self._laid, 1, (0, 0), given, received)

    def has_choice(self, seat: Seat) -> bool:
        """Tell whether ``seat``, which is asked, has more than one legal answer.

        True in doubt: only windows of seats without a bomb are known to have none.
        """
        state = self.state
        held = state.held[seat]
        if (
            state.asked[0][1] is not rules.Ask.HOLD or len(held) == rules.HAND
        ):  # it may call Tichu
            return True
        return any(bomb <= held for bomb in self._bombs[seat])

    def take(self, seat: Seat, move: actions.TichuMove) -> None:
        """Take an answer of ``seat``.

        Raises:
            RefusedError: the rules forbid it.
        """
        self.seen(seat).check_duty(move)
        state, hand = self.state, self.hands[seat]
        if not isinstance(move, actions.AnswerGrand | actions.GiveTrick) and move.tichu:
            state = rules.call_tichu(state, seat)
        match move:
            case actions.AnswerGrand(called):
                self.state = rules.grand(state, seat, called=called)
            case actions.GiveCards(places):
                self.given[seat] = tuple([hand[place] for place in places])
                self.state = rules.push(state, seat)
                if self.state.asked[0][1] is rules.Ask.CALL:
                    self._exchange()
            case actions.ShowMahJong():
                self.state = rules.lead(rules.hold(state, seat), seat)
            case actions.Hold():
                self.state = rules.hold(state, seat)
            case actions.Pass():
                self.state = rules.pass_turn(state, seat)
            case actions.Lay(places, wild, wish):
                laid = {place: hand[place] for place in places}
                self.state = rules.play(state, seat, laid, wild, wish)
                shown = Laid(seat, tuple(laid.values()), wild, wish, state.under is None)
                self._laid = (*self._laid, shown)
            case actions.GiveTrick(receiver):
                self.state = rules.gift(state, seat, receiver)
            case _:
                assert_never(move)

    def _exchange(self) -> None:
        for seat in rules.SEATS:
            received = [
                self.given[rules.seat_after(seat, steps)][3 - steps] for steps in (1, 2, 3)
            ]
            kept = (face for face in self.hands[seat] if face not in self.given[seat])
            self.hands[seat] = [*kept, *received]
            self._gifts[seat] = self.given[seat], tuple(received)
            places = {face: place for place, face in enumerate(self.hands[seat])}
            self._bombs[seat] = [
                frozenset([places[face] for face in play.faces])
                for play in bombs(self.hands[seat])
            ]


class Resigned(NamedTuple):
    """A round that has ended because the program of ``seat`` has failed."""

    seat: Seat
    why: BotError


@dataclass(frozen=True, slots=True)
class DealResults:
    """What pairs of rounds with the same cards have brought to the first bot.

    points: by deal, how many points a round the first bot was ahead. calls: how many calls the
    first bot has made and won, then the other. doubles, resigned: by bot, how many double
    victories and how many rounds with a failed program. failures: why programs failed, each
    reason once.
    """

    points: tuple[float, ...] = ()
    calls: tuple[int, ...] = (0, 0, 0, 0)
    doubles: tuple[int, ...] = (0, 0)
    resigned: tuple[int, ...] = (0, 0)
    failures: Mapping[str, BotError] = field(default_factory=dict[str, BotError])

    def __add__(self, other: "DealResults") -> "DealResults":
        """Return both results together."""
        return DealResults(
            self.points + other.points,
            tuple(map(add, self.calls, other.calls)),
            tuple(map(add, self.doubles, other.doubles)),
            tuple(map(add, self.resigned, other.resigned)),
            {**self.failures, **other.failures},
        )

    def plain(self) -> JsonObject:
        """Return the result as values for JSON, without the failures."""
        bots = {"doubles": [*self.doubles], "resigned": [*self.resigned]}
        return {"points": [*self.points], "calls": [*self.calls], **bots}

    def read(self, plain: JsonObject, units: int) -> "DealResults":
        """Return the result of so many deals that ``plain`` describes.

        Raises:
            KeyError, TypeError, ValueError: there is none.
        """
        points = json_values.as_reals(plain["points"])
        if len(points) != units:
            raise ValueError("the result is of other deals")
        return DealResults(
            points,
            json_values.numbers_up_to(plain["calls"], 8 * units, len(self.calls)),
            json_values.numbers_up_to(plain["doubles"], 2 * units, len(self.doubles)),
            json_values.numbers_up_to(plain["resigned"], 2 * units, len(self.resigned)),
        )

    @property
    def units(self) -> int:
        """How many deals were played."""
        return len(self.points)

    @property
    def games(self) -> int:
        """How many rounds were played."""
        return 2 * self.units

    @property
    def lead(self) -> Lead:
        """Return the first bot's lead in points a round."""
        return Lead(Unit.POINTS, self.mean, self.reach / Z)

    @property
    def won(self) -> int:
        """How many deals have brought more points to the first bot."""
        return sum(ahead > 0 for ahead in self.points)

    @property
    def lost(self) -> int:
        """How many deals have brought fewer points to the first bot."""
        return sum(ahead < 0 for ahead in self.points)

    @property
    def mean(self) -> float:
        """Return how many points a round the first bot is ahead."""
        return statistics.fmean(self.points)

    @property
    def reach(self) -> float:
        """Return half of the 95 % interval of the mean; both rounds of a deal are one draw."""
        return reach(self.points)


def arena(bots: tuple[Bot, Bot], deals: Iterable[int], seed: int | str) -> DealResults:
    """Play each deal twice, the pairs exchanged.

    deals: their numbers. The cards of a deal follow from ``seed`` and its number alone.
    """
    total = DealResults()
    for number in deals:
        total += _play_deal(bots, f"{seed} {number}", rules.SEATS[number % 4])
    return total


def _play_deal(bots: tuple[Bot, Bot], seed: str, first: Seat) -> DealResults:
    ahead = 0
    total = DealResults()
    for own in (0, 1):  # the team of the first bot
        even, odd = bots if own == 0 else bots[::-1]
        end = play_round((even, odd, even, odd), seed, first)
        points, counted = _failed(end, own) if isinstance(end, Resigned) else _counted(end, own)
        ahead += points[own] - points[1 - own]
        total += counted
    return total + DealResults((ahead / 2,))


def _failed(end: Resigned, own: int) -> tuple[Points, DealResults]:
    """Count a double victory for the team whose programs have not failed."""
    points = (0, DOUBLE) if end.seat % 2 == 0 else (DOUBLE, 0)
    side = (end.seat + own) % 2
    resigned = (1 - side, side)
    return points, DealResults(resigned=resigned, failures={str(end.why): end.why})


def _counted(end: rules.Round, own: int) -> tuple[Points, DealResults]:
    calls, doubles = [0, 0, 0, 0], [0, 0]
    for seat in rules.SEATS:
        side = 2 * ((seat + own) % 2)
        calls[side] += end.calls[seat] > 0
        calls[side + 1] += end.calls[seat] > 0 and end.out[0] == seat
    doubles[(end.out[0] + own) % 2] += rules.is_double(end.out)
    return score(end), DealResults(calls=tuple(calls), doubles=tuple(doubles))


def play_round(
    bots: Players, seed: int | str, first: Seat = rules.SEATS[0]
) -> rules.Round | Resigned:
    """Play one round of the usual variant to its end, or until a program fails."""
    table = OpenRound(rules.Variant(), first, deal(random.Random(f"{seed} cards")))
    rng = random.Random(f"{seed} bots")
    while (seat := table.state.speaker) is not None:
        if not table.has_choice(seat):
            table.state = rules.hold(table.state, seat)
            continue
        try:
            move = bots[seat].choose(table.seen(seat), rng)
        except BotError as failure:
            return Resigned(seat, failure)
        table.take(seat, move)
    return table.state


def deal(rng: random.Random) -> list[list[int]]:
    """Return four hands; the first eight cards of each are those dealt first (T7)."""
    deck = rng.sample(FACES, len(FACES))
    rest = rules.HAND - rules.DEALT_FIRST
    first = [deck[rules.DEALT_FIRST * seat :][: rules.DEALT_FIRST] for seat in rules.SEATS]
    later = [deck[rules.DEALT_FIRST * 4 + rest * seat :][:rest] for seat in rules.SEATS]
    return [one + other for one, other in zip(first, later, strict=True)]
