"""The hand solver, deals and the playing out of a round in C: the same answers, far sooner.

The library is compiled when the package is installed. Where it is missing, the callers compute
in Python. It is a plain shared library, the same for every version of Python.
"""

import ctypes
from collections.abc import Collection, Sequence
from ctypes import CDLL, Structure, c_int32, c_uint8, c_uint64
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.games.tichu.rules.cards import FACES, MAH_JONG, points
from matcha_p2p.games.tichu.rules.combinations import Combination, Shape
from matcha_p2p.games.tichu.rules.moves import Play
from matcha_p2p.games.tichu.rules.round import HAND, Ask, Round

FOLDER: Final = Path(__file__).parent

Dealt: TypeAlias = tuple[tuple[int, ...], ...]
"""The faces of each seat."""

_NO_ANSWER: Final = -(1 << 30)
_NOBODY: Final = -1
_BITS: Final = tuple(1 << face for face in FACES)
_SHAPES: Final = dict(enumerate(Shape, start=1))
_KINDS: Final = {shape: kind for kind, shape in enumerate(Shape, 1)}
_REMEMBERED: Final = 1 << 16
"""The number of hands that are remembered."""
_HEAD: Final = 4
"""The bytes of a play before its faces."""


class Unseen(NamedTuple):
    """What a seat knows of all hands.

    hidden: the faces of unknown place, ascending. sure: the faces that each seat holds for
    certain. laid: the faces that each seat has laid. missing: how many hidden faces each seat
    holds. calls: the worth of each seat's call. seat: who knows this.
    """

    hidden: tuple[int, ...]
    sure: Dealt
    laid: Dealt
    missing: tuple[int, ...]
    calls: tuple[int, ...]
    seat: int


class _Combination(Structure):
    _fields_ = (("kind", c_uint8), ("size", c_uint8), ("strength", c_uint8))


class LaidCards(Structure):
    """A play of ``core.c``."""

    _fields_ = (("made", _Combination), ("wild", c_uint8), ("faces", c_uint8 * HAND))


class _Parts(Structure):
    _fields_ = (("count", c_int32), ("plays", LaidCards * HAND))


class Position(Structure):
    """A position of ``core.c``."""

    _fields_ = (
        ("hands", c_uint64 * 4),
        ("calls", c_int32 * 4),
        ("won", c_int32 * 4),
        ("out", c_int32 * 4),
        ("out_count", c_int32),
        ("pile", c_int32),
        ("last", c_int32),
        ("passes", c_int32),
        ("turn", c_int32),
        ("wish", c_int32),
        ("under", _Combination),
    )


class KnownCards(Structure):
    """What a seat knows of all hands, for ``core.c``."""

    _fields_ = (
        ("hidden", c_uint64),
        ("sure", c_uint64 * 4),
        ("laid", c_uint64 * 4),
        ("missing", c_int32 * 4),
        ("calls", c_int32 * 4),
        ("seat", c_int32),
    )


