"""The table, the hand and the tokens in words, from one seat's view."""

from collections.abc import Sequence
from dataclasses import dataclass

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.words import game_sentences as said
from matcha_p2p.games.matcha.words import words
from matcha_p2p.games.matcha.words.narrator import gain_for, point_of_view
from matcha_p2p.games.matcha.words.words import card_words, mat_words, numbered, tokens_words


@dataclass(frozen=True, slots=True)
class SeatView:
    """The game from the view of ``seat``. hand: its five cards, () before the deal.

    name: of the other player.
    """

    seat: Seat
    game: GameState
    hand: Sequence[Face]
    name: str

    def describe(self, what: str) -> tuple[str, ...]:
        """Return the sentences about "hand", "table", "mine" or "theirs"; the table is laid."""
        match what:
            case "hand" if not self.hand:
                return (words.NO_TABLE(),)
            case "hand":
                held = [(slot, self.hand[slot]) for slot in sorted(self.game.hands[self.seat])]
                return (words.HAND_NOW(cards=numbered(held)),)
            case "table":
                mats = [self._mat(mat) for mat in range(6)]
                return (*mats, *self._standing(), *self._to_move())
            case "mine":
                return (words.MINE(tokens=tokens_words(self.game.tokens[self.seat])),)
            case _:
                tokens = tokens_words(self.game.tokens[opposite(self.seat)])
                count = len(self.game.hands[opposite(self.seat)])
                return (words.THEIRS(name=self.name, tokens=tokens, count=count),)

    def _standing(self) -> list[str]:
        """Return the dealer of the set, and the players who are out of this round."""
        game, ours = self.game, self.seat
        deals = said.SET_YOURS if game.dealer == ours else said.SET
        told = [deals(number=game.number, name=self.name)]
        for seat in (ours, opposite(ours)):
            if game.rounds and is_out(game.edition, game.rounds[-1].turns, seat):
                out = words.OUT_YOURS if seat == ours else words.OUT
                told.append(out(name=self.name))
        return told

    def _to_move(self) -> tuple[str, ...]:
        match self.game.phase:
            case Placing(seat) if seat == self.seat:
                return (words.MY_MOVE(),)
            case Placing():
                return (words.THEIR_MOVE(name=self.name),)
            case _:
                return ()

    def _mat(self, mat: int) -> str:
        title = mat_words(mat, self.game.table[mat])
        if len(self.game.rounds) <= mat // 2:
            return title
        own = self.game.rounds[mat // 2].slot_at(self.seat, mat)
        mine = words.NO_CARD() if own is None else card_words(self.hand[own])
        lies = words.ON_MAT(mat=title, mine=mine, name=self.name, theirs=self._theirs(mat))
        view = point_of_view(self.seat, self.name)
        gains = [
            gain_for(resolution, view)
            for resolution in self.game.rounds[mat // 2].resolutions
            if resolution.mat == mat and resolution.gain != (None, None)
        ]
        return " ".join((lies, *gains))

    def _theirs(self, mat: int) -> str:
        """Return the other player's card on a mat; its face only if opened."""
        other, round_ = opposite(self.seat), self.game.rounds[mat // 2]
        for resolution in round_.resolutions:
            face = resolution.cards[other]
            if resolution.mat == mat and face is not None:
                return card_words(face)
        return words.NO_CARD() if round_.slot_at(other, mat) is None else words.FACE_DOWN()
