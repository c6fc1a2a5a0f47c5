"""A game as text that reads like the score of a chess game: protocol/notation.md."""

from collections.abc import Iterable, Iterator
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.game import GAME
from matcha_p2p.games.matcha.review.export import ExportedSet, parts
from matcha_p2p.games.matcha.review.sets import Faces
from matcha_p2p.games.matcha.rules.history import Resolution, Turn
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.events import GameEnded
from matcha_p2p.review.export import variant_of

_UNKNOWN: Final = "?"
_NOTHING: Final = "-"
_GAP: Final = "  "


def text_of(report: Report) -> str:
    """Return a verified game as text."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    opened, sets = parts(report)
    yield "matcha-game 1"
    yield f"edition {variant_of(GAME, report) or _NOTHING}"
    yield f"verdict {report.verdict.value}"
    yield f"dealer {sets[0].laid.dealer if sets else _NOTHING}"
    yield _joined("open", (str(seat) for seat in SEATS if opened[seat]))
    for played in sets:
        yield ""
        yield from _set_lines(played)
    if isinstance(report.result, GameEnded):
        winner = "".join(map(str, report.result.winners)) or _NOTHING
        yield ""
        yield f"result {winner} {report.result.how.value} {_counts(report.result.tokens)}"


def _set_lines(played: ExportedSet) -> Iterator[str]:
    yield f"set {played.laid.dealer} {played.laid.zeros_met}"
    yield _joined("table", _cards(played.laid.table))
    for seat, hand in enumerate(played.hands):
        yield _joined(f"hand {seat}", _cards(hand))
    yield _joined("aside", _cards(played.aside))
    for each in played.rounds:
        turns = " ".join([f"{each.number}.", *(_turn(it, played) for it in each.turns)])
        mats = (_mat(it, played) for it in each.resolutions)
        yield _GAP.join([turns, *mats, _counts(each.tokens)])
    for seat, kept in enumerate(played.kept):
        yield _joined(f"kept {seat}", _cards(kept))


def _joined(first: str, words: Iterable[str]) -> str:
    return " ".join([first, *words])


def _cards(faces: Faces) -> list[str]:
    return [_UNKNOWN if face is None else face.name for face in faces]


def _turn(turn: Turn, played: ExportedSet) -> str:
    match turn.move:
        case Play(mat, slot):
            return f"{turn.seat}.{_cards(played.hands[turn.seat])[slot]}{MATS[mat]}"
        case _:
            return f"{turn.seat}.{'(p)' if turn.auto else 'p'}"


def _mat(resolution: Resolution, played: ExportedSet) -> str:
    laid = zip(played.hands, resolution.slots, strict=True)
    cards = [_UNKNOWN if slot is None else _cards(hand)[slot] for hand, slot in laid]
    gain = "/".join(_NOTHING if it is None else it.letter for it in resolution.gain)
    return f"{MATS[resolution.mat]} {(':' if resolution.revealed else '|').join(cards)} {gain}"


def _counts(tokens: tuple[Tokens, Tokens]) -> str:
    return "/".join("-".join(map(str, own)) for own in tokens)
