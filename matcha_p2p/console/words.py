"""Every sentence of line mode, in English, and the words for cards, mats and tokens.

Sentences are whole and take named fields, so that a catalogue can replace each of them.
"""

from collections.abc import Iterable
from typing import Final

from matcha_p2p.rules.cards import DEMANDS, Demand, Face, Token
from matcha_p2p.rules.notation import MATS
from matcha_p2p.rules.scoring import Tokens

TOKENS: Final = {
    Token.LEAF: "leaf",
    Token.BOWL: "bowl",
    Token.WATER: "water",
    Token.SCOOP: "scoop",
    Token.WHISK: "whisk",
}
ZERO: Final = "zero"
NONE: Final = "none"
AND: Final = " and "

# The course of the game. {name} is the other player.

MET: Final = "You play {name}. Edition {edition}. Type help for the commands."
SET: Final = "Set {number}. {name} deals and leads."
SET_YOURS: Final = "Set {number}. You deal and lead."
MATS_OF_ROUND: Final = "Round {number}: {first}; {second}."
MAT_NUMBER: Final = "mat {mat}, {card}, match the number"
MAT_SUIT: Final = "mat {mat}, {card}, match the suit"
ZEROS_MET: Final = {
    1: "A zero turned up while the table was laid, and went back.",
    2: "Both zeros turned up while the table was laid, and went back.",
}
SHUFFLED: Final = "Both of you have shuffled, and the proofs hold."
HAND: Final = "Your hand: {cards}."
NUMBERED: Final = "{number}: {card}"
SEALED: Final = "{name} sealed a card on mat {mat}."
SEALED_YOURS: Final = "You sealed {card} on mat {mat}."
PASSED: Final = "{name} passes."
PASSED_YOURS: Final = "You pass."
PASSED_AUTO: Final = "{name} has nothing to lay and passes."
PASSED_AUTO_YOURS: Final = "You have nothing to lay and pass."
NEXT_ROUND: Final = "Round {number} of 3. {first}; {second}."

OPENED: Final = "Mat {mat}, {card}: you {mine}, {name} {theirs}. {gain}"
BOTH_YOURS: Final = "You gain a {token} token, {name} a {other} token."
BOTH_THEIRS: Final = "{name} gains a {token} token, you a {other} token."
GAIN_YOURS: Final = "You gain a {token} token."
GAIN_THEIRS: Final = "{name} gains a {token} token."
GAIN_NOBODY: Final = "Nobody gains anything."
UNOPENED_YOURS: Final = "Mat {mat} is yours unopened: you gain a {token} token."
UNOPENED_THEIRS: Final = "Mat {mat} is {name}'s unopened, for a {token} token."
EMPTY: Final = "Mat {mat}: nobody laid a card."
HOLDINGS: Final = "You hold: {mine}. {name} holds: {theirs}."
KEPT: Final = "You keep {mine} of your cards, {name} keeps {theirs}."
SAYS: Final = "{name} says: {text}"
LINE_UP: Final = "The connection stands again; the game goes on."
LINE_QUIET: Final = "Nothing has come for {seconds} s."
LINE_DOWN: Final = "{why} The game is saved; looking for the other player again."
TAKEN_UP: Final = "The game with {name} goes on, in set {number}."
BOOK_YOURS: Final = "You have opened your book: your cards can now be read in the transcript."
BOOK_THEIRS: Final = "{name} has opened the book: those cards can be read in the transcript."

# The end of the game.

YOU_WIN: Final = "You win: {why}."
THEY_WIN: Final = "{name} wins: {why}."
DRAW: Final = "A draw: no set is left, and all five counts are equal."
ALIKE: Final = "{count} {token} tokens"
FIVE_KINDS: Final = "one token of each of the five kinds"
TIE_BREAK: Final = "both met a winning condition, and {token} tokens decide, {more} to {fewer}"
FURTHER: Final = "after a full tie {token} tokens decide, {more} to {fewer}"
LAST_SET: Final = "no set is left, and {token} tokens decide, {more} to {fewer}"
YOU_CONCEDED: Final = "you conceded"
THEY_CONCEDED: Final = "{name} conceded"

# Questions and answers.

