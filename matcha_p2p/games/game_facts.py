"""The facts of any game, for programs: the events in their plain form."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from matcha_p2p.games.game import Event, Fact, GameState, Unopened
from matcha_p2p.games.plain import Form
from matcha_p2p.seats import Seat


class GameFacts:
    """Turns the events of one game into facts for ``seat``. seat: None for a watcher.

    events: the form of the events in a state. listed: the legal moves of a view, as text. hand:
    the form of a hand. unopened: of a card that was never turned up; None in a game without.
    """

    def __init__(
        self,
        seat: Seat | None,
        events: Callable[[GameState], Form[Event]],
        listed: Callable[[Any], list[str]],
        hand: Form[tuple[Any, ...]],
        unopened: Form[Unopened] | None = None,
    ) -> None:
        self._seat: Final = seat
        self.events: Final = events
        self._hand: Final = hand
        self._unopened: Final = unopened
        self.moves: Final = listed

    def tell(self, event: Event, game: GameState) -> Fact:
        """Return ``event`` as a fact. game: the game after the event."""
        fields: dict[str, object] = self.events(game).write(event)
        kind = str(fields.pop("kind"))
        return kind, {**fields, "seat": self._seat} if kind == "met" else fields

    def take_up(self, hand: tuple[Any, ...]) -> list[str]:
        """Return the cards of the hand, when a game goes on."""
        cards: list[str] = self._hand.write(hand)
        return cards

    def uncover(self, cards: Sequence[Unopened]) -> list[dict[str, object]]:
        """Return the fields of each card that was never turned up."""
        return [] if self._unopened is None else [self._unopened.write(card) for card in cards]
