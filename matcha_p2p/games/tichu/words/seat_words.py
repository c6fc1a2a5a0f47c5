"""What happens in a game of Tichu, in sentences for a player (``games/game.py``)."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import DOG, NUMBERS, points
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.scoring import Points
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.words import round_sentences as said
from matcha_p2p.games.tichu.words.card_words import ONE, card_text, hand_text, play_words
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat


class Around(NamedTuple):
    """The names of the other seats, as one seat sees them."""

    right: str
    partner: str
    left: str


class SeatWords:
    """Tells ``seat`` a game, in sentences.

    name: the names of the other players, joined. hand: the cards of ``seat`` by place, as
    dealt. around: the other players' names by their places around the table.
    """

    hides = True

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat
        self.name = ""
        self.hand: tuple[int, ...] = ()
        self.around = Around("", "", "")
        self._places: tuple[int, ...] = ()  # of the gifts that come with the next hand
        self._left = [rules.HAND] * 4
        self._wish = 0

    def name_of(self, seat: Seat) -> str:
        """Return the name of ``seat``; our own is "you"."""
        return (said.YOU(), *self.around)[(seat - self.seat) % 4]

    def say(self, seat: Seat, yours: Sentence, named: Sentence, **fields: object) -> str:
        """Return ``yours`` about our own seat, else ``named``, with {name} filled in."""
        sentence = yours if seat == self.seat else named
        return sentence(name=self.name_of(seat), **self.around._asdict(), **fields)

    def tell(self, event: events.TichuEvent, game: Tichu) -> list[str]:
        """Return the sentences about ``event``. game: the game after ``event``."""
        match event:
            case events.Met(names=names):
                self._meet(names)
                return [said.MET(**self.around._asdict()), said.COMMANDS()]
            case events.Shuffled():
                return []
            case events.RoundBegun(number, first):
                self.hand, self._left, self._wish = (), [rules.HAND] * 4, 0
                return [self.say(first, said.ROUND_YOURS, said.ROUND, number=number)]
            case events.HandSeen() | events.GiftsGiven() | events.GiftsPlaced():
                return self._tell_cards(event)
            case events.RoundCounted() | events.GameEnded():
                return self._tell_end(event, game)
            case _:
                return self._tell_play(event, game)

    def _tell_cards(
        self, event: events.HandSeen | events.GiftsGiven | events.GiftsPlaced
    ) -> list[str]:
        match event:
            case events.HandSeen(faces):
                self.hand, places, self._places = faces, self._places, ()
                sentence = said.FIRST_CARDS if len(faces) == rules.DEALT_FIRST else said.HAND
                told = (
                    [self._exchanged(said.GOT, *map(faces.__getitem__, places))]
                    if places
                    else []
                )
                return [*told, sentence(cards=hand_text(faces))]
            case events.GiftsGiven(faces):
                return [self._exchanged(said.GAVE, *faces)]
            case events.GiftsPlaced(places):
                self._places = places
                return []

    def _exchanged(self, sentence: Sentence, right: int, partner: int, left: int) -> str:
        """Return ``sentence`` about the cards that the other seats got, or gave."""
        return sentence(
            first=card_text(left),
            second=card_text(partner),
            third=card_text(right),
            **self.around._asdict(),
        )

    def _tell_play(
        self,
        event: events.Called
        | events.MahJongShown
        | Laid
        | events.TurnPassed
        | events.TrickTaken
        | events.WentOut,
        game: Tichu,
    ) -> list[str]:
        match event:
            case events.Called(seat, worth):
                return [self.say(seat, said.CALLED_YOURS[worth], said.CALLED[worth])]
            case events.MahJongShown(seat):
                return [self.say(seat, said.SHOWN_YOURS, said.SHOWN)]
            case Laid():
                return self._tell_laid(event)
            case events.TurnPassed(seat):
                return [self.say(seat, said.PASSES_YOURS, said.PASSES)]
            case events.TrickTaken():
                return self._tell_trick(event, game)
            case events.WentOut(seat, 0):
                return [self.say(seat, said.FIRST_OUT_YOURS, said.FIRST_OUT)]
            case events.WentOut(seat, rank):
                return [self.say(seat, said.OUT_YOURS, said.OUT, place=rank + 1)]

    def _tell_laid(self, laid: Laid) -> list[str]:
        self._left[laid.seat] -= len(laid.cards)
        sentences = said.LAYS_YOURS, said.LAYS
        if laid.leads:
            sentences = said.LEADS_YOURS, said.LEADS
        elif combination(laid.cards, laid.wild, None).is_bomb:
            sentences = said.BOMBS_YOURS, said.BOMBS
        play, size = play_words(laid.cards, laid.wild), self._left[laid.seat]
        told = [self.say(laid.seat, *sentences, play=play, size=size)]
        if self._wish and any(NUMBERS[face] == self._wish for face in laid.cards):
            self._wish = 0
            told.append(said.WISH_MET())
        if laid.wish:
            self._wish = laid.wish
            card = ONE[laid.wish]()
            told.append(self.say(laid.seat, said.WISHES_YOURS, said.WISHES, card=card))
        return told

    def _tell_trick(self, trick: events.TrickTaken, game: Tichu) -> list[str]:
        worth = points(trick.cards)
        if trick.cards == (DOG,):
            leader = game.round.speaker if game.laid else None  # None: it has ended the round
            return [] if leader is None else [self.say(leader, said.DOG_YOURS, said.DOG)]
        if trick.giver == trick.seat:
            return [self.say(trick.seat, said.TAKES_YOURS, said.TAKES, points=worth)]
        if trick.giver == self.seat:
            return [said.YOU_GIVE(name=self.name_of(trick.seat), points=worth)]
        giver = self.name_of(trick.giver)
        return [self.say(trick.seat, said.GIVES_YOURS, said.GIVES, giver=giver, points=worth)]

    def _tell_end(
        self, event: events.RoundCounted | events.GameEnded, game: Tichu
    ) -> list[str]:
        match event:
            case events.RoundCounted(number, gained, totals):
                return [
                    *self._tell_left(game),
                    *self._tell_calls(game),
                    self._both(said.COUNTED, gained, number=number),
                    self._both(said.TOTALS, totals),
                ]
            case events.GameEnded(foul=seat) if seat is not None:
                return [self.say(seat, said.FOUL_YOURS, said.FOUL)]
            case events.GameEnded(winners, how, totals):
                yours, theirs = said.WIN_YOURS, said.WIN
                if how == RESIGNED:
                    yours, theirs = said.RESIGNED_YOURS, said.RESIGNED
                most, fewest = max(totals), min(totals)
                return [self._say_of_team(winners, yours, theirs, most=most, fewest=fewest)]

    def _tell_left(self, game: Tichu) -> list[str]:
        """Return the sentences about the cards that were still held when the round ended."""
        over = game.counted
        if over is None or not over.hands:
            return []
        left = [
            (seat, [over.hands[seat][place] for place in over.round.held[seat]])
            for seat in rules.SEATS
        ]
        return [
            self.say(seat, said.LEFT_YOURS, said.LEFT, cards=hand_text(faces))
            for seat, faces in left
            if faces
        ]

    def _tell_calls(self, game: Tichu) -> list[str]:
        """Return the sentences about calls and double victory in the round that is over."""
        if game.counted is None:
            return []
        told: list[str] = []
        over = game.counted.round
        if rules.is_double(over.out):
            told.append(self._say_of_team(over.out, said.DOUBLE_YOURS, said.DOUBLE))
        for seat, worth in enumerate(over.calls):
            made = seat == over.out[0]
            yours = said.MADE_YOURS if made else said.FAILED_YOURS
            named = said.MADE if made else said.FAILED
            told += [self.say(Seat(seat), yours, named, points=worth)] if worth else []
        return told

    def tell_table(self, game: Tichu) -> list[str]:
        """Return the cards on the table, the wish, and the number of cards of each seat."""
        state = game.round
        told = [said.NOTHING_LIES()]
        if state.under is not None and game.laid:
            laid = game.laid[-1]
            play = play_words(laid.cards, laid.wild)
            told = [self.say(laid.seat, said.LIES_YOURS, said.LIES, play=play)]
        if state.wish:
            told.append(said.WISH(card=ONE[state.wish]()))
        sizes = [len(state.held[rules.seat_after(self.seat, steps)]) for steps in range(4)]
        counts = dict(zip(("mine", "r", "p", "l"), sizes, strict=True))
        return [*told, said.SIZES(**counts, **self.around._asdict())]

    def tell_score(self, game: Tichu) -> list[str]:
        """Return the points of both teams, and the points in the teams' tricks."""
        first, second = (
            sum(points(game.round.won[seat]) for seat in team) for team in rules.TEAMS
        )
        return [
            self._both(said.TOTALS, game.totals),
            self._both(said.TRICKS, (first, second)),
        ]

    def take_up(self, game: Tichu, names: tuple[str, ...], hand: tuple[int, ...]) -> list[str]:
        """Return the standing of a resumed game. names: by seat. hand: this seat's cards."""
        self._meet(names)
        self.hand, self._wish = hand, game.round.wish
        self._left = [len(held) for held in game.round.held]
        told = [said.TAKEN_UP(name=self.name, number=game.number)] if game.number else []
        told.append(self._both(said.TOTALS, game.totals))
        if hand:
            held = [hand[place] for place in game.round.held[self.seat] if place < len(hand)]
            told += [*self.tell_table(game), said.HAND(cards=hand_text(held))]
        return told

    def uncover(self, cards: Sequence[Any]) -> list[str]:
        """Return the sentence that no card is hidden. cards: empty."""
        del cards
        return [said.NOTHING_HIDDEN()]

    def _meet(self, names: tuple[str, ...]) -> None:
        self.around = Around(
            *(names[rules.seat_after(self.seat, steps)] for steps in (1, 2, 3))
        )
        self.name = said.OTHERS(**self.around._asdict())

    def _say_of_team(
        self, team: Sequence[Seat], yours: Sentence, theirs: Sentence, **fields: object
    ) -> str:
        sentence = yours if (team[0] - self.seat) % 2 == 0 else theirs
        return sentence(**self.around._asdict(), **fields)

    def _both(self, sentence: Sentence, both: Points, **fields: object) -> str:
        """Return ``sentence`` about the points of both teams."""
        mine, other = both if self.seat % 2 == 0 else both[::-1]
        return sentence(mine=mine, other=other, **self.around._asdict(), **fields)
