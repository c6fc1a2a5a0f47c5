"""The course of a game as facts for programs: what --json prints of it."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from matcha_p2p.line import LineDown, LineEnded, LineQuiet, LineUp
from matcha_p2p.machine.events import (
    Event,
    GameEnded,
    HandsDealt,
    Kept,
    Met,
    Passed,
    Placed,
    RoundResolved,
    Shuffled,
    TableLaid,
)
from matcha_p2p.news import (
    Exposed,
    HandSeen,
    LineChanged,
    MoveDue,
    News,
    TakenUp,
    TalkHeard,
    Told,
)
from matcha_p2p.rules.cards import Face, Token
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.moves import Seat
from matcha_p2p.rules.notation import move_text
from matcha_p2p.rules.record import Resolution, slot_at
from matcha_p2p.rules.scoring import Tokens

Fact: TypeAlias = tuple[str, dict[str, object]]
"""The name of an event, and its fields."""


class FactTeller:
    """Turns the news that ``seat`` receives into facts."""

    def __init__(self, seat: Seat) -> None:
        self._seat: Final = seat
        self._hand: tuple[Face, ...] = ()

    def tell(self, news: News) -> Fact:  # noqa: PLR0911 -- a line a kind
        """Return the fact that ``news`` is."""
        match news:
            case Told(event, game):
                return self._tell_event(event, game)
            case HandSeen(faces):
                self._hand = faces
                return "hand", {"cards": _names(faces)}
            case MoveDue(observation):
                return "due", {"moves": [move_text(m) for m in observation.legal_moves()]}
            case TalkHeard(text):
                return "talk", {"text": text}
            case Exposed(seat):
                return "exposed", {"seat": seat}
            case LineChanged(change):
                return "line", _line(change)
            case TakenUp(_, _, hand):
                self._hand = hand
                return "taken-up", {"hand": _names(hand)}

    def _tell_event(  # noqa: PLR0911 -- a line an event
        self, event: Event, game: Game
    ) -> Fact:
        match event:
            case Met(gid, edition, names):
                return "met", {
                    "game": gid.hex(),
                    "edition": edition.name,
                    "names": list(names),
                    "seat": self._seat,
                }
            case Shuffled(seat, label):
                return "shuffled", {"seat": seat, "label": label}
            case TableLaid(number, dealer, table, zeros_met):
                return "table", {
                    "set": number,
                    "dealer": dealer,
                    "table": _names(table),
                    "zeros_met": zeros_met,
                }
            case HandsDealt():
                return "dealt", {}
            case Placed(seat, mat):
                return "placed", {"seat": seat, "mat": mat, "card": self._laid(seat, mat, game)}
            case Passed(seat, auto):
                return "passed", {"seat": seat, "auto": auto}
            case RoundResolved(played):
                mats = [_mat(resolution) for resolution in played.resolutions]
                return "round", {
                    "number": played.number,
                    "mats": mats,
                    "tokens": _tokens(played.tokens),
                }
            case Kept(counts):
                return "kept", {"counts": list(counts)}
            case GameEnded(ended, tokens):
                return "result", {
                    "winner": ended.winner,
                    "how": ended.how.value,
                    "tokens": _tokens(tokens),
                }

    def _laid(self, seat: Seat, mat: int, game: Game) -> str | None:
        """Return the card that was laid, if it is our own."""
        slot = slot_at(game.rounds[mat // 2].turns, seat, mat)
        return self._hand[slot].name if seat == self._seat and slot is not None else None


def _mat(resolution: Resolution) -> dict[str, object]:
    return {
        "mat": resolution.mat,
        "cards": [None if card is None else card.name for card in resolution.cards],
        "laid": [slot is not None for slot in resolution.slots],
        "revealed": resolution.revealed,
        "gain": [None if token is None else token.letter for token in resolution.gain],
    }


def _line(change: LineUp | LineQuiet | LineDown | LineEnded) -> dict[str, object]:
    match change:
        case LineUp():
            return {"state": "up", "why": None}
        case LineQuiet(seconds):
            return {"state": "quiet", "why": f"Nothing has come for {seconds:.0f} s."}
        case LineDown(why) | LineEnded(why):
            return {"state": "down", "why": why}


def _names(faces: Iterable[Face]) -> list[str]:
    return [face.name for face in faces]


def _tokens(tokens: tuple[Tokens, Tokens]) -> list[dict[str, int]]:
    return [{token.letter: own[token] for token in Token} for own in tokens]
