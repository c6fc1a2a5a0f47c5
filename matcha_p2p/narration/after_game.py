"""The sentences after a game, and the offers of both players."""

from dataclasses import dataclass, replace
from typing import Final, assert_never

from matcha_p2p.games.game import Words
from matcha_p2p.language import Sentence
from matcha_p2p.narration.evening import group_words
from matcha_p2p.narration.news import AfterNews, Checked, GroupCounted, News, Uncovered
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as session_news
from matcha_p2p.wire.talk import Proposal

CHECKED: Final = Sentence("Checked: every move, shuffle and signature of all players is valid.")
UNSOUND: Final = Sentence(
    "The check of the whole game failed: {why}. Keep the game's transcript as evidence."
)
OFFERS: Final = Sentence("{name} would like to show the hidden cards of all players.")
NOTHING_HIDDEN: Final = Sentence(
    "{name} offers to show hidden cards, but this game hides none."
)
BOOK_YOURS: Final = Sentence(
    "You have opened your book: your cards can now be read in the transcript."
)
BOOK_THEIRS: Final = Sentence(
    "{name} has opened the book: {name}'s cards can now be read in the transcript."
)
NEXT_GAME: Final = Sentence("Another game begins. Games won: you {ours}, {theirs}.")
_WON: Final = Sentence("{name} {won}")
ALONE: Final = Sentence("All others have left this table.")

WISHES: Final = Sentence("Another game: {wished} would like to play; waiting for {missing}.")
ALL_WISH: Final = Sentence("All players would like to play another game.")
LEFT: Final = Sentence("No other game follows: {left} left the table.")
CONTRADICTED: Final = Sentence(
    "The wishes for another game that {names} signed contradict each other: a changed program "
    "did this. Play the next game at a new table, without {names}."
)

# Line mode.

STILL_HERE: Final = Sentence("All players are still here. say and phrase still work.")
AGREE: Final = {
    Proposal.BOOKS: Sentence("Type open if you agree."),
    Proposal.REMATCH: Sentence("Type again if you agree."),
}
OFFERED: Final = {
    Proposal.BOOKS: Sentence("You offer to show the hidden cards of all players."),
    Proposal.REMATCH: Sentence("You offer another game."),
}
AGREED: Final = {
    Proposal.BOOKS: Sentence("You agree to show the hidden cards."),
    Proposal.REMATCH: Sentence("You agree to another game."),
}
NOT_OVER: Final = Sentence("Ask again when the game is over.")
NOT_NOW: Final = Sentence(
    "This can be offered once, when the game is over and all players are here."
)

# The full screen.

WAITING: Final = Sentence("Waiting for {name} to agree to another game. Enter closes.")
ASKED: Final = Sentence("{names} would like to show hidden cards: o agrees.")
SCORE: Final = Sentence("you {ours} : {theirs} {name}")
MARK: Final = Sentence("checked")


@dataclass(frozen=True, slots=True)
class AfterGame:
    """The players are still connected after the game. ours: what we have offered.

    books: the names of the others who offer to show hidden cards. wishes: who wishes another
    game.
    """

    ours: frozenset[Proposal] = frozenset()
    books: tuple[str, ...] = ()
    wishes: session_news.Wishes = session_news.NO_WISHES

    def asks(self, proposal: Proposal) -> bool:
        """Tell whether another player has offered ``proposal``, and we can still agree."""
        offered = self.books if proposal is Proposal.BOOKS else self.wishes.wished
        return bool(offered) and self.allows(proposal)

    def allows(self, proposal: Proposal) -> bool:
        """Tell whether we can still offer ``proposal``: once, and not after a rematch offer."""
        gone = proposal is Proposal.REMATCH and self.ended
        return not gone and proposal not in self.ours and Proposal.REMATCH not in self.ours

    @property
    def ended(self) -> bool:
        """Whether no other game follows, because a player has left or broken the protocol."""
        return self.wishes.ended

    def offer(self, proposal: Proposal) -> "AfterGame":
        """Return the state after our offer."""
        return replace(self, ours=self.ours | {proposal})


