"""The conversation of line mode with one player, for every game.

A game adds its commands, its questions, and how its typed moves are read. A game without a line
mode of its own has its ``exchange``: moves are typed in the notation of the game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from matcha_p2p.console.lines import company
from matcha_p2p.console.lines.company import Company
from matcha_p2p.console.lines.conversation import Answer, AnyDialogue, Task
from matcha_p2p.console.review.findings import tell_all
from matcha_p2p.console.table import captions
from matcha_p2p.console.terminal.keyboard import meant
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.asking import Listing, sure
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.game import Event, Game, Late, Move, Words
from matcha_p2p.language import Sentence
from matcha_p2p.narration.after_game import NOT_OVER, STILL_HERE
from matcha_p2p.narration.news import Decisions, News, TakeBack, Wish
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.narration.quick_phrases import phrase_list
from matcha_p2p.narration.sentences import COMMA
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as heard
from matcha_p2p.wire.talk import Proposal

V = TypeVar("V")
G = TypeVar("G")

Given: TypeAlias = Any
"""What an answer gives: a move, another question, or a value of the game's own."""

MOVE_Q: Final = Sentence("Your move? {moves}")
OPTION: Final = Sentence("{key}: {words}")
THINKS: Final = Sentence("{name} has been thinking for {seconds} s.")
NOTHING_YET: Final = Sentence("The game has not begun yet.")
NOT_DONE: Final = Sentence("Cancelled.")
NOT_ASKED: Final = Sentence("You are not asked now. You will be.")
UNKNOWN: Final = Sentence("There is no such command here. {hint}")
TYPE_HELP: Final = Sentence("Type help for the list.")
ADVICE: Final = Sentence("A good player would type: {answer}")

HELP_MOVES: Final = Sentence("A line is a move, as in the question, or a command.")
HELP_LAST: Final = Sentence("last: the last news.")
HELP_WHY: Final = Sentence("why: the rule that has refused your last answer.")
HELP_RULES: Final = Sentence("rules: all rules.")
HELP_HINT: Final = Sentence("hint: what a good player would do here, and why.")
HELP_UNDO: Final = Sentence("undo: take back your last decision.")
HELP_SAY: Final = Sentence("say TEXT: talk to the others.")
HELP_PHRASE: Final = Sentence(
    "phrase N: a phrase that the others read in their own language. phrases: all of them."
)
HELP_MUTE: Final = Sentence(
    "mute: hear no talk, or hear it again. mute NAME: only this player's."
)
HELP_OPEN: Final = Sentence("open: after a game, offer to show the hidden cards.")
HELP_AGAIN: Final = Sentence("again: after a game, offer another one.")
HELP_ANALYSE: Final = Sentence("analyse: after a game, your decisions judged.")
HELP_CONCEDE: Final = Sentence("concede: give up. The game then ends for all.")
HELP_LEAVE: Final = Sentence("leave: leave the table.")
HELP_HELP: Final = Sentence("help: this list. The first letters of a command are enough.")

_SHORT: Final = 60
"""The most characters of a list of answers on the line of its question."""


@dataclass(frozen=True, slots=True)
class Command:
    """A word to type.

    do: takes the dialogue and the rest of the line. help: None if the help on another command
    tells the word. when: whether the dialogue has the command.
    """

    word: str
    do: Callable[[Any, str], Answer]
    help: Sentence | None = None
    when: Callable[[Any], bool] = lambda _: True


