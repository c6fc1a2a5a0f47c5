"""The news that a player receives, in sentences for that player."""

from typing import Final

from matcha_p2p.games.matcha.events import Event, HandSeen, Met, TableLaid
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.game import Game
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.words import game_sentences as said
from matcha_p2p.games.matcha.words.narrator import PointOfView, mats_of, narrate
from matcha_p2p.games.matcha.words.words import numbered
from matcha_p2p.narration import sentences
from matcha_p2p.narration.after_game import tell_after
from matcha_p2p.narration.audience import tell_watching
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.news import Decisions, News, Recognised, Taught
from matcha_p2p.narration.quick_phrases import PHRASES, words_of
from matcha_p2p.narration.standing import tell_standing
from matcha_p2p.session.connection.changes import (
    LineChange,
    LineDialled,
    LineDown,
    LineEnded,
    LineHeard,
    LineQuiet,
    LineUp,
)
from matcha_p2p.session.news import (
    Broken,
    ConcedesLater,
    LineChanged,
    LineTimed,
    MoveDue,
    PhraseHeard,
    Spoken,
    TakenUp,
    TalkHeard,
    TalkRecalled,
    Told,
    Trouble,
    Unheard,
    WatchingChanged,
    Withheld,
)

_RECALLED: Final = 10
"""How many of the latest pieces of talk are told of a game that is taken up."""


class NewsNarrator:
    """Tells ``seat`` its news.

    name: of the other player. hand: the cards of ``seat``. cut: whether the connection is known
    to be gone. Both ends look for each other, so that one outage may bring several new links,
    of which the first alone is news.
    """

    def __init__(
        self, seat: Seat, name: str = "", hand: tuple[Face, ...] = (), *, cut: bool = False
    ) -> None:
        self.seat: Final = seat
        self.name = name
        self.hand = hand
        self.cut = cut

    def tell(self, news: News) -> list[str]:
        """Return what has happened, a sentence a line; nothing of decisions that are due."""
        match news:
            case Told(event, game):
                return self._tell_event(event, game)
            case TalkHeard() | PhraseHeard() | TalkRecalled():
                return self._tell_talk(news)
            case LineChanged(change):
                return self._tell_line(change)
            case TakenUp(game, names, hand):
                return self._tell_taken_up(game, names, hand)
            case Taught(text):
                return [text]
            case MoveDue() | LineTimed() | Decisions():
                return []
            case WatchingChanged():
                return tell_watching(news, self.name)
            case Broken() | Withheld() | ConcedesLater() | Unheard() | Recognised():
                return [self._tell_of_peer(news)]
            case _:
                return tell_after(news, self.seat, self.name)

    def _tell_event(self, event: Event, game: Game) -> list[str]:
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

    def _tell_taken_up(
        self, game: Game, names: tuple[str, ...], hand: tuple[Face, ...]
    ) -> list[str]:
        self.name, self.hand, self.cut = names[opposite(self.seat)], hand, True
        told = [said.TAKEN_UP(name=self.name, number=game.number)]
        if game.table and hand:
            told += mats_of(game.table)
            held = game.hands[self.seat]
            cards = numbered((slot, face) for slot, face in enumerate(hand) if slot in held)
            told.append(said.HAND_YOURS(cards=cards))
        return told

    def _tell_talk(self, news: TalkHeard | PhraseHeard | TalkRecalled) -> list[str]:
        match news:
            case TalkHeard(text):
                return [sentences.SAYS(name=self.name, text=text)]
            case PhraseHeard(number):
                return [sentences.SAYS(name=self.name, text=PHRASES[number]())]
            case TalkRecalled(spoken):
                return [sentences.SAID_BEFORE(), *map(self._tell_spoken, spoken[-_RECALLED:])]

    def _tell_spoken(self, spoken: Spoken) -> str:
        seat, text = spoken[0], words_of(spoken[1])
        if seat == self.seat:
            return sentences.YOU_SAID(text=text)
        return sentences.SAYS(name=self.name, text=text)

    def _tell_line(self, change: LineChange) -> list[str]:
        cut, self.cut = self.cut, not isinstance(change, LineUp | LineHeard | LineEnded)
        match change:
            case LineUp() | LineHeard():
                return [sentences.LINE_UP()] if cut else []
            case LineQuiet(seconds):
                return [sentences.LINE_QUIET(seconds=round(seconds))]
            case LineDown(why):
                return [sentences.LINE_DOWN(why=why)]
            case LineDialled():
                return []  # the screen counts the tries
            case LineEnded():
                return []  # the ending of the game says it

    def _tell_of_peer(self, news: Trouble | Recognised) -> str:
        match news:
            case Recognised():
                return tell_standing(news)
            case Broken(ours=True):
                return sentences.BROKEN_OURS()
            case Broken(violation, over=over):
                sentence = sentences.BROKEN_AFTERWARDS if over else sentences.BROKEN
                return sentence(name=self.name, breach=BREACHES[violation.check]())
            case Withheld(count):
                return sentences.WITHHELD(name=self.name, count=count)
            case Unheard():
                return sentences.UNHEARD(name=self.name)
            case ConcedesLater():
                return sentences.CONCEDES_LATER(name=self.name)


def point_of_view(seat: Seat, name: str, hand: tuple[Face, ...] = ()) -> PointOfView:
    """Return how ``seat`` sees the game. name: of the other player."""
    if seat == 0:
        return PointOfView(("", name), (hand, ()), you=Seat(0))
    return PointOfView((name, ""), ((), hand), you=Seat(1))