def after(state: AfterGame | None, news: News) -> AfterGame | None:
    """Return the state after ``news``; None during a game."""
    match news:
        case session_news.Settled():
            return state or AfterGame()
        case session_news.Offered(name) if state is not None:
            return replace(state, books=(*state.books, name))
        case session_news.Wishes() if state is not None:
            return replace(state, wishes=news)
        case session_news.NextGame():
            return None
        case _:
            return state


def waiting(state: AfterGame, name: str) -> str:
    """Return for whom the table waits after our wish. name: of all the others."""
    wishes = state.wishes
    if wishes == session_news.NO_WISHES:
        return WAITING(name=name)
    if wishes.ended or not wishes.missing:
        return _tell_wishes(wishes)
    return WAITING(name=listed(wishes.missing))


def asked(state: AfterGame | None) -> str:
    """Return the others' offers that we can agree to now, in sentences, or ""."""
    sentences = list[str]()
    if state is not None and state.asks(Proposal.REMATCH):
        sentences.append(_tell_wishes(state.wishes))
    if state is not None and state.asks(Proposal.BOOKS):
        sentences.append(ASKED(names=listed(state.books)))
    return " ".join(sentences)


def is_in_sight(before: AfterGame | None, news: News) -> bool:
    """Tell whether a screen shows ``news`` as an offer, or as what the table waits for.

    before: the state until then.
    """
    state = after(before, news)
    match news:
        case session_news.Offered():
            return state is not None and state.asks(Proposal.BOOKS)
        case session_news.Wishes():
            return state is not None
        case _:
            return False


def commands_after(
    before: AfterGame | None, news: AfterNews, *, hides: bool = True
) -> tuple[str, ...]:
    """Return the commands that line mode names after an offer.

    before: the state until then. hides: whether the game hides cards.
    """
    match news:
        case session_news.Offered() if not hides:
            return ()
        case session_news.Offered() if before is None or before.allows(Proposal.BOOKS):
            return (AGREE[Proposal.BOOKS](),)
        case session_news.Wishes() if news.ended:
            return ()
        case session_news.Wishes() if before is None or before.allows(Proposal.REMATCH):
            return (AGREE[Proposal.REMATCH](),)
        case _:
            return ()


def tell_after(news: AfterNews, words: Words) -> list[str]:
    """Return ``news`` in sentences, without possible keys and commands.

    words: of the finished game.
    """
    match news:
        case session_news.Settled():
            return []
        case Checked(failure):
            return [UNSOUND(why=failure) if failure else CHECKED()]
        case GroupCounted():
            return [group_words(news)]
        case session_news.Offered(name):
            return [(OFFERS if words.hides else NOTHING_HIDDEN)(name=name)]
        case session_news.Wishes():
            return [_tell_wishes(news)]
        case session_news.Exposed(by):
            return [BOOK_YOURS() if by == words.seat else BOOK_THEIRS(name=words.name_of(by))]
        case Uncovered(cards):
            return words.uncover(cards)
        case session_news.NextGame():
            return [_tell_score(news, words)]
        case _:
            assert_never(news)


def _tell_score(news: session_news.NextGame, words: Words) -> str:
    """Return how many games each player has won."""
    ours, *theirs = news.score
    names = [words.name_of(Seat(seat)) for seat in range(len(news.score)) if seat != words.seat]
    told = [_WON(name=name, won=won) for name, won in zip(names, theirs, strict=True)]
    return NEXT_GAME(ours=ours, theirs=listed(told))


def _tell_wishes(wishes: session_news.Wishes) -> str:
    if wishes.contradicted:
        return CONTRADICTED(names=listed(wishes.contradicted))
    if wishes.left:
        return LEFT(left=listed(wishes.left))
    if not wishes.missing:
        return ALL_WISH()
    return WISHES(wished=listed(wishes.wished), missing=listed(wishes.missing))
