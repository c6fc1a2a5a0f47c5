"""The sentences after a game, and the offers of both players."""

from dataclasses import dataclass, replace
from typing import Final, assert_never

from matcha_p2p.games.game import Words
from matcha_p2p.language import Sentence
from matcha_p2p.narration.news import AfterNews, Checked, Uncovered
from matcha_p2p.session.news import Exposed, NextGame, Offered, Settled
from matcha_p2p.wire.talk import Proposal

CHECKED: Final = Sentence("Checked: every move, shuffle and signature of all players is valid.")
UNSOUND: Final = Sentence(
    "The check of the whole game failed: {why}. Keep the game's transcript as evidence."
)
OFFERS: Final = {
    Proposal.BOOKS: Sentence("{name} would like to show the hidden cards of all players."),
    Proposal.REMATCH: Sentence("{name} would like to play again."),
}
BOOK_YOURS: Final = Sentence(
    "You have opened your book: your cards can now be read in the transcript."
)
BOOK_THEIRS: Final = Sentence(
    "{name} has opened the book: {name}'s cards can now be read in the transcript."
)
NEXT_GAME: Final = Sentence("Another game begins. You have won {ours}, {name} {theirs}.")
GONE: Final = Sentence("{name} has left.")

# Line mode.

COMMANDS: Final = Sentence(
    "All players are still here. open offers to show the hidden cards, again offers another "
    "game, analyse judges your decisions. say and phrase still work; leave ends the table."
)
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

KEYS: Final = Sentence("a: analysis, o: hidden cards, r: again. Enter closes.")
KEYS_AGAIN: Final = Sentence("a: analysis, r: play again. Enter closes, l reviews.")
WAITING: Final = Sentence("Waiting for {name} to agree to another game. Enter closes.")
ASKED: Final = {
    Proposal.BOOKS: Sentence("{name} offers to show the hidden cards: o agrees."),
    Proposal.REMATCH: Sentence("{name} offers another game: r agrees."),
}
ASKED_BOTH: Final = Sentence("{name} offers to show cards (o) and to play again (r).")
SCORE: Final = Sentence("you {ours} : {theirs} {name}")
MARK: Final = Sentence("checked")


@dataclass(frozen=True, slots=True)
class AfterGame:
    """Both players are still connected after the game. ours, theirs: what each has offered."""

    ours: frozenset[Proposal] = frozenset()
    theirs: frozenset[Proposal] = frozenset()

    @property
    def asked(self) -> frozenset[Proposal]:
        """Return the peer's offers that we can still agree to."""
        return frozenset(proposal for proposal in self.theirs if self.allows(proposal))

    def allows(self, proposal: Proposal) -> bool:
        """Tell whether we can still offer ``proposal``: once, and not after a rematch offer."""
        return proposal not in self.ours and Proposal.REMATCH not in self.ours

    def offer(self, proposal: Proposal) -> "AfterGame":
        """Return the state after our offer."""
        return replace(self, ours=self.ours | {proposal})


def after(state: AfterGame | None, news: AfterNews) -> AfterGame | None:
    """Return the state after ``news``; None during a game."""
    match news:
        case Settled():
            return state or AfterGame()
        case Offered(proposal) if state is not None:
            return replace(state, theirs=state.theirs | {proposal})
        case NextGame():
            return None
        case _:
            return state


def commands_after(before: AfterGame | None, news: AfterNews) -> tuple[str, ...]:
    """Return the commands that line mode names after ``news``. before: the state until then."""
    match news:
        case Settled() if before is None:
            return (COMMANDS(),)
        case Offered(proposal) if before is None or before.allows(proposal):
            return (AGREE[proposal](),)
        case _:
            return ()


def tell_after(news: AfterNews, words: Words) -> list[str]:
    """Return ``news`` in sentences, without possible keys and commands.

    words: of the finished game.
    """
    name = words.name
    match news:
        case Settled():
            return []
        case Checked(failure):
            return [UNSOUND(why=failure) if failure else CHECKED()]
        case Offered(proposal):
            return [OFFERS[proposal](name=name)]
        case Exposed(by):
            return [BOOK_YOURS() if by == words.seat else BOOK_THEIRS(name=name)]
        case Uncovered(cards):
            return words.uncover(cards)
        case NextGame(score=score):
            ours, *others = score
            return [NEXT_GAME(ours=ours, theirs=", ".join(map(str, others)), name=name)]
        case _:
            assert_never(news)
