"""Plays the log of rounds with open hands, one after the other (T35)."""

import json
from collections.abc import Iterable, Iterator
from typing import Final, cast

from matcha_p2p.errors import TranscriptError
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.audit import audit, holder
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, Ask, Round, Variant
from matcha_p2p.games.tichu.rules.scoring import score
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

_FORMS: Final[dict[str, tuple[type, ...]]] = {
    "grand": (bool,),
    "push": (int, int, int),
    "tichu": (),
    "hold": (),
    "pass": (),
    "play": (list, int, int),
    "gift": (int,),
}
"""The fields of each action, after its seat and its name."""
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
        faces, first, variant = _header(header, line)
        self.state: Round = rules.new_round(variant, first)
        self._hands = [
            [
                *faces[8 * seat : 8 * seat + 8],
                *faces[_DECKS_FIRST + 6 * seat : _DECKS_FIRST + 6 * seat + 6],
            ]
            for seat in SEATS
        ]
        self._pushed: dict[Seat, list[int]] = {}
        self._lines: list[int] = []  # of each turn in ``Round.passed``

    def act(self, line: int, seat: Seat, name: str, fields: list[object]) -> None:
        """Take an action.

        Raises:
            RefusedError: the rules forbid it.
        """
        match name, fields:
            case "grand", [bool(called)]:
                self.state = rules.grand(self.state, seat, called=called)
            case "push", _:
                self._push(seat, cast("list[int]", fields))
            case "tichu", _:
                self.state = rules.call_tichu(self.state, seat)
            case "hold", _:
                self.state = rules.hold(self.state, seat)
            case "pass", _:
                self.state = rules.pass_turn(self.state, seat)
            case "gift", [int(receiver)]:
                self.state = rules.gift(self.state, seat, SEATS[receiver])
            case _:
                faces, wild, wish = cast("tuple[list[int], int, int]", fields)
                self._play(seat, faces, wild, wish)
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

    def _play(self, seat: Seat, faces: list[int], wild: int, wish: int) -> None:
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


def _header(text: str, line: int) -> tuple[list[int], Seat, Variant]:
    """Return the deck, the seat that is asked first, and the variant."""
    value = _json(line, text)
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    deck, first = _list(fields.get("deck")), fields.get("first")
    windows, late = fields.get("windows"), fields.get("late_tichu")
    sound = _is_deck(deck) and _is_seat(first) and windows in ("every", "plays")
    names = {*fields} - ({"gifts"} if fields.get("gifts") == "unknown" else set())
    if not sound or not isinstance(late, bool) or len(names) != 4:
        raise _malformed(line)
    variant = Variant(windows == "every", late)
    return cast("list[int]", deck), SEATS[cast("int", first)], variant


def _action(line: int, text: str) -> tuple[Seat, str, list[object]]:
    """Return who does what in a line of a log."""
    match _list(_json(line, text)):
        case [int(seat), str(name), *given] if _is_seat(seat) and name in _FORMS:
            if tuple(map(type, given)) != _FORMS[name] or not _are_fit(name, given):
                raise _malformed(line)
            return SEATS[seat], name, given
        case _:
            raise _malformed(line)


def _are_fit(name: str, fields: list[object]) -> bool:
    """Tell whether the faces and the seats of an action are ones that there are."""
    match name:
        case "push":
            return _are_faces(fields)
        case "play":
            return _are_faces(_list(fields[0]))
        case "gift":
            return _is_seat(fields[0])
        case _:
            return True


def _are_faces(values: list[object]) -> bool:
    return all(type(value) is int and value in FACES for value in values)


def _is_deck(values: list[object]) -> bool:
    return _are_faces(values) and len(values) == len(set(values)) == len(FACES)


def _is_seat(value: object) -> bool:
    return type(value) is int and value in SEATS


def _list(value: object) -> list[object]:
    """Return ``value`` if it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def _json(line: int, text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        raise _malformed(line) from None


def _malformed(line: int) -> TranscriptError:
    return TranscriptError(
        "Line {line} of the log is malformed.", code="log-malformed", line=line
    )
