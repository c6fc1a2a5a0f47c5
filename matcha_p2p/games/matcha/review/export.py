"""What an export of Matcha has of its own (``review/export.py``)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import Export, HandNames
from matcha_p2p.games.matcha.review.sets import (
    UNKNOWN,
    Faces,
    PlayedSet,
    faces_of,
    played_sets,
)
from matcha_p2p.games.matcha.rules.history import Round
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table.events import GameEnded, TableLaid, Unopened
from matcha_p2p.games.matcha.table.forms import LEAVES
from matcha_p2p.games.matcha.table.steps import hand_of
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.games.plain import Form, form_of
from matcha_p2p.review.cards import Keys

_UNKNOWN_ASIDE: Final[Faces] = (None, None)


class ExportedSet(NamedTuple):
    """A set, and its rounds that have begun.

    hands: by seat and slot. aside: the cards that nobody holds. kept: by seat, the cards kept
    for the next set. null is a card that neither an open book nor a mat has shown.
    """

    laid: TableLaid
    hands: tuple[Faces, Faces]
    aside: Faces
    kept: tuple[Faces, Faces]
    rounds: tuple[Round, ...]


class ExportedMatcha(NamedTuple):
    """A game. open: by seat, whether the book is open, so that the seat's cards are known."""

    open: tuple[bool, bool]
    sets: tuple[ExportedSet, ...]


_GAME: Final[Form[ExportedMatcha]] = form_of(ExportedMatcha, LEAVES)


def parts(report: Report) -> ExportedMatcha:
    """Return the sets of a valid transcript."""
    keys = report.exposed
    sets = tuple(_exported(played, keys) for played in played_sets(report))
    return ExportedMatcha((Seat(0) in keys, Seat(1) in keys), sets)


def hands(report: Report) -> HandNames:
    """Return the hands of each set by slot, as far as open books or mats show the cards."""
    return [each["hands"] for each in _GAME.write(parts(report))["sets"]]


def unopened_cards(report: Report) -> Iterator[Unopened]:
    """Yield the laid cards that were never turned up, as far as open books show the cards."""
    for played in parts(report).sets:
        for each in played.rounds:
            for resolution in each.resolutions:
                for seat, slot in zip(SEATS, resolution.slots, strict=True):
                    face = None if slot is None else played.hands[seat][slot]
                    if not resolution.revealed and face is not None:
                        place = played.laid.number, each.number, seat, resolution.mat
                        yield Unopened(*place, face)


EXPORT: Final = Export(parts, _GAME, form_of(GameEnded, LEAVES), hands, unopened_cards)


def _exported(played: PlayedSet, keys: Keys) -> ExportedSet:
    first, second = (_hand(played, seat, keys) for seat in SEATS)
    game, aside = game_of(played.end), _UNKNOWN_ASIDE
    if played.dealt is not None and len(keys) == len(SEATS):
        aside = faces_of(played.dealt, "aside", keys)
    kept: tuple[Faces, Faces] = ((), ())
    if game.number != played.laid.number:  # else the choice is still open
        kept = _kept(first, game.hands[0]), _kept(second, game.hands[1])
    rounds = tuple(each for each in game.rounds if each.turns)
    return ExportedSet(played.laid, (first, second), aside, kept, rounds)


def _hand(played: PlayedSet, seat: Seat, keys: Keys) -> Faces:
    return UNKNOWN if played.held is None else faces_of(played.held, hand_of(seat), keys)


def _kept(hand: Faces, slots: frozenset[int]) -> Faces:
    return tuple(hand[slot] for slot in sorted(slots))
