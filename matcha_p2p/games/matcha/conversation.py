"""Line mode of Matcha: its commands and questions. Each move is made only after a yes."""

import re
from typing import ClassVar, Final

from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.lines.dialogue import WHY, Command, Dialogue
from matcha_p2p.games.matcha.lessons.rulebook import rules_text
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.judgement import HandsBySet
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Keep, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen.analysis import Analyse
from matcha_p2p.games.matcha.screen.coach import explained
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast, foretold
from matcha_p2p.games.matcha.screen.drawing.tokens import short_of
from matcha_p2p.games.matcha.table.events import Event, GameEnded, RoundResolved
from matcha_p2p.games.matcha.words import words
from matcha_p2p.games.matcha.words.narrator import explain, point_of_view
from matcha_p2p.games.matcha.words.table_in_words import SeatView
from matcha_p2p.games.matcha.words.words import card_words, mats_to_choose, numbered
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed

_PLAY: Final = re.compile(r"([1-5])\s*([a-f])")
_CARDS: Final = r"[1-5][\s,1-5]*|none|all"
_KEEP: Final = re.compile(rf"(?:k|keep)?\s*({_CARDS})")


class Conversation(Dialogue[Observation, GameState]):
    """One player's dialogue."""

    def _begin(self) -> None:
        super()._begin()
        self._hands: HandsBySet = {}

    def speaker(self, game: GameState) -> Seat | None:
        """Return the seat that has to decide."""
        match game.phase:
            case Placing(seat):
                return seat
            case Keeping():
                return self._words.seat if self._due is not None else opposite(self._words.seat)
            case _:
                return None

    def follow(self, event: Event, game: GameState) -> tuple[str, ...]:
        """Take an event; after a round say which player now needs one more token.

        The screen shows the token in gold.
        """
        if isinstance(event, GameEnded):
            self._close()
        told: list[str] = []
        for seat in (self._words.seat, opposite(self._words.seat)):
            short = short_of(game, seat) if isinstance(event, RoundResolved) else None
            if short and (self._game is None or short != short_of(self._game, seat)):
                sentence = words.SHORT_YOURS if seat == self._words.seat else words.SHORT
                tokens = listed(words.TOKENS[token]() for token in sorted(short))
                told.append(sentence(name=self._words.name, tokens=tokens))
        return tuple(told)

    def undecided(self, due: Observation) -> None:
        """Return None: the person decides everything."""
        self._game = due.game
        self._hands = {**self._hands, due.game.number: due.hand}

    def ask(self, due: Observation) -> str:
        """Return the question."""
        cards = numbered(due.held())
        if isinstance(due.game.phase, Keeping):
            return words.CHOOSE_KEEP(cards=cards)
        return words.YOUR_MOVE(mats=_free_mats(due), cards=cards)

    @property
    def how(self) -> str:
        """What to type where a line was not understood."""
        if self._due is None:
            return super().how
        keeps = isinstance(self._due.game.phase, Keeping)
        return (words.KEEP_INSTEAD if keeps else words.MOVE_INSTEAD)()

    def typed(self, text: str) -> Answer | None:
        """Take a card and a mat, or the cards to keep."""
        low = text.lower()
        if played := _PLAY.fullmatch(low):
            return self._play(Play(MATS.index(played[2]), int(played[1]) - 1))
        kept = _KEEP.fullmatch(low)
        return None if kept is None else self.keep(kept[1])

    def _play(self, move: Play) -> Answer:
        due = self._due
        if due is None:
            return Answer((words.NOT_YOUR_MOVE(),))
        game, mat = due.game, MATS[move.mat]
        if move in due.legal_moves():
            would = [each for each in forecast(due, move.slot) if each.mat == move.mat]
            told = (foretold(each, card_words) for each in would)
            card = card_words(due.hand[move.slot])
            return self.confirm(words.SEAL_Q(card=card, mat=mat), move, *told)
        if isinstance(game.phase, Keeping):
            return Answer((words.KEEP_INSTEAD(),))
        if move.slot not in game.hands[due.seat]:
            return Answer((words.CARD_GONE(number=move.slot + 1),))
        if move.mat in MATS_OF_ROUND[game.rounds[-1].number - 1]:
            return Answer((words.MAT_TAKEN(mat=mat),))
        return Answer((words.ROUND_MATS_ONLY(mats=_free_mats(due)),))

    def _pass(self, _: str) -> Answer:
        due = self._due
        if due is None or PASS not in due.legal_moves():
            return Answer((words.NOT_YOUR_MOVE() if due is None else words.KEEP_INSTEAD(),))
        out = due.game.edition.turns is None
        return self.confirm((words.SIT_OUT_Q if out else words.SKIP_Q)(), PASS)

    def keep(self, chosen: str) -> Answer:
        """Ask for a yes to the cards that are typed."""
        due = self._due
        if due is None or not isinstance(due.game.phase, Keeping):
            return Answer((words.NOT_YOUR_MOVE() if due is None else words.MOVE_INSTEAD(),))
        held = dict(due.held())
        if not re.fullmatch(_CARDS, chosen):
            return Answer((words.KEEP_INSTEAD(),))
        slots = frozenset(
            held if chosen == "all" else (int(it) - 1 for it in re.findall("[1-5]", chosen))
        )
        missing = slots - set(held)
        if missing:
            return Answer((words.CARD_GONE(number=min(missing) + 1),))
        cards = listed(card_words(held[slot]) for slot in sorted(slots))
        asks = words.KEEP_Q(cards=cards) if slots else words.KEEP_NONE_Q()
        return self.confirm(asks, Keep(slots))

    def advised(self, due: Observation, rest: str) -> tuple[str, ...]:
        """Return the move of a good player, and the reason."""
        del rest
        if self._advise is None:
            return ()
        judgement = self._advise(due)
        return self.advice(due, judgement.moves[0].move, explained(due, judgement))

    def analysis(self) -> Analyse | None:
        """Return the task to judge the decisions, after the game."""
        known = self._transcript, self._words.seat, self._hands
        return Analyse(*known) if self._transcript else None

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the edition."""
        return rules_text(EDITION_2015 if self._game is None else self._game.edition)

    @property
    def why(self) -> tuple[str, ...]:
        """Why the last round ended as it did."""
        view = point_of_view(self._words.seat, self._words.name)
        return tuple(line for line in explain(self._game, view) if line)

    def describe(self, command: str) -> Answer:
        """Tell about "hand", "table", "mine" or "theirs"."""
        ours, game = self._words, self._game
        if game is None or not game.table:
            return Answer((words.NO_TABLE(),))
        return Answer(SeatView(ours.seat, game, ours.hand, ours.name).describe(command))

    @staticmethod
    def _tells(word: str, help_: Sentence | None = None) -> Command:
        return Command(word, lambda talk, _: talk.describe(word), help_)

    own: ClassVar[tuple[Command, ...]] = (
        _tells("hand", words.HELP_TELL),
        _tells("table"),
        _tells("mine"),
        Command("pass", _pass, words.HELP_MOVE),
        Command("keep", lambda talk, rest: talk.keep(rest.lower()), words.HELP_KEEP),
        _tells("theirs"),
        Command(WHY.word, WHY.do, words.HELP_WHY),
    )


def _free_mats(observation: Observation) -> str:
    plays = [move for move in observation.legal_moves() if isinstance(move, Play)]
    return mats_to_choose(sorted({play.mat for play in plays}))
