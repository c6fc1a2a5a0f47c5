"""What line mode asks, and answers to what is typed."""

from typing import Final

from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.language import Sentence

AIM: Final = Sentence(
    "Your team wants to be rid of its cards first, and to win tricks with fives, tens and "
    "kings. fits: what can be laid; hint: what a good player would do; rules: the rules."
)

# Questions.

GRAND_Q: Final = Sentence("Do you call Grand Tichu, for 200 points? Type grand or no.")
GIVE_Q: Final = Sentence(
    "Give a card to each: type give and three cards, for {left} on your left, {partner}, and "
    "{right} on your right. Hand: {cards}."
)
CALL_Q: Final = Sentence("Before the first lead: tichu calls Tichu, hold goes on without.")
BOMB_Q: Final = Sentence("You may lay a bomb: {plays}. Type its cards, or hold.")
NO_BOMB_Q: Final = Sentence("You have no bomb that fits. Type hold, and the game goes on.")
BOMB_SOON: Final = Sentence(
    "You may lay a bomb: {plays}. Type bomb within {seconds} s, or wait to take more time."
)
WAITS: Final = Sentence("The game waits for you: bomb, or hold?")
NO_TIME: Final = Sentence("There is no time for a bomb to make longer.")
LEAD_Q: Final = Sentence("Your lead. Hand: {cards}.")
TURN_Q: Final = Sentence("Your turn: cards, or pass. Hand: {cards}.")
BOUND_Q: Final = Sentence("Your turn. The wish binds you: lay {card}. Hand: {cards}.")
GIVE_SURE_Q: Final = Sentence(
    "Give {first} to {left}, {second} to {partner} and {third} to {right}?"
)
PLAYS_ON: Final = Sentence(
    "{name} plays on, and a team concedes only with both. A bot gives up when its team is "
    "{points} points behind or more. You can leave at any time."
)

# Answers.

REFUSED: Final = Sentence("Rule {rule}: {why}")
WILL_CALL: Final = Sentence(
    "You call Tichu with what you do next: give or lay cards, pass, or lay no bomb."
)
ARMED: Final = Sentence("Armed: {play}. It is laid on the next play of another.")
DISARMED: Final = Sentence("The bomb is not armed any more.")
NO_BOMB: Final = Sentence("You hold no such bomb.")
GIVE_THREE: Final = Sentence("These are not three cards of your hand.")
WISH_WHAT: Final = Sentence("A number from 2 to 10, J, Q, K or A can be wished for, or none.")
NO_CARDS: Final = Sentence("No cards have been dealt yet.")
NOTHING_FITS: Final = Sentence("No card can be laid now.")
HAND_NOW: Final = Sentence("Hand: {cards}.")

# Help.

HELP_CARDS: Final = Sentence(
    "77 99P: lay these cards. 7r is the seven of stars (✦), 7g of jade (◉), 7b of pagodas "
    "(⌂), 7s of swords (⍏); M is the Mah Jong, H the Dog, P the Phoenix, P7 the Phoenix as a "
    "seven, D the Dragon. "
    "M wish 8: lay the Mah Jong, and wish."
)
HELP_PASS: Final = Sentence("pass: lay nothing. hold: lay no bomb. fits: what can be laid now.")
HELP_BOMB: Final = Sentence(
    "bomb, bomb 7: lay a bomb. While others play, arm a bomb: it is laid as soon as the "
    "rules allow, and bomb again disarms it."
)
HELP_CALLS: Final = Sentence(
    "grand or no: with eight cards. tichu: call Tichu with what you do next."
)
HELP_GIVE: Final = Sentence("give 2 A 3: to the left, to your partner, to the right.")
HELP_TELL: Final = Sentence("hand, table, score: hear your cards, the table, the points.")
HELP_WAIT: Final = Sentence("wait: among people, take more time for a bomb.")
HELP_CONCEDE: Final = Sentence("concede: offer your partner to concede, or agree.")

DUE: Final = {Ask.GRAND: GRAND_Q, Ask.CALL: CALL_Q}
"""The questions that say nothing of the hand."""
