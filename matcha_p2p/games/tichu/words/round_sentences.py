"""Every sentence about the course of a game.

Where a player who reads is "you", a second sentence says so; its name ends in YOURS.
"""

from typing import Final

from matcha_p2p.language import Sentence

YOU: Final = Sentence("you")
OTHERS: Final = Sentence("{right}, {partner} and {left}")

MET: Final = Sentence(
    "You play with {partner}, against {right} on your right and {left} on your left. The turn "
    "goes from you to {right}."
)
COMMANDS: Final = Sentence("Type help for the commands.")
ROUND: Final = Sentence("Round {number}. {name} is asked first.")
ROUND_YOURS: Final = Sentence("Round {number}. You are asked first.")
FIRST_CARDS: Final = Sentence("Your first cards: {cards}.")
HAND: Final = Sentence("Your hand: {cards}.")
GAVE: Final = Sentence(
    "You give {first} to {left}, {second} to {partner} and {third} to {right}."
)
GOT: Final = Sentence(
    "You get {first} from {left}, {second} from {partner} and {third} from {right}."
)
CALLED: Final = {
    100: Sentence("{name} calls Tichu, for 100 points."),
    200: Sentence("{name} calls Grand Tichu, for 200 points."),
}
CALLED_YOURS: Final = {
    100: Sentence("You call Tichu, for 100 points."),
    200: Sentence("You call Grand Tichu, for 200 points."),
}
SHOWN: Final = Sentence("{name} shows the Mah Jong, and has the first lead.")
SHOWN_YOURS: Final = Sentence("You show the Mah Jong, and have the first lead.")
LEADS: Final = Sentence("{name} leads {play}; cards left: {size}.")
LEADS_YOURS: Final = Sentence("You lead {play}; cards left: {size}.")
LAYS: Final = Sentence("{name} lays {play}; cards left: {size}.")
LAYS_YOURS: Final = Sentence("You lay {play}; cards left: {size}.")
BOMBS: Final = Sentence("{name} lays {play} on it; cards left: {size}.")
BOMBS_YOURS: Final = Sentence("You lay {play} on it; cards left: {size}.")
WISHES: Final = Sentence("{name} wishes for {card}. Whoever can must lay one.")
WISHES_YOURS: Final = Sentence("You wish for {card}. Whoever can must lay one.")
WISH_MET: Final = Sentence("The wish is fulfilled.")
PASSES: Final = Sentence("{name} passes.")
PASSES_YOURS: Final = Sentence("You pass.")
TAKES: Final = Sentence("{name} takes the trick: {points} points.")
TAKES_YOURS: Final = Sentence("You take the trick: {points} points.")
GIVES: Final = Sentence("{giver} gives the Dragon's trick to {name}: {points} points.")
GIVES_YOURS: Final = Sentence("{giver} gives the Dragon's trick to you: {points} points.")
YOU_GIVE: Final = Sentence("You give the Dragon's trick to {name}: {points} points.")
DOG: Final = Sentence("The Dog gives the lead to {name}.")
DOG_YOURS: Final = Sentence("The Dog gives the lead to you.")
FIRST_OUT: Final = Sentence("{name} is out first.")
FIRST_OUT_YOURS: Final = Sentence("You are out first.")
OUT: Final = Sentence("{name} is out, as number {place}.")
OUT_YOURS: Final = Sentence("You are out, as number {place}.")

# The end of a round and of the game.

DOUBLE: Final = Sentence(
    "{right} and {left} are out first and second: 200 points, and no card counts."
)
DOUBLE_YOURS: Final = Sentence(
    "You and {partner} are out first and second: 200 points, and no card counts."
)
MADE: Final = Sentence("{name} has called and is out first: {points} points.")
MADE_YOURS: Final = Sentence("You have called and are out first: {points} points.")
FAILED: Final = Sentence("{name} has called and is not out first: {points} points less.")
FAILED_YOURS: Final = Sentence("You have called and are not out first: {points} points less.")
LEFT_YOURS: Final = Sentence("You still hold: {cards}.")
LEFT: Final = Sentence("{name} still holds: {cards}.")
COUNTED: Final = Sentence(
    "Round {number}: you and {partner} {mine}, {right} and {left} {other}."
)
TOTALS: Final = Sentence("Points: you and {partner} {mine}, {right} and {left} {other}.")
WIN: Final = Sentence("{right} and {left} win, {most} to {fewest}.")
WIN_YOURS: Final = Sentence("You and {partner} win, {most} to {fewest}.")
RESIGNED: Final = Sentence("{right} and {left} win: you and {partner} have conceded.")
RESIGNED_YOURS: Final = Sentence("You and {partner} win: {right} and {left} have conceded.")
FOUL: Final = Sentence(
    "{name} did not lay a wished card, or hid the Mah Jong. That is a foul: the round does not "
    "count, and the game ends."
)
FOUL_YOURS: Final = Sentence(
    "You did not lay a wished card, or hid the Mah Jong. That is a foul: the round does not "
    "count, and the game ends."
)
NOTHING_HIDDEN: Final = Sentence("After each round all cards lie open: nothing is hidden.")

# A game that goes on.

TAKEN_UP: Final = Sentence("The game with {name} goes on in round {number}.")
LIES: Final = Sentence("On the table: {play}, by {name}.")
LIES_YOURS: Final = Sentence("On the table: {play}, by you.")
NOTHING_LIES: Final = Sentence("Nothing lies on the table.")
WISH: Final = Sentence("The wish: {card}.")
SIZES: Final = Sentence("Cards left: you {mine}, {right} {r}, {partner} {p}, {left} {l}.")
TRICKS: Final = Sentence(
    "Tricks of this round: you and {partner} {mine}, {right} and {left} {other}."
)
