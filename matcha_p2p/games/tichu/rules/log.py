"""Plays the log of rounds with open hands, one after the other (T35)."""

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from matcha_p2p.errors import TranscriptError
from matcha_p2p.games import plain
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.audit import audit, holder
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, Ask, Round, Variant
from matcha_p2p.games.tichu.rules.scoring import score
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

_Face: TypeAlias = Annotated[int, plain.number(0, len(FACES) - 1)]
_SEAT: Final[plain.Leaves] = {Seat: plain.number(0, len(SEATS) - 1)}
_ACTIONS: Final[dict[str, plain.Form[Any]]] = {
    name: plain.form_of(row, _SEAT)
    for name, row in {
        "grand": tuple[Seat, str, bool],
        "push": tuple[Seat, str, _Face, _Face, _Face],
        "tichu": tuple[Seat, str],
        "hold": tuple[Seat, str],
        "pass": tuple[Seat, str],
        "play": tuple[Seat, str, tuple[_Face, ...], int, int],
        "gift": tuple[Seat, str, Seat],
    }.items()
}
"""The form of each action, by its name."""


class _Header(NamedTuple):
    """The first line of a round. windows: whether they are open after every action."""

    deck: Annotated[tuple[_Face, ...], plain.sized(len(FACES))]
    first: Seat
    windows: Annotated[bool, plain.choice({"every": True, "plays": False})]
    late_tichu: bool


_HEADER: Final[plain.Form[_Header]] = plain.form_of(_Header, _SEAT)
_DECKS_FIRST: Final = 4 * rules.DEALT_FIRST


def play_log(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """Yield what each action of a log has led to, and at the end the score or the foul.

    A round that is over may be followed by the header of another one. Lines are numbered from
    1. A log that ends early has no last value.

    Raises:
        TranscriptError: a line is not of the form that T35 gives.
    """
    numbered = enumerate(lines, 1)
    log = _Log(next(numbered, (1, ""))[1])
    for number, text in numbered:
        if log.state.is_over and text.lstrip().startswith("{"):
            yield log.outcome()
            log = _Log(text, number)
            continue
        try:
            log.act(number, *_action(number, text))
        except RefusedError as refused:
            yield {"line": number, "refused": refused.rule}
        else:
            yield log.told(number)
    if log.state.is_over:
        yield log.outcome()


class _Log:
    """A round with all hands known."""

    def __init__(self, header: str, line: int = 1) -> None:
        faces, first, *variant = _header(header, line)
        self.state: Round = rules.new_round(Variant(*variant), first)
        self._hands = [
            [
                *faces[8 * seat : 8 * seat + 8],
                *faces[_DECKS_FIRST + 6 * seat : _DECKS_FIRST + 6 * seat + 6],
            ]
            for seat in SEATS
        ]
        self._pushed: dict[Seat, list[int]] = {}
        self._lines: list[int] = []  # of each turn in ``Round.passed``

    def act(self, line: int, seat: Seat, name: str, fields: list[Any]) -> None:
        """Take an action.

        Raises:
            RefusedError: the rules forbid it.
        """
        match name, fields:
            case "grand", [called]:
                self.state = rules.grand(self.state, seat, called=called)
            case "push", _:
                self._push(seat, fields)
            case "tichu", _:
                self.state = rules.call_tichu(self.state, seat)
            case "hold", _:
                self.state = rules.hold(self.state, seat)
            case "pass", _:
                self.state = rules.pass_turn(self.state, seat)
            case "gift", [receiver]:
                self.state = rules.gift(self.state, seat, receiver)
            case _:
                self._play(seat, *fields)
        if len(self.state.passed) > len(self._lines):
            self._lines.append(line)

    def _push(self, seat: Seat, faces: list[int]) -> None:
        state = rules.push(self.state, seat)
        if len(set(faces)) != 3 or not set(faces) <= set(self._hands[seat]):
            raise RefusedError("T11", Sentence("Three cards of the own hand are given away."))
        self.state = state
        self._pushed[seat] = faces
        if state.asked[0][1] is not Ask.CALL:
            return
        for giver, given in self._pushed.items():
            for steps, face in enumerate(given, 1):
                self._hands[giver].remove(face)
                self._hands[rules.seat_after(giver, steps)].append(face)
        self.state = rules.lead(state, holder(self._hands))

    def _play(self, seat: Seat, faces: tuple[int, ...], wild: int, wish: int) -> None:
        hand = self._hands[seat]
        places = [hand.index(face) if face in hand else HAND for face in faces]
        if len(set(faces)) < len(faces):
            places = [HAND] * len(faces)  # a card is there once
        laid = dict(zip(places, faces, strict=True))
        self.state = rules.play(self.state, seat, laid, wild, wish)

    def told(self, line: int) -> dict[str, object]:
        """Return where the round stands after an action."""
        state = self.state
        return {
            "line": line,
            "speaker": state.speaker,
            "sizes": [len(held) for held in state.held],
            "wish": state.wish,
            "called": state.calls,
            "order": state.out,
        }

    def outcome(self) -> dict[str, object]:
        """Return what the round counts, or the first foul and its line."""
        foul = audit(self.state, self._hands)
        if foul is not None:
            return {"foul": [foul.seat, self._lines[foul.turn]]}
        hands = zip(self._hands, self.state.held, strict=True)
        left = [sorted(hand[place] for place in held) for hand, held in hands]
        return {"score": score(self.state), "won": self.state.won, "left": left}


def _header(text: str, line: int) -> _Header:
    try:
        given = json.loads(text)
        found = _HEADER.read(given)
    except (ValueError, RecursionError):
        raise _malformed(line) from None
    names = {*given} - ({"gifts"} if given.get("gifts") == "unknown" else set())
    if len(names) != len(found) or len({*found.deck}) < len(FACES):
        raise _malformed(line)
    return found


def _action(line: int, text: str) -> tuple[Seat, str, list[Any]]:
    """Return who does what in a line of a log."""
    try:
        given = json.loads(text)
        seat, name, *fields = _ACTIONS[given[1]].read(given)
    except (ValueError, LookupError, TypeError, RecursionError):
        raise _malformed(line) from None
    return seat, name, fields


def _malformed(line: int) -> TranscriptError:
    return TranscriptError(
        "Line {line} of the log is malformed.", code="log-malformed", line=line
    )