class Dialogue(Generic[V, G]):
    """One player's dialogue. V: the seat's view when a decision is due. G: the game's state.

    advise: in practice only. analyst: if the game has one. holds: whether the program answers
    when the time of a window is over.
    """

    own: ClassVar[tuple[Command, ...]] = ()
    """The commands of the game alone. They come before the common ones of the same letters."""

    def __init__(
        self,
        seat: Seat,
        game: Game,
        advise: Callable[[V], Any] | None = None,
        analyst: Analyst | None = None,
        *,
        holds: bool = True,
    ) -> None:
        self._played: Final = game
        self._advise: Final = advise
        self._analyst: Final = analyst
        self._holds: Final = holds
        self._words: Any = game.telling.words(seat)
        self.company: Final = Company(lasts=advise is None, hides=self._words.hides)
        self.last: tuple[str, ...] = (NOTHING_YET(),)
        """The last news."""
        self._decided = 0
        self._begin()

    def _begin(self) -> None:
        """Begin a game of which nothing is known."""
        words: Words = self._played.telling.words(self._words.seat)
        words.name = self._words.name
        self._words = words
        self._teller = NewsNarrator(words)
        self._game: G | None = None
        self._transcript = b""
        self._why: tuple[str, ...] = (captions.NOTHING_REFUSED(),)
        self._close()

    def _close(self) -> None:
        """Ask nothing more."""
        self._due: V | None = None
        self._asked: Listing | None = None
        self.reply: Wish | None = None

    # What a game changes.

    def ask(self, due: V) -> str | Listing:
        """Return the question."""
        listed = self._played.needed(Game.exchange).notation.listed(due)
        return MOVE_Q(moves=" ".join(listed))

    def undecided(self, due: V) -> Move | None:
        """Return the only answer; None if the person has to decide."""
        del due
        return None

    def typed(self, text: str) -> Answer | None:
        """Take a line as a move; None if the line is no move."""
        if self._due is None:
            return None
        try:
            move = self._played.needed(Game.exchange).notation.read(self._due, text)
        except IllegalMoveError as error:
            return self.refuse(error)
        except ValueError:
            return None
        return self.take(move)

    def take(self, given: Given) -> Answer:
        """Take what an answer gives: a move, unless the game has values of its own."""
        self._close()
        return Answer((), heard.MakeMove(given))

    def speaker(self, game: G) -> Seat | None:
        """Return the seat that has to decide, if the game tells."""
        del game
        return None

    def follow(self, event: Event, game: G) -> tuple[str, ...]:
        """Take an event that leads to ``game``; return more lines about the event."""
        del event, game
        return ()

    def outlasts(self, gives: Given) -> bool:
        """Tell whether the question for a yes to ``gives`` stays when a decision falls due."""
        return isinstance(gives, heard.Concede | heard.Leave | TakeBack)

    def advised(self, due: V, rest: str) -> tuple[str, ...]:
        """Return what a good player would type, and why. rest: typed after "hint"."""
        del rest
        return () if self._advise is None else self.advice(due, self._advise(due))

    def analysis(self) -> Task | None:
        """Return the task to judge the person's decisions, or None before that can be done."""
        return None

    async def perform(self, task: Task, show: Callable[[Sequence[str]], None]) -> None:
        """Judge the decisions of the game that ``task`` names; ``show`` each line at once."""
        if self._analyst is not None:
            await tell_all(self._analyst, task, self._words.seat, show)

    @property
    def idle(self) -> bool:
        """Whether the session answers soon for the person."""
        return False

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules."""
        return self._played.needed(Game.rulebook).paragraphs(self._played.variants[0])

    @property
    def why(self) -> tuple[str, ...]:
        """Why the last answer was refused."""
        return self._why

    @property
    def how(self) -> str:
        """What to type where a line was not understood."""
        return TYPE_HELP()

    # The news.

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        due = self._due is not None and not self.idle
        return due or self._asked is not None or self.company.after_game

    @property
    def pondered(self) -> G | None:
        """The game, if another player is connected and has to decide; else None."""
        game = self._game
        if game is None or self._teller.cut or self.company.after_game:
            return None
        return game if self.speaker(game) not in (None, self._words.seat) else None

    def tell_thinking(self, seconds: int) -> str:
        """Say for how long the player who decides has been thinking."""
        speaker = None if self._game is None else self.speaker(self._game)
        name = self._words.name if speaker is None else self._words.name_of(speaker)
        return THINKS(name=name, seconds=seconds)

    def hear(self, news: News) -> tuple[str, ...]:
        """Take a piece of news; return the lines to show."""
        if not self.company.listens(news):
            return ()
        told = (*self._teller.tell(news), *company.still_dialled(news))
        if isinstance(news, heard.GameEvent):
            told += self.follow(news.event, news.game)
            self._game = news.game
        self._note(news)
        if told:
            self.last = told
        if isinstance(news, heard.MoveDue):
            told = self._fall_due(news.view)
        over = self.company.after_game
        told += self.company.hear(news)
        if self.company.after_game and not over:
            told += self._after()
        return (*told, *self.question()) if told and self._asked is not None else told

    def _note(self, news: News) -> None:
        """Remember what ``news`` say of the game."""
        match news:
            case heard.TakenUp(game):
                self._close()
                self._game, self._transcript = game, b""
            case heard.WindowAnswered():
                self._close()
            case Decisions(count):
                self._decided = count
            case heard.Settled(transcript):
                self._transcript, self._due = transcript, None
            case heard.NextGame():
                self._begin()
            case _:
                pass

    def _fall_due(self, due: V) -> tuple[str, ...]:
        """Ask, or answer at once where there is nothing to decide."""
        asked = self._asked
        self._close()
        self._due = due
        if asked is not None and self.outlasts(asked.options[0].gives):
            self._asked = asked
        free = self.undecided(due)
        if free is None:
            return self.ask_again()
        self.reply = self.take(free).choice
        return ()

    def _after(self) -> tuple[str, ...]:
        """Return what can be typed after the game."""
        words = ("open", "again", "analyse", "leave")
        rows = [each.help for each in self.commands if each.word in words]
        return (STILL_HERE(), *(row() for row in rows if row is not None))

    # The questions.

    def question(self) -> tuple[str, ...]:
        """Return the open question."""
        return self.ask_again() if self._asked is None else lines_of(self._asked)

    def ask_again(self) -> tuple[str, ...]:
        """Return the question of the decision."""
        asks = None if self._due is None or self.idle else self.ask(self._due)
        if isinstance(asks, Listing):
            return lines_of(asks)
        return () if asks is None else (asks,)

    def open(self, given: Given) -> Answer:
        """Ask a list, or take what is no list at once."""
        if not isinstance(given, Listing):
            return self.take(given)
        self._asked = given
        return Answer(lines_of(given))

    def confirm(self, asks: str, gives: Given, *before: str) -> Answer:
        """Ask for a yes before ``gives`` is taken, below the lines ``before``."""
        return Answer((*before, *self.open(sure(asks, gives)).lines))

    def refuse(self, error: IllegalMoveError) -> Answer:
        """Say why the rules refuse what was typed."""
        self._why = (captions.REFUSED(rule=error.rule, why=error.reason()),)
        return Answer(self._why)

    def advice(self, due: V, move: Move, *reasons: str) -> tuple[str, ...]:
        """Return ``move`` as it is typed, and the reasons."""
        notation = self._played.needed(Game.exchange).notation
        return (ADVICE(answer=notation.text_of(due, move)), *reasons)

    # What is typed.

    def read(self, line: str) -> Answer:
        """Take a typed line: an answer to the open list, a move, or a command."""
        text = meant(" ".join(line.split()))
        if not text:
            return Answer(self.question())
        asked, self._asked = self._asked, None  # a move or a command closes the list
        due = None if self._due is None else self.ask(self._due)
        for listing in (asked, due):
            option = listing.read(text) if isinstance(listing, Listing) else None
            if option is not None:
                return self._chosen(option.gives)
        answer = self.typed(text) or self.obey(text)
        if answer is not None:
            return answer
        self._asked = asked
        again = () if asked is None else lines_of(asked)
        return Answer((UNKNOWN(hint=self.how), *again))

    def _chosen(self, given: Given) -> Answer:
        match given:
            case None:
                return self.cancelled()
            case heard.Concede() | heard.Leave():
                return Answer((), given)
            case TakeBack():
                return Answer((captions.TAKEN_BACK(),), given)
            case _:
                return self.open(given)

    def cancelled(self) -> Answer:
        """Say that nothing was done."""
        return Answer((NOT_DONE(), *self.ask_again()))

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands at hand; a command of the game takes the place of a common one."""
        words = [each.word for each in self.own]
        rest = [each for each in COMMON if each.word not in words]
        return tuple(each for each in (*self.own, *rest) if each.when(self))

    def command(self, word: str) -> Command | None:
        """Return the first command that begins with ``word``."""
        low = "help" if word == "?" else word.lower()
        return next((each for each in self.commands if each.word.startswith(low)), None)

    def obey(self, text: str) -> Answer | None:
        """Obey a typed command; None for no command."""
        word, _, rest = text.partition(" ")
        found = self.command(word)
        return None if found is None else found.do(self, rest)

    # The common commands.

    def tell_help(self) -> Answer:
        """Tell what can be typed."""
        rows = [each.help() for each in self.commands if each.help is not None]
        moves = () if self.own else (HELP_MOVES(),)
        return Answer((*moves, *rows, *self.company.help, *self.ask_again()))

    def concede(self) -> Answer:
        """Ask before the game is given up."""
        return self.confirm(captions.CONCEDE_SURE(), heard.Concede())

    def leave(self) -> Answer:
        """Leave; before the end of a game ask first."""
        question = self.company.leave()
        leaves = heard.Leave()
        return self.confirm(question, leaves) if question else Answer((), leaves)

    def undo(self) -> Answer:
        """Ask before the last decision is taken back."""
        if not (self.is_coached() and self._decided):
            return Answer((captions.NOTHING_DECIDED(),))
        return self.confirm(captions.TAKE_BACK(), TakeBack())

    def hint(self, rest: str) -> Answer:
        """Tell what a good player would do."""
        if self._due is None:
            return Answer((captions.NO_HINT(),))
        return Answer(self.advised(self._due, rest))

    def analyse(self) -> Answer:
        """Have the person's decisions judged."""
        task = self.analysis()
        return (
            Answer((NOT_OVER(),)) if task is None else Answer((captions.STARTING(),), task=task)
        )

    def is_coached(self) -> bool:
        """Tell whether hints are given, and decisions taken back."""
        return self._advise is not None

    def has(self, part: Late[object]) -> bool:
        """Tell whether the game has ``part``."""
        return self._played.has(part)


