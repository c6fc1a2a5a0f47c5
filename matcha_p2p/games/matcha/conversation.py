"""Line mode as a dialogue, without input or output.

News and typed lines go in, lines to show and choices come out.
"""

import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from matcha_p2p.console.lines import company
from matcha_p2p.console.lines.company import Company, command_of
from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.table import captions as table_captions
from matcha_p2p.console.table.captions import DIALLED
from matcha_p2p.console.terminal.keyboard import meant
from matcha_p2p.games.matcha.events import GameEnded, RoundResolved
from matcha_p2p.games.matcha.lessons.rulebook import rules_text
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.judgement import HandsBySet
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Keep, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen import analysis
from matcha_p2p.games.matcha.screen import coach as coaching
from matcha_p2p.games.matcha.screen.analysis import Analyse
from matcha_p2p.games.matcha.screen.coach import Coach
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast, foretold
from matcha_p2p.games.matcha.screen.drawing.tokens import short_of
from matcha_p2p.games.matcha.words import words
from matcha_p2p.games.matcha.words.narrator import explain, point_of_view
from matcha_p2p.games.matcha.words.seat_words import SeatWords
from matcha_p2p.games.matcha.words.table_in_words import SeatView
from matcha_p2p.games.matcha.words.words import card_words, mats_to_choose, numbered
from matcha_p2p.narration import after_game
from matcha_p2p.narration.news import News, TakeBack, Wish
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.narration.sentences import listed
from matcha_p2p.session import news as session_news
from matcha_p2p.session.connection.changes import LineDialled

COMMANDS: Final = (
    "hand", "table", "mine", "last", "say", "rules", "pass", "keep", "concede",
    "theirs", "phrase", "phrases", "open", "again", "leave", "why", "help", "mute",
    "analyse", "watch",
)  # fmt: skip
"""The commands besides moves. A prefix means the first command that begins with it."""

COACHED: Final = (*COMMANDS, "hint", "undo")
"""The commands in practice."""

_PLAY: Final = re.compile(r"([1-5])\s*([a-f])")
_NUMBERS: Final = re.compile(r"[1-5][\s,1-5]*")


