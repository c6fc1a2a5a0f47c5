"""Line mode as a dialogue, without input or output: news and typed lines go in."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.console.lines import company
from matcha_p2p.console.lines.company import Company, command_of
from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.table import captions
from matcha_p2p.console.terminal.keyboard import meant
from matcha_p2p.games.tichu import answers as tichu_answers
from matcha_p2p.games.tichu.events import Called, GameEnded, HandSeen, Met, RoundBegun
from matcha_p2p.games.tichu.lessons import pages
from matcha_p2p.games.tichu.review.asked import (
    Analyse,
    AnalyseRound,
    Exchanged,
    RoundAnswers,
    recorded,
)
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import MAH_JONG, NUMBERS
from matcha_p2p.games.tichu.rules.moves import Play, check_duty, legal_plays, owes
from matcha_p2p.games.tichu.rules.notation import text_of
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask, seat_after
from matcha_p2p.games.tichu.seated import BEHIND, RULES
from matcha_p2p.games.tichu.steps import Tichu
from matcha_p2p.games.tichu.words import line_sentences as said
from matcha_p2p.games.tichu.words import notation
from matcha_p2p.games.tichu.words.card_words import ONE, card_text, hand_text, play_words
from matcha_p2p.games.tichu.words.seat_words import SeatWords
from matcha_p2p.narration import after_game
from matcha_p2p.narration.news import Decisions, News, TakeBack, Wish
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as session_news
from matcha_p2p.wire.text import number_in

COMMANDS: Final = (
    "pass", "hold", "bomb", "tichu", "grand", "no", "give", "gift", "hand", "table", "score",
    "fits", "last", "why", "help", "say", "phrase", "phrases", "mute", "rules", "concede",
    "open", "again", "analyse", "leave", "wait", "watch",
)  # fmt: skip
"""The commands besides cards. A prefix means the first command that begins with it."""
COACHED: Final = (*COMMANDS, "hint", "undo")
"""The commands in practice."""


@dataclass(frozen=True, slots=True)
class Confirming:
    """``question`` asks for a yes before ``choice`` is made. None: to call Tichu."""

    question: str
    choice: Wish | None


@dataclass(frozen=True, slots=True)
class Choosing:
    """What was typed can be each of ``lays``. wish: typed with it, or None."""

    lays: tuple[actions.Lay, ...]
    wish: int | None


@dataclass(frozen=True, slots=True)
class Wishing:
    """The Mah Jong is to be laid, and no wish was typed with it."""

    lay: actions.Lay


class Conversation:
    """One player's dialogue.

    advise: in practice only. holds: whether the program lays no bomb by itself when the time
    for one is over.
    """

    reply: Wish | None = None

    def __init__(
        self,
        seat: Seat,
        advise: tichu_answers.Advise | None = None,
        *,
        holds: bool = True,
    ) -> None:
        self._advise: Final = advise
        self._holds: Final = holds
        self._seconds = 0.0  # for a bomb on the last play
        self._waits = False  # the person takes more time for a bomb
        self._words = SeatWords(seat)
        self._teller = NewsNarrator(self._words)
        self._game: Tichu | None = None
        self._due: Observation | None = None
        self._question: Confirming | Choosing | Wishing | None = None
        self._calls = False  # Tichu, with the next answer
        self._armed = frozenset[int]()  # the places of a bomb to lay as soon as possible
        self._refused: RefusedError | None = None
        self._decided = 0
        self._transcript = b""
        self._exchanged: dict[int, Exchanged] = {}
        self._answers: RoundAnswers = ()
        self._names: tuple[str, ...] = ()
        self._company = Company(lasts=advise is None)
        self._last: tuple[str, ...] = (company.NOTHING_YET(),)

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        due = self._due is not None and not self._is_idle
        return due or self._question is not None or self._company.after_game

    @property
    def pondered(self) -> Tichu | None:
        """The game as it stands, if another seat, which is there, has to decide in it."""
        game = self._game
        if game is None or self._teller.cut or self._company.after_game:
            return None
        thinks = game.stage is None and game.round.speaker not in (None, self._words.seat)
        return game if thinks else None

    def tell_thinking(self, seconds: int) -> str:
        """Say for how long the seat that is asked has been thinking."""
        speaker = None if self._game is None else self._game.round.speaker
        name = self._words.name if speaker is None else self._words.name_of(speaker)
        return company.THINKS(name=name, seconds=seconds)

    @property
    def _held(self) -> dict[int, int]:
        """The faces of the cards in hand, by place."""
        held = () if self._game is None else self._game.round.held[self._words.seat]
        return {place: face for place, face in enumerate(self._words.hand) if place in held}

    def hear(self, news: News) -> tuple[str, ...]:
        """Take a piece of news; return the lines to show."""
        if not self._company.listens(news):
            return ()
        told = tuple(self._teller.tell(news))
        if told:
            self._last = told
        match news:
            case (
                session_news.MoveDue()
                | session_news.WindowOpened()
                | session_news.WindowAnswered()
            ):
                told = self._hear_due(news)
            case session_news.GameEvent(event, game):
                self._game = game
                self._follow(event)
                told += self._aim(event)
            case session_news.TakenUp(game):
                self._game = game
                self._due = self._question = self.reply = None
            case Decisions(count):
                self._decided = count
            case session_news.Settled(transcript):
                self._transcript = transcript
            case session_news.NextGame():
                self._begin_anew()
            case _:
                pass
        told += self._company.hear(news)
        if told and isinstance(self._question, Confirming):
            return (*told, self._question.question)
        return told

    def _aim(self, event: object) -> tuple[str, ...]:
        """In practice, return the aim of the game when its first round begins."""
        first = isinstance(event, RoundBegun) and event.number == 1
        return (said.AIM(),) if first and self._advise is not None else ()

    def _follow(self, event: object) -> None:
        match event:
            case Met(names=names):
                self._names = names
            case RoundBegun() | HandSeen():
                self._calls = self._calls and isinstance(event, HandSeen)
                self._armed = frozenset[int]()
            case Laid():
                self._seconds, self._waits = 0.0, False
            case Called(seat) if seat == self._words.seat:
                self._calls = False
            case GameEnded():
                self._due = self._question = self.reply = None
            case _:
                pass

    def _begin_anew(self) -> None:
        self._transcript, self._exchanged, self._answers = b"", {}, ()
        name = self._words.name
        self._words = SeatWords(self._words.seat)
        self._words.name = name
        self._teller = NewsNarrator(self._words)
        self._game = self._due = self._question = None

    def _hear_due(
        self,
        news: session_news.MoveDue | session_news.WindowOpened | session_news.WindowAnswered,
    ) -> tuple[str, ...]:
        match news:
            case session_news.MoveDue(seen):
                return self._fall_due(seen)
            case session_news.WindowOpened(seconds):
                self._seconds = seconds
                return self._tell_window()
            case session_news.WindowAnswered():
                self._due = self._question = self.reply = None
                return ()

    def _fall_due(self, seen: Observation) -> tuple[str, ...]:
        """Ask, or answer at once where there is nothing to decide."""
        self._due, self.reply = seen, None
        if seen.given:
            self._exchanged[seen.number] = seen.given, seen.received
        match self._question:
            case Confirming(
                choice=session_news.Concede() | session_news.Leave() | TakeBack() | None
            ):
                pass
            case _:
                self._question = None
        bomb = tichu_answers.armed_lay(seen, self._armed) if self._armed else None
        if seen.asked is Ask.HOLD and self._seconds:
            return self._ask_in_window(seen, bomb)
        free = bomb or tichu_answers.undecided(seen, calls=self._calls)
        if free is None:
            return (self._ask(seen),)
        self.reply = self._make(free).choice
        return ()

    def _tell_window(self) -> tuple[str, ...]:
        """Tell the owner of a fitting bomb that the bomb may be laid now."""
        game, seat = self._game, self._words.seat
        if game is None or (seat, Ask.HOLD) not in game.round.asked or game.round.last == seat:
            return ()
        asked = game.round._replace(asked=((seat, Ask.HOLD),))
        plays = _in_words(legal_plays(asked, self._held.values()))
        seconds = math.ceil(self._seconds)
        return (said.BOMB_SOON(plays=listed(plays), seconds=seconds),) if plays else ()

    def _ask_in_window(self, seen: Observation, bomb: actions.Lay | None) -> tuple[str, ...]:
        """Ask about a bomb among people; the session answers when the time has passed."""
        if bomb is not None:
            self.reply = self._make(bomb).choice
            return ()
        if self._calls and seen.may_call():  # a bomb may still take the place of this answer
            self.reply = session_news.MakeMove(actions.Hold(tichu=True))
        return () if self._is_idle else (self._ask(seen),)

    @property
    def _is_idle(self) -> bool:
        """Whether the session answers soon for the person."""
        seen = self._due
        timed = seen is not None and seen.asked is Ask.HOLD and self._seconds > 0
        return timed and self._holds and not self._waits

    def _make(self, answer: actions.TichuMove) -> Answer:
        """Give ``answer``, and call Tichu with it if that was wanted."""
        seen, self._due, self._question, self.reply = self._due, None, None, None
        if (
            seen is not None
            and self._calls
            and not isinstance(answer, actions.AnswerGrand | actions.GiveTrick)
        ):
            self._calls = False
            answer = answer._replace(tichu=seen.may_call())
        if seen is not None:
            self._answers = recorded(self._answers, seen, answer)
        return Answer((), session_news.MakeMove(answer))

    def _ask(self, seen: Observation) -> str:
        cards, around = hand_text(seen.held.values()), self._words.around._asdict()
        match seen.asked:
            case Ask.PUSH:
                return said.GIVE_Q(cards=cards, **around)
            case Ask.HOLD:
                plays = _fitting(seen)
                return said.BOMB_Q(plays=listed(plays)) if plays else said.NO_BOMB_Q()
            case Ask.TURN if owes(seen.held.values(), seen.state.under, seen.state.wish):
                return said.BOUND_Q(card=ONE[seen.state.wish](), cards=cards)
            case Ask.TURN if seen.state.under is not None:
                return said.TURN_Q(cards=cards)
            case Ask.GIFT:
                return said.GIFT_Q(**around)
            case Ask.GRAND | Ask.CALL as asked:
                return said.DUE[asked]()
            case _:
                return said.LEAD_Q(cards=cards)

    def _ask_again(self) -> tuple[str, ...]:
        return () if self._due is None else (self._ask(self._due),)

    def read(self, line: str) -> Answer:
        """Take a typed line."""
        text = meant(" ".join(line.split()))
        match self._question:
            case Confirming(choice=choice) if text.lower() in company.YES:
                self._question = None
                return self._confirmed(choice)
            case Confirming() | Choosing() | Wishing() if text.lower() == "n":
                self._question = None
                return Answer((company.NOT_DONE(), *self._ask_again()))
            case Choosing(lays, wish) if 0 < (number := number_in(text) or 0) <= len(lays):
                return self._lay(lays[number - 1], wish)
            case Wishing(lay):
                return self._wish(lay, text)
            case _:
                self._question = None  # before an answer, any other command is possible too
                return self._understand(text) if text else Answer(self._ask_again())

    def _confirmed(self, choice: Wish | None) -> Answer:
        match choice:
            case session_news.MakeMove(answer):
                return self._make(answer)
            case None:
                self._calls = True
                free = (
                    None
                    if self._due is None
                    else tichu_answers.undecided(self._due, calls=self._calls)
                )
                if free is not None:
                    return self._make(free)
                return Answer((said.WILL_CALL(), *self._ask_again()))
            case TakeBack():
                return Answer((captions.TAKEN_BACK(),), choice)
            case _:
                return Answer((), choice)

    def _confirm(self, question: str, choice: Wish | None) -> Answer:
        self._question = Confirming(question, choice)
        return Answer((question,))

    def _understand(self, text: str) -> Answer:
        cards, wished, wish = text.partition(" wish ")
        if notation.reads_as_cards(cards):
            return self._read_cards(cards, wish if wished else None)
        word, _, rest = text.partition(" ")
        commands = COMMANDS if self._advise is None else COACHED
        return self._obey(command_of(word.lower(), commands), rest)

    def _obey(self, command: str | None, rest: str) -> Answer:
        match command:
            case "pass" | "hold" | "wait" | "grand" | "no" | "give" | "gift":
                return self._answer(command, rest)
            case "bomb":
                return self._bomb(rest)
            case "tichu":
                return self._call(rest)
            case "say" | "phrase" | "phrases" | "mute" | "watch" | "open" | "again":
                return self._company.obey(command, rest)
            case "concede":
                return self._concede()
            case "leave":
                return self._leave()
            case "analyse":
                return self._analyse()
            case "undo" if self._decided:
                return self._confirm(said.TAKE_BACK_Q(), TakeBack())
            case "undo":
                return Answer((captions.NOTHING_DECIDED(),))
            case _:
                return Answer(self._inform(command))

    def _concede(self) -> Answer:
        """Ask before the team gives up; a bot that is the partner may refuse (T34)."""
        coached = self._game if self._advise is not None else None
        if coached and not RULES.resigns(coached, self._words.seat):
            name = self._words.around.partner
            return Answer((said.PLAYS_ON(name=name, points=BEHIND), *self._ask_again()))
        return self._confirm(said.CONCEDE_Q(), session_news.Concede())

    def _wait(self) -> Answer:
        """Take more time for a bomb on the last play."""
        if not self._seconds:
            return Answer((said.NO_TIME(),))
        self._waits = True
        return Answer((said.WAITS(),), session_news.Think())

    def _leave(self) -> Answer:
        question = self._company.leave()
        return (
            self._confirm(question, session_news.Leave())
            if question
            else Answer((), session_news.Leave())
        )

    def _analyse(self) -> Answer:
        if not self._transcript:
            return self._analyse_round()
        task = Analyse(self._transcript, self._words.seat, {**self._exchanged})
        return Answer((said.STARTING(),), task=task)

    def _analyse_round(self) -> Answer:
        """Ask for the analysis of the last round, if it is over; in practice only."""
        game, answers = self._game, self._answers
        over = game is not None and bool(answers) and game.number > answers[-1][0].number
        if not over or self._advise is None:
            return Answer((after_game.NOT_OVER(),))
        return Answer((said.STARTING(),), task=AnalyseRound(self._names, answers))

    def _call(self, rest: str) -> Answer:
        """Call Tichu with the next answer, or with the one that ``rest`` is."""
        if self._game is None:
            return Answer((said.NO_CARDS(),))
        seat = self._words.seat
        try:  # as if the seat were asked now
            rules.call_tichu(self._game.round._replace(asked=((seat, Ask.TURN),)), seat)
        except RefusedError as refused:
            return self._refuse(refused)
        if not rest or self._due is None:
            return self._confirm(said.TICHU_Q(), None)
        self._calls = True
        answer = self._understand(rest)
        self._calls = self._calls and self._question is not None
        return answer

    def _bomb(self, typed: str) -> Answer:
        """Lay a bomb, arm it if nothing is asked, or disarm. typed: a number in it, or ""."""
        if self._armed and not typed:
            self._armed = frozenset[int]()
            return Answer((said.DISARMED(),))
        held, number = self._held, notation.read_number(typed)
        bombs = [play.faces for play in tichu_answers.bombs_of(held.values())]
        if typed:
            bombs = [faces for faces in bombs if number in [NUMBERS[face] for face in faces]]
        if not bombs:
            return Answer((said.NO_BOMB(), *self._ask_again()))
        places = frozenset(place for place, face in held.items() if face in bombs[0])
        if self._due is None:
            self._armed = places
            # With an armed bomb the session has to ask, also after the time of a window.
            asks = session_news.Think() if self._advise is None else None
            return Answer((said.ARMED(play=play_words(bombs[0])),), asks)
        lays, refused = notation.marked_lays(sorted(places), self._due)
        return self._lay(lays[0], None) if refused is None else self._refuse(refused)

    def _refuse(self, refused: RefusedError) -> Answer:
        self._refused = refused
        return Answer((said.REFUSED(rule=refused.rule, why=refused.why()),))

    def _answer(self, command: str, rest: str) -> Answer:
        match command, self._due:
            case "wait", _:
                return self._wait()
            case _, None:
                return Answer((said.NOT_ASKED(),))
            case "grand", Observation(asked=Ask.GRAND):
                return self._confirm(
                    said.GRAND_SURE_Q(), session_news.MakeMove(actions.AnswerGrand(called=True))
                )
            case "no", Observation(asked=Ask.GRAND):
                return self._make(actions.AnswerGrand(called=False))
            case "give", Observation(asked=Ask.PUSH) as seen:
                return self._give(seen, rest)
            case "hold", Observation(asked=Ask.HOLD | Ask.CALL) as seen:
                return self._make(seen.legal_moves()[0])
            case "gift", Observation(asked=Ask.GIFT):
                return self._give_trick(rest.lower())
            case "pass", Observation(asked=Ask.TURN) as seen:
                return self._pass(seen)
            case _:
                return Answer(self._ask_again())

    def _give(self, seen: Observation, typed: str) -> Answer:
        places = notation.read_gifts(typed, seen.held)
        if places is None:
            return Answer((said.GIVE_THREE(), *self._ask_again()))
        first, second, third = (card_text(seen.held[place]) for place in places)
        gifts = {"first": first, "second": second, "third": third}
        question = said.GIVE_SURE_Q(**gifts, **self._words.around._asdict())
        left, partner, right = places
        return self._confirm(
            question, session_news.MakeMove(actions.GiveCards((right, partner, left)))
        )

    def _give_trick(self, side: str) -> Answer:
        match command_of(side, ("left", "right")):
            case None:
                return Answer((said.GIFT_WHOM(),))
            case chosen:
                steps = 3 if chosen == "left" else 1
                return self._make(actions.GiveTrick(seat_after(self._words.seat, steps)))

    def _pass(self, seen: Observation) -> Answer:
        try:
            rules.pass_turn(seen.state, seen.seat)
            check_duty(seen.state, seen.held.values(), ())
        except RefusedError as refused:
            return self._refuse(refused)
        return self._make(actions.Pass())

    def _read_cards(self, cards: str, wish: str | None) -> Answer:
        if self._due is None:
            return Answer((said.NOT_ASKED(),))
        number = None if wish is None else _wished(wish)
        if wish is not None and number is None:
            return Answer((said.WISH_WHAT(),))
        lays, refused = notation.read_lays(cards, self._due)
        if refused is not None:
            return self._refuse(refused)
        if len(lays) == 1:
            return self._lay(lays[0], number)
        self._question = Choosing(lays, number)
        plays = enumerate([_named(self._due, lay) for lay in lays], 1)
        choices = [said.WHICH(number=at, play=play) for at, play in plays]
        return Answer((said.WHICH_Q(), *choices))

    def _lay(self, lay: actions.Lay, wish: int | None) -> Answer:
        """Lay a legal play. wish: None if no wish was typed with it."""
        if self._due is None:
            return Answer((said.NOT_ASKED(),))
        faces = {place: self._due.held[place] for place in lay.places}
        if wish is None and MAH_JONG in faces.values():
            self._question = Wishing(lay)
            return Answer((said.WISH_Q(),))
        try:
            rules.play(self._due.state, self._due.seat, faces, lay.wild, wish or 0)
        except RefusedError as refused:
            return self._refuse(refused)
        return self._make(lay._replace(wish=wish or 0))

    def _wish(self, lay: actions.Lay, typed: str) -> Answer:
        number = _wished(typed.lower().removeprefix("wish "))
        return Answer((said.WISH_WHAT(),)) if number is None else self._lay(lay, number)

    def _inform(self, command: str | None) -> tuple[str, ...]:
        match command:
            case "help":
                coached = () if self._advise is None else (said.HELP_COACHED,)
                helped = tuple(sentence() for sentence in (*said.HELP, *coached))
                return (*helped, *self._company.help)
            case "last":
                return self._last
            case "why":
                return self._why()
            case "rules":
                return pages.paragraphs("")
            case "hint":
                return self._hint()
            case None:
                return (company.UNKNOWN(hint=company.HINT()),)
            case _:
                return self._describe(command)

    def _why(self) -> tuple[str, ...]:
        if self._refused is None:
            return (said.NOTHING_REFUSED(),)
        rule, page = self._refused.rule, tichu_answers.PAGES.get(self._refused.rule)
        told = said.REFUSED(rule=rule, why=self._refused.why())
        return (told,) if page is None else (told, page().removeprefix("- "))

    def _hint(self) -> tuple[str, ...]:
        seen = self._due
        if seen is None or self._advise is None:
            return (captions.NO_HINT(),)
        from matcha_p2p.games.tichu.words.hints import reasons  # the bots, not needed before

        judgement = self._advise(seen)
        best = text_of(seen, judgement.moves[0].move)
        return (said.ADVICE(answer=best), *reasons(seen, judgement, self._words.around))

    def _describe(self, command: str) -> tuple[str, ...]:
        """Return the sentences about "hand", "table", "score" or "fits"."""
        game, hand = self._game, self._words.hand
        match command:
            case _ if game is None or not hand:
                return (said.NO_CARDS(),)
            case "hand":
                return (said.HAND_NOW(cards=hand_text(self._held.values())),)
            case "table":
                return tuple(self._words.tell_table(game))
            case "score":
                return tuple(self._words.tell_score(game))
            case _ if self._due is None:
                return (said.NOT_ASKED(),)
            case _:
                return tuple(_fitting(self._due)) or (said.NOTHING_FITS(),)


def _fitting(seen: Observation) -> list[str]:
    """Return what ``seen`` may lay, in words."""
    return _in_words(legal_plays(seen.state, seen.held.values()))


def _in_words(plays: Sequence[Play]) -> list[str]:
    return [play_words(play.faces, play.wild) for play in plays]


def _named(seen: Observation, lay: actions.Lay) -> str:
    return play_words([seen.held[place] for place in lay.places], lay.wild)


def _wished(typed: str) -> int | None:
    """Return the number that is wished for, 0 for none; None if that is unclear."""
    return 0 if typed.lower() in ("none", "no") else notation.read_number(typed)
