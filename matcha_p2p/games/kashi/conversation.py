"""Line mode as a dialogue, without input or output: news and typed lines go in.

A turn is a draft until the person ends it: until then nothing is signed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.console.lines import company
from matcha_p2p.console.lines.company import Company, command_of
from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.table import captions
from matcha_p2p.console.terminal.keyboard import meant
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.draft import Draft
from matcha_p2p.games.kashi.events import Event, FirstDrawn, GameEnded, Met
from matcha_p2p.games.kashi.lessons import pages
from matcha_p2p.games.kashi.review.asked import Analyse
from matcha_p2p.games.kashi.rules.game import choose, most_paid
from matcha_p2p.games.kashi.rules.moves import AnswerIdle, Move, PayUpkeep, StartAt
from matcha_p2p.games.kashi.rules.notation import text_of
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import (
    GameState,
    Paying,
    Questioning,
    Starting,
    Turn,
)
from matcha_p2p.games.kashi.rules.ways import Map, OrderPath
from matcha_p2p.games.kashi.typed_turn import TypedTurn
from matcha_p2p.games.kashi.words import line_sentences as said
from matcha_p2p.games.kashi.words import notation
from matcha_p2p.games.kashi.words.names import place_words
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.narration.after_game import NOT_OVER
from matcha_p2p.narration.news import Decisions, News, TakeBack, Wish
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as heard
from matcha_p2p.wire.text import number_in

Advise: TypeAlias = Callable[[Outlook], Move]
"""Returns the move of a good player, or the rest of a turn: the same when asked again."""

_ACTIONS: Final = ("go", "gold", "buy", "deliver", "shop", "end")
COMMANDS: Final = (
    *_ACTIONS, "start", "pay", "on", "settle", "undo", "orders", "board", "areas", "score",
    "mine", "turn", "last", "why", "help", "say", "phrase", "phrases", "mute", "rules",
    "concede", "again", "analyse", "leave", "watch",
)  # fmt: skip
"""The commands. A prefix means the first command that begins with it."""
COACHED: Final = (*COMMANDS, "hint")
"""The commands in practice."""


@dataclass(frozen=True, slots=True)
class Confirming:
    """``question`` asks for a yes before ``choice`` is made."""

    question: str
    choice: Wish


class Conversation:
    """One player's dialogue. advise: in practice only."""

    reply: Wish | None = None

    def __init__(self, seat: Seat, advise: Advise | None = None) -> None:
        self._advise: Final = advise
        self._words = SeatWords(seat)
        self._teller = NewsNarrator(self._words)
        self._company = Company(lasts=advise is None, hides=False)
        self._game: GameState | None = None
        self._ending: GameEnded | None = None
        self._transcript = b""
        self._due: Outlook | None = None
        self._turn: TypedTurn | None = None
        self._question: Confirming | None = None
        self._decided = 0
        self._why: tuple[str, ...] = (said.NOTHING_REFUSED(),)
        self._last: tuple[str, ...] = (company.NOTHING_YET(),)

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        due = self._due is not None or self._question is not None
        return due or self._company.after_game

    @property
    def pondered(self) -> GameState | None:
        """The game, if another player is connected and has to decide; else None."""
        game = self._game
        if game is None or self._teller.cut or self._company.after_game:
            return None
        return None if game.due in (None, self._words.seat) else game

    def tell_thinking(self, seconds: int) -> str:
        """Say for how long the player who decides has been thinking."""
        due = None if self._game is None else self._game.due
        name = self._words.name if due is None else self._words.name_of(due)
        return company.THINKS(name=name, seconds=seconds)

    def hear(self, news: News) -> tuple[str, ...]:
        """Take a piece of news; return the lines to show."""
        if not self._company.listens(news):
            return ()
        told = tuple(self._teller.tell(news))
        if told:
            self._last = told
        match news:
            case heard.MoveDue(outlook):
                told = self._fall_due(outlook)
            case heard.GameEvent(event, game):
                self._follow(event, game)
                told += self._aim(event)
            case heard.TakenUp(game):
                self._game, self._ending = game, None
                self._due = self._question = self.reply = None
            case Decisions(count):
                self._decided = count
            case heard.Settled(transcript):
                self._transcript = transcript
            case heard.NextGame():
                self._transcript = b""
                self._words = SeatWords(self._words.seat)
                self._teller = NewsNarrator(self._words)
                self._game = self._ending = self._due = self._turn = self._question = None
            case _:
                pass
        told += self._company.hear(news)
        if told and self._question is not None:
            return (*told, self._question.question)
        return told

    def _aim(self, event: Event) -> tuple[str, ...]:
        """In practice, return the aim of the game when the game begins."""
        begins = self._advise is not None and isinstance(event, FirstDrawn)
        return (said.AIM(),) if begins else ()

    def _follow(self, event: Event, game: GameState) -> None:
        if isinstance(event, Met):  # the first seat is not drawn yet
            return
        self._game, self._ending = game, None
        if isinstance(event, GameEnded):
            self._ending = event
            self._due = self._turn = self._question = None

    def _fall_due(self, outlook: Outlook) -> tuple[str, ...]:
        """Ask, or answer at once if a single move is legal."""
        self._game, self._due, self.reply = outlook.game, outlook, None
        if not isinstance(outlook.game.phase, Turn):
            self._turn = None
        elif self._turn is None or self._turn.draft.start != outlook.game:
            self._turn = TypedTurn(self._words, outlook.game)
        legal = outlook.legal_moves()
        if len(legal) == 1:
            self.reply = self._make(legal[0]).choice
            return ()
        return (self._ask(outlook),)

    def _make(self, move: Move) -> Answer:
        self._due = self._turn = self._question = None
        return Answer((), heard.MakeMove(move))

    def _ask(self, outlook: Outlook) -> str:
        game = outlook.game
        own = game.players[outlook.seat]
        match game.phase:
            case Starting():
                squares = [game.board.name_of(square) for square in game.board.starts]
                return said.START_Q(squares="; ".join(squares))
            case Paying():
                owed, most = len(own.shops), most_paid(own)
                return said.PAY_Q(owed=owed, gold=own.gold, most=most)
            case Questioning():
                return said.IDLE_Q(rounds=game.idle)
            case _:
                return said.TURN_Q(ap=0 if self._turn is None else self._turn.draft.ap)

    def _ask_again(self) -> tuple[str, ...]:
        return () if self._due is None else (self._ask(self._due),)

    def read(self, line: str) -> Answer:
        """Take a typed line: a command, or several actions of a turn with ";" between."""
        text = meant(" ".join(line.split()))
        match self._question:
            case Confirming(choice=choice) if text.lower() in company.YES:
                self._question = None
                return self._confirmed(choice)
            case Confirming() if text.lower() in company.NO:
                self._question = None
                return Answer((company.NOT_DONE(), *self._ask_again()))
            case _:
                self._question = None  # before an answer, any other command is possible too
        turn = self._turn
        if turn is not None and (told := turn.choose_bonus(text.lower())):
            return self._told(turn, told)
        if not text:
            return Answer(self._ask_again())
        first, *others = text.split(";")
        if turn is None or not _is_action(first):
            return self._understand(text)
        return self._understand_all(turn, [first, *others])

    def _understand_all(self, turn: TypedTurn, parts: list[str]) -> Answer:
        """Take actions in order, until a part changes nothing."""
        lines: list[str] = []
        for part in parts:
            before = turn.draft
            answer = self._understand(part.strip())
            lines += answer.lines
            if answer.choice is not None or turn.draft == before:
                return Answer(tuple(lines), answer.choice)
        return Answer(tuple(lines))

    def _confirmed(self, choice: Wish) -> Answer:
        match choice:
            case heard.MakeMove(move):
                return self._make(move)
            case TakeBack():
                self._turn = None
                return Answer((captions.TAKEN_BACK(),), choice)
            case _:
                return Answer((), choice)

    def _confirm(self, question: str, choice: Wish) -> Answer:
        self._question = Confirming(question, choice)
        return Answer((question,))

    def _understand(self, text: str) -> Answer:
        if notation.is_logged(text.lower()):
            return self._in_turn("log", text)
        word, _, rest = text.partition(" ")
        commands = COMMANDS if self._advise is None else COACHED
        return self._obey(command_of(word.lower(), commands), rest)

    def _obey(self, command: str | None, rest: str) -> Answer:
        match command:
            case "go" | "gold" | "buy" | "deliver" | "shop" | "end" | "undo":
                return self._in_turn(command, rest.lower())
            case "start" | "pay" | "on" | "settle":
                return self._answer(command, rest.lower())
            case "say" | "phrase" | "phrases" | "mute" | "watch" | "again":
                return self._company.obey(command, rest)
            case "analyse":
                return self._analyse()
            case "concede":
                return self._confirm(said.CONCEDE_Q(), heard.Concede())
            case "leave":
                question = self._company.leave()
                return (
                    self._confirm(question, heard.Leave())
                    if question
                    else Answer((), heard.Leave())
                )
            case _:
                return Answer(self._inform(command, rest))

    def _analyse(self) -> Answer:
        if not self._transcript:
            return Answer((NOT_OVER(),))
        return Answer((said.STARTING(),), task=Analyse(self._transcript, self._words.seat))

    def _in_turn(self, command: str, rest: str) -> Answer:
        turn = self._turn
        if command == "undo" and (turn is None or not turn.draft.made):
            return self._take_back()
        if turn is None:
            return Answer((said.NOT_ASKED(), *self._ask_again()))
        if command == "end":
            return self._end(turn.draft)
        return self._told(turn, turn.obey(command, rest))

    def _told(self, turn: TypedTurn, lines: tuple[str, ...]) -> Answer:
        self._why = turn.refused or self._why
        return Answer(lines)

    def _take_back(self) -> Answer:
        if self._advise is None or not self._decided:
            return Answer((captions.NOTHING_DECIDED(),))
        return self._confirm(said.TAKE_BACK_Q(), TakeBack())

    def _end(self, draft: Draft) -> Answer:
        if draft.ap:
            return self._confirm(said.END_Q(ap=draft.ap), heard.MakeMove(draft.turn))
        return self._make(draft.turn)

    def _refuse(self, refused: RefusedError) -> Answer:
        self._why = (said.REFUSED(rule=refused.rule, why=refused.reason()),)
        return Answer(self._why)

    def _answer(self, command: str, rest: str) -> Answer:
        """Answer what is asked besides turns."""
        match command, self._due:
            case "start", Outlook(GameState(phase=Starting())) as outlook:
                square = notation.find_square(outlook.game.board, rest)
                if square is None:
                    return Answer(self._ask_again())
                return self._try(outlook, StartAt(square))
            case "pay", Outlook(GameState(phase=Paying())) as outlook:
                return self._pay(outlook, rest)
            case "on" | "settle", Outlook(GameState(phase=Questioning())) as outlook:
                return self._try(outlook, AnswerIdle(settle=command == "settle"))
            case _:
                return Answer(self._ask_again() or (said.NOT_ASKED(),))

    def _pay(self, outlook: Outlook, rest: str) -> Answer:
        player = outlook.game.players[outlook.seat]
        most = most_paid(player)
        gold = number_in(rest)
        if gold is None:
            return Answer((said.PAY_HOW(gold=most),))
        if gold < most:
            lost = min(player.points, len(player.shops) - gold)
            question = said.PAY_LESS_Q(gold=gold, points=lost)
            return self._confirm(question, heard.MakeMove(PayUpkeep(gold)))
        return self._try(outlook, PayUpkeep(gold))

    def _try(self, outlook: Outlook, move: Move) -> Answer:
        try:
            choose(outlook.game, outlook.seat, move)
        except RefusedError as refused:
            return self._refuse(refused)
        return self._make(move)

    def _inform(self, command: str | None, rest: str) -> tuple[str, ...]:
        match command:
            case "help":
                coached = () if self._advise is None else (said.HELP_COACHED,)
                helped = tuple(sentence() for sentence in (*said.HELP, *coached))
                return (*helped, *self._company.help)
            case "last":
                return self._last
            case "why":
                return self._why
            case "rules":
                return pages.paragraphs("")
            case "hint":
                return self._hint(rest)
            case None:
                return (company.UNKNOWN(hint=company.HINT()),)
            case _:
                return self._describe(command)

    def _hint(self, rest: str) -> tuple[str, ...]:
        """Return the move of a good player, or the cheapest way of an order."""
        advise = self._advise
        if self._due is None or advise is None:
            return (captions.NO_HINT(),)
        if self._turn is None:
            starts = isinstance(self._due.game.phase, Starting)
            known = (said.START_ANYWHERE(),) if starts else ()
            return (*known, *_advised(advise, self._due))
        game, seat = self._turn.draft.game, self._words.seat
        ways = {str(way.order): _way_words(game.board, way) for way in Map(game, seat).ways()}
        if rest:
            return (ways.get(rest) or said.DELIVER_HOW(order=game.row[0]),)
        self._why = tuple(ways.values())
        return _advised(advise, Outlook(game, seat))

    def _describe(self, command: str) -> tuple[str, ...]:
        """Return the sentences about the game, with the turn so far."""
        draft, words = None if self._turn is None else self._turn.draft, self._words
        game = self._game if draft is None else draft.game
        if game is None:
            return (said.NO_GAME(),)
        match command:
            case "orders":
                return tuple(words.tell_row(game))
            case "board":
                return tuple(words.tell_board(game))
            case "areas":
                return tuple(words.tell_areas(game))
            case "score" if self._ending is not None:
                return tuple(words.tell_final(self._ending))
            case "score":
                return tuple(words.tell_score(game))
            case "mine":
                return tuple(words.tell_own(game)) or (said.NO_GAME(),)
            case _ if draft is None:
                return (said.NOT_ASKED(),)
            case _ if not draft.made:
                return (said.NO_DRAFT(ap=draft.ap),)
            case _:
                actions = words.actions(draft.start, words.seat, draft.made)
                return (said.DRAFT(actions=actions, ap=draft.ap),)


def _way_words(board: Board, way: OrderPath) -> str:
    legs = [
        said.LEG(place=place_words(board, stop), ap=ap)
        for stop, ap in zip(way.stops, way.walk, strict=True)
        if ap
    ]
    legs += [said.BUYING(buys=way.buys)] if way.buys else []
    legs += [said.TAKING(takes=way.takes)] if way.takes else []
    return said.WAY(order=way.order, ap=way.ap, legs=listed([*legs, said.DELIVERING()]))


def _is_action(text: str) -> bool:
    word = text.partition(" ")[0].lower()
    return notation.is_logged(word) or command_of(word, COMMANDS) in _ACTIONS


def _advised(advise: Advise, outlook: Outlook) -> tuple[str, ...]:
    """Return the answer of a good player as a sentence."""
    answer = text_of(outlook, advise(outlook))
    return (said.ADVICE(answer=answer),)
