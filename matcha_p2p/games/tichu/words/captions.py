"""The words of the full screen that line mode lacks."""

from typing import Final

from matcha_p2p.language import Sentence

# The title and the states of the programs.

NAME: Final = Sentence("Tichu")
TITLE: Final = Sentence("Tichu   round {number}")
TEAMS: Final = Sentence("you and {partner} {mine} : {other} {right} and {left}")
TEAMS_WATCHED: Final = Sentence("{first} and {partner} {mine} : {other} {right} and {left}")
TEAM_POINTS: Final = Sentence("{team} {mine} : {other}")
TARGET: Final = Sentence("to {target}")
WINDOW_DUE: Final = Sentence("tichu: your move")
MEETING: Final = Sentence("The four programs greet each other.")
SHUFFLING: Final = Sentence("All make keys and shuffle the cards, each with a proof.")
DEALING: Final = Sentence("The cards are shuffled and dealt.")
EXCHANGING: Final = Sentence("The gifts are on their way.")
THINKS: Final = Sentence("{name} is asked.")
MAY_BOMB: Final = Sentence("{name} is asked for a bomb.")
SENT: Final = Sentence("One moment.")
ROUND_TITLE: Final = Sentence("ROUND {number}")

# The table.

CALLED: Final = {100: Sentence("TICHU"), 200: Sentence("GRAND TICHU")}
CALL_FOR: Final = Sentence("{name}: {points} points, won or lost")
BOMB_WORD: Final = Sentence("BOMB")
BOMB_ASKED: Final = Sentence("BOMB?")
DOUBLE_WORD: Final = Sentence("DOUBLE")
PASSED: Final = Sentence("pass")
OUT: Final = Sentence("out as number {place}")
IN_TRICKS: Final = Sentence("in tricks: {points}")
PARTNER: Final = Sentence("{name}, partner")
LIES: Final = Sentence("{name}: {play}")
POINTS_LIE: Final = Sentence("{points} points")
WISH: Final = Sentence("wish: {card}")
NOTHING_LIES: Final = Sentence("Nothing lies here.")
TRICK: Final = Sentence("Trick")
GONE: Final = Sentence("Unseen")
TAKEN: Final = Sentence("{name} took {points} points with {play}")
HAND: Final = Sentence("cards: {count}")
MAY_CALL: Final = Sentence("t calls Tichu")
WILL_CALL: Final = Sentence("Tichu with what you do next")
GIFT_TO: Final = Sentence("to {name}")
FITS: Final = Sentence("fits: n {plays}")
FITS_MORE: Final = Sentence("fits: n {plays}, and {more} more")

# The pane at the right.

ROUND: Final = Sentence("THIS ROUND")
EXCHANGE: Final = Sentence("EXCHANGE")
EXCHANGED: Final = Sentence("{name}: {gave} for {got}")
UNSEEN: Final = Sentence("NOT SEEN YET")
SCORE: Final = Sentence("POINTS")
SCORE_ROUND: Final = Sentence("round {number}")

# Questions.

FIRST: Final = Sentence(
    "You and {partner} are a team: be rid of your cards, and win tricks with fives, tens and "
    "kings. n shows what fits, h what a good player would do, ? all keys, m the rules."
)

GRAND: Final = Sentence("Grand Tichu for 200 points? g calls it, Enter does not.")
CALL: Final = Sentence("Before the first lead: t calls Tichu, Enter goes on.")
GIVE: Final = Sentence("Which card to {name}? Mark a card; Up and Down choose the player.")
GIVE_ALL: Final = Sentence("Enter gives these three cards, Esc takes the last one back.")
LEAD: Final = Sentence("Your lead: mark cards; n shows what fits.")
TURN: Final = Sentence("Your turn: mark cards, n shows what fits, p passes.")
PASSING: Final = Sentence("Pass this turn? Enter passes, Esc goes back.")
NOTHING: Final = Sentence("Your turn: none of your cards fits, Enter or p passes.")
UNMARKED: Final = Sentence("No card is marked: mark the cards to lay, or press n.")
BOUND: Final = Sentence("Your turn. The wish binds you: lay {card}; n shows how.")
BOMB: Final = Sentence("You may lay a bomb: b shows it, Enter lays none.")
WINDOW_KEYS: Final = Sentence("Enter: no bomb. Full stop: wait longer.")
WINDOW_BOMB: Final = Sentence("b: show your bomb. Enter: no bomb. Full stop: wait longer.")
GOOD: Final = Sentence("{play}: Enter lays it.")
GOOD_MANY: Final = Sentence("{play}, or another play: Enter asks which.")
MARKED: Final = Sentence("Marked: {play}.")
ARMABLE: Final = Sentence("Marked: {play}. b arms the bomb.")
ARMED: Final = Sentence("Armed: {play}. It is laid on the next play of another. b disarms.")
WHICH: Final = Sentence("Which?")
WISH_FOR: Final = Sentence("Wish for")
WISH_NONE: Final = Sentence("none")
GRAND_SURE: Final = Sentence("Call Grand Tichu, for 200 points?")
TICHU_SURE: Final = Sentence("Call Tichu, for 100 points, with what you do next?")
GIVE_TRICK: Final = Sentence("Who gets the Dragon's trick?")
HINT: Final = Sentence("A good player's answer: {answer}.")
GO_ON: Final = Sentence("Enter goes on.")

