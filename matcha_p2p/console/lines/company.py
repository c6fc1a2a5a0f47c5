"""The part of a dialogue that all games share: talk, watchers, offers after it, and leaving."""

from typing import Final

from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.table.captions import DIALLED
from matcha_p2p.language import Sentence
from matcha_p2p.narration import after_game, audience, quick_phrases
from matcha_p2p.narration.after_game import AfterGame, after, commands_after
from matcha_p2p.narration.news import News, Taught
from matcha_p2p.narration.sentences import YOU_SAID
from matcha_p2p.session import news as session_news
from matcha_p2p.session.connection.changes import LineDialled
from matcha_p2p.session.news import PhraseHeard, TakenUp, TalkHeard
from matcha_p2p.session.watching import UNWATCHED
from matcha_p2p.wire.talk import Phrase, Proposal, Say
from matcha_p2p.wire.text import clean

SAY_WHAT: Final = Sentence("Say what? Type say, then the words.")
MUTED: Final = Sentence("You hear no talk now. Type mute to hear it again.")
UNMUTED: Final = Sentence("You hear talk again.")
MUTED_ONE: Final = Sentence("You no longer hear {name}. Type mute {name} to hear {name} again.")
UNMUTED_ONE: Final = Sentence("You hear the talk of {name} again.")
NO_SPEAKER: Final = Sentence("No player of that name has said anything.")
LEAVE_Q: Final = Sentence("Leave the game unfinished?")
LEAVE_FOR_GOOD_Q: Final = Sentence("Leave? This game is not saved.")
_TRIES_SAID: Final = frozenset(5 * 2**doubled for doubled in range(16))
"""The tries to dial a peer that line mode reports; the screen counts all tries."""


class Company:
    """The other players and the table.

    lasts: whether a game left early can be resumed. hides: whether the game hides cards, which
    can be shown after it.
    """

    def __init__(self, *, lasts: bool, hides: bool) -> None:
        self._lasts = lasts
        self.hides: Final = hides
        self._muted = False
        self._heard: dict[str, bool] = {}  # who has talked, and whether the person hears them
        self._after: AfterGame | None = None
        self._audience = UNWATCHED

    @property
    def after_game(self) -> bool:
        """Whether all are still connected after the game."""
        return self._after is not None

    def listens(self, news: News) -> bool:
        """Take note of the speaker; tell whether to hear ``news``."""
        match news:
            case Taught():
                self._lasts = False
            case TakenUp():
                self._after = None
            case TalkHeard(name=name) | PhraseHeard(name=name):
                return self._heard.setdefault(name, True) and not self._muted
            case _:
                pass
        return True

    def hear(self, news: News) -> tuple[str, ...]:
        """Take news of watchers, or after a game; return the commands that are now possible."""
        match news:
            case session_news.WatchingChanged():
                self._audience = news.now
                return (audience.HOW_COMMAND(),) if audience.is_offer(news) else ()
            case (
                session_news.Settled()
                | session_news.Offered()
                | session_news.Wishes()
                | session_news.NextGame()
            ):
                if isinstance(news, session_news.NextGame):
                    self._audience = UNWATCHED
                before, self._after = self._after, after(self._after, news)
                return commands_after(before, news, hides=self.hides)
            case _:
                return ()

    @property
    def help(self) -> tuple[str, ...]:
        """The help on watchers, if people may watch."""
        return (audience.HELP_COMMAND(),) if self._audience.most else ()

    def say(self, text: str) -> Answer:
        """Say ``text``, as far as it can be said."""
        if not (said := clean(text)):
            return Answer((SAY_WHAT(),))
        return Answer((YOU_SAID(text=said),), Say(said))

    def say_phrase(self, typed: str) -> Answer:
        """Say the phrase whose number was typed."""
        number = quick_phrases.phrase_of(typed)
        if number is None:
            return Answer((quick_phrases.SAY_WHICH(),))
        return Answer((YOU_SAID(text=quick_phrases.PHRASES[number]()),), Phrase(number))

    def leave(self) -> str:
        """Leave the table after a game, and return ""; before its end return the question."""
        if self._after is None:
            return (LEAVE_Q if self._lasts else LEAVE_FOR_GOOD_Q)()
        self._after = None
        return ""

    def mute(self, typed: str) -> Answer:
        """Mute the player whose name begins with ``typed``, or all; or hear them again."""
        if not typed:
            self._muted = not self._muted
            return Answer(((MUTED if self._muted else UNMUTED)(),))
        wanted = typed.casefold()
        name = next((name for name in self._heard if name.casefold().startswith(wanted)), None)
        if name is None:
            return Answer((NO_SPEAKER(),))
        self._heard[name] = not self._heard[name]
        return Answer(((UNMUTED_ONE if self._heard[name] else MUTED_ONE)(name=name),))

    def admit(self, what: str) -> Answer:
        """Say what watchers may see, or name the watchers."""
        open_ = self._audience.most and not self._audience.closed
        if not what or not open_:
            return Answer(audience.describe(self._audience))
        sight = audience.WORDS.get(what)
        if sight is None:
            return Answer((audience.WATCH_WHAT(),))
        return Answer((), session_news.LetWatch(sight))

    def offer(self, proposal: Proposal) -> Answer:
        """Offer what ``proposal`` is, or agree, after a game."""
        if self._after is None or not self._after.allows(proposal):
            return Answer((after_game.NOT_NOW(),))
        agrees = self._after.asks(proposal)
        self._after = self._after.offer(proposal)
        said = (after_game.AGREED if agrees else after_game.OFFERED)[proposal]
        return Answer((said(),), session_news.Propose(proposal))


def still_dialled(news: News) -> tuple[str, ...]:
    """Tell now and then how often a lost player was dialled."""
    match news:
        case session_news.LineChanged(LineDialled(tries), name) if tries in _TRIES_SAID:
            return (DIALLED(name=name, tries=tries),)
        case _:
            return ()
