"""Every sentence of line mode, and the words for cards, mats and tokens."""

from collections.abc import Iterable, Sequence
from typing import Final

from matcha_p2p.language import Counted, Sentence
from matcha_p2p.rules.cards import DEMANDS, Demand, Face, Token
from matcha_p2p.rules.moves import MATS_OF_ROUND as ROUND_MATS
from matcha_p2p.rules.notation import MATS
from matcha_p2p.rules.scoring import Tokens

TOKENS: Final = {
    Token.LEAF: Sentence("leaf"),
    Token.BOWL: Sentence("bowl"),
    Token.WATER: Sentence("water"),
    Token.SCOOP: Sentence("scoop"),
    Token.WHISK: Sentence("whisk"),
}
ONE_TOKEN: Final = {
    Token.LEAF: Sentence("a leaf token"),
    Token.BOWL: Sentence("a bowl token"),
    Token.WATER: Sentence("a water token"),
    Token.SCOOP: Sentence("a scoop token"),
    Token.WHISK: Sentence("a whisk token"),
}
SOME_TOKENS: Final = {
    Token.LEAF: Sentence("leaf tokens"),
    Token.BOWL: Sentence("bowl tokens"),
    Token.WATER: Sentence("water tokens"),
    Token.SCOOP: Sentence("scoop tokens"),
    Token.WHISK: Sentence("whisk tokens"),
}
COUNTED_TOKENS: Final = {
    Token.LEAF: Counted("{count} leaf token", "{count} leaf tokens"),
    Token.BOWL: Counted("{count} bowl token", "{count} bowl tokens"),
    Token.WATER: Counted("{count} water token", "{count} water tokens"),
    Token.SCOOP: Counted("{count} scoop token", "{count} scoop tokens"),
    Token.WHISK: Counted("{count} whisk token", "{count} whisk tokens"),
}
ZERO: Final = Sentence("zero")
NONE: Final = Sentence("none")
CARD: Final = Sentence("{suit} {number}")
HELD: Final = Sentence("{token} {count}")
COMMA: Final = Sentence(", ")
OR: Final = Sentence(" or ")

# The course of the game. {name} is the other player.

MET: Final = Sentence("You play {name}. Edition {edition}. Type help for the commands.")
SET: Final = Sentence("Set {number}. {name} deals and leads.")
SET_YOURS: Final = Sentence("Set {number}. You deal and lead.")
MATS_OF_ROUND: Final = Sentence(
    "Round {number}: mat {mat}, {card}, match the number; mat {other}, {shown}, match the suit."
)
MAT_NUMBER: Final = Sentence("Mat {mat}, {card}, match the number.")
MAT_SUIT: Final = Sentence("Mat {mat}, {card}, match the suit.")
ZEROS_MET: Final = {
    1: Sentence("A zero turned up while the table was laid, and went back."),
    2: Sentence("Both zeros turned up while the table was laid, and went back."),
}
SHUFFLED: Final = Sentence("Both of you have shuffled, and the proofs hold.")
HAND: Final = Sentence("Your hand: {cards}.")
NUMBERED: Final = Sentence("{number}: {card}")
SEALED: Final = Sentence("{name} sealed a card on mat {mat}.")
SEALED_YOURS: Final = Sentence("You sealed {card} on mat {mat}.")
PASSED: Final = Sentence("{name} passes.")
PASSED_YOURS: Final = Sentence("You pass.")
PASSED_AUTO: Final = Sentence("{name} has nothing to lay and passes.")
PASSED_AUTO_YOURS: Final = Sentence("You have nothing to lay and pass.")
NEXT_ROUND: Final = Sentence(
    "Round {number} of 3. Mat {mat}, {card}, match the number; mat {other}, {shown}, match the "
    "suit."
)

