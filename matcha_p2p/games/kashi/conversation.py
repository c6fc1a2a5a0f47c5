"""Line mode of Kashi-ichi: its commands and questions.

A turn is a draft until the person ends it: until then nothing is signed.
"""

from typing import ClassVar, Final

from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.lines.dialogue import (
    NOT_ASKED,
    UNKNOWN,
    Command,
    Dialogue,
    Given,
)
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi import questions
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.review.mistakes import Analyse
from matcha_p2p.games.kashi.rules.game import choose, most_paid
from matcha_p2p.games.kashi.rules.moves import Move, PayUpkeep, StartAt
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
from matcha_p2p.games.kashi.table.events import Event, FirstDrawn, GameEnded
from matcha_p2p.games.kashi.typed_turn import TypedTurn
from matcha_p2p.games.kashi.words import line_sentences as said
from matcha_p2p.games.kashi.words import notation
from matcha_p2p.games.kashi.words.names import place_words, purpose_words
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.wire.text import number_in

_ACTIONS: Final = ("go", "gold", "buy", "deliver", "shop", "end")


class Conversation(Dialogue[Outlook, GameState]):
    """One player's dialogue."""

    def _begin(self) -> None:
        self._turn: TypedTurn | None = None
        super()._begin()

    def _close(self) -> None:
        super()._close()
        self._ending: GameEnded | None = None

    def speaker(self, game: GameState) -> Seat | None:
        """Return the seat that has to decide."""
        return game.due

    def follow(self, event: Event, game: GameState) -> tuple[str, ...]:
        """Take an event; in practice tell the aim of the game when the game begins."""
        del game
        self._ending = None
        if isinstance(event, GameEnded):
            self._close()
            self._turn, self._ending = None, event
        begins = self.is_coached() and isinstance(event, FirstDrawn)
        return (said.AIM(),) if begins else ()

    def undecided(self, due: Outlook) -> Move | None:
        """Begin the turn; return the move if a single move is legal."""
        self._game = due.game
        if not isinstance(due.game.phase, Turn):
            self._turn = None
        elif self._turn is None or self._turn.draft.start != due.game:
            self._turn = TypedTurn(self._words, due.game)
        legal = due.legal_moves()
        return legal[0] if len(legal) == 1 else None

    def ask(self, due: Outlook) -> str | Listing:
        """Return the question."""
        game, own = due.game, due.game.players[due.seat]
        match game.phase:
            case Starting():
                squares = [game.board.name_of(square) for square in game.board.starts]
                return said.START_Q(squares="; ".join(squares))
            case Paying():
                return said.PAY_Q(owed=len(own.shops), gold=own.gold, most=most_paid(own))
            case Questioning():
                return questions.vote()
            case _:
                return said.TURN_Q(ap=0 if self._turn is None else self._turn.draft.ap)

    def typed(self, text: str) -> Answer | None:
        """Take the bonus of an order, or actions of a turn with ";" between."""
        turn = self._turn
        if turn is None:
            return Answer((NOT_ASKED(),)) if notation.is_logged(text.lower()) else None
        first, *others = text.split(";")
        if not (turn.awaits(text.lower()) or self._acts(first)):
            return None
        lines: list[str] = []
        for part in (first, *others):
            before = turn.draft
            answer = self._act(turn, part.strip())
            lines += answer.lines
            if answer.choice is not None or turn.draft == before:
                return Answer(tuple(lines), answer.choice)
        return Answer(tuple(lines))

    def _acts(self, text: str) -> bool:
        """Tell whether ``text`` is an action: written out, or as in a log."""
        word = text.partition(" ")[0].lower()
        found = self.command(word)
        return notation.is_logged(word) or (found is not None and found.word in _ACTIONS)

    def _act(self, turn: TypedTurn, text: str) -> Answer:
        try:
            if turn.awaits(text.lower()):
                return Answer(turn.choose_bonus(text.lower()))
            if notation.is_logged(text.lower()):
                return Answer(turn.log(text))
        except RefusedError as refused:
            return self.refuse(refused)
        return self.obey(text) or Answer((UNKNOWN(hint=self.how),))

    def take(self, given: Given) -> Answer:
        """Take a move, actions of the turn, or the number of an order to deliver."""
        turn = self._turn
        if turn is None or type(given) not in (int, tuple):
            self._turn = None
            return super().take(given)
        try:
            if isinstance(given, int):
                return self._open(turn.fulfil(given))
            return Answer(turn.act(*given))
        except RefusedError as refused:
            return self.refuse(refused)

    def _open(self, told: tuple[str, ...] | Listing) -> Answer:
        return self.open(told) if isinstance(told, Listing) else Answer(told)

    def in_turn(self, command: str, rest: str) -> Answer:
        """Obey an action: "go", "gold", "buy", "deliver" or "shop"."""
        turn = self._turn
        if turn is None:
            return Answer((NOT_ASKED(), *self.ask_again()))
        try:
            return self._open(turn.obey(command, rest.lower()))
        except RefusedError as refused:
            return self.refuse(refused)

    def _end(self, _: str) -> Answer:
        turn = self._turn
        if turn is None:
            return Answer((NOT_ASKED(), *self.ask_again()))
        draft = turn.draft
        if draft.ap:
            return self.confirm(said.END_Q(ap=draft.ap), draft.turn)
        return self.take(draft.turn)

    def _undo(self, rest: str) -> Answer:
        turn = self._turn
        if turn is None or not turn.draft.made:
            return self.undo()
        return Answer(turn.undo(everything=rest.lower() == "all"))

    def _start(self, rest: str) -> Answer:
        match self._due:
            case Outlook(GameState(phase=Starting())) as due:
                square = notation.find_square(due.game.board, rest)
                return (
                    Answer(self.ask_again()) if square is None else self._try(StartAt(square))
                )
            case _:
                return Answer(self.ask_again() or (NOT_ASKED(),))

    def _pay(self, rest: str) -> Answer:
        match self._due:
            case Outlook(GameState(phase=Paying())) as due:
                player, gold = due.game.players[due.seat], number_in(rest)
                most = most_paid(player)
            case _:
                return Answer(self.ask_again() or (NOT_ASKED(),))
        if gold is None:
            return Answer((said.PAY_HOW(gold=most),))
        if gold < most:
            lost = min(player.points, len(player.shops) - gold)
            return self.confirm(said.PAY_LESS_Q(gold=gold, points=lost), PayUpkeep(gold))
        return self._try(PayUpkeep(gold))

    def _try(self, move: Move) -> Answer:
        due = self._due
        try:
            if due is not None:
                choose(due.game, due.seat, move)
        except RefusedError as refused:
            return self.refuse(refused)
        return self.take(move)

    def advised(self, due: Outlook, rest: str) -> tuple[str, ...]:
        """Return the rest of a good turn, and its way; or the way of order ``rest``."""
        if self._advise is None:
            return ()
        if self._turn is None:
            starts = isinstance(due.game.phase, Starting)
            why = (said.START_ANYWHERE(),) if starts else ()
            return self.advice(due, self._advise(due).move, *why)
        game, seat = self._turn.draft.game, self._words.seat
        ways = {way.order: _way_words(game.board, way) for way in Map(game, seat).ways()}
        if rest:
            return (ways.get(number_in(rest) or 0) or said.DELIVER_HOW(order=game.row[0]),)
        self._why = tuple(ways.values())
        now = Outlook(game, seat)
        found = self._advise(now)
        purpose = purpose_words(game.board, found.order, found.ap)
        return self.advice(now, found.move, *filter(None, (purpose,)))

    def analysis(self) -> Analyse | None:
        """Return the task to judge the person's turns, after the game."""
        return Analyse(self._transcript, self._words.seat) if self._transcript else None

    def describe(self, command: str) -> Answer:
        """Tell about the game, with the turn so far."""
        turn = None if self._turn is None else self._turn.draft
        game, words = self._game if turn is None else turn.game, self._words
        if game is None:
            return Answer((said.NO_GAME(),))
        match command:
            case "orders":
                told = words.tell_row(game)
            case "board":
                told = words.tell_board(game)
            case "areas":
                told = words.tell_areas(game)
            case "score" if self._ending is not None:
                told = words.tell_final(self._ending)
            case "score":
                told = words.tell_score(game)
            case "mine":
                told = words.tell_own(game) or [said.NO_GAME()]
            case _ if turn is None:
                told = [NOT_ASKED()]
            case _ if not turn.made:
                told = [said.NO_DRAFT(ap=turn.ap)]
            case _:
                actions = words.actions(turn.start, words.seat, turn.made)
                told = [said.DRAFT(actions=actions, ap=turn.ap)]
        return Answer(tuple(told))

    @staticmethod
    def _action(word: str, help_: Sentence | None = None) -> Command:
        return Command(word, lambda talk, rest: talk.in_turn(word, rest), help_)

    @staticmethod
    def _tells(word: str, help_: Sentence | None = None) -> Command:
        return Command(word, lambda talk, _: talk.describe(word), help_)

    own: ClassVar[tuple[Command, ...]] = (
        _action("go", said.HELP_GO),
        _action("gold", said.HELP_BUY),
        _action("buy"),
        _action("deliver", said.HELP_DELIVER),
        _action("shop"),
        Command("undo", _undo, said.HELP_UNDO),
        Command("end", _end, said.HELP_END),
        Command("start", _start, said.HELP_START),
        Command("pay", _pay),
        _tells("orders", said.HELP_TELL),
        _tells("board"),
        _tells("areas"),
        _tells("score"),
        _tells("mine"),
        _tells("turn"),
        Command(
            "hint",
            lambda talk, rest: talk.hint(rest),
            said.HELP_HINT,
            lambda talk: talk.is_coached(),
        ),
    )


def _way_words(board: Board, way: OrderPath) -> str:
    legs = [
        said.LEG(place=place_words(board, stop), ap=ap)
        for stop, ap in zip(way.stops, way.walk, strict=True)
        if ap
    ]
    legs += [said.BUYING(buys=way.buys)] if way.buys else []
    legs += [said.TAKING(takes=way.takes)] if way.takes else []
    return said.WAY(order=way.order, ap=way.ap, legs=listed([*legs, said.DELIVERING()]))
