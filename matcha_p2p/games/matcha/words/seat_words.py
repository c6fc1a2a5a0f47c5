"""The events of a game of Matcha, in sentences for a player (``games/game.py``)."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table.events import Event, HandSeen, Met, TableLaid, Unopened
from matcha_p2p.games.matcha.words import game_sentences as said
from matcha_p2p.games.matcha.words.narrator import mats_of, narrate, point_of_view
from matcha_p2p.games.matcha.words.words import card_words, numbered


class SeatWords:
    """Tells ``seat`` one game. name: of the other player. hand: the cards of ``seat``."""

    hides = True

    def __init__(self, seat: Seat, name: str = "", hand: tuple[Face, ...] = ()) -> None:
        self.seat: Final = seat
        self.name = name
        self.hand = hand

    def name_of(self, seat: Seat) -> str:
        """Return the name of the other seat."""
        del seat
        return self.name

    def tell(self, event: Event, game: GameState) -> list[str]:
        """Return the sentences about ``event``, a sentence a line.

        game: the game after ``event``.
        """
        match event:
            case Met(names=names):
                self.name = names[opposite(self.seat)]
            case TableLaid():
                self.hand = ()  # the new one is not dealt yet
            case HandSeen(faces):
                self.hand = faces
            case _:
                pass
        return narrate(event, game, point_of_view(self.seat, self.name, self.hand))

    def take_up(
        self, game: GameState, names: tuple[str, ...], hand: tuple[Face, ...]
    ) -> list[str]:
        """Return where a resumed game stands: its set, the mats, and the cards held."""
        self.name, self.hand = names[opposite(self.seat)], hand
        told = [said.TAKEN_UP(name=self.name, number=game.number)]
        if game.table and hand:
            told += mats_of(game.table)
            held = game.hands[self.seat]
            cards = numbered((slot, face) for slot, face in enumerate(hand) if slot in held)
            told.append(said.HAND_YOURS(cards=cards))
        return told

    def uncover(self, cards: Sequence[Unopened]) -> list[str]:
        """Return the faces of the cards taken unopened, or the sentence that no card was."""
        return [self._hidden(card) for card in cards] or [said.NOTHING_HIDDEN()]

    def _hidden(self, card: Unopened) -> str:
        sentence = said.HIDDEN_YOURS if card.seat == self.seat else said.HIDDEN_THEIRS
        return sentence(
            number=card.number,
            round=card.round,
            mat=MATS[card.mat],
            card=card_words(card.card),
            name=self.name,
        )
