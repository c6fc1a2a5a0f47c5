"""Matcha as a game of OpenSpiel, over our rules: ``pyspiel.load_game("matcha(edition=2020)")``.

Importing this module registers the game; ``open_spiel`` has to be installed. Chance deals the
cards singly. A player never learns the slot of an opponent's card, so the slots of kept cards
do not matter: hands are sorted as they are dealt.

Source: Lanctot and others, OpenSpiel: a framework for reinforcement learning in games (2019).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pyspiel

from matcha_p2p.games.matcha.rules import cards as card_rules
from matcha_p2p.games.matcha.rules import game as game_rules
from matcha_p2p.games.matcha.rules import moves as move_rules
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.history import Resolution, Round, Turn
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Ended, Keeping, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState

_PASSING: Final = 10
"""The action of the pass; 0 to 9 lay slot 0 to 4 on the first mat of a round or the second."""
_KEEPING: Final = 11
"""The action that keeps no card; each slot kept adds 1, 2, 4, 8 or 16."""
_ACTIONS: Final = _KEEPING + 32
_TABLE: Final = 6
_HAND: Final = 5
_TURNS: Final = 6
"""The most turns of a round with a decision."""
_LONGEST: Final = 10_000
"""The most actions and dealt cards of a game: OpenSpiel needs a limit, 2015 has no limit."""
_REMEMBERED: Final = 8
"""The most sets in a tensor; a string has all sets."""

_TYPE: Final = pyspiel.GameType(
    short_name="matcha",
    long_name="Matcha",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"edition": 2020},
)
_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=_ACTIONS,
    max_chance_outcomes=len(card_rules.FACES),
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=_LONGEST,
)


class MatchaGame(pyspiel.Game):
    """The whole game. Seat 0 deals first. params: ``edition``, 2015 or 2020."""

    def __init__(self, params: Mapping[str, int] | None = None) -> None:
        super().__init__(_TYPE, _INFO, dict(params or {}))
        self.edition: Final = EDITIONS[str((params or {}).get("edition", 2020))]

    def new_initial_state(self) -> "MatchaState":
        """Return the state before the first card is dealt."""
        return MatchaState(self, game_rules.new_game(self.edition, SEATS[0]), ((), ()))

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> "MatchaObserver":
        """Return an observer of the information that ``iig_obs_type`` names."""
        return MatchaObserver(iig_obs_type, params)


class MatchaState(pyspiel.State):
    """A position of the rules with all cards, and the cards dealt or kept so far.

    game: the state of the rules. hands: the faces of both hands in this set; during a deal, the
    hands of the set before. earlier: the hands of earlier sets.
    """

    def __init__(self, spiel: pyspiel.Game, game: GameState, hands: card_rules.Hands) -> None:
        super().__init__(spiel)
        self.game = game
        self.hands = hands
        self.earlier: tuple[card_rules.Hands, ...] = ()
        self.drawn: tuple[card_rules.Face, ...] = ()
        self.keeps: tuple[frozenset[int], ...] = ()

    def current_player(self) -> int:
        """Return the seat to move, chance, or the end."""
        match self.game.phase:
            case Placing(seat):
                return int(seat)
            case Keeping():
                return len(self.keeps)
            case Ended():
                return int(pyspiel.PlayerId.TERMINAL)
            case _:
                return int(pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        """Tell whether the game has ended."""
        return isinstance(self.game.phase, Ended)

    def returns(self) -> list[float]:
        """Return 1 for the winner, -1 for the loser; 0 for both in a draw or before the end."""
        match self.game.phase:
            case Ended(winner) if winner is not None:
                return [1.0 if seat == winner else -1.0 for seat in SEATS]
            case _:
                return [0.0, 0.0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may be dealt next, by their faces, with their probabilities."""
        left = Counter(card_rules.DECK)
        left.subtract((*self.drawn, *self._kept(SEATS[0]), *self._kept(SEATS[1])))
        if len(self.drawn) < _TABLE:
            del left[card_rules.ZERO]
        total = left.total()
        return [(face.index, left[face] / total) for face in card_rules.FACES if left[face] > 0]

    def seen(self, seat: Seat) -> "InformationState":
        """Return the knowledge of ``seat``."""
        game = self.game
        dealing = isinstance(game.phase, AwaitingDeal)
        past = (*self.earlier, self.hands) if dealing and game.past else self.earlier
        sets = [
            SetSeen(it.dealer, it.table, hands[seat], it.rounds)
            for it, hands in zip(game.past, past, strict=True)
        ]
        if not dealing:
            sets.append(SetSeen(game.dealer, game.table, self.hands[seat], game.rounds))
        own = self.keeps[seat] if seat < len(self.keeps) else None
        return InformationState(game, seat, tuple(sets), own)

    def _legal_actions(self, player: int) -> list[int]:
        seat = Seat(player)
        keeping = isinstance(self.game.phase, Keeping)
        moves = (
            game_rules.legal_keeps(self.game, seat)
            if keeping
            else game_rules.legal_moves(self.game)
        )
        return sorted(map(action_of, moves))

    def _apply_action(self, action: int) -> None:
        match self.game.phase:
            case AwaitingDeal():
                self._draw(card_rules.FACES[action])
            case Keeping():
                kept = frozenset(
                    slot for slot in move_rules.SLOTS if action - _KEEPING >> slot & 1
                )
                self.keeps = (*self.keeps, kept)
                if len(self.keeps) == len(SEATS):
                    self.game = game_rules.keep(self.game, (self.keeps[0], self.keeps[1]))
                    self.keeps = ()
            case _:
                self.game = game_rules.advance(self.game, self._move(action), self.hands)

    def _move(self, action: int) -> move_rules.Play | move_rules.Pass:
        if action == _PASSING:
            return move_rules.PASS
        mats = 2 * (self.game.rounds[-1].number - 1)
        return move_rules.Play(mats + action // _HAND, action % _HAND)

    def _draw(self, face: card_rules.Face) -> None:
        self.drawn = (*self.drawn, face)
        kept = self._kept(SEATS[0]), self._kept(SEATS[1])
        table, rest = self.drawn[:_TABLE], self.drawn[_TABLE:]
        new = 2 * _HAND - sum(map(len, kept))
        if len(rest) == new:
            first = _HAND - len(kept[0])
            hands = _sorted(*kept[0], *rest[:first]), _sorted(*kept[1], *rest[first:])
            self.earlier = (*self.earlier, self.hands) if self.game.number > 1 else ()
            self.game, self.hands, self.drawn = game_rules.deal(self.game, table), hands, ()

    def _kept(self, seat: Seat) -> card_rules.Hand:
        return tuple(self.hands[seat][slot] for slot in sorted(self.game.hands[seat]))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"Deal {card_rules.FACES[action].name}"
        if action == _PASSING:
            return "Pass"
        if action < _PASSING:
            return f"Lay {action % _HAND + 1} on the {('number', 'suit')[action // _HAND]} mat"
        kept = "".join(
            str(slot + 1) for slot in move_rules.SLOTS if action - _KEEPING >> slot & 1
        )
        return f"Keep {kept or 'nothing'}"

    def __str__(self) -> str:
        """Return the whole course of the game, with all cards open."""
        dealt = " ".join(face.name for face in self.drawn)
        return "\n".join([*(str(self.seen(seat)) for seat in SEATS), dealt])


def action_of(move: move_rules.Move) -> int:
    """Return the action for a move of the rules."""
    match move:
        case move_rules.Play(mat, slot):
            return mat % 2 * _HAND + slot
        case move_rules.Keep(slots):
            return _KEEPING + sum(1 << slot for slot in slots)
        case move_rules.Pass():
            return _PASSING


def _sorted(*cards: card_rules.Face) -> card_rules.Hand:
    return tuple(sorted(cards, key=lambda face: face.index))


@dataclass(frozen=True, slots=True)
class SetSeen:
    """A seat's knowledge of a set: the dealer, the table, the own hand, and the rounds."""

    dealer: Seat
    table: card_rules.Hand
    hand: card_rules.Hand
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class InformationState:
    """A seat's whole knowledge. sets: all sets so far.

    keeps: the slots just chosen to keep, or None.
    """

    game: GameState
    seat: Seat
    sets: tuple[SetSeen, ...]
    keeps: frozenset[int] | None

    def __str__(self) -> str:
        """Return the knowledge as text, a set a line; equal texts mean equal knowledge."""
        lines = [f"seat {self.seat}", *(self._set(it) for it in self.sets)]
        if self.keeps is not None:
            lines.append(f"keeps {sorted(self.keeps)}")
        return "\n".join([*lines, f"{self.game.tokens} kept {self.game.kept}"])

    def _set(self, each: SetSeen) -> str:
        said = [f"dealer {each.dealer}", _names(each.table), _names(each.hand)]
        for played in each.rounds:
            turns = (self._turn(it, each.hand) for it in played.turns if not it.auto)
            opened = (it for it in played.resolutions if it.revealed)
            said += [" ".join(turns), " ".join(map(_opened, opened))]
        return " / ".join(said)

    def _turn(self, turn: Turn, hand: card_rules.Hand) -> str:
        match turn.move:
            case move_rules.Play(mat, slot):
                card = hand[slot].name if hand and turn.seat == self.seat else ""
                return f"{turn.seat}:{mat}{card}"
            case move_rules.Pass():
                return f"{turn.seat}:p"


def _names(cards: Sequence[card_rules.Face]) -> str:
    return " ".join(card.name for card in cards)


def _opened(resolution: Resolution) -> str:
    cards = [card.name for card in resolution.cards if card is not None]
    return f"{resolution.mat}={'/'.join(cards)}"


class MatchaObserver:
    """A player's view as a string and as a tensor (PyObserver).

    With perfect recall the view has all sets, otherwise the running set. The type of
    observation decides whether the view has the own hand, both hands, or neither.
    """

    def __init__(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None,
        params: Mapping[str, object] | None,
    ) -> None:
        if params:
            raise ValueError("this observer takes no parameters")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        self._public: Final = bool(kind.public_info)
        self._private: Final = kind.private_info
        sets = _REMEMBERED if kind.perfect_recall else 1
        self._sets: Final = sets
        shapes: dict[str, tuple[int, ...]] = {"player": (2,)}
        if self._private != pyspiel.PrivateInfoType.NONE:
            shapes |= {
                "hand": (sets, 2, _HAND, len(card_rules.FACES)),
                "slots": (sets, 3, _TURNS, _HAND),
            }
            shapes |= {"keeps": (_HAND + 1,)}
        if self._public:
            shapes |= {
                "dealer": (sets, 2),
                "table": (sets, _TABLE, len(card_rules.FACES)),
                "turns": (sets, 3, _TURNS, 2, 3),
                "opened": (sets, _TABLE, 2, len(card_rules.FACES)),
                "tokens": (2, 5),
                "kept": (2, _HAND + 1),
                "comparing": (1,),
            }
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        self.dict = {
            name: part.reshape(shape)
            for (name, shape), part in zip(
                shapes.items(), np.split(self.tensor, np.cumsum(sizes)[:-1]), strict=True
            )
        }

    def set_from(self, state: MatchaState, player: int) -> None:
        """Fill the tensor with the view of ``player``."""
        self.tensor.fill(0)
        seat = Seat(player)
        self.dict["player"][player] = 1
        seen = state.seen(seat)
        if self._public:
            self._fill_public(seen)
        for owner in self._owners(seat):
            self._fill_private(state.seen(owner))

    def string_from(self, state: MatchaState, player: int) -> str:
        """Return the view of ``player``, in words."""
        seat = Seat(player)
        shown = [self._shown(state.seen(owner)) for owner in self._owners(seat)]
        if self._public:
            shown = shown or [_public(self._shown(state.seen(seat)))]
        return "\n".join(map(str, shown)) or f"seat {seat}"

    def _owners(self, seat: Seat) -> tuple[Seat, ...]:
        match self._private:
            case pyspiel.PrivateInfoType.SINGLE_PLAYER:
                return (seat,)
            case pyspiel.PrivateInfoType.ALL_PLAYERS:
                return SEATS
            case _:
                return ()

    def _shown(self, seen: InformationState) -> InformationState:
        return seen if self._sets > 1 else replace(seen, sets=seen.sets[-1:])

    def _latest(self, seen: InformationState) -> Iterator[tuple[int, SetSeen]]:
        """Yield the sets in a tensor, the running set as number 0."""
        return zip(range(self._sets), reversed(seen.sets), strict=False)

    def _fill_public(self, seen: InformationState) -> None:
        game, told = seen.game, self.dict
        for at, each in self._latest(seen):
            told["dealer"][at, each.dealer] = 1
            for mat, face in enumerate(each.table):
                told["table"][at, mat, face.index] = 1
            for played in each.rounds:
                self._fill_round(at, played)
        told["tokens"][:] = game.tokens
        for seat in SEATS:
            told["kept"][seat, game.kept[seat]] = 1
        told["comparing"][0] = game.comparing

    def _fill_round(self, at: int, played: Round) -> None:
        turns = [turn for turn in played.turns if not turn.auto]
        for number, turn in enumerate(turns):
            place = turn.move.mat % 2 if isinstance(turn.move, move_rules.Play) else 2
            self.dict["turns"][at, played.number - 1, number, turn.seat, place] = 1
        for resolution in played.resolutions:
            for seat, face in zip(SEATS, resolution.cards, strict=True):
                if face is not None:
                    self.dict["opened"][at, resolution.mat, seat, face.index] = 1

    def _fill_private(self, seen: InformationState) -> None:
        for at, each in self._latest(seen):
            for slot, face in enumerate(each.hand):
                self.dict["hand"][at, seen.seat, slot, face.index] = 1
            for played in each.rounds:
                turns = [turn for turn in played.turns if not turn.auto]
                for number, turn in enumerate(turns):
                    if turn.seat == seen.seat and isinstance(turn.move, move_rules.Play):
                        slots = self.dict["slots"][at, played.number - 1, number]
                        slots[turn.move.slot] = 1
        if seen.keeps is not None:
            self.dict["keeps"][_HAND] = 1
            for slot in seen.keeps:
                self.dict["keeps"][slot] = 1


def _public(seen: InformationState) -> InformationState:
    """Return the public part of a seat's knowledge."""
    sets = tuple(replace(each, hand=()) for each in seen.sets)
    return replace(seen, sets=sets, keeps=None)


pyspiel.register_game(_TYPE, MatchaGame)
