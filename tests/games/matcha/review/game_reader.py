"""Read a game of Matcha from its text, by protocol/notation.md."""

import re
from typing import Final

from matcha_p2p.chain.verify import Verdict
from matcha_p2p.games.matcha.review import export
from matcha_p2p.games.matcha.review.game_text import game_text
from matcha_p2p.games.matcha.rules.cards import FACES, Token
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.phases import How

_UNKNOWN: Final = "?"
_NOTHING: Final = "-"
_GAP: Final = "  "
_KINDS: Final = tuple(token.letter for token in Token)
_VERSION: Final = 1
_SOUND: Final = frozenset(set(Verdict) - {Verdict.INVALID, Verdict.FORK})
_ROUNDS: Final = 3
_MATS: Final = 2  # of a round
_CARDS: Final = frozenset(face.name for face in FACES)
_PLAY: Final = re.compile(r"([01])\.([TBWS][1-4]|Z|\?)([a-f])")
_PASS: Final = re.compile(r"([01])\.(p|\(p\))")
_MAT: Final = re.compile(r"([a-f]) ([^ :|]+)([:|])([^ :|]+) ([TBWSK-])/([TBWSK-])")
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,8}", re.ASCII)


def parse_game_text(text: str) -> export.ExportedGame:
    """Return the game in ``text``; the text does not prove that the game was played.

    Raises:
        ValueError: the text differs from the form of ``game_text``; names the first such line.
    """
    reader = _Reader(text)
    try:
        game = _game(reader)
    except (ValueError, IndexError, KeyError) as error:
        raise ValueError(f"line {reader.number} is not as a game is written") from error
    written = game_text(game)
    if written != text:
        pairs = zip(written.split("\n"), text.split("\n"), strict=False)
        first = next((n for n, (a, b) in enumerate(pairs, start=1) if a != b), reader.number)
        raise ValueError(f"line {first} is written otherwise")
    return game


class _Reader:
    """The lines of a text, in order. number: of the line read last, from 1."""

    def __init__(self, text: str) -> None:
        self._lines: Final = text.split("\n")
        self.number = 0

    @property
    def follows(self) -> str:
        """Return the next line without reading it; "" at the end."""
        return self._lines[self.number] if self.number < len(self._lines) else ""

    @property
    def rest(self) -> int:
        """Return how many lines are left, counting the empty line after the last line end."""
        return len(self._lines) - self.number

    def line(self) -> str:
        """Return the next line."""
        self.number += 1
        return self._lines[self.number - 1]

    def words(self, *first: str) -> list[str]:
        """Return the words after ``first`` in the next line; it must begin with ``first``."""
        words = self.line().split(" ")
        if words[: len(first)] != list(first):
            raise ValueError(first)
        return words[len(first) :]


def _game(reader: _Reader) -> export.ExportedGame:
    reader.words("matcha-game", str(_VERSION))
    (edition,) = reader.words("edition")
    (verdict,) = reader.words("verdict")
    (dealer,) = reader.words("dealer")
    seats = reader.words("open")
    sets: list[export.ExportedSet] = []
    result: export.ExportedResult | None = None
    while reader.rest > 1 and result is None:
        reader.words("")
        if reader.follows.startswith("set "):
            sets.append(_set(reader))
        else:
            result = _result(reader)
    return {
        "format": "matcha-game",
        "v": _VERSION,
        "edition": None if edition == _NOTHING else EDITIONS[edition].name,
        "verdict": _verdict(verdict),
        "first_dealer": None if dealer == _NOTHING else _seat(dealer),
        "open": [str(seat) in seats for seat in (0, 1)],
        "sets": sets,
        "result": result,
    }


def _verdict(word: str) -> str:
    verdict = Verdict(word)
    if verdict not in _SOUND:
        raise ValueError(word)
    return verdict.value


def _set(reader: _Reader) -> export.ExportedSet:
    dealer, zeros = reader.words("set")
    table = _cards(reader.words("table"), 6)
    hands = [_cards(reader.words("hand", str(seat)), 5) for seat in (0, 1)]
    aside = _cards(reader.words("aside"), 2)
    rounds: list[export.ExportedRound] = []
    while len(rounds) < _ROUNDS and not reader.follows.startswith("kept "):
        rounds.append(_round(reader, len(rounds) + 1))
    return {
        "dealer": _seat(dealer),
        "table": table,
        "hands": hands,
        "aside": aside,
        "zeros_met": _count(zeros),
        "kept": [_cards(reader.words("kept", str(seat)), range(6)) for seat in (0, 1)],
        "rounds": rounds,
    }


def _round(reader: _Reader, number: int) -> export.ExportedRound:
    turns, *mats, tokens = reader.line().split(_GAP)
    first, *moves = turns.split(" ")
    if first != f"{number}." or not moves or len(mats) > _MATS:
        raise ValueError(turns)
    return {
        "moves": [_turn(word) for word in moves],
        "mats": [_mat(part) for part in mats],
        "tokens": _counts_of_both(tokens),
    }


def _turn(word: str) -> export.ExportedTurn:
    if play := _PLAY.fullmatch(word):
        seat, card, mat = play.groups()
        return {
            "seat": _seat(seat),
            "move": "play",
            "mat": MATS.index(mat),
            "card": _card(card),
        }
    if passed := _PASS.fullmatch(word):
        return {"seat": _seat(passed[1]), "move": "pass", "auto": passed[2] == "(p)"}
    raise ValueError(word)


def _mat(part: str) -> export.ExportedMat:
    found = _MAT.fullmatch(part)
    if found is None:
        raise ValueError(part)
    mat, one, sign, two, *gain = found.groups()
    return {
        "mat": MATS.index(mat),
        "cards": [_card(one), _card(two)],
        "revealed": sign == ":",
        "gain": [None if token == _NOTHING else token for token in gain],
    }


def _result(reader: _Reader) -> export.ExportedResult:
    winner, how, tokens = reader.words("result")
    return {
        "winner": None if winner == _NOTHING else _seat(winner),
        "how": How(how).value,
        "tokens": _counts_of_both(tokens),
    }


def _counts_of_both(text: str) -> list[export.Counts]:
    first, second = text.split("/")
    return [
        dict(zip(_KINDS, map(_count, own.split("-")), strict=True)) for own in (first, second)
    ]


def _cards(words: list[str], count: int | range) -> export.CardNames:
    if len(words) not in (count if isinstance(count, range) else (count,)):
        raise ValueError(words)
    return [_card(word) for word in words]


def _card(word: str) -> str | None:
    if word == _UNKNOWN:
        return None
    if word not in _CARDS:
        raise ValueError(word)
    return word


def _seat(word: str) -> int:
    return {"0": 0, "1": 1}[word]


def _count(word: str) -> int:
    if _NUMBER.fullmatch(word) is None:
        raise ValueError(word)
    return int(word)
