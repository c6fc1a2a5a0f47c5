"""What happens in a game of Tichu, in sentences that call each player by name."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.games.tichu.rules.round import SEATS, TEAMS
from matcha_p2p.games.tichu.rules.scoring import Points
from matcha_p2p.games.tichu.table.events import GameEnded, TichuEvent
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.words import round_sentences as said
from matcha_p2p.games.tichu.words.card_words import hand_text
from matcha_p2p.games.tichu.words.seat_words import SeatWords
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

COUNTED: Final = Sentence(
    "Round {number}: {first} and {partner} {mine}, {right} and {left} {other}."
)
TOTALS: Final = Sentence("Points: {first} and {partner} {mine}, {right} and {left} {other}.")
RESIGNED_ONE: Final = Sentence("{right} and {left} win: the other team has conceded.")
HOLDS: Final = Sentence("{name} holds {cards}.")

_FOR_ALL: Final = {said.COUNTED: COUNTED, said.TOTALS: TOTALS}


class Onlooker(SeatWords):
    """Tells a game to somebody without a seat. names: by seat.

    front: the seat from whose side the onlooker sees the table.
    """

    def __init__(self, names: tuple[str, ...], front: Seat = SEATS[0]) -> None:
        super().__init__(Seat(front - len(SEATS)))  # the same place, and no seat
        self._names: Final = names
        self._meet(names)

    def name_of(self, seat: Seat) -> str:
        """Return the name of ``seat``."""
        return self._names[seat]

    def tell(self, event: TichuEvent, game: Tichu) -> list[str]:
        """Return what has happened, a sentence a line. game: the game after ``event``."""
        match event:
            case GameEnded(winners=(first, second), how=how) if how == RESIGNED:
                right, left = self._names[first], self._names[second]
                return [RESIGNED_ONE(right=right, left=left)]
            case _:
                return super().tell(event, game)

    def tell_hands(self, hands: tuple[tuple[int, ...], ...]) -> list[str]:
        """Return the cards of each seat that has some."""
        return [
            HOLDS(name=name, cards=hand_text(hand))
            for name, hand in zip(self._names, hands, strict=True)
            if hand
        ]

    def _say_of_team(
        self, team: Sequence[Seat], yours: Sentence, theirs: Sentence, **fields: object
    ) -> str:
        del yours
        first, second = TEAMS[team[0] % 2]
        return theirs(right=self._names[first], left=self._names[second], **fields)

    def _both(self, sentence: Sentence, both: Points, **fields: object) -> str:
        front = self.seat % len(SEATS)
        mine, other = both if front % 2 == 0 else both[::-1]
        return _FOR_ALL[sentence](
            first=self._names[front],
            mine=mine,
            other=other,
            **self.around._asdict(),
            **fields,
        )
