"""News put into sentences, as one seat sees the game."""

from typing import Final

from matcha_p2p.language import Sentence
from matcha_p2p.machine.events import (
    Event,
    GameEnded,
    HandsDealt,
    Kept,
    Met,
    Passed,
    Placed,
    RoundResolved,
    Shuffled,
    TableLaid,
)
from matcha_p2p.narration import words
from matcha_p2p.narration.after_game import tell_after
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.quick_phrases import PHRASES
from matcha_p2p.narration.words import (
    COUNTED_TOKENS,
    ONE_TOKEN,
    SOME_TOKENS,
    card_words,
    numbered,
    round_words,
    tokens_words,
)
from matcha_p2p.rules.cards import Face, Token
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.history import Resolution, Round, slot_at
from matcha_p2p.rules.moves import Seat
from matcha_p2p.rules.notation import MATS
from matcha_p2p.rules.phases import How
from matcha_p2p.rules.scoring import Tokens
from matcha_p2p.session.line import (
    LineChange,
    LineDialled,
    LineDown,
    LineEnded,
    LineQuiet,
    LineUp,
)
from matcha_p2p.session.news import (
    Broken,
    ConcedesLater,
    HandSeen,
    LineChanged,
    MoveDue,
    News,
    PhraseHeard,
    TakenUp,
    TalkHeard,
    Taught,
    Told,
    Trouble,
    Withheld,
)