PROMPT: Final = "> "
YOUR_MOVE: Final = "Your move, on mat {mats}. Hand: {cards}."
OR: Final = " or "
CHOOSE_KEEP: Final = (
    "The set is over. Which cards do you keep for the next one? You have {cards}. "
    "Type their numbers, or none."
)
SEAL_Q: Final = "Seal {card} on mat {mat}? y or n"
SKIP_Q: Final = "Pass this turn? y or n"
SIT_OUT_Q: Final = "Pass, and be out of this round? y or n"
KEEP_Q: Final = "Keep {cards}? y or n"
KEEP_NONE_Q: Final = "Keep none? y or n"
CONCEDE_Q: Final = "Concede, so that {name} wins? y or n"
LEAVE_Q: Final = "Leave the game unfinished? y or n"
NOT_DONE: Final = "Not done."
ROUND_MATS_ONLY: Final = "In this round cards go to mat {mats}."
MAT_TAKEN: Final = "You have a card on mat {mat} already."
CARD_GONE: Final = "Card {number} is no longer in your hand."
MOVE_INSTEAD: Final = (
    "It is your move: a card's number and a mat's letter, as 2 a; or p to pass."
)
KEEP_INSTEAD: Final = "Choose what to keep: the cards' numbers, as 1 4; or none."
NOT_YOUR_MOVE: Final = "It is not your move. You will be asked."
NO_TABLE: Final = "No cards have been dealt yet."
UNKNOWN: Final = "That is no command here. {hint}"
HINT: Final = "Type help for the list."
SAY_WHAT: Final = "Say what? Type say, and then the words."
YOU_SAID: Final = "You said: {text}"
MINE: Final = "You hold: {tokens}."
THEIRS: Final = "{name} holds: {tokens}; cards in hand: {count}."
ON_MAT: Final = "{mat}. You: {mine}. {name}: {theirs}."
FACE_DOWN: Final = "a sealed card"
NO_CARD: Final = "nothing"
HAND_NOW: Final = "Hand: {cards}."
NOTHING_YET: Final = "Nothing has happened yet."

HELP: Final = (
    "2 a: seal card 2 of your hand on mat a. p: pass.",
    "When a set of edition 2015 is over: 1 4 keeps cards 1 and 4, none keeps nothing.",
    "hand, table, mine, theirs, last: hear your cards, the mats, the tokens, the last news.",
    "say TEXT: talk to the other player. Lying is part of the game.",
    "rules: the rules in short. help: this list.",
    "concede: give up. leave: stop with the game unfinished.",
    "The first letters are enough. Whatever cannot be undone is asked again: y or n.",
)

RULES: Final = (
    "18 cards: suits leaf (T), bowl (B), water (W), scoop (S) from 1 to 4, and two zeros (Z).",
    "A set has three rounds of two mats: one asks for its card's number, one for its suit.",
    "In turn, seal one card face down on a mat where you have none yet, or pass.",
    "If both have a card on a mat, they are opened.",
    "Who alone matches takes a token of the mat card's suit, and the other a whisk (K).",
    "If both match, the better card takes the token, and the other nothing.",
    "The better suit: leaf, bowl, water, scoop in this order, but scoop beats leaf.",
    "The better number: 4, 3, 2, 1 in this order, but 1 beats 4. A zero never matches.",
    "Alone on a mat you take its token, and your card stays unseen, whatever it is.",
)
RULES_2015: Final = (
    "Edition 2015: you go on until you pass, and then you are out of the round.",
    "Cards left over may be kept for the next set.",
    "Who has four tokens alike after a round, or one of each kind, wins.",
    "If both do: who has more leaf, else bowl, water, scoop, whisk tokens.",
)
RULES_2020: Final = (
    "Edition 2020: each has two turns a round, a pass costs one of them, no card is kept.",
    "Who has three alike of a suit after a round, four whisks, or one of each kind, wins.",
    "If both do, or after two sets: more leaf, else bowl, water, scoop, whisk tokens.",
)


def card_words(face: Face) -> str:
    """Return a card in words: leaf 3, or zero."""
    return ZERO if face.suit is None else f"{TOKENS[face.suit]} {face.number}"


def mat_words(mat: int, shown: Face) -> str:
    """Return a mat, its card, and what it asks for."""
    template = MAT_NUMBER if DEMANDS[mat] is Demand.NUMBER else MAT_SUIT
    return template.format(mat=MATS[mat], card=card_words(shown))


def numbered(cards: Iterable[tuple[int, Face]]) -> str:
    """Return cards of a hand with the numbers 1 to 5 that choose them."""
    words = [NUMBERED.format(number=slot + 1, card=card_words(face)) for slot, face in cards]
    return ", ".join(words) or NONE


def tokens_words(tokens: Tokens) -> str:
    """Return the tokens that somebody has, by kind: leaf 2, whisk 1."""
    held = [f"{TOKENS[token]} {tokens[token]}" for token in Token if tokens[token]]
    return ", ".join(held) or NONE
