"""The words of the full screen that line mode lacks."""

from typing import Final

from matcha_p2p.games.tichu.rules.round import Ask
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
SENT: Final = Sentence("One moment.")
ROUND_TITLE: Final = Sentence("ROUND {number}")

# The table.

CALLED: Final = {100: Sentence("TICHU"), 200: Sentence("GRAND TICHU")}
PASSED: Final = Sentence("pass")
OUT: Final = Sentence("out as number {place}")
IN_TRICKS: Final = Sentence("in tricks: {points}")
PARTNER: Final = Sentence("{name}, partner")
LIES: Final = Sentence("{play}, by {name}")
POINTS_LIE: Final = Sentence("points here: {points}")
WISH: Final = Sentence("wish: {card}")
NOTHING_LIES: Final = Sentence("Nothing lies here.")
TRICK: Final = Sentence("Trick")
BEFORE: Final = Sentence("Before")
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
TOLD: Final = Sentence("EARLIER")
SCORE_ROUND: Final = Sentence("round {number}")

# Questions.

FIRST: Final = Sentence(
    "You and {partner} are a team: be rid of your cards, and win tricks with fives, tens and "
    "kings. n shows what can be laid, h what a good player would do, ? all keys, m the rules."
)

GRAND: Final = Sentence("Grand Tichu for 200 points? g calls it, Enter does not.")
CALL: Final = Sentence("Before the first lead: t calls Tichu, Enter goes on.")
GIVE: Final = Sentence("Which card to {name}? Mark a card; Up and Down choose the player.")
GIVE_ALL: Final = Sentence("Enter gives these three cards, Esc takes the last one back.")
LEAD: Final = Sentence("Your lead: mark cards, or n for a proposal.")
TURN: Final = Sentence("Your turn: mark cards, n for a proposal, p passes.")
NOTHING: Final = Sentence("Your turn: none of your cards fits, Enter or p passes.")
UNMARKED: Final = Sentence("No card is marked: mark the cards to lay, or press n.")
BOUND: Final = Sentence("Your turn. The wish binds you: lay {card}; n shows how.")
BOMB: Final = Sentence("You may lay a bomb: b shows it, Enter holds.")
WINDOW: Final = Sentence("Before {name} goes on, a bomb may be laid:")
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
GIVE_TRICK: Final = Sentence("Who gets the Dragon's trick?")
HINT: Final = Sentence("A good player would answer: {answer}")
OVER: Final = Sentence("Enter closes the table. l shows the whole game.")
MISTAKE: Final = Sentence("Mistake {place} of {all}: the better answer is marked.")
MISTAKE_NONE: Final = Sentence("Mistake {place} of {all}: it was better to lay no card.")
GO_ON: Final = Sentence("Enter goes on.")
GO_ON_COACHED: Final = Sentence("Enter goes on. a: what your decisions have cost.")

# The keys; a click on a key presses the key.

KEYS_TURN: Final = Sentence("n propose  p pass  s sort  Enter lays  Esc clears")
KEYS_LEAD: Final = Sentence("n propose  s sort  Enter lays  Esc clears")
KEYS_WAIT: Final = Sentence("b bomb  s sort  Esc clears")
KEYS_BOMB: Final = Sentence("b bomb  s sort  Enter answers  Esc clears")
KEYS_WINDOW: Final = Sentence("b bomb  . wait  s sort  Enter answers  Esc clears")
KEY_CALL: Final = Sentence("t Tichu")
KEYS_WHICH: Final = Sentence("1 to 9 choose  Enter lays  Esc goes back")
KEYS_GIVE: Final = Sentence("s sort  Space, 0 to A: choose a card  Enter gives")
KEYS_CALL: Final = {
    Ask.GRAND: Sentence("s sort  g Grand Tichu  Enter goes on"),
    Ask.CALL: Sentence("s sort  Enter goes on"),
}
KEYS_WISH: Final = Sentence("2 to A choose  - none  Enter wishes  Esc goes back")
KEYS_TRICK: Final = Sentence("1 or 2: choose the player  Enter gives")
KEYS_SURE: Final = Sentence("y calls  n does not")
KEYS_TAKE_BACK: Final = Sentence("Enter takes back  Esc goes on")
KEYS_MISTAKE: Final = Sentence("a next mistake  A the one before  Enter goes back")
KEY_GO_ON: Final = Sentence("Enter goes on")
KEY_CLOSE: Final = Sentence("Enter closes")
KEY_AGAIN: Final = Sentence("r play again")
KEY_OPEN: Final = Sentence("o hidden cards")
KEY_ANALYSIS: Final = Sentence("a analysis")
KEYS: Final = Sentence("? help  m rules  / talk  l log  w why  q leave")
KEYS_COACHED: Final = Sentence("? help  m rules  h hint  u undo  w why  l log  q leave")

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
ANALYSIS_TITLE: Final = Sentence("The decisions of this round")
HELP: Final = (
    (
        Sentence(
            "0 (ten), 2 to 9, J, Q, K, A: mark a card of that number, again: one more, at last "
            "none. 1 the Mah Jong, H the Dog, P the Phoenix, D the Dragon."
        ),
        Sentence(
            "Left, Right and Space mark a card too, and so does a click. Esc unmarks all. What "
            "is marked is named at once."
        ),
        Sentence("n, N: step through all plays that fit, weakest first. s: sort by plays."),
        Sentence(
            "Enter: lay what is marked. p: pass, or lay no bomb; so does Space before you use "
            "an arrow. b: show a bomb that can be laid."
        ),
        Sentence(
            "b while others play: mark a bomb; b again arms the bomb. An armed bomb is laid as "
            "soon as the rules allow. A key that marks or clears disarms the bomb."
        ),
        Sentence(
            "Among people a bar shows how long a bomb may be laid on a play. Full stop: wait "
            "longer, up to ten seconds. Enter: lay none, without a wait."
        ),
        Sentence("g: call Grand Tichu with eight cards. t: call Tichu with what you do next."),
        Sentence(
            "In the exchange a marked card goes to the lit player; Up and Down choose another."
        ),
    ),
    (
        Sentence("/ or Tab: talk. PgUp, PgDn: earlier talk. x: mute talk, or hear it again."),
        Sentence("F1 or ?: this page. F2 or m: the rules. F4 or l: the game and the points."),
        Sentence("w or F5: why your last answer was refused. q, F10 or Ctrl-C: leave."),
        Sentence(
            "R, G, B, K are the suits, T is ten, M is the Mah Jong. Cards between shades lie "
            "face down."
        ),
    ),
)
HELP_COACHED: Final = Sentence(
    "h: the three best answers, the points by which your team then wins the round on average, "
    "and why. If no card is marked, the hint marks the cards of the first answer. u, then "
    "Enter: take back. a, after a round: what your decisions have cost; a again: your "
    "mistakes on the board."
)
