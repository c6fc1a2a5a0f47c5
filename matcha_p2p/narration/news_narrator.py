"""The news for a player, in sentences."""

from collections.abc import Iterable, Sequence
from typing import Final

from matcha_p2p.games.game import Words
from matcha_p2p.narration import news as narration_news
from matcha_p2p.narration import sentences
from matcha_p2p.narration.after_game import tell_after
from matcha_p2p.narration.audience import tell_watching
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.quick_phrases import PHRASES, words_of
from matcha_p2p.narration.standing import tell_standing
from matcha_p2p.session import news as session_news
from matcha_p2p.session.connection import changes
from matcha_p2p.wire.talk import Spoken

_RECALLED: Final = 10
"""The most pieces of talk, the latest, to tell when a game is taken up."""


class NewsNarrator:
    """Tells a seat the news.

    words: of the game that the seat plays. cut: the neighbours whose lines are known to be
    gone. Both ends look for each other, so an outage may bring several new links. Only the
    first link is news. wishes: the wishes for another game, as last told.
    """

    def __init__(
        self,
        words: Words,
        *,
        cut: Iterable[str] = (),
        wishes: session_news.Wishes = session_news.NO_WISHES,
    ) -> None:
        self.words: Final = words
        self.cut: Final = set(cut)
        self._wishes = wishes

    def tell(self, news: narration_news.News) -> list[str]:
        """Return ``news``, a sentence a line; no line for a due decision."""
        match news:
            case session_news.GameEvent(event, game):
                return self.words.tell(event, game)
            case (
                session_news.TalkHeard()
                | session_news.PhraseHeard()
                | session_news.TalkRecalled()
            ):
                return self._tell_talk(news)
            case session_news.LineChanged(change, name):
                return self._tell_line(change, name)
            case session_news.TakenUp(game, names, hand, over):
                self.cut.update(names)
                stands = self.words.take_up(game, names, hand)
                return [sentences.IS_OVER(name=self.words.name)] if over else stands
            case narration_news.Taught(text):
                return [text] if text else []
            case (
                session_news.MoveDue()
                | session_news.WindowOpened()
                | session_news.WindowAnswered()
                | session_news.LineTimed()
                | narration_news.Decisions()
            ):
                return []
            case session_news.WatchingChanged():
                return tell_watching(news)
            case session_news.ResignOffered():
                return [self._tell_offer(news)]
            case (
                session_news.Broken()
                | session_news.Withheld()
                | session_news.Unproven()
                | session_news.FarSeatMissing()
                | session_news.Ungreeted()
                | session_news.ConcedesLater()
                | session_news.Unheard()
                | narration_news.Recognised()
                | narration_news.Renamed()
            ):
                return [self._tell_of_peer(news)]
            case _:
                return self._tell_after(news)

    def _tell_after(self, news: narration_news.AfterNews) -> list[str]:
        """Return news after the game; the end of the table is told once."""
        if isinstance(news, session_news.Wishes):
            before, self._wishes = self._wishes, news
            if news.ended and before.ended and news.contradicted == before.contradicted:
                return []
        return tell_after(news, self.words)

    def _tell_talk(
        self,
        news: session_news.TalkHeard | session_news.PhraseHeard | session_news.TalkRecalled,
    ) -> list[str]:
        match news:
            case session_news.TalkHeard(text, name):
                return [sentences.SAYS(name=name, text=text)]
            case session_news.PhraseHeard(number, name):
                return [sentences.SAYS(name=name, text=PHRASES[number]())]
            case session_news.TalkRecalled(spoken, names):
                latest = [self._tell_spoken(each, names) for each in spoken[-_RECALLED:]]
                return [sentences.SAID_BEFORE(), *latest]

    def _tell_spoken(self, spoken: Spoken, names: Sequence[str]) -> str:
        seat, text = spoken[0], words_of(spoken[1])
        if seat == self.words.seat:
            return sentences.YOU_SAID(text=text)
        return sentences.SAYS(name=names[seat], text=text)

    def _tell_line(self, change: changes.LineChange, name: str) -> list[str]:
        match change:
            case changes.LineUp() | changes.LineHeard():
                cut = name in self.cut
                self.cut.discard(name)
                return [sentences.LINE_UP(name=name)] if cut else []
            case changes.LineEnded():
                self.cut.discard(name)
                return []  # the ending of the game tells the reason
            case _:
                self.cut.add(name)
                return _tell_trouble(change, name)

    def _tell_offer(self, news: session_news.ResignOffered) -> str:
        if news.seat == self.words.seat:
            return sentences.YOU_OFFER()
        return (
            sentences.PARTNER_OFFERS if news.partner == self.words.seat else sentences.OFFERS
        )(name=news.name)

    def _tell_of_peer(
        self, news: session_news.Trouble | narration_news.Recognised | narration_news.Renamed
    ) -> str:
        match news:
            case narration_news.Recognised() | narration_news.Renamed():
                return tell_standing(news)
            case session_news.Broken(ours=True):
                return sentences.BROKEN_OURS()
            case session_news.Broken(violation, over=over):
                sentence = sentences.BROKEN_AFTERWARDS if over else sentences.BROKEN
                return sentence(name=self.words.name, breach=BREACHES[violation.check]())
            case session_news.Withheld(count):
                return sentences.WITHHELD(name=self.words.name, count=count)
            case session_news.Unproven(names):
                return sentences.UNPROVEN(names=sentences.listed(names))
            case session_news.FarSeatMissing(name, ways, seconds):
                through = sentences.listed(ways)
                return sentences.FAR_SEAT_MISSING(
                    name=name, seconds=round(seconds), ways=through
                )
            case session_news.Ungreeted(names, seconds):
                return sentences.UNGREETED(
                    names=sentences.listed(names), seconds=round(seconds)
                )
            case session_news.Unheard():
                return sentences.UNHEARD(name=self.words.name)
            case session_news.ConcedesLater():
                return sentences.CONCEDES_LATER(name=self.words.name)


def _tell_trouble(
    change: changes.LineQuiet | changes.LineDown | changes.LineDialled, name: str
) -> list[str]:
    match change:
        case changes.LineQuiet(seconds):
            return [sentences.LINE_QUIET(name=name, seconds=round(seconds))]
        case changes.LineDown(why):
            return [sentences.LINE_DOWN(name=name, why=why)]
        case changes.LineDialled():
            return []  # the screen counts the tries
