"""Every sentence about the course of a game.

Where a player who reads is "you", a second sentence says so; its name ends in YOURS.
"""

from typing import Final

from matcha_p2p.language import Counted, Sentence

# The course of the game.

MET: Final = Sentence("You play {name}. Edition {edition}. Type help for the commands.")
SET: Final = Sentence("Set {number}. {name} deals and leads.")
SET_YOURS: Final = Sentence("Set {number}. You deal and lead.")
MATS_OF_ROUND: Final = Sentence(
    "Round {number}: mat {mat}, {card}, match the number; mat {other}, {shown}, match the suit."
)
ZEROS_MET: Final = {
    1: Sentence("A zero turned up while the table was laid, and went back."),
    2: Sentence("Both zeros turned up while the table was laid, and went back."),
}
SHUFFLED: Final = Sentence("Both of you have shuffled, and the proofs hold.")
DEALT: Final = Sentence("Both have shuffled, the proofs hold, and each has five cards.")
HAND_YOURS: Final = Sentence("Your hand: {cards}.")
HAND: Final = Sentence("{name}'s hand: {cards}.")
SEALED: Final = Sentence("{name} sealed a card on mat {mat}.")
SEALED_CARD: Final = Sentence("{name} sealed {card} on mat {mat}.")
SEALED_YOURS: Final = Sentence("You sealed {card} on mat {mat}.")
PASSED: Final = Sentence("{name} passes.")
PASSED_YOURS: Final = Sentence("You pass.")
PASSED_AUTO: Final = Sentence("{name} can lay no more cards in this round, and passes.")
PASSED_AUTO_YOURS: Final = Sentence("You can lay no more cards in this round, and pass.")
NEXT_ROUND: Final = Sentence(
    "Round {number} of 3. Mat {mat}, {card}, match the number; mat {other}, {shown}, match the "
    "suit."
)

OPENED_YOURS: Final = Sentence("Mat {mat}, {card}: you {one}, {second} {two}. {gain}")
OPENED: Final = Sentence("Mat {mat}, {card}: {first} laid {one}, {second} laid {two}.")
BOTH_GAIN_YOURS: Final = Sentence("You gain {token}, {name} {other}.")
BOTH_GAIN: Final = Sentence("{name} gains {token}, you {other}.")
GAIN_YOURS: Final = Sentence("You gain {token}.")
GAIN: Final = Sentence("{name} gains {token}.")
GAIN_NOBODY: Final = Sentence("Nobody gains anything.")
UNOPENED_YOURS: Final = Sentence("Mat {mat} is yours unopened: you gain {token}.")
UNOPENED: Final = Sentence("Mat {mat} is {name}'s unopened, for {token}.")
EMPTY: Final = Sentence("Mat {mat}: nobody laid a card.")
HOLDINGS: Final = Sentence("You hold: {mine}. {name} holds: {theirs}.")
HOLDS: Final = Sentence("{name} holds: {tokens}.")
KEPT_YOURS: Final = Sentence("You keep {mine} of your cards, {name} keeps {theirs}.")
KEEPS: Final = Counted("{name} keeps {count} card.", "{name} keeps {count} cards.")
KEPT: Final = Sentence("{name} keeps {cards}.")
TAKEN_UP: Final = Sentence("The game with {name} goes on, in set {number}.")

# The end of the game.

YOU_WIN: Final = Sentence("You win: {why}.")
WINS: Final = Sentence("{name} wins: {why}.")
DRAW: Final = Sentence("A draw: no set is left, and all five counts are equal.")
FIVE_KINDS: Final = Sentence("one token of each of the five kinds")
ALL_KINDS: Final = Sentence("all five kinds")
TIE_BREAK: Final = Sentence("{mine} against {theirs}, and {tokens} decide, {more} to {fewer}")
TIE_BREAK_KINDS: Final = Sentence(
    "both have all five kinds, and {tokens} decide, {more} to {fewer}"
)
FURTHER: Final = Sentence("after a full tie {tokens} decide, {more} to {fewer}")
LAST_SET: Final = Sentence("no set is left, and {tokens} decide, {more} to {fewer}")
YOU_CONCEDED: Final = Sentence("you conceded")
CONCEDED: Final = Sentence("{name} conceded")

# After the game.

HIDDEN_YOURS: Final = Sentence(
    "Set {number}, round {round}, mat {mat}: what you took unopened was {card}."
)
HIDDEN_THEIRS: Final = Sentence(
    "Set {number}, round {round}, mat {mat}: what {name} took unopened was {card}."
)
NOTHING_HIDDEN: Final = Sentence("No card of this game was taken unopened.")

# Why a round gave what it gave.

WHY_NOTHING: Final = Sentence("No round has been played out yet.")
WHY_NUMBER: Final = Sentence("Mat {mat} shows {card} and asks for the number {number}.")
WHY_SUIT: Final = Sentence("Mat {mat} shows {card} and asks for the suit {suit}.")
WHY_BOTH_YOURS: Final = Sentence("Your {card} matches, and so does {other}'s {shown}.")
WHY_BOTH: Final = Sentence("{name}'s {card} and {other}'s {shown} both match.")
WHY_SUITS: Final = Sentence(
    "Where numbers are asked for, the suit decides: {better} beats {worse}."
)
WHY_NUMBERS: Final = Sentence(
    "Where suits are asked for, the number decides: {better} beats {worse}."
)
WHY_ONE_YOURS: Final = Sentence(
    "Your {card} matches, {other}'s {shown} does not: a whisk for the bluff."
)
WHY_ONE: Final = Sentence(
    "{name}'s {card} matches, {other}'s {shown} does not: a whisk for the bluff."
)
WHY_ONE_OTHER: Final = Sentence(
    "{name}'s {card} matches, your {shown} does not: a whisk for the bluff."
)
WHY_NEITHER_YOURS: Final = Sentence("Neither your {card} nor {other}'s {shown} matches.")
WHY_NEITHER: Final = Sentence("Neither {name}'s {card} nor {other}'s {shown} matches.")
WHY_ALONE_YOURS: Final = Sentence(
    "Only you laid a card there. It is not opened, and need not match."
)
WHY_ALONE: Final = Sentence(
    "Only {name} laid a card there. It is not opened, and need not match."
)
WHY_EMPTY: Final = Sentence("Nobody laid a card there.")
WHY_KIND: Final = Sentence(
    "A token is always of the suit of the mat's card, whatever was played."
)
