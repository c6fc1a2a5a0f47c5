"""Every sentence and word of the full screen that line mode lacks."""

from typing import Final

from matcha_p2p.language import Sentence

# The title and the frame.

TITLE: Final = Sentence("Matcha {edition}   set {number}, round {round} of 3")
TITLE_FIRST: Final = Sentence("Matcha")
TITLE_BEFORE: Final = Sentence("Matcha {edition}")
PLAYERS: Final = Sentence("you and {name}")
WINDOW_DUE: Final = Sentence("matcha: your move")
WELCOME: Final = Sentence("David Harding's game of tea and bluff, for two")
SET: Final = Sentence("SET")
ODDS_ALONE: Final = Sentence("HIDDEN CARDS THAT MATCH")
ODDS: Final = Sentence("HIDDEN CARDS THAT MATCH; {name} HAS ONE")
ODDS_COUNT: Final = Sentence("{count} of {hidden}")
BEATS: Final = Sentence("WHAT BEATS WHAT")
LEADS: Final = Sentence("leads")
LEADS_YOURS: Final = Sentence("lead")
OUT: Final = Sentence("out")
NEARLY: Final = Sentence("one short")
WINS_SAME: Final = Sentence("win: {count} alike or 5 kinds")
WINS: Final = Sentence("win: {suits} alike, {whisks} {whisk}, 5 kinds")

# The state of the game and of the connection.

MEETING: Final = Sentence("The two programs greet each other.")
SHUFFLING: Final = Sentence("Both make keys and shuffle the deck, each with a proof.")
DEALING: Final = Sentence("The table is laid; the hands are being dealt.")
SHUFFLED: Final = {
    "mix": Sentence("Shuffling: {name}'s shuffle is proved and checked."),
    "deal": Sentence("Dealing: {name}'s shuffle is proved and checked."),
    "own": Sentence("Dealing: {name}'s hand is being mixed."),
}
SHUFFLED_YOURS: Final = {
    "mix": Sentence("Shuffling: your shuffle is proved and checked."),
    "deal": Sentence("Dealing: your shuffle is proved and checked."),
    "own": Sentence("Dealing: your hand is being mixed."),
}

# Questions.

PICK: Final = Sentence("Your move: a card 1 to 5, then mat {mats}; p passes.")
AIM: Final = Sentence("Which mat for {card}: {mats}? Esc goes back to your hand.")
SEAL: Final = Sentence("Lay {card} on mat {mat}? Enter lays it, Esc goes back.")
SKIP: Final = Sentence("Pass this turn? Enter passes, Esc goes back.")
SIT_OUT: Final = Sentence("Pass for this round? Enter passes, Esc goes back.")
KEEP_WHICH: Final = Sentence("Keep which cards? 1 to 5 mark them, p when done.")
KEEP: Final = Sentence("Keep {cards}? Enter keeps, Esc goes back.")
KEEP_NONE: Final = Sentence("Keep no card? Enter keeps none, Esc goes back.")
BUTTON_SKIP: Final = Sentence("pass")
BUTTON_KEEP: Final = Sentence("done")
KEPT: Final = Sentence("keep {number}")
THEIR_CHOICE: Final = Sentence("{name} decides which cards to keep.")
SENT: Final = Sentence("One moment.")

# A word about a card on its mat, and sentences about a chosen card.

FITS: Final = Sentence("match")
BLUFF: Final = Sentence("bluff")
REVEALING: Final = Sentence("Mat {mat} is opened.")
STAYS_CLOSED: Final = Sentence("Mat {mat} stays closed.")
VERDICT_MATCH: Final = Sentence("MATCH")
VERDICT_BLUFF: Final = Sentence("BLUFF")
VERDICT_BEATEN: Final = Sentence("BEATEN")
WOULD_FIT: Final = Sentence("On {mat} it matches.")
WOULD_BLUFF_NUMBER: Final = Sentence("On {mat} it is a bluff: {mat} wants a {number}.")
WOULD_BLUFF_SUIT: Final = Sentence("On {mat} it is a bluff: {mat} wants {suit}.")
LOSES_TO: Final = Sentence("Beaten by {cards}.")
LOSES_TO_NOTHING: Final = Sentence("No hidden card beats it.")

# The pages over the table.

RULES_TITLE: Final = Sentence("The rules, edition {edition}")
WHY_TITLE: Final = Sentence("How the last round was decided")
WHY_MARKED: Final = Sentence("What the marked move does")
REVIEW_ROUND: Final = Sentence("SET {number}, ROUND {round}")
HELP_LOOKS: Final = (
    Sentence("Upper row of the table: the other player's cards. Lower row: your own."),
    Sentence("+ and a letter beside a card: its player took that token there."),
    Sentence("Cards between shaded cells lie face down. Only you see yours."),
)
SIGNS: Final = Sentence("Signs of cards and tokens: {signs}.")

# Keys: the word in the bar, and the line of the page of help.

CARDS: Final = Sentence("1 to 5")
MATS: Final = Sentence("a to f")
LAYS: Final = Sentence("lay")
PASSES: Final = Sentence("pass")
KEEPS: Final = Sentence("keep")
HELP_ENTER: Final = Sentence(
    "Choose what is marked; at last give the answer that the bar names."
)
HELP_PASS: Final = Sentence("Pass; after a set of edition 2015, keep the marked cards.")
HELP_BACK: Final = Sentence("Take back everything before the last Enter.")
HELP_CARD: Final = Sentence("Choose a card. After a set of edition 2015: mark it to be kept.")
HELP_MAT: Final = Sentence("Lay the chosen card face down on that mat.")
HELP_ARROWS: Final = Sentence("Go to another card, or to another mat. The mouse chooses too.")
