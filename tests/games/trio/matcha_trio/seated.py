"""What a seat of Trio knows, hears and reads (``matcha_p2p/games/game.py``)."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.games.exchange import BotExchange
from matcha_p2p.games.game import RESIGNED, Rules
from matcha_p2p.games.game_facts import GameFacts
from matcha_p2p.games.plain import form_of
from matcha_p2p.games.timing import Timing, forced_if_single
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.table import step
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table

from .steps import HAND, TEXTS, Face, Trick, Trio


class Met(NamedTuple):
    names: tuple[str, ...]


class HandSeen(NamedTuple):
    cards: tuple[Face, ...]


class Laid(NamedTuple):
    """taker: of the trick, if this card ends it."""

    seat: Seat
    card: Face
    taker: Seat | None


class GameEnded(NamedTuple):
    winners: tuple[Seat, ...]
    how: str
    points: tuple[int, ...] = ()


Event: TypeAlias = Met | HandSeen | Laid | GameEnded
EVENT: Final = form_of(Event)


class View(NamedTuple):
    """The knowledge of a seat. hand: the cards as dealt. held: the places not laid yet."""

    seat: Seat
    hand: tuple[Face, ...]
    held: tuple[int, ...]
    trick: Trick
    won: tuple[int, ...]

    def legal_moves(self) -> tuple[int, ...]:
        return self.held

    def timing(self) -> Timing:
        return forced_if_single(self.held)


class Notation:
    def text_of(self, seen: View, move: int, /) -> str:
        return TEXTS[seen.hand[move]]

    def read(self, seen: View, text: str, /) -> int:
        return seen.held[self.listed(seen).index(text)]  # ValueError

    def listed(self, seen: View, /) -> list[str]:
        return [self.text_of(seen, place) for place in seen.held]


def check(seen: View) -> None:
    """Raise a ValueError if the rules do not lead to ``seen``."""
    if len({*seen.hand}) != HAND or not seen.held or not {*seen.held} <= {*range(HAND)}:
        raise ValueError("no such hand")


EXCHANGE: Final = BotExchange(("one",), lambda _: "one", form_of(View), Notation(), check)


class TrioRules(Rules):
    def begun(self, table: Table) -> int:
        return int(self.state(table).stage in ("play", "over"))

    def hand(self, player: Player, table: Table) -> tuple[int, ...]:
        faces = player.faces(table, f"hand {player.seat}") if self.begun(table) else ()
        return tuple(face for face in faces if face is not None)

    def look(self, player: Player, table: Table, told: Sequence[Event]) -> View:
        game, seat = self.state(table), player.seat
        return View(seat, self.hand(player, table), game.held[seat], game.trick, game.won)

    def ended(self, table: Table, resigned: Seat | None) -> GameEnded | None:
        if resigned is not None:
            return GameEnded(tuple(s for s in table.seats if s != resigned), RESIGNED)
        game = self.state(table)
        return GameEnded(game.result(), "tricks", game.won) if game.stage == "over" else None

    def told(
        self, events: Sequence[step.TableEvent], player: Player | None = None
    ) -> tuple[Event, ...]:
        return tuple(told for event in events for told in self._told(event, player))

    def _told(self, event: step.TableEvent, player: Player | None) -> Iterator[Event]:
        match event:
            case step.AllGreeted(table):
                yield Met(tuple(hello.name for hello in table.hellos))
            case step.Taken(before, _, _, after) if before.game != after.game:
                old, new = self.state(before), self.state(after)
                if player is not None and self.begun(after) > self.begun(before):
                    yield HandSeen(self.hand(player, after))
                if new.held != old.held:
                    card = after.piles[f"hand {old.mover}"][old.place].face
                    yield Laid(old.mover, card, new.mover if new.won != old.won else None)
                if (end := self.ended(after, None)) is not None:
                    yield end


RULES: Final = TrioRules()

HOWS: Final = {"tricks": Sentence("with the most tricks"), RESIGNED: Sentence("by resignation")}


class SeatWords:
    hides = False

    def __init__(self, seat: Seat) -> None:
        self.seat, self.name = seat, ""
        self._names: tuple[str, ...] = ()

    def name_of(self, seat: Seat) -> str:
        return self._names[seat]

    def tell(self, event: Event, game: Trio) -> list[str]:
        match event:
            case Met(names):
                return self.take_up(game, names, ())
            case HandSeen(cards):
                return [f"Your cards: {' '.join(TEXTS[card] for card in cards)}."]
            case Laid(seat, card, None):
                return [f"{self._names[seat]} lays {TEXTS[card]}."]
            case Laid(seat, card, taker):
                return [f"{self._names[seat]} lays {TEXTS[card]}; {self._names[taker]} takes."]
            case GameEnded(winners, how):
                won = " and ".join(self._names[seat] for seat in winners)
                return [f"{won} won, {HOWS[how]()}."]

    def take_up(self, game: Trio, names: tuple[str, ...], hand: tuple[int, ...]) -> list[str]:
        self._names = names
        self.name = " and ".join(name for at, name in enumerate(names) if at != self.seat)
        return [f"You play {self.name}.", *(self.tell(HandSeen(hand), game) if hand else [])]

    def uncover(self, cards: Sequence[int]) -> list[str]:
        return []


words = SeatWords


def facts(seat: Seat | None) -> GameFacts:
    return GameFacts(seat, lambda _: EVENT, EXCHANGE.notation.listed, form_of(tuple[Face, ...]))
