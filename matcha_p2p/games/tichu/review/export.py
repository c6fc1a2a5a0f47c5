"""What an export of Tichu has of its own (``review/export.py``)."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import Export, HandNames
from matcha_p2p.games.plain import Form, Leaves, form_of
from matcha_p2p.games.tichu.review.rounds import (
    Faces,
    Hands,
    MadeMove,
    PlayedRound,
    played_rounds,
)
from matcha_p2p.games.tichu.rules.cards import TEXTS, Face
from matcha_p2p.games.tichu.rules.round import DEALT_FIRST, HAND, SEATS, seat_after
from matcha_p2p.games.tichu.rules.scoring import Points
from matcha_p2p.games.tichu.table.forms import END
from matcha_p2p.seats import Seat

_GIFTS: Final = 3

Hand: TypeAlias = tuple[Face, ...]


NamedAction: TypeAlias = list[Any]
_LEAVES: Final[Leaves] = {
    NamedAction: Form(list, list, {"title": "Action", "type": "array", "minItems": 2})
}


class ExportedRound(NamedTuple):
    """A round that has begun.

    dealt: by seat the hand before the exchange, known of a seat with an open book. gifts: by
    seat the cards to the next, the partner, the one before, known if all books are open. hands:
    by seat and place, after the exchange; known once the round is over. actions: [seat, name,
    ..] as in a log of the rules (protocol/notation.md), with cards by name. points: of the
    teams; null after a foul, and while the round is in play.
    """

    first: Seat
    dealt: tuple[Hand | None, ...]
    gifts: tuple[Hand, ...] | None
    hands: tuple[Hand, ...] | None
    actions: tuple[NamedAction, ...]
    points: Points | None
    totals: Points


class ExportedTichu(NamedTuple):
    """A game."""

    rounds: tuple[ExportedRound, ...]


_GAME: Final[Form[ExportedTichu]] = form_of(ExportedTichu, _LEAVES)


def parts(report: Report) -> ExportedTichu:
    """Return the rounds of a valid transcript."""
    return ExportedTichu(tuple(map(_exported, played_rounds(report))))


def hands(report: Report) -> HandNames:
    """Return the hands of each round after the exchange, as far as the round is over."""
    unknown: list[list[str | None]] = [[None] * HAND for _ in SEATS]
    return [each["hands"] or unknown for each in _GAME.write(parts(report))["rounds"]]


EXPORT: Final = Export(parts, _GAME, END, hands)


def logs(report: Report) -> Iterator[list[object]]:
    """Yield the log of each round that is over (``rules/log.py``), its header first.

    If the gifts are not known, the header says so, and what each got is made up of the lowest
    cards that it held afterwards. The rules ask about no gift, so they judge the round alike.
    """
    for played in played_rounds(report):
        if played.hands is not None:
            yield _log(played, played.hands)


def _log(played: PlayedRound, hands: Hands) -> list[object]:
    gifts, before = played.gifts, [each for each in played.dealt if each is not None]
    unknown = {} if gifts is not None and len(before) == len(SEATS) else {"gifts": "unknown"}
    if gifts is None or unknown:
        got = [sorted(hand)[:_GIFTS] for hand in hands]
        gifts = tuple(
            tuple(got[seat_after(giver, steps)][_GIFTS - steps] for steps in (1, 2, 3))
            for giver in SEATS
        )
        before = [
            (*(face for face in hands[seat] if face not in got[seat]), *gifts[seat])
            for seat in SEATS
        ]
    deck = [face for hand in before for face in hand[:DEALT_FIRST]]
    deck += [face for hand in before for face in hand[DEALT_FIRST:HAND]]
    windows, late = played.begun.parameters
    header = {
        "deck": deck,
        "first": played.begun.first,
        "windows": "every" if windows else "plays",
        "late_tichu": late,
        **unknown,
    }
    return [header, *_actions(played, gifts)]


def _actions(played: PlayedRound, gifts: Hands | None) -> Iterator[list[object]]:
    faces = played.faces
    for said in played.said:
        yield from _action(said, faces, gifts)


def _action(said: MadeMove, hands: Faces, gifts: Hands | None) -> Iterator[list[object]]:
    """Yield what a move is in a log: a call of Tichu stands before it."""
    seat = said.seat
    match said.move:
        case ("grand", called):
            yield [seat, "grand", bool(called)]
        case ("gift", receiver):
            yield [seat, "gift", receiver]
        case (str(name), tichu, *fields):
            if tichu:
                yield [seat, "tichu"]
            match name, fields:
                case "give", _:
                    yield [seat, "push", *(() if gifts is None else gifts[seat])]
                case "lay", [int(wild), int(wish), int(mask)]:
                    places = [place for place in range(HAND) if mask >> place & 1]
                    yield [seat, "play", [hands[seat][place] for place in places], wild, wish]
                case "pass", _:
                    yield [seat, "pass"]
                case _:  # also who shows the Mah Jong has answered the question before the lead
                    yield [seat, "hold"]
        case _:
            raise RuntimeError(f"{said.move} is no move of Tichu")


def _exported(played: PlayedRound) -> ExportedRound:
    return ExportedRound(
        played.begun.first,
        played.dealt,
        played.gifts,
        played.hands,
        tuple(map(_named, _actions(played, played.gifts))),
        played.counted,
        played.totals,
    )


def _named(action: list[Any]) -> list[Any]:
    """Return ``action`` with cards by name."""
    match action:
        case [seat, "push", *faces]:
            return [seat, "push", *map(TEXTS.__getitem__, faces)]
        case [seat, "play", faces, wild, wish]:
            names: list[str | None] = [None if face is None else TEXTS[face] for face in faces]
            return [seat, "play", names, wild, wish]
        case _:
            return action
