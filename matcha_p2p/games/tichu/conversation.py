"""Line mode of Tichu: its commands and questions, and the time for a bomb."""

import math
from collections.abc import Sequence
from typing import ClassVar

from matcha_p2p.console.lines import dialogue
from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.lines.dialogue import Command, Dialogue, Given
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu import answers, questions
from matcha_p2p.games.tichu.questions import CallAnswer
from matcha_p2p.games.tichu.review.mistakes import (
    Analyse,
    AnalyseRound,
    Exchanged,
    RoundAnswers,
    recorded,
)
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import NUMBERS
from matcha_p2p.games.tichu.rules.moves import Play, check_duty, legal_plays, owes
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.seated import BEHIND, RULES
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.words import line_sentences as said
from matcha_p2p.games.tichu.words import notation
from matcha_p2p.games.tichu.words.card_words import ONE, card_text, hand_text, play_words
from matcha_p2p.language import Sentence
from matcha_p2p.narration.news import News
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as heard


class Conversation(Dialogue[Observation, Tichu]):
    """One player's dialogue."""

    def _begin(self) -> None:
        super()._begin()
        self._seconds = 0.0  # for a bomb on the last play
        self._waits = False  # the person takes more time for a bomb
        self._calls = False  # Tichu, with the next answer
        self._armed = frozenset[int]()  # the places of a bomb to lay as soon as possible
        self._names: tuple[str, ...] = ()
        self._exchanged: dict[int, Exchanged] = {}
        self._answers: RoundAnswers = ()

    @property
    def _held(self) -> dict[int, int]:
        """The faces of the cards in hand, by place."""
        if self._game is None:
            return {}
        seat: Seat = self._words.seat
        held = self._game.round.held[seat]
        return {place: face for place, face in enumerate(self._words.hand) if place in held}

    # The news.

    def speaker(self, game: Tichu) -> Seat | None:
        """Return the seat that has to decide."""
        return game.round.speaker if game.stage is None else None

    def hear(self, news: News) -> tuple[str, ...]:
        """Take a piece of news; return the lines to show."""
        told = super().hear(news)
        if isinstance(news, heard.WindowOpened):
            self._seconds = news.seconds
            told += self._tell_window()
        return told

    def follow(self, event: events.TichuEvent, game: Tichu) -> tuple[str, ...]:
        """Take an event; in practice tell the aim of the game when its first round begins."""
        del game
        match event:
            case events.Met(names=names):
                self._names = names
            case events.RoundBegun() | events.HandSeen():
                self._calls = self._calls and isinstance(event, events.HandSeen)
                self._armed = frozenset[int]()
            case Laid():
                self._seconds, self._waits = 0.0, False
            case events.Called(seat) if seat == self._words.seat:
                self._calls = False
            case events.GameEnded():
                self._close()
            case _:
                pass
        first = isinstance(event, events.RoundBegun) and event.number == 1
        return (said.AIM(),) if first and self.is_coached() else ()

    def outlasts(self, gives: Given) -> bool:
        """Tell whether the question for a yes to ``gives`` stays when a decision falls due."""
        return gives is CallAnswer.CALLS or super().outlasts(gives)

    def _fall_due(self, due: Observation) -> tuple[str, ...]:
        if due.given:
            self._exchanged[due.number] = due.given, due.received
        told = super()._fall_due(due)
        if self._is_timed(due) and self._calls and due.may_call() and self.reply is None:
            # A bomb may still take the place of this answer.
            self.reply = heard.MakeMove(actions.Hold(tichu=True))
        return told

    def undecided(self, due: Observation) -> actions.TichuMove | None:
        """Return an armed bomb, or the only answer; the session answers in a window."""
        bomb = answers.armed_lay(due, self._armed) if self._armed else None
        if bomb is not None or self._is_timed(due):
            return bomb
        return answers.undecided(due, calls=self._calls)

    def _is_timed(self, due: Observation) -> bool:
        return due.asked is Ask.HOLD and self._seconds > 0

    @property
    def idle(self) -> bool:
        """Whether the session answers soon for the person."""
        timed = self._due is not None and self._is_timed(self._due)
        return timed and self._holds and not self._waits

    def _tell_window(self) -> tuple[str, ...]:
        """Tell the owner of a fitting bomb that the bomb may be laid now."""
        game, seat = self._game, self._words.seat
        if game is None or (seat, Ask.HOLD) not in game.round.asked or game.round.last == seat:
            return ()
        asked = game.round._replace(asked=((seat, Ask.HOLD),))
        plays = _in_words(legal_plays(asked, self._held.values()))
        seconds = math.ceil(self._seconds)
        return (said.BOMB_SOON(plays=listed(plays), seconds=seconds),) if plays else ()

    # The questions.

    def ask(self, due: Observation) -> str | Listing:
        """Return the question."""
        cards, around = hand_text(due.held.values()), self._words.around._asdict()
        match due.asked:
            case Ask.PUSH:
                return said.GIVE_Q(cards=cards, **around)
            case Ask.HOLD:
                plays = _fitting(due)
                return said.BOMB_Q(plays=listed(plays)) if plays else said.NO_BOMB_Q()
            case Ask.TURN if owes(due.held.values(), due.state.under, due.state.wish):
                return said.BOUND_Q(card=ONE[due.state.wish](), cards=cards)
            case Ask.TURN if due.state.under is not None:
                return said.TURN_Q(cards=cards)
            case Ask.GIFT:
                return questions.trick(self._words)
            case Ask.GRAND | Ask.CALL as asked:
                return said.DUE[asked]()
            case _:
                return said.LEAD_Q(cards=cards)

    def take(self, given: Given) -> Answer:
        """Take a move, or that Tichu is called with the next one."""
        seen = self._due
        match given:
            case CallAnswer.BACK:
                return self.cancelled()
            case CallAnswer.CALLS:
                self._calls = True
                free = None if seen is None else answers.undecided(seen, calls=True)
                if free is None:
                    return Answer((said.WILL_CALL(), *self.ask_again()))
                return self.take(free)
            case _ if seen is None:
                return Answer((dialogue.NOT_ASKED(),))
            case actions.Lay(places, wild, wish):
                faces = {place: seen.held[place] for place in places}
                try:
                    rules.play(seen.state, seen.seat, faces, wild, wish)
                except RefusedError as refused:
                    return self.refuse(refused)
            case _:
                pass
        if self._calls and not isinstance(given, actions.AnswerGrand | actions.GiveTrick):
            self._calls = False
            given = given._replace(tichu=seen.may_call())
        self._answers = recorded(self._answers, seen, given)
        return super().take(given)

    def typed(self, text: str) -> Answer | None:
        """Take cards, perhaps with a wish."""
        cards, wishes, wish = text.partition(" wish ")
        if not notation.reads_as_cards(cards):
            return None
        if self._due is None:
            return Answer((dialogue.NOT_ASKED(),))
        number = 0 if wish.lower() in ("none", "no") else notation.read_number(wish)
        if wishes and number is None:
            return Answer((said.WISH_WHAT(),))
        lays, refused = notation.read_lays(cards, self._due)
        if refused is not None:
            return self.refuse(refused)
        lays = tuple(lay._replace(wish=number or 0) for lay in lays)
        return self.open(questions.laying(self._due, lays, None, None, wished=bool(wishes)))

    def refuse(self, error: IllegalMoveError) -> Answer:
        """Say why the rules refuse; "why" tells the page of the rules too."""
        answer, page = super().refuse(error), answers.PAGES.get(error.rule)
        if page is not None:
            self._why = (*self._why, page().removeprefix("- "))
        return answer

    # The commands.

    def concede(self) -> Answer:
        """Ask before the team gives up; a bot that is the partner may refuse (T34)."""
        coached = self._game if self.is_coached() else None
        if coached is not None and not RULES.resigns(coached, self._words.seat):
            name = self._words.around.partner
            return Answer((said.PLAYS_ON(name=name, points=BEHIND), *self.ask_again()))
        return super().concede()

    def analysis(self) -> Analyse | AnalyseRound | None:
        """Return the task to judge the game, or in practice the round that is over."""
        if self._transcript:
            return Analyse(self._transcript, self._words.seat, {**self._exchanged})
        game, decided = self._game, self._answers
        over = game is not None and bool(decided) and game.number > decided[-1][0].number
        return AnalyseRound(self._names, decided) if over and self.is_coached() else None

    def advised(self, due: Observation, rest: str) -> tuple[str, ...]:
        """Return the answer of a good player, and the reasons."""
        from matcha_p2p.games.tichu.words.hints import reasons  # the bots, not needed before

        del rest
        if self._advise is None:
            return ()
        judgement = self._advise(due)
        best = notation.typed_answer(due, judgement.moves[0].move)
        return (dialogue.ADVICE(answer=best), *reasons(due, judgement, self._words.around))

    def _wait(self, _: str) -> Answer:
        """Take more time for a bomb on the last play."""
        if not self._seconds:
            return Answer((said.NO_TIME(),))
        self._waits = True
        return Answer((said.WAITS(),), heard.Think())

    def _call(self, rest: str) -> Answer:
        """Call Tichu with the next answer, or with the one that ``rest`` is."""
        if self._game is None:
            return Answer((said.NO_CARDS(),))
        seat = self._words.seat
        try:  # as if the seat were asked now
            rules.call_tichu(self._game.round._replace(asked=((seat, Ask.TURN),)), seat)
        except RefusedError as refused:
            return self.refuse(refused)
        if not rest or self._due is None:
            return self.open(questions.tichu(None))
        self._calls = True
        answer = self.typed(rest) or self.obey(rest)
        self._calls = self._calls and self._asked is not None
        if answer is None:
            return Answer((dialogue.UNKNOWN(hint=self.how),))
        return answer

    def _bomb(self, typed: str) -> Answer:
        """Lay a bomb, arm it if nothing is asked, or disarm. typed: a number in it, or ""."""
        if self._armed and not typed:
            self._armed = frozenset[int]()
            return Answer((said.DISARMED(),))
        held, number = self._held, notation.read_number(typed)
        bombs = [play.faces for play in answers.bombs_of(held.values())]
        if typed:
            bombs = [faces for faces in bombs if number in [NUMBERS[face] for face in faces]]
        if not bombs:
            return Answer((said.NO_BOMB(), *self.ask_again()))
        places = frozenset(place for place, face in held.items() if face in bombs[0])
        if self._due is None:
            self._armed = places
            # With an armed bomb the session has to ask, also after the time of a window.
            asks = None if self.is_coached() else heard.Think()
            return Answer((said.ARMED(play=play_words(bombs[0])),), asks)
        lays, refused = notation.marked_lays(sorted(places), self._due)
        return self.take(lays[0]) if refused is None else self.refuse(refused)

    def answer(self, command: str, rest: str) -> Answer:
        """Answer with "pass", "hold", "grand", "no" or "give"."""
        match command, self._due:
            case _, None:
                return Answer((dialogue.NOT_ASKED(),))
            case "grand", Observation(asked=Ask.GRAND):
                return self.open(questions.grand(None))
            case "no", Observation(asked=Ask.GRAND):
                return self.take(actions.AnswerGrand(called=False))
            case "give", Observation(asked=Ask.PUSH) as seen:
                return self._give(seen, rest)
            case "hold", Observation(asked=Ask.HOLD | Ask.CALL) as seen:
                return self.take(seen.legal_moves()[0])
            case "pass", Observation(asked=Ask.TURN) as seen:
                return self._pass(seen)
            case _:
                return Answer(self.ask_again())

    def _give(self, seen: Observation, typed: str) -> Answer:
        places = notation.read_gifts(typed, seen.held)
        if places is None:
            return Answer((said.GIVE_THREE(), *self.ask_again()))
        first, second, third = (card_text(seen.held[place]) for place in places)
        gifts = {"first": first, "second": second, "third": third}
        question = said.GIVE_SURE_Q(**gifts, **self._words.around._asdict())
        left, partner, right = places
        return self.confirm(question, actions.GiveCards((right, partner, left)))

    def _pass(self, seen: Observation) -> Answer:
        try:
            rules.pass_turn(seen.state, seen.seat)
            check_duty(seen.state, seen.held.values(), ())
        except RefusedError as refused:
            return self.refuse(refused)
        return self.take(actions.Pass())

    def describe(self, command: str) -> Answer:
        """Tell about "hand", "table", "score" or "fits"."""
        game, hand = self._game, self._words.hand
        match command:
            case _ if game is None or not hand:
                told = [said.NO_CARDS()]
            case "hand":
                told = [said.HAND_NOW(cards=hand_text(self._held.values()))]
            case "table":
                told = self._words.tell_table(game)
            case "score":
                told = self._words.tell_score(game)
            case _ if self._due is None:
                told = [dialogue.NOT_ASKED()]
            case _:
                told = _fitting(self._due) or [said.NOTHING_FITS()]
        return Answer(tuple(told))

    @staticmethod
    def _answers_with(word: str, help_: Sentence | None = None) -> Command:
        return Command(word, lambda talk, rest: talk.answer(word, rest), help_)

    @staticmethod
    def _tells(word: str, help_: Sentence | None = None) -> Command:
        return Command(word, lambda talk, _: talk.describe(word), help_)

    own: ClassVar[tuple[Command, ...]] = (
        _answers_with("pass", said.HELP_CARDS),
        _answers_with("hold", said.HELP_PASS),
        Command("bomb", _bomb, said.HELP_BOMB),
        Command("tichu", _call, said.HELP_CALLS),
        _answers_with("grand"),
        _answers_with("no"),
        _answers_with("give", said.HELP_GIVE),
        _tells("hand", said.HELP_TELL),
        _tells("table"),
        _tells("score"),
        _tells("fits"),
        dialogue.WHY,
        Command("wait", _wait, said.HELP_WAIT),
        Command("concede", lambda talk, _: talk.concede(), said.HELP_CONCEDE),
    )


def _fitting(seen: Observation) -> list[str]:
    """Return what ``seen`` may lay, in words."""
    return _in_words(legal_plays(seen.state, seen.held.values()))


def _in_words(plays: Sequence[Play]) -> list[str]:
    return [play_words(play.faces, play.wild) for play in plays]