OPENED: Final = Sentence("Mat {mat}, {card}: you {mine}, {name} {theirs}. {gain}")
BOTH_YOURS: Final = Sentence("You gain {token}, {name} {other}.")
BOTH_THEIRS: Final = Sentence("{name} gains {token}, you {other}.")
GAIN_YOURS: Final = Sentence("You gain {token}.")
GAIN_THEIRS: Final = Sentence("{name} gains {token}.")
GAIN_NOBODY: Final = Sentence("Nobody gains anything.")
UNOPENED_YOURS: Final = Sentence("Mat {mat} is yours unopened: you gain {token}.")
UNOPENED_THEIRS: Final = Sentence("Mat {mat} is {name}'s unopened, for {token}.")
EMPTY: Final = Sentence("Mat {mat}: nobody laid a card.")
HOLDINGS: Final = Sentence("You hold: {mine}. {name} holds: {theirs}.")
KEPT: Final = Sentence("You keep {mine} of your cards, {name} keeps {theirs}.")
SAYS: Final = Sentence("{name} says: {text}")
LINE_UP: Final = Sentence("The connection stands again; the game goes on.")
LINE_QUIET: Final = Sentence("Nothing has come for {seconds} s.")
LINE_DOWN: Final = Sentence("{why} The game is saved; looking for the other player again.")
BROKEN: Final = Sentence(
    "{name}'s program has broken the protocol: {breach}. The game stops; the evidence is safe."
)
BROKEN_AFTERWARDS: Final = Sentence(
    "{name}'s program has broken the protocol after the game: {breach}. The result stays as it "
    "is; the evidence is safe."
)
BROKEN_OURS: Final = Sentence(
    "Your own program has signed two things that exclude each other, as happens when a game's "
    "folder is put back to an older copy. The game stops."
)
WITHHELD: Final = Sentence(
    "This game is said to have {count} messages more, and {name}'s program does not show them. "
    "Until it does your turn cannot be taken."
)
CONCEDES_LATER: Final = Sentence(
    "You give the game up as soon as {name}'s program is there and has told how far the game "
    "goes."
)
TAKEN_UP: Final = Sentence("The game with {name} goes on, in set {number}.")

# The end of the game.

YOU_WIN: Final = Sentence("You win: {why}.")
THEY_WIN: Final = Sentence("{name} wins: {why}.")
DRAW: Final = Sentence("A draw: no set is left, and all five counts are equal.")
FIVE_KINDS: Final = Sentence("one token of each of the five kinds")
TIE_BREAK: Final = Sentence(
    "both met a winning condition, and {tokens} decide, {more} to {fewer}"
)
FURTHER: Final = Sentence("after a full tie {tokens} decide, {more} to {fewer}")
LAST_SET: Final = Sentence("no set is left, and {tokens} decide, {more} to {fewer}")
YOU_CONCEDED: Final = Sentence("you conceded")
THEY_CONCEDED: Final = Sentence("{name} conceded")

# Questions and answers.

