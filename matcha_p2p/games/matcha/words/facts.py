"""The facts of a game of Matcha, for programs (``games/game.py``, ``narration/facts.py``).

    met          game (id, hex), edition, names (by seat), seat (our own, null if we watch)
    shuffled     seat, label (mix, deal or own)
    table        set, dealer, table (six cards), zeros_met
    dealt
    hand         cards (our own, by slot)
    placed       seat, mat, card (null if it is not our own)
    passed       seat, auto
    round        number, mats (mat, cards, laid, revealed, gain), tokens
    kept         counts
    result       winner, how, tokens

A move is "2b" (card 2 to mat b), "p" (pass) or "k14" (keep 1, 4). A card that was taken
unopened has set, round, seat, mat, card.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from matcha_p2p.games.game import Fact
from matcha_p2p.games.matcha import events
from matcha_p2p.games.matcha.rules.cards import Face, Token
from matcha_p2p.games.matcha.rules.history import Resolution
from matcha_p2p.games.matcha.rules.notation import listed
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.rules.state import GameState


class SeatFacts:
    """Turns the events of one game into facts for ``seat``. seat: None for a watcher."""

    def __init__(self, seat: Seat | None) -> None:
        self._seat: Final = seat
        self._hand: tuple[Face, ...] = ()

    def tell(self, event: events.Event, game: GameState) -> Fact:
        """Return ``event`` as a fact. game: the game after the event."""
        match event:
            case events.Met(gid, edition, names):
                return "met", {
                    "game": gid.hex(),
                    "edition": edition.name,
                    "names": list(names),
                    "seat": self._seat,
                }
            case events.Shuffled(seat, label):
                return "shuffled", {"seat": seat, "label": label}
            case events.TableLaid(number, dealer, table, zeros_met):
                return "table", {
                    "set": number,
                    "dealer": dealer,
                    "table": _names(table),
                    "zeros_met": zeros_met,
                }
            case events.HandsDealt() | events.HandSeen():
                return self._tell_hand(event)
            case events.Placed(seat, mat):
                return "placed", {"seat": seat, "mat": mat, "card": self._laid(seat, mat, game)}
            case events.Passed(seat, auto):
                return "passed", {"seat": seat, "auto": auto}
            case events.RoundResolved(played):
                mats = [_mat(resolution) for resolution in played.resolutions]
                return "round", {
                    "number": played.number,
                    "mats": mats,
                    "tokens": _tokens(played.tokens),
                }
            case events.Kept(counts):
                return "kept", {"counts": list(counts)}
            case events.GameEnded(ended, tokens):
                return "result", {
                    "winner": ended.winner,
                    "how": ended.how.value,
                    "tokens": _tokens(tokens),
                }

    def _tell_hand(self, event: events.HandsDealt | events.HandSeen) -> Fact:
        match event:
            case events.HandsDealt():
                return "dealt", {}
            case events.HandSeen(faces):
                self._hand = faces
                return "hand", {"cards": _names(faces)}

    def _laid(self, seat: Seat, mat: int, game: GameState) -> str | None:
        """Return the card that was laid, if the card is our own."""
        slot = game.rounds[mat // 2].slot_at(seat, mat)
        return self._hand[slot].name if seat == self._seat and slot is not None else None

    def moves(self, view: Observation) -> list[str]:
        """Return the moves among which the seat chooses, as line mode reads them."""
        return listed(view)

    def take_up(self, hand: tuple[Face, ...]) -> list[str]:
        """Return the cards of the hand, when a game goes on."""
        self._hand = hand
        return _names(hand)

    def uncover(self, cards: Sequence[events.Unopened]) -> list[dict[str, object]]:
        """Return the fields of each card."""
        return [_unopened(card) for card in cards]


def _mat(resolution: Resolution) -> dict[str, object]:
    return {
        "mat": resolution.mat,
        "cards": [None if card is None else card.name for card in resolution.cards],
        "laid": [slot is not None for slot in resolution.slots],
        "revealed": resolution.revealed,
        "gain": [None if token is None else token.letter for token in resolution.gain],
    }


def _unopened(card: events.Unopened) -> dict[str, object]:
    return {
        "set": card.number,
        "round": card.round,
        "seat": card.seat,
        "mat": card.mat,
        "card": card.face.name,
    }


def _names(faces: Iterable[Face]) -> list[str]:
    return [face.name for face in faces]


def _tokens(tokens: tuple[Tokens, Tokens]) -> list[dict[str, int]]:
    return [{token.letter: own[token] for token in Token} for own in tokens]
