"""Every word of the full screen that line mode does not have, in English.

Sentences are whole and take named fields, so that a catalogue can replace each of them.
"""

from typing import Final

# The title and the frame.

TITLE: Final = "Matcha {edition}   set {number}, round {round} of 3"
TITLE_BEFORE: Final = "Matcha {edition}"
PLAYERS: Final = "{you} and {name}"
WINDOW_DUE: Final = "matcha: your move"
WINDOW: Final = "matcha: {name}"
ROUND: Final = "round {number}"
ROUND_NOW: Final = "> round {number} <"
WELCOME: Final = ("M A T C H A", "", "David Harding's game of tea and bluff, for two")
NUMBER: Final = "number"
SUIT: Final = "suit"
TALK: Final = "TALK"
COURSE: Final = "THE GAME SO FAR"
YOU: Final = "you"
LEADS: Final = "leads"
OUT: Final = "out"
GAIN: Final = "+{token}"
WINS_SAME: Final = "win: {count} alike or 5 kinds"
WINS: Final = "win: {suits} alike, {whisks} whisks, 5 kinds"
SUIT_LOOP: Final = "{0}>{1}>{2}>{3}>{0}"
NUMBER_LOOP: Final = "4>3>2>1>4"
KEYS: Final = "F1 help  F2 rules  / talk  F4 review  w why  F10 leave"
KEYS_TALKING: Final = "Enter says it   Esc drops it   PgUp, PgDn earlier talk"
KEYS_READING: Final = "Up, Down, PgUp, PgDn scroll   Esc closes"
TOO_SMALL: Final = "Please enlarge the terminal to 60x16, or play with --ui line. F10 leaves."

# What is going on.

MEETING: Final = "The two programs greet each other."
RESUMING: Final = "Comparing the two copies of the game."
SHUFFLING: Final = "Both programs make keys and shuffle the deck, each with a proof."
DEALING: Final = "The table is laid; the hands are being dealt."
YOUR: Final = "your"
THEIR: Final = "{name}'s"
SHUFFLED: Final = {
    "mix": "Shuffling: {whose} shuffle of the deck is proved and checked.",
    "deal": "Dealing: {whose} shuffle is proved and checked.",
    "own": "Dealing: {whose} hand is being mixed.",
}
QUIET: Final = "Nothing has come from the other side for {seconds} s."
DOWN: Final = "The connection is lost. The game is saved; looking for the other player."

# Questions.

PICK: Final = "Your move: a card 1 to 5, then mat {mats}; p passes."
AIM: Final = "{card}: on which mat, {mats}? Esc goes back to your hand."
SEAL: Final = "Lay {card} on mat {mat}? Enter lays it, Esc goes back."
SKIP: Final = "Pass this turn? Enter passes, Esc goes back."
SIT_OUT: Final = "Pass for this round? Enter passes, Esc goes back."
KEEP_WHICH: Final = "Keep which cards? 1 to 5 mark them, p when done."
KEEP: Final = "Keep {cards}? Enter keeps, Esc goes back."
KEEP_NONE: Final = "Keep no card at all? Enter keeps none, Esc goes back."
BUTTON_SKIP: Final = "pass"
BUTTON_KEEP: Final = "done"
KEPT: Final = "keep {number}"
AT: Final = "> {number} <"
THEIR_MOVE: Final = "{name} is to move."
THEIR_CHOICE: Final = "{name} decides which cards to keep."
SENT: Final = "One moment."
TALK_PROMPT: Final = " Say: "
PARTING: Final = " Leave? "
PARTINGS: Final = ("1 another day", "2 concede", "3 stay")
DEPARTING: Final = "Saying goodbye."
OVER: Final = "Enter closes the table. F4 shows the whole game."

# Why a round gave what it gave.

WHY_TITLE: Final = "Why the last round ended so"
WHY_NOTHING: Final = "No round has been played out yet."
WHY_ASKS: Final = "Mat {mat} shows {card} and asks for {asked}."
WHY_NUMBER: Final = "the number {number}"
WHY_SUIT: Final = "the suit {suit}"
WHY_BOTH: Final = "Your {mine} matches, and so does {name}'s {theirs}."
WHY_SUITS: Final = "Where numbers are asked for, the suit decides: {better} beats {worse}."
WHY_NUMBERS: Final = "Where suits are asked for, the number decides: {better} beats {worse}."
WHY_YOURS: Final = "Your {mine} matches, {name}'s {theirs} does not: a whisk for the bluff."
WHY_THEIRS: Final = "{name}'s {theirs} matches, your {mine} does not: a whisk for the bluff."
WHY_NEITHER: Final = "Neither your {mine} nor {name}'s {theirs} matches."
WHY_ALONE_YOURS: Final = "Only you laid a card there. It is not opened, and need not match."
WHY_ALONE_THEIRS: Final = "Only {name} laid a card there. It is not opened, and need not match."
WHY_EMPTY: Final = "Nobody laid a card there."
WHY_KIND: Final = "A token is always of the suit of the mat's card, whatever was played."

# What can be read over the table.

HELP_TITLE: Final = "Help"
RULES_TITLE: Final = "The rules, edition {edition}"
REVIEW_TITLE: Final = "The game so far"
HELP: Final = (
    "1 to 5, then a mat's letter, then Enter: lay that card face down on that mat.",
    "Arrows and Enter alone will do as well: choose a card, Enter, choose a mat, Enter, Enter.",
    "p, then Enter: pass. Esc takes back whatever has not been confirmed.",
    "After a set of edition 2015: 1 to 5 mark the cards to keep, p and Enter keep them.",
    "The mouse chooses cards and mats too; a click on the question answers it with yes.",
    "",
    "/ or Tab: talk to the other player. Bluffing and lying are part of the game.",
    "PgUp, PgDn: earlier talk.",
    "F1 or ?: this page. F2: the rules. F4: all that has happened.",
    "w or F5: why the last round ended as it did. Ctrl-L: draw anew.",
    "F10 or Ctrl-C: leave. You are asked how: go on another day, concede, or stay.",
    "",
    "Upper row of the table: the other player's cards. Lower row: your own.",
    "Letters: leaf T, bowl B, water W, scoop S, whisk K, zero Z.",
    "+ and a letter beside a card: its player has taken that token there.",
    "Cards between shaded cells lie face down. Your own you see, the other player does not.",
)
RULES_LOOPS: Final = (
    "",
    "Both match a number mat: the better suit takes the token.",
    "- leaf beats bowl and water; bowl beats water and scoop;",
    "- water beats scoop; scoop beats leaf.",
    "Both match a suit mat: the better number takes the token.",
    "- 4 beats 3 and 2; 3 beats 2 and 1; 2 beats 1; 1 beats 4.",
    "",
    "Example: mat a shows leaf 3 and asks for a number.",
    "- You laid water 3, the other player scoop 3. Both match, and water beats scoop:",
    "- you take a leaf token, because the mat's card is a leaf.",
    "Example: mat b shows water 1 and asks for a suit.",
    "- You laid water 2, the other player a zero. Only you match: you take a water token,",
    "- the other player a whisk for the bluff that was called.",
    "",
)
