"""A game as text that reads like the score of a chess game: protocol/notation.md.

The text is complete: all values of the export can be read back.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.review import export
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.notation import MATS

_UNKNOWN: Final = "?"
_NOTHING: Final = "-"
_GAP: Final = "  "
_KINDS: Final = tuple(token.letter for token in Token)


def text_of(report: Report) -> str:
    """Return a verified game as text."""
    return game_text(export.exported(report))


def game_text(game: export.ExportedGame) -> str:
    """Return ``game`` as text."""
    return "".join(f"{line}\n" for line in _lines(game))


def _lines(game: export.ExportedGame) -> Iterator[str]:
    yield f"{game['format']} {game['v']}"
    yield f"edition {game['edition'] or _NOTHING}"
    yield f"verdict {game['verdict']}"
    dealer = game["first_dealer"]
    yield f"dealer {_NOTHING if dealer is None else dealer}"
    yield _joined("open", (str(seat) for seat, is_open in enumerate(game["open"]) if is_open))
    for played in game["sets"]:
        yield ""
        yield from _set_lines(played)
    result = game["result"]
    if result is not None:
        winner = _NOTHING if result["winner"] is None else result["winner"]
        yield ""
        yield f"result {winner} {result['how']} {_both_counts(result['tokens'])}"


def _set_lines(played: export.ExportedSet) -> Iterator[str]:
    yield f"set {played['dealer']} {played['zeros_met']}"
    yield _joined("table", _known(played["table"]))
    for seat, hand in enumerate(played["hands"]):
        yield _joined(f"hand {seat}", _known(hand))
    yield _joined("aside", _known(played["aside"]))
    for number, each in enumerate(played["rounds"], start=1):
        turns = " ".join([f"{number}.", *map(_turn_text, each["moves"])])
        mats = map(_mat_text, each["mats"])
        yield _GAP.join([turns, *mats, _both_counts(each["tokens"])])
    for seat, kept in enumerate(played["kept"]):
        yield _joined(f"kept {seat}", _known(kept))


def _joined(first: str, words: Iterable[str]) -> str:
    return " ".join([first, *words])


def _known(names: export.CardNames) -> Iterator[str]:
    return (name or _UNKNOWN for name in names)


def _turn_text(turn: export.ExportedTurn) -> str:
    if turn["move"] == "play":
        return f"{turn['seat']}.{turn.get('card') or _UNKNOWN}{MATS[turn.get('mat', 0)]}"
    return f"{turn['seat']}.{'(p)' if turn.get('auto') else 'p'}"


def _mat_text(mat: export.ExportedMat) -> str:
    cards = (":" if mat["revealed"] else "|").join(_known(mat["cards"]))
    gain = "/".join(token or _NOTHING for token in mat["gain"])
    return f"{MATS[mat['mat']]} {cards} {gain}"


def _both_counts(tokens: Sequence[export.Counts]) -> str:
    return "/".join("-".join(str(own[kind]) for kind in _KINDS) for own in tokens)