class Core:
    """The functions of the library."""

    def __init__(self, library: CDLL) -> None:
        self._c: Final = library
        self._c.core_split.argtypes = (c_uint64, ctypes.POINTER(_Parts))
        self._c.core_cost.argtypes = (c_uint64,)
        self._c.core_gifts.argtypes = (c_uint64, c_uint8 * 3)
        self._c.core_play_out.argtypes = (
            ctypes.POINTER(Position),
            c_int32,
            ctypes.POINTER(LaidCards),
        )
        self._c.core_deal.argtypes = (
            ctypes.POINTER(KnownCards),
            c_int32,
            c_uint64,
            c_uint64 * 4,
        )
        self.cost: Final = lru_cache(_REMEMBERED)(self._cost)
        self.split: Final = lru_cache(_REMEMBERED)(self._split)

    def _cost(self, hand: int) -> int:
        """Return the result of hand.cost.

        Raises:
            ValueError: ``hand`` is no set of at most 14 cards.
        """
        return _checked(self._c.core_cost(hand))

    def _split(self, hand: int) -> tuple[Play, ...]:
        """Return the result of hand.split.

        Raises:
            ValueError: ``hand`` is no set of at most 14 cards.
        """
        parts = _Parts()
        _checked(self._c.core_split(hand, parts))
        raw, size = bytes(parts.plays), ctypes.sizeof(LaidCards)
        return tuple(_play(raw[at : at + size]) for at in range(0, parts.count * size, size))

    def gifts(self, hand: int) -> tuple[int, int, int]:
        """Return the result of gifts.gifts.

        Raises:
            ValueError: ``hand`` is no set of 3 to 14 cards.
        """
        given = (c_uint8 * 3)()
        _checked(self._c.core_gifts(hand, given))
        return given[0], given[1], given[2]

    def deal(self, unseen: Unseen, swaps: int, seed: int) -> Dealt:
        """Return the result of dealing.deal.

        Raises:
            ValueError: ``unseen`` has a card twice or a wrong number, or ``swaps`` is below 0.
        """
        return self.dealt(known_of(unseen), swaps, seed)

    def dealt(self, known: KnownCards, swaps: int, seed: int) -> Dealt:
        """Return the hands after so many swaps, ascending.

        Raises:
            ValueError: ``known`` has a card twice or a wrong number, or ``swaps`` is below 0.
        """
        hands = (c_uint64 * 4)()
        _checked(self._c.core_deal(known, swaps, seed, hands))
        return tuple(tuple([face for face in FACES if hand >> face & 1]) for hand in hands)

    def play_out(
        self,
        state: Round,
        seat: int,
        worlds: Sequence[Sequence[Collection[int]]],
        plays: Sequence[Play | None],
        wish: int,
    ) -> list[list[int]]:
        """Return the result of endings.play_out.

        Raises:
            ValueError: the hands do not fit ``state``, or a play has other cards.
        """
        position = position_of(state)
        dealt = [tuple(map(cards, hands)) for hands in worlds]
        ends: list[list[int]] = []
        for play in plays:
            laid = laid_of(play) if play else None
            position.wish = wish if play and MAH_JONG in play.faces else state.wish
            ends.append([])
            for hands in dealt:
                position.hands = hands
                ends[-1].append(self.outcome(position, seat, laid))
        return ends

    def outcome(self, position: Position, seat: int, laid: LaidCards | None) -> int:
        """Return by how many points the team of ``seat`` wins after ``laid``.

        Raises:
            ValueError: the structures are no position and no cards of ``seat``.
        """
        return _checked(self._c.core_play_out(position, seat, laid))


def position_of(state: Round, hands: Sequence[Collection[int]] = ()) -> Position:
    """Return the position that the library plays out."""
    position = Position(
        hands=tuple(map(cards, hands)),
        calls=state.calls,
        won=tuple(map(points, state.won)),
        out=state.out,
        out_count=len(state.out),
        pile=points(state.pile),
        last=state.last,
        passes=state.passes,
        turn=next((each for each, ask in state.asked if ask is Ask.TURN), _NOBODY),
        wish=state.wish,
    )
    if state.under is not None:
        position.under = _made(state.under)
    return position


def known_of(unseen: Unseen) -> KnownCards:
    """Return ``unseen`` as the library takes it."""
    return KnownCards(
        cards(unseen.hidden),
        tuple(map(cards, unseen.sure)),
        tuple(map(cards, unseen.laid)),
        unseen.missing,
        unseen.calls,
        unseen.seat,
    )


def laid_of(play: Play) -> LaidCards:
    """Return ``play`` as the library takes it."""
    return LaidCards(_made(play.made), play.wild, play.faces)


def cards(faces: Collection[int]) -> int:
    """Return the set of ``faces``, a bit for each."""
    return sum([_BITS[face] for face in faces])


@cache
def core() -> Core | None:
    """Return the functions of the library, or None if it was not made from the source here."""
    try:
        library = CDLL(str(FOLDER / "libcore.so"))
        made_of = library.core_source()
    except (OSError, AttributeError):
        return None
    digest = sha256((FOLDER / "core.c").read_bytes()).digest()
    return Core(library) if made_of == int.from_bytes(digest[:4]) >> 1 else None


def _checked(answer: int) -> int:
    if answer == _NO_ANSWER:
        raise ValueError("these are no hands of a round")
    return answer


def _made(made: Combination) -> _Combination:
    return _Combination(_KINDS[made.kind], made.size, made.strength)


def _play(raw: bytes) -> Play:
    kind, size, strength, wild = raw[:_HEAD]
    shape = _SHAPES[kind]
    return Play(Combination(shape, size, strength), tuple(raw[_HEAD : _HEAD + size]), wild)
