"""A verified game as plain values, for other programs: the format ``tichu-game``, version 1.

{"format": "tichu-game", "v": 1, "variant": "300", "verdict": "COMPLETE", "rounds": [...],
 "result": {"winners", "how", "totals", "foul"} or null}

and each of ``rounds``

{"first", "dealt": [4 hands or null each], "gifts": [3 cards by each seat] or null, "hands":
 [4 hands, by place] or null, "actions": [...], "points": [a, b] or null, "totals"}

An action is [seat, name, ..] as in a log of the rules (``rules/log.py``): "grand", true or
false; "push"; "tichu"; "hold"; "pass"; "play", cards, what the Phoenix stands for or 0, wish
or 0; "gift", seat. A card is RA (suits R, G, B, K; 2 to 9, T, J, Q, K, A), or M, H, P, D. Hands
are those after the exchange; they are known once the round is over. What was dealt is known of
a seat with an open book, the gifts if all books are open.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypedDict, cast

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.front import HandNames
from matcha_p2p.games.plain import Plain
from matcha_p2p.games.tichu.events import GameEnded
from matcha_p2p.games.tichu.forms import END
from matcha_p2p.games.tichu.review.rounds import (
    Faces,
    Hands,
    MadeMove,
    PlayedRound,
    played_rounds,
)
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.games.tichu.rules.round import DEALT_FIRST, HAND, SEATS, seat_after

_GIFTS: Final = 3


class ExportedRound(TypedDict):
    """A round that has begun; see the module."""

    first: int
    dealt: list[list[str | None] | None]
    gifts: list[list[str | None]] | None
    hands: list[list[str | None]] | None
    actions: list[list[object]]
    points: list[int] | None
    totals: list[int]


class ExportedGame(TypedDict):
    """A game; see the module."""

    format: str
    v: int
    variant: str | None
    verdict: str
    rounds: list[ExportedRound]
    result: Plain


def exported(report: Report) -> ExportedGame:
    """Return the game of a valid transcript, ready for JSON."""
    end = report.result
    return {
        "format": "tichu-game",
        "v": 1,
        "variant": report.accepted[0].state.hellos[0].variant if report.accepted else None,
        "verdict": report.verdict.value,
        "rounds": [_exported(played) for played in played_rounds(report)],
        "result": END.write(end) if isinstance(end, GameEnded) else None,
    }


def hands(report: Report) -> HandNames:
    """Return the hands of each round after the exchange, as far as the round is over."""
    unknown: list[list[str | None]] = [[None] * HAND for _ in SEATS]
    return [each["hands"] or unknown for each in exported(report)["rounds"]]


def unopened_cards(report: Report) -> Iterator[Any]:
    """Yield nothing: after each round all cards lie open."""
    del report
    return iter(())


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
    return {
        "first": played.begun.first,
        "dealt": [None if hand is None else _names(hand) for hand in played.dealt],
        "gifts": None if played.gifts is None else [_names(gifts) for gifts in played.gifts],
        "hands": None if played.hands is None else [_names(hand) for hand in played.hands],
        "actions": [_named(it) for it in _actions(played, played.gifts)],
        "points": None if played.counted is None else list(played.counted),
        "totals": list(played.totals),
    }


def _named(action: list[object]) -> list[object]:
    """Return ``action`` with cards by name."""
    match action:
        case [seat, "push", *faces]:
            return [seat, "push", *(TEXTS[face] for face in faces if isinstance(face, int))]
        case [seat, "play", faces, wild, wish]:
            return [seat, "play", _names(cast("list[int]", faces)), wild, wish]
        case _:
            return action


def _names(faces: Iterable[Any]) -> list[str | None]:
    return [None if face is None else TEXTS[face] for face in faces]