PROMPT: Final = "> "
YOUR_MOVE: Final = Sentence("Your move, on mat {mats}. Hand: {cards}.")
CHOOSE_KEEP: Final = Sentence(
    "The set is over. Which cards do you keep for the next one? You have {cards}. "
    "Type their numbers, or none."
)
SEAL_Q: Final = Sentence("Seal {card} on mat {mat}? y or n")
SKIP_Q: Final = Sentence("Pass this turn? y or n")
SIT_OUT_Q: Final = Sentence("Pass, and be out of this round? y or n")
KEEP_Q: Final = Sentence("Keep {cards}? y or n")
KEEP_NONE_Q: Final = Sentence("Keep none? y or n")
CONCEDE_Q: Final = Sentence("Concede, so that {name} wins? y or n")
LEAVE_Q: Final = Sentence("Leave the game unfinished? y or n")
NOT_DONE: Final = Sentence("Not done.")
ROUND_MATS_ONLY: Final = Sentence("In this round cards go to mat {mats}.")
MAT_TAKEN: Final = Sentence("You have a card on mat {mat} already.")
CARD_GONE: Final = Sentence("Card {number} is no longer in your hand.")
MOVE_INSTEAD: Final = Sentence(
    "It is your move: a card's number and a mat's letter, as 2 a; or p to pass."
)
KEEP_INSTEAD: Final = Sentence("Choose what to keep: the cards' numbers, as 1 4; or none.")
NOT_YOUR_MOVE: Final = Sentence("It is not your move. You will be asked.")
NO_TABLE: Final = Sentence("No cards have been dealt yet.")
UNKNOWN: Final = Sentence("That is no command here. {hint}")
HINT: Final = Sentence("Type help for the list.")
SAY_WHAT: Final = Sentence("Say what? Type say, and then the words.")
YOU_SAID: Final = Sentence("You said: {text}")
MINE: Final = Sentence("You hold: {tokens}.")
THEIRS: Final = Sentence("{name} holds: {tokens}; cards in hand: {count}.")
ON_MAT: Final = Sentence("{mat} You: {mine}. {name}: {theirs}.")
FACE_DOWN: Final = Sentence("a sealed card")
NO_CARD: Final = Sentence("nothing")
HAND_NOW: Final = Sentence("Hand: {cards}.")
NOTHING_YET: Final = Sentence("Nothing has happened yet.")

HELP: Final = (
    Sentence("2 a: seal card 2 of your hand on mat a. p: pass."),
    Sentence(
        "When a set of edition 2015 is over: 1 4 keeps cards 1 and 4, none keeps nothing."
    ),
    Sentence(
        "hand, table, mine, theirs, last: hear your cards, the mats, the tokens, the last news."
    ),
    Sentence("why: why the last round ended as it did."),
    Sentence("say TEXT: talk to the other player. Lying is part of the game."),
    Sentence(
        "phrase N: a phrase that the other reads in another language. phrases: all of them."
    ),
    Sentence("rules: all of the rules. help: this list."),
    Sentence("open, again: after a game show the hidden cards, or play another one."),
    Sentence("concede: give up. leave: stop with the game unfinished."),
    Sentence("The first letters are enough. Whatever cannot be undone is asked again: y or n."),
)


def card_words(face: Face) -> str:
    """Return a card in words: leaf 3, or zero."""
    if face.suit is None:
        return ZERO()
    return CARD(suit=TOKENS[face.suit](), number=face.number)


def mat_words(mat: int, shown: Face) -> str:
    """Return a mat, its card, and what it asks for."""
    sentence = MAT_NUMBER if DEMANDS[mat] is Demand.NUMBER else MAT_SUIT
    return sentence(mat=MATS[mat], card=card_words(shown))


def round_words(sentence: Sentence, number: int, table: Sequence[Face]) -> str:
    """Return ``sentence`` about both mats of round ``number``, 1 to 3.

    sentence: MATS_OF_ROUND or NEXT_ROUND. table: the cards of all mats.
    """
    first, second = ROUND_MATS[number - 1]
    return sentence(
        number=number,
        mat=MATS[first],
        card=card_words(table[first]),
        other=MATS[second],
        shown=card_words(table[second]),
    )


def listed(words: Iterable[str]) -> str:
    """Return several words, or one, or that there is none."""
    return COMMA().join(words) or NONE()


def mats_to_choose(mats: Iterable[int]) -> str:
    """Return the letters of the one or two mats where a card can be laid."""
    return OR().join(MATS[mat] for mat in mats)


def numbered(cards: Iterable[tuple[int, Face]]) -> str:
    """Return cards of a hand with the numbers 1 to 5 that choose them."""
    return listed(NUMBERED(number=slot + 1, card=card_words(face)) for slot, face in cards)


def tokens_words(tokens: Tokens) -> str:
    """Return the tokens that somebody has, by kind: leaf 2, whisk 1."""
    return listed(
        HELD(token=TOKENS[token](), count=tokens[token]) for token in Token if tokens[token]
    )
