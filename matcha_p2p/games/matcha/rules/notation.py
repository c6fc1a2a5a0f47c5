"""Cards and moves as text, alike for people and programs (``games/exchange.py: Notation``).

A card is a letter of T B W S and a number, or Z. A mat is a letter a..f in the order of the
mats 0..5. A move is a card 1..5 and a mat (2b), p for the pass, k and the cards kept (k14).
"""

import re
from typing import Final, assert_never

from matcha_p2p.games.matcha.rules.cards import DEMANDS, FACES, Demand, Face
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.observation import Observation

MATS: Final = "abcdef"

_FACES: Final = {face.name: face for face in FACES}
_PLAY: Final = re.compile("([1-5])([a-f])")
_KEEP: Final = re.compile("k(1?2?3?4?5?)")


def face(name: str) -> Face:
    """Return the face called ``name``, in either case.

    Raises:
        ValueError: ``name`` names no card.
    """
    found = _FACES.get(name.upper())
    if found is None:
        raise ValueError(f"no card is called {name!r}")
    return found


def faces(names: str) -> tuple[Face, ...]:
    """Return the faces named in a text with spaces between.

    Raises:
        ValueError: a word names no card.
    """
    return tuple(face(name) for name in names.split())


def mat_text(mat: int) -> str:
    """Return the letter of a mat and the sign of its demand: # a number, * a suit."""
    return MATS[mat] + ("#" if DEMANDS[mat] is Demand.NUMBER else "*")


def move_text(move: Move) -> str:
    """Return a move as ``parse_move`` reads it: 2b, p or k14."""
    match move:
        case Play(mat, slot):
            return f"{slot + 1}{MATS[mat]}"
        case Pass():
            return "p"
        case Keep(slots):
            return "k" + "".join(str(slot + 1) for slot in sorted(slots))
        case _:
            assert_never(move)


def parse_move(text: str) -> Move:
    """Return the move written in ``text``, legal or not.

    Raises:
        ValueError: ``text`` is no move.
    """
    if text == "p":
        return PASS
    if play := _PLAY.fullmatch(text):
        return Play(MATS.index(play[2]), int(play[1]) - 1)
    if kept := _KEEP.fullmatch(text):
        return Keep(frozenset(int(digit) - 1 for digit in kept[1]))
    raise ValueError(f"{text!r} is no move")


def text_of(_: Observation, move: Move) -> str:
    """Return ``move`` as text."""
    return move_text(move)


def read(seen: Observation, text: str) -> Move:
    """Return the legal move that ``text`` names.

    Raises:
        ValueError: ``text`` is no legal move.
    """
    if text not in listed(seen):
        raise ValueError("this is no legal move")
    return parse_move(text)


def listed(seen: Observation) -> list[str]:
    """Return the legal moves."""
    return [move_text(move) for move in seen.legal_moves()]