def _coached(talk: Dialogue[Any, Any]) -> bool:
    return talk.is_coached()


def _has_rules(talk: Dialogue[Any, Any]) -> bool:
    return talk.has(Game.rulebook)


def _judges(talk: Dialogue[Any, Any]) -> bool:
    return talk.has(Game.analysis)


def _hides(talk: Dialogue[Any, Any]) -> bool:
    return talk.company.hides


WHY: Final = Command("why", lambda talk, _: Answer(talk.why), HELP_WHY)
COMMON: Final = (
    Command("last", lambda talk, _: Answer(talk.last), HELP_LAST),
    WHY,
    Command("hint", lambda talk, rest: talk.hint(rest), HELP_HINT, _coached),
    Command("undo", lambda talk, _: talk.undo(), HELP_UNDO, _coached),
    Command("rules", lambda talk, _: Answer(talk.rules), HELP_RULES, _has_rules),
    Command("say", lambda talk, rest: talk.company.say(rest), HELP_SAY),
    Command("phrase", lambda talk, rest: talk.company.say_phrase(rest), HELP_PHRASE),
    Command("phrases", lambda _, __: Answer(phrase_list())),
    Command("mute", lambda talk, rest: talk.company.mute(rest), HELP_MUTE),
    Command("watch", lambda talk, rest: talk.company.admit(rest.lower())),
    Command("concede", lambda talk, _: talk.concede(), HELP_CONCEDE),
    Command("again", lambda talk, _: talk.company.offer(Proposal.REMATCH), HELP_AGAIN),
    Command("open", lambda talk, _: talk.company.offer(Proposal.BOOKS), HELP_OPEN, _hides),
    Command("analyse", lambda talk, _: talk.analyse(), HELP_ANALYSE, _judges),
    Command("leave", lambda talk, _: talk.leave(), HELP_LEAVE),
    Command("help", lambda talk, _: talk.tell_help(), HELP_HELP),
)
"""The commands of every game."""


def lines_of(asked: Listing) -> tuple[str, ...]:
    """Return a list as lines; a short list stands on the line of its question."""
    told = [
        OPTION(key=each.key, words=words) if (words := each.line or each.words) else each.key
        for each in asked.options
    ]
    short = COMMA().join(told)
    return (f"{asked.asks} {short}",) if len(short) <= _SHORT else (asked.asks, *told)


def dialogue_of(game: Game) -> Callable[..., AnyDialogue]:
    """Return line mode of ``game``; it takes the arguments of ``Dialogue``.

    Raises:
        MissingPartError: the game has neither a line mode nor a notation of moves.
    """
    if game.has(Game.lines):
        return game.needed(Game.lines)
    game.see_it_has(Game.exchange)
    return Dialogue
