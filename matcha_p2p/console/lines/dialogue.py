"""Line mode for any game with an ``exchange``: moves are typed in the notation of the game."""

from collections.abc import Callable, Sequence
from typing import Final

from matcha_p2p.console.lines import company
from matcha_p2p.console.lines.conversation import Answer, Task
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.game import Game, View
from matcha_p2p.language import Sentence
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as heard

MOVE_Q: Final = Sentence("Your move? {moves}")
COMMANDS_ARE: Final = Sentence("A line is a move or a command: {commands}.")
CONCEDE_Q: Final = Sentence("Concede, so that the others win? y or n")

COMMANDS: Final = (
    *("say", "phrase", "phrases", "mute", "again", "open", "concede", "leave", "watch", "help"),
)
"""The commands. A prefix means the first command that begins with the prefix."""


class Dialogue:
    """One player's dialogue. lasts: whether a game left early can be resumed."""

    pondered = reply = None

    def __init__(self, seat: Seat, game: Game, *, lasts: bool) -> None:
        self._game: Final = game
        self._notation: Final = game.needed(Game.exchange).notation
        self._words = game.telling.words(seat)
        self._teller = NewsNarrator(self._words)
        self._company: Final = company.Company(lasts=lasts, hides=self._words.hides)
        self._due: View | None = None
        self._asked: Wish | None = None

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self._due or self._asked or self._company.after_game)

    def tell_thinking(self, seconds: int) -> str:
        """Return nothing: ``pondered`` is always None."""
        del seconds
        return ""

    def hear(self, news: News) -> tuple[str, ...]:
        """Take a piece of news; return the lines to show."""
        if not self._company.listens(news):
            return ()
        told = tuple(self._teller.tell(news))
        match news:
            case heard.MoveDue(view):
                self._due = view
                return self._ask_again()
            case heard.TakenUp() | heard.Settled():
                self._due = self._asked = None
            case heard.NextGame():
                self._due = self._asked = None
                self._words = self._game.telling.words(self._words.seat)
                self._teller = NewsNarrator(self._words)
            case _:
                pass
        now = self._company.hear(news)
        return told + (self._help if now and isinstance(news, heard.Settled) else now)

    def read(self, line: str) -> Answer:
        """Take a typed line: a move, a command, or the answer to a question."""
        text, asked, self._asked = " ".join(line.split()), self._asked, None
        if asked is not None and text.lower() in company.YES:
            return Answer((), asked)
        if asked is not None and text.lower() in company.NO:
            return Answer((company.NOT_DONE(), *self._ask_again()))
        if self._due is not None:
            try:
                move = self._notation.read(self._due, text)
            except IllegalMoveError as error:
                return Answer((str(error), *self._ask_again()))
            except ValueError:
                pass
            else:
                self._due = None
                return Answer((), heard.MakeMove(move))
        word, _, rest = text.partition(" ")
        return self._obey(company.command_of(word.lower(), COMMANDS), rest)

    def _obey(self, command: str | None, rest: str) -> Answer:
        match command:
            case None:
                unknown = company.UNKNOWN(hint=company.HINT())
                return Answer((unknown, *self._ask_again()))
            case "help":
                return Answer((*self._help, *self._company.help, *self._ask_again()))
            case "concede":
                self._asked, question = heard.Concede(), CONCEDE_Q()
            case "leave":
                self._asked, question = heard.Leave(), self._company.leave()
                if not question:
                    return Answer((), heard.Leave())
            case _:
                return self._company.obey(command, rest)
        return Answer((question,))

    @property
    def _help(self) -> tuple[str, ...]:
        return (COMMANDS_ARE(commands=", ".join(COMMANDS)),)

    def _ask_again(self) -> tuple[str, ...]:
        if self._due is None:
            return ()
        return (MOVE_Q(moves=" ".join(self._notation.listed(self._due))),)


class Dialogues:
    """Line mode of ``game``, which has an ``exchange``; lasts: as for ``Dialogue``."""

    def __init__(self, game: Game, *, lasts: bool) -> None:
        self._game: Final = game
        self._lasts: Final = lasts

    def converse(self, seat: Seat) -> Dialogue:
        """Return the dialogue of ``seat`` before any news."""
        return Dialogue(seat, self._game, lasts=self._lasts)

    async def perform(self, task: Task, show: Callable[[Sequence[str]], None]) -> None:
        """Do nothing: no answer has a task."""
        del task, show
