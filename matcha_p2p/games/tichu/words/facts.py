"""The facts of a game of Tichu, for programs (``games/game.py``, ``narration/facts.py``).

    met          game (id, hex), variant, names (by seat), seat (our own, null if we watch)
    shuffled     seat, label (mix, give or own)
    begun        round, first (who is asked first)
    hand         cards (our own, by place: first 8, then 14)
    gave         cards (to the next seat, the partner, the seat before)
    got          places (in the next hand, of what these three have given)
    called       seat, points
    shown        seat: it has the Mah Jong
    laid         seat, cards, wild (what the Phoenix stands for, or 0), wish (or 0), leads
    passed       seat
    trick        seat, cards, points, giver (who gave it away, or the same seat)
    out          seat, place (1 to 4)
    round        number, points (by team), totals
    result       winners, how (points, foul or resigned), totals, foul (seat or null)

Team 0 are seats 0 and 2. A card is RA for the red ace (suits R, G, B, K; 2 to 9, T, J, Q, K,
A), or M, H, P, D. A move is what line mode reads (``rules/notation.py``).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from matcha_p2p.games.game import Fact
from matcha_p2p.games.tichu import events
from matcha_p2p.games.tichu.rules.cards import TEXTS, points
from matcha_p2p.games.tichu.rules.notation import listed
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.steps import Tichu
from matcha_p2p.seats import Seat


class SeatFacts:
    """Turns what happens in one game into facts for ``seat``. seat: None for a watcher."""

    def __init__(self, seat: Seat | None) -> None:
        self._seat: Final = seat

    def tell(self, event: events.TichuEvent, game: Tichu) -> Fact:
        """Return ``event`` as a fact. game: the game after it."""
        del game
        match event:
            case events.Met(gid, variant, names):
                met = {"game": gid.hex(), "variant": variant, "names": list(names)}
                return "met", {**met, "seat": self._seat}
            case events.Shuffled(seat, label):
                return "shuffled", {"seat": seat, "label": label}
            case events.RoundBegun(number, first):
                return "begun", {"round": number, "first": first}
            case events.HandSeen(faces):
                return "hand", {"cards": self.take_up(faces)}
            case events.GiftsGiven(faces):
                return "gave", {"cards": _names(faces)}
            case events.GiftsPlaced(places):
                return "got", {"places": list(places)}
            case events.RoundCounted(number, gained, totals):
                both = {"points": list(gained), "totals": list(totals)}
                return "round", {"number": number, **both}
            case events.GameEnded(winners, how, totals, foul):
                end = {"winners": list(winners), "how": how, "totals": list(totals)}
                return "result", {**end, "foul": foul}
            case _:
                return _of_tricks(event)

    def moves(self, view: Observation) -> list[str]:
        """Return the moves among which the seat chooses, as line mode reads them."""
        return listed(view)

    def take_up(self, hand: tuple[int, ...]) -> list[str]:
        """Return the cards of the hand, when a game goes on."""
        return _names(hand)

    def uncover(self, cards: Sequence[Any]) -> list[dict[str, object]]:
        """Return nothing: after each round all cards lie open."""
        del cards
        return []


def _of_tricks(
    event: events.Called
    | events.MahJongShown
    | Laid
    | events.TurnPassed
    | events.TrickTaken
    | events.WentOut,
) -> Fact:
    match event:
        case events.Called(seat, worth):
            return "called", {"seat": seat, "points": worth}
        case events.MahJongShown(seat):
            return "shown", {"seat": seat}
        case Laid(seat, faces, wild, wish, leads):
            laid = {"wild": wild, "wish": wish, "leads": leads}
            return "laid", {"seat": seat, "cards": _names(faces), **laid}
        case events.TurnPassed(seat):
            return "passed", {"seat": seat}
        case events.TrickTaken(seat, faces, giver):
            trick = {"cards": _names(faces), "points": points(faces), "giver": giver}
            return "trick", {"seat": seat, **trick}
        case events.WentOut(seat, rank):
            return "out", {"seat": seat, "place": rank + 1}


def _names(faces: Iterable[int]) -> list[str]:
    return [TEXTS[face] for face in faces]