class Teller:
    """What ``seat`` is told. Its sentences are whole lines."""

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat
        self.name = ""
        self.hand: tuple[Face, ...] = ()

    def tell(self, news: News) -> list[str]:
        """Return what has happened, a fact a line; nothing about decisions that are due."""
        match news:
            case Told(event, game):
                return self._tell_event(event, game)
            case HandSeen(faces):
                self.hand = faces
                return [words.SHUFFLED(), words.HAND(cards=numbered(enumerate(faces)))]
            case TalkHeard(text):
                return [words.SAYS(name=self.name, text=text)]
            case PhraseHeard(number):
                return [words.SAYS(name=self.name, text=PHRASES[number]())]
            case LineChanged(change):
                return _tell_line(change)
            case TakenUp(game, names, hand):
                return self._tell_taken_up(game, names, hand)
            case Taught(text):
                return [text]
            case MoveDue():
                return []
            case Broken() | Withheld() | ConcedesLater():
                return [self._tell_trouble(news)]
            case _:
                return tell_after(news, self.seat, self.name)

    def _tell_taken_up(
        self, game: Game, names: tuple[str, str], hand: tuple[Face, ...]
    ) -> list[str]:
        self.name, self.hand = names[1 - self.seat], hand
        told = [words.TAKEN_UP(name=self.name, number=game.number)]
        if game.table and hand:
            told += _mats(game.table)
            told.append(words.HAND(cards=numbered(enumerate(hand))))
        return told

    def _tell_event(self, event: Event, game: Game) -> list[str]:
        match event:
            case Met(edition=edition, names=names):
                self.name = names[1 - self.seat]
                return [words.MET(name=self.name, edition=edition.name)]
            case TableLaid():
                return self._tell_table(event)
            case Placed(seat, mat):
                return [self._tell_placed(seat, mat, game)]
            case Passed(seat, auto=True):
                return [self._by(seat, words.PASSED_AUTO_YOURS, words.PASSED_AUTO)]
            case Passed(seat):
                return [self._by(seat, words.PASSED_YOURS, words.PASSED)]
            case RoundResolved(played):
                return self._tell_round(played, game)
            case Kept(counts):
                mine, theirs = counts[self.seat], counts[1 - self.seat]
                return [words.KEPT(mine=mine, theirs=theirs, name=self.name)]
            case GameEnded():
                return [result_sentence(event, self.seat, self.name)]
            case Shuffled() | HandsDealt():
                return []  # the hand comes with the next news

    def _tell_trouble(self, news: Trouble) -> str:
        match news:
            case Broken(ours=True):
                return words.BROKEN_OURS()
            case Broken(violation, over=over):
                sentence = words.BROKEN_AFTERWARDS if over else words.BROKEN
                return sentence(name=self.name, breach=BREACHES[violation.check]())
            case Withheld(count):
                return words.WITHHELD(name=self.name, count=count)
            case ConcedesLater():
                return words.CONCEDES_LATER(name=self.name)

    def _by(self, seat: Seat, mine: Sentence, theirs: Sentence) -> str:
        return mine() if seat == self.seat else theirs(name=self.name)

    def _tell_table(self, laid: TableLaid) -> list[str]:
        self.hand = ()  # the new one is not dealt yet
        opening = words.SET_YOURS if laid.dealer == self.seat else words.SET
        lines = [opening(number=laid.number, name=self.name)]
        if laid.zeros_met:
            lines.append(words.ZEROS_MET[laid.zeros_met]())
        return lines + _mats(laid.table)

    def _tell_placed(self, seat: Seat, mat: int, game: Game) -> str:
        if seat != self.seat:
            return words.SEALED(name=self.name, mat=MATS[mat])
        slot = slot_at(game.rounds[mat // 2].turns, seat, mat)
        if slot is None:
            raise RuntimeError("a card was laid, and the round does not show it")
        return words.SEALED_YOURS(card=card_words(self.hand[slot]), mat=MATS[mat])

    def _tell_round(self, played: Round, game: Game) -> list[str]:
        lines = [
            self._tell_mat(resolution, game.table[resolution.mat])
            for resolution in played.resolutions
        ]
        mine, theirs = played.tokens[self.seat], played.tokens[1 - self.seat]
        lines.append(
            words.HOLDINGS(mine=tokens_words(mine), name=self.name, theirs=tokens_words(theirs))
        )
        if game.rounds[-1].number > played.number:
            lines.append(round_words(words.NEXT_ROUND, played.number + 1, game.table))
        return lines

    def _tell_mat(self, resolution: Resolution, shown: Face) -> str:
        mat = MATS[resolution.mat]
        mine, theirs = resolution.cards[self.seat], resolution.cards[1 - self.seat]
        if mine is not None and theirs is not None:
            return words.OPENED(
                mat=mat,
                card=card_words(shown),
                mine=card_words(mine),
                name=self.name,
                theirs=card_words(theirs),
                gain=self._tell_gain(resolution),
            )
        match resolution.gain[self.seat], resolution.gain[1 - self.seat]:
            case Token() as token, _:
                return words.UNOPENED_YOURS(mat=mat, token=ONE_TOKEN[token]())
            case _, Token() as token:
                return words.UNOPENED_THEIRS(mat=mat, name=self.name, token=ONE_TOKEN[token]())
            case _:
                return words.EMPTY(mat=mat)

    def _tell_gain(self, resolution: Resolution) -> str:
        match resolution.gain[self.seat], resolution.gain[1 - self.seat]:
            case Token() as mine, Token() as theirs:
                if mine is Token.WHISK:
                    return words.BOTH_THEIRS(
                        name=self.name, token=ONE_TOKEN[theirs](), other=ONE_TOKEN[mine]()
                    )
                return words.BOTH_YOURS(
                    name=self.name, token=ONE_TOKEN[mine](), other=ONE_TOKEN[theirs]()
                )
            case Token() as mine, _:
                return words.GAIN_YOURS(token=ONE_TOKEN[mine]())
            case _, Token() as theirs:
                return words.GAIN_THEIRS(name=self.name, token=ONE_TOKEN[theirs]())
            case _:
                return words.GAIN_NOBODY()


def _mats(table: tuple[Face, ...]) -> list[str]:
    """Return what lies on the mats, a round a line."""
    return [round_words(words.MATS_OF_ROUND, number, table) for number in (1, 2, 3)]


def _tell_line(change: LineChange) -> list[str]:
    match change:
        case LineUp():
            return [words.LINE_UP()]
        case LineQuiet(seconds):
            return [words.LINE_QUIET(seconds=round(seconds))]
        case LineDown(why):
            return [words.LINE_DOWN(why=why)]
        case LineDialled():
            return []  # a counter for the eye; that the peer is sought has been said
        case LineEnded():
            return []  # the ending of the game says it


def result_sentence(end: GameEnded, seat: Seat, name: str) -> str:
    """Say to ``seat`` who has won and why; ``name`` is the other player."""
    winner = end.ended.winner
    if winner is None:
        return words.DRAW()
    why = reason(end.ended.how, winner, end.tokens, seat, name)
    sentence = words.YOU_WIN if winner == seat else words.THEY_WIN
    return sentence(name=name, why=why)


def reason(how: How, winner: Seat, tokens: tuple[Tokens, Tokens], seat: Seat, name: str) -> str:
    """Return why ``winner`` has won, in words for ``seat``; ``name`` is the other player."""
    match how:
        case How.ALIKE:
            kind = max(Token, key=lambda token: tokens[winner][token])
            return COUNTED_TOKENS[kind](tokens[winner][kind])
        case How.FIVE_KINDS:
            return words.FIVE_KINDS()
        case How.TIE_BREAK:
            return _compared(words.TIE_BREAK, winner, tokens)
        case How.FURTHER_ROUNDS:
            return _compared(words.FURTHER, winner, tokens)
        case How.LAST_SET:
            return _compared(words.LAST_SET, winner, tokens)
        case How.RESIGNED if winner == seat:
            return words.THEY_CONCEDED(name=name)
        case How.RESIGNED:
            return words.YOU_CONCEDED()
        case How.DRAW:
            raise RuntimeError("nobody wins a draw")


def _compared(sentence: Sentence, winner: Seat, tokens: tuple[Tokens, Tokens]) -> str:
    """Name the first kind of which the winner has more (R19)."""
    more, fewer = tokens[winner], tokens[1 - winner]
    kind = next(token for token in Token if more[token] != fewer[token])
    return sentence(tokens=SOME_TOKENS[kind](), more=more[kind], fewer=fewer[kind])