@dataclass(frozen=True, slots=True)
class Idle:
    """No answer is awaited."""


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """A move is due."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Confirming:
    """``question`` asks for a yes before ``choice`` is made; else the state is ``before``."""

    question: str
    choice: Wish
    before: Idle | MoveAsked


LineQuestion: TypeAlias = Idle | MoveAsked | Confirming


_TRIES_SAID: Final = frozenset(5 * 2**doubled for doubled in range(16))
"""The tries to dial the peer that line mode reports; the screen counts all tries."""


class Conversation:
    """One player's dialogue. coach: in practice only."""

    reply: Wish | None = None  # a person decides everything

    def __init__(self, seat: Seat, coach: Coach | None = None) -> None:
        self._words = SeatWords(seat)
        self._teller = NewsNarrator(self._words)
        self._question: LineQuestion = Idle()
        self._game: GameState | None = None
        self._coach = coach
        self._company = Company(lasts=coach is None)
        self._hands: HandsBySet = {}
        self._transcript = b""
        self._last: tuple[str, ...] = (company.NOTHING_YET(),)

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        return self._question != Idle() or self._company.after_game

    @property
    def pondered(self) -> GameState | None:
        """The game, if the other player is connected and has to decide; else None."""
        game = self._game
        if game is None or self._teller.cut or self._company.after_game:
            return None
        match game.phase:
            case Placing(seat) if seat == opposite(self._words.seat):
                return game
            case Keeping() if self._question == Idle():
                return game
            case _:
                return None

    def tell_thinking(self, seconds: int) -> str:
        """Say for how long the other player has been thinking."""
        return company.THINKS(name=self._words.name, seconds=seconds)

    @property
    def _due(self) -> Idle | MoveAsked:
        match self._question:
            case Confirming(before=before):
                return before
            case question:
                return question

    def hear(self, news: News) -> tuple[str, ...]:
        """Take a piece of news; return the lines to show."""
        if not self._listens(news):
            return ()
        told = (*self._teller.tell(news), *self._nearly_won(news), *_still_dialled(news))
        if told:
            self._last = told
        match news:
            case session_news.MoveDue(observation):
                self._game = observation.game
                self._hands = {**self._hands, observation.game.number: observation.hand}
                self._fall_due(MoveAsked(observation))
                told = (self._ask(observation),)
            case session_news.GameEvent(GameEnded(), game) | session_news.TakenUp(game):
                self._game, self._question = game, Idle()
                self._transcript = b""
            case session_news.GameEvent(_, game):
                self._game = game
            case session_news.Settled(transcript):
                self._transcript = transcript
            case session_news.NextGame():
                self._begin_anew()
            case _:
                pass
        told += self._company.hear(news)
        match self._question:
            case Confirming(question) if told:
                return (*told, question)
            case _:
                return told

    def _listens(self, news: News) -> bool:
        """Take note of the speaker; tell whether to hear ``news``."""
        if self._coach is not None:
            self._coach = self._coach.hear(news)
        return self._company.listens(news)

    def _nearly_won(self, news: News) -> tuple[str, ...]:
        """Say which player now needs one more token, and of which kind.

        The screen shows the token in gold.
        """
        match news:
            case session_news.GameEvent(RoundResolved(), game):
                pass
            case _:
                return ()
        told: list[str] = []
        for seat in (self._words.seat, opposite(self._words.seat)):
            short = short_of(game, seat)
            if short and (self._game is None or short != short_of(self._game, seat)):
                sentence = words.SHORT_YOURS if seat == self._words.seat else words.SHORT
                tokens = listed(words.TOKENS[token]() for token in sorted(short))
                told.append(sentence(name=self._words.name, tokens=tokens))
        return tuple(told)

    def _fall_due(self, asked: MoveAsked) -> None:
        match self._question:
            case (
                Confirming(
                    choice=session_news.Concede() | session_news.Leave() | TakeBack()
                ) as parting
            ):
                self._question = replace(parting, before=asked)
            case _:
                self._question = asked

    def _begin_anew(self) -> None:
        self._words = SeatWords(self._words.seat, self._words.name)
        self._teller = NewsNarrator(self._words)
        self._question, self._game, self._transcript = Idle(), None, b""
        self._hands = {}

    def read(self, line: str) -> Answer:
        """Take a typed line."""
        text = meant(" ".join(line.split()))
        match self._question:
            case Confirming(choice=choice) if text.lower() in company.YES:
                self._question = Idle()
                return self._choose(choice)
            case Confirming() if text.lower() in company.NO:
                self._question = self._due
                return Answer((company.NOT_DONE(), *self._ask_again()))
            case _:
                self._question = self._due  # before the yes, any other command is possible too
                return self._understand(text) if text else Answer(self._ask_again())

    def _ask(self, observation: Observation) -> str:
        cards = numbered(observation.held())
        if isinstance(observation.game.phase, Keeping):
            return words.CHOOSE_KEEP(cards=cards)
        return words.YOUR_MOVE(mats=_free_mats(observation), cards=cards)

    def _ask_again(self) -> tuple[str, ...]:
        match self._due:
            case MoveAsked(observation):
                return (self._ask(observation),)
            case Idle():
                return ()

    def _understand(self, text: str) -> Answer:
        low = text.lower()
        if played := _PLAY.fullmatch(low):
            return self._play(Play(MATS.index(played[2]), int(played[1]) - 1))
        if _NUMBERS.fullmatch(low) or low in ("none", "all"):
            return self._keep(low)
        word, _, rest = text.partition(" ")
        commands = COMMANDS if self._coach is None else COACHED
        return self._obey(command_of(word.lower(), commands), rest)

    def _obey(self, command: str | None, rest: str) -> Answer:
        match command:
            case "pass":
                return self._pass()
            case "keep":
                return self._keep(rest.lower())
            case "say" | "phrase" | "phrases" | "mute" | "watch" | "open" | "again":
                return self._company.obey(command, rest)
            case "concede":
                name = self._words.name
                return self._confirm(words.CONCEDE_Q(name=name), session_news.Concede())
            case "analyse":
                return self._analyse()
            case "leave":
                return self._leave()
            case "undo" | "hint" if self._coach is not None:
                return self._ask_coach(self._coach, command)
            case _:
                return Answer(self._inform(command))

    def _leave(self) -> Answer:
        question = self._company.leave()
        return (
            self._confirm(question, session_news.Leave())
            if question
            else Answer((), session_news.Leave())
        )

    def _analyse(self) -> Answer:
        if not self._transcript:
            return Answer((after_game.NOT_OVER(),))
        asked = Analyse(self._transcript, self._words.seat, self._hands)
        return Answer((analysis.STARTING(),), task=asked)

    def _ask_coach(self, coach: Coach, command: str) -> Answer:
        match command, self._due:
            case "undo", _ if coach.decided:
                return self._confirm(coaching.TAKE_BACK_Q(), TakeBack())
            case "undo", _:
                return Answer((table_captions.NOTHING_DECIDED(),))
            case _, MoveAsked(observation):
                return Answer((coach.hint(observation), *self._ask_again()))
            case _:
                return Answer((table_captions.NO_HINT(),))

    def _choose(self, choice: Wish) -> Answer:
        return Answer((table_captions.TAKEN_BACK(),) if choice == TakeBack() else (), choice)

    def _confirm(self, question: str, choice: Wish) -> Answer:
        self._question = Confirming(question, choice, self._due)
        return Answer((question,))

    def _play(self, move: Play) -> Answer:
        match self._due:
            case MoveAsked(observation):
                return self._check_play(observation, move)
            case _:
                return Answer((words.NOT_YOUR_MOVE(),))

    def _check_play(self, observation: Observation, move: Play) -> Answer:
        game = observation.game
        if move in observation.legal_moves():
            card = card_words(observation.hand[move.slot])
            asked = self._confirm(
                words.SEAL_Q(card=card, mat=MATS[move.mat]), session_news.MakeMove(move)
            )
            would = [each for each in forecast(observation, move.slot) if each.mat == move.mat]
            told = tuple(foretold(each, card_words) for each in would)
            return replace(asked, lines=told + asked.lines)
        if isinstance(game.phase, Keeping):
            return Answer((words.KEEP_INSTEAD(),))
        if move.slot not in game.hands[observation.seat]:
            return Answer((words.CARD_GONE(number=move.slot + 1),))
        if move.mat in MATS_OF_ROUND[game.rounds[-1].number - 1]:
            return Answer((words.MAT_TAKEN(mat=MATS[move.mat]),))
        return Answer((words.ROUND_MATS_ONLY(mats=_free_mats(observation)),))

    def _pass(self) -> Answer:
        match self._due:
            case MoveAsked(observation) if PASS in observation.legal_moves():
                out = observation.game.edition.turns is None
                question = words.SIT_OUT_Q() if out else words.SKIP_Q()
                return self._confirm(question, session_news.MakeMove(PASS))
            case MoveAsked():
                return Answer((words.KEEP_INSTEAD(),))
            case _:
                return Answer((words.NOT_YOUR_MOVE(),))

    def _keep(self, chosen: str) -> Answer:
        match self._due:
            case MoveAsked(observation) if isinstance(observation.game.phase, Keeping):
                return self._check_keep(observation, chosen)
            case MoveAsked():
                return Answer((words.MOVE_INSTEAD(),))
            case _:
                return Answer((words.NOT_YOUR_MOVE(),))

    def _check_keep(self, observation: Observation, chosen: str) -> Answer:
        held = dict(observation.held())
        if chosen == "all":
            slots = frozenset(held)
        elif chosen == "none":
            slots = frozenset[int]()
        elif _NUMBERS.fullmatch(chosen):
            slots = frozenset(int(digit) - 1 for digit in re.findall("[1-5]", chosen))
        else:
            return Answer((words.KEEP_INSTEAD(),))
        missing = slots - set(held)
        if missing:
            return Answer((words.CARD_GONE(number=min(missing) + 1),))
        if not slots:
            return self._confirm(words.KEEP_NONE_Q(), session_news.MakeMove(Keep(slots)))
        cards = listed(card_words(held[slot]) for slot in sorted(slots))
        return self._confirm(words.KEEP_Q(cards=cards), session_news.MakeMove(Keep(slots)))

    def _inform(self, command: str | None) -> tuple[str, ...]:
        match command, self._game:
            case "help", _:
                coached = () if self._coach is None else (coaching.HELP_LINES,)
                helped = tuple(sentence() for sentence in (*words.HELP, *coached))
                return (*helped, *self._company.help)
            case "last", _:
                return self._last
            case "why", game:
                return tuple(line for line in self._why(game) if line)
            case "rules", game:
                return rules_text(EDITION_2015 if game is None else game.edition)
            case None, _:
                return (company.UNKNOWN(hint=self._hint()),)
            case _, GameState(table=table) as game if table:
                ours = self._words
                return SeatView(ours.seat, game, ours.hand, ours.name).describe(command)
            case _:
                return (words.NO_TABLE(),)

    def _why(self, game: GameState | None) -> tuple[str, ...]:
        return explain(game, point_of_view(self._words.seat, self._words.name))

    def _hint(self) -> str:
        match self._due:
            case MoveAsked(observation) if isinstance(observation.game.phase, Keeping):
                return words.KEEP_INSTEAD()
            case MoveAsked():
                return words.MOVE_INSTEAD()
            case _:
                return company.HINT()


def _free_mats(observation: Observation) -> str:
    plays = [move for move in observation.legal_moves() if isinstance(move, Play)]
    return mats_to_choose(sorted({play.mat for play in plays}))


def _still_dialled(news: News) -> tuple[str, ...]:
    match news:
        case session_news.LineChanged(LineDialled(tries), name) if tries in _TRIES_SAID:
            return (DIALLED(name=name, tries=tries),)
        case _:
            return ()
