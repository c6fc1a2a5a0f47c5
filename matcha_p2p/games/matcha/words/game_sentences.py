"""Every sentence about the course of a game.

If a sentence names a player, a second sentence says "you" to the player; its name ends in
YOURS.
"""

from typing import Final

from matcha_p2p.language import Counted, Sentence

# The course of the game.

MET: Final = Sentence("You are playing {name}. Edition {edition}. Type help for the commands.")
SET: Final = Sentence("Set {number}. {name} deals and leads.")
SET_YOURS: Final = Sentence("Set {number}. You deal and lead.")
MATS_OF_ROUND: Final = Sentence(
    "Round {number}: mat {mat}, {card}, match the number; mat {other}, {shown}, match the suit."
)
ZEROS_MET: Final = {
    1: Sentence("While the table was laid, a zero turned up and went back."),
    2: Sentence("While the table was laid, both zeros turned up and went back."),
}
SHUFFLED: Final = Sentence("Both of you have shuffled, and the proofs are valid.")
DEALT: Final = Sentence(
    "Both have shuffled, the proofs are valid, and each hand has five cards."
)
HAND_YOURS: Final = Sentence("Your hand: {cards}.")
HAND: Final = Sentence("{name}'s hand: {cards}.")
SEALED: Final = Sentence("{name} sealed a card on mat {mat}.")
SEALED_CARD: Final = Sentence("{name} sealed {card} on mat {mat}.")
SEALED_YOURS: Final = Sentence("You sealed {card} on mat {mat}.")
PASSED: Final = Sentence("{name} passes.")
PASSED_YOURS: Final = Sentence("You pass.")
PASSED_AUTO: Final = Sentence("{name} cannot lay a card in this round any more, and passes.")
PASSED_AUTO_YOURS: Final = Sentence("You cannot lay a card in this round any more, and pass.")
NEXT_ROUND: Final = Sentence(
    "Round {number} of 3. Mat {mat}, {card}, match the number; mat {other}, {shown}, match the "
    "suit."
)

OPENED_YOURS: Final = Sentence("Mat {mat}, {card}: you {one}, {second} {two}. {gain}")
OPENED: Final = Sentence("Mat {mat}, {card}: {first} laid {one}, {second} laid {two}.")
BOTH_GAIN_YOURS: Final = Sentence("You take {token}, {name} takes {other}.")
BOTH_GAIN: Final = Sentence("{name} takes {token}, you take {other}.")
GAIN_YOURS: Final = Sentence("You take {token}.")
GAIN: Final = Sentence("{name} takes {token}.")
GAIN_NOBODY: Final = Sentence("Nobody takes a token.")
UNOPENED_YOURS: Final = Sentence("Mat {mat} stays closed: you, alone there, take {token}.")
UNOPENED: Final = Sentence("Mat {mat} stays closed: {name}, alone there, takes {token}.")
EMPTY: Final = Sentence("Mat {mat}: nobody laid a card.")
HOLDINGS: Final = Sentence("You hold: {mine}. {name} holds: {theirs}.")
HOLDS: Final = Sentence("{name} holds: {tokens}.")
KEPT_YOURS: Final = Sentence("You keep {mine} of your cards, {name} keeps {theirs}.")
KEEPS: Final = Counted("{name} keeps {count} card.", "{name} keeps {count} cards.")
KEPT: Final = Sentence("{name} keeps {cards}.")
TAKEN_UP: Final = Sentence("The game with {name} goes on in set {number}.")

# The end of the game.

YOU_WIN: Final = Sentence("You win: {why}.")
WINS: Final = Sentence("{name} wins: {why}.")
DRAW: Final = Sentence("A draw: the last set is over, and all five counts are equal.")
FIVE_KINDS: Final = Sentence("one token of each of the five kinds")
ALL_KINDS: Final = Sentence("all five kinds")
TIE_BREAK: Final = Sentence(
    "more {tokens}, {more} to {fewer}, after both met a condition ({mine}; {theirs})"
)
TIE_BREAK_KINDS: Final = Sentence(
    "more {tokens}, {more} to {fewer}, after both reached all five kinds"
)
FURTHER: Final = Sentence("more {tokens}, {more} to {fewer}, after a full tie")
LAST_SET: Final = Sentence("more {tokens}, {more} to {fewer}, after the last set")
YOU_CONCEDED: Final = Sentence("you conceded")
CONCEDED: Final = Sentence("{name} conceded")

# After the game.

HIDDEN_YOURS: Final = Sentence(
    "Set {number}, round {round}, mat {mat}: your face-down card was {card}."
)
HIDDEN_THEIRS: Final = Sentence(
    "Set {number}, round {round}, mat {mat}: {name}'s face-down card was {card}."
)
NOTHING_HIDDEN: Final = Sentence("In this game no card stayed face down.")

# The reasons for the outcome of a round.

WHY_NOTHING: Final = Sentence("No round is over yet.")
WHY_NUMBER: Final = Sentence("Mat {mat} shows {card} and asks for the number {number}.")
WHY_SUIT: Final = Sentence("Mat {mat} shows {card} and asks for the suit {suit}.")
WHY_BOTH_YOURS: Final = Sentence("Your {card} matches, and so does {other}'s {shown}.")
WHY_BOTH: Final = Sentence("{name}'s {card} and {other}'s {shown} both match.")
WHY_SUITS: Final = Sentence("Number mats compare suits: {better} beats {worse}.")
WHY_NUMBERS: Final = Sentence("Suit mats compare numbers: {better} beats {worse}.")
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
    "Only you laid a card there. The card stays face down, and need not match."
)
WHY_ALONE: Final = Sentence(
    "Only {name} laid a card there. The card stays face down, and need not match."
)
WHY_EMPTY: Final = Sentence("Nobody laid a card there.")
WHY_KIND: Final = Sentence(
    "A token always has the suit of the mat's card, whichever card is laid."
)