# The end of a round.

ROUND_OVER: Final = Sentence("ROUND {number} IS OVER")
TEAM_YOURS: Final = Sentence("you and {partner}")
TEAM: Final = Sentence("{first} and {partner}")
TEAM_OTHER: Final = Sentence("{right} and {left}")
CARDS: Final = Sentence("cards")
DOUBLE: Final = Sentence("both out first")
CALLS: Final = Sentence("calls")
THIS_ROUND: Final = Sentence("this round")
EARLIER: Final = Sentence("before")
NOW: Final = Sentence("now")
CALL_MADE: Final = Sentence("{call} made: +{points}")
CALL_LOST: Final = Sentence("{call} lost: -{points}")
LEFT: Final = Sentence("cards left: {count}")

# The pages over the table.

RULES_TITLE: Final = Sentence("The rules of Tichu")
ANALYSIS_TITLE: Final = Sentence("Analysis of the round")
HELP_SIGNS: Final = Sentence(
    "The suits are ✦ star, ◉ jade, ⌂ pagoda and ⍏ sword; 1 is the Mah Jong, Phx the Phoenix, "
    "Drg the Dragon."
)

# Keys: the word in the bar, and the line of the page of help.

RANKS: Final = Sentence("0 to A")
SIDEWAYS: Final = Sentence("Left, Right")
UP_AND_DOWN: Final = Sentence("Up, Down")
LAYS: Final = Sentence("lay")
HOLDS: Final = Sentence("no bomb")
GIVES: Final = Sentence("give")
SHOWS_FIT: Final = Sentence("what fits")
BOMBS: Final = Sentence("bomb")
ARMS: Final = Sentence("arm")
DISARMS: Final = Sentence("disarm")
WAITS: Final = Sentence("wait")
CALLS_GRAND: Final = Sentence("Grand Tichu")
CLEARS: Final = Sentence("clear")
MARKS: Final = Sentence("mark")
SORTS: Final = Sentence("sort")
HELP_ENTER: Final = Sentence(
    "Give the answer that the bar names: lay what is marked, pass where nothing fits, lay no "
    "bomb, give the gifts, or go on."
)
HELP_PASS: Final = Sentence("Pass, or lay no bomb.")
HELP_FITS: Final = Sentence("Mark the next play that fits, weakest first; N the one before.")
HELP_BOMB: Final = Sentence(
    "Mark a bomb. While others play, b again arms the bomb: it is laid as soon as the rules "
    "allow. A key that marks or clears disarms the bomb."
)
HELP_WAIT: Final = Sentence(
    "Among people a bar shows how long a bomb may be laid on a play. The full stop waits "
    "longer, up to ten seconds."
)
HELP_GRAND: Final = Sentence("Call Grand Tichu, with eight cards.")
HELP_TICHU: Final = Sentence("Call Tichu with what you do next.")
HELP_CLEAR: Final = Sentence("Unmark all cards; in the exchange take the last gift back.")
HELP_SORT: Final = Sentence("Sort the hand by plays, or by numbers again.")
HELP_MARK: Final = Sentence(
    "Mark a card of that number, again: one more, at last none. 0 is the ten, 1 the Mah Jong, "
    "H the Dog, P the Phoenix, D the Dragon. A click on a card marks it too. What is marked is "
    "named at once."
)
HELP_MOVE: Final = Sentence("Go to another card.")
HELP_SPACE: Final = Sentence("Mark the card, or unmark it.")
HELP_GIFT: Final = Sentence("In the exchange: choose the player who gets the marked card.")
