"""The words of the frame around a table: talk, pages, leaving, the connection."""

from typing import Final

from matcha_p2p.language import Sentence

TALK: Final = Sentence("TALK")
UNREAD: Final = Sentence("TALK: {count} new")
TALK_MUTED: Final = Sentence("TALK, muted: x")
MUTED: Final = Sentence("{name} is muted. Press x to hear {name} again.")
UNMUTED: Final = Sentence("You hear {name} again.")
PHRASES: Final = Sentence("PHRASES")
KEYS_TALKING: Final = Sentence("Enter says it   Esc drops it   PgUp, PgDn earlier talk")
KEYS_READING: Final = Sentence("Up, Down, PgUp, PgDn scroll   Esc closes")
TOO_SMALL: Final = Sentence("Please enlarge the terminal to 60x16. F10 leaves.")
QUIET: Final = Sentence("No message from {name} for {seconds} s.")
DOWN: Final = Sentence("Connection to {name} lost, game saved; looking for {name}.")
DIALLED: Final = Sentence("No connection to {name}, game saved; dialling, try {tries}.")
TALK_PROMPT: Final = Sentence("Say:")
SAID: Final = Sentence("{name}: {text}")
SAID_YOURS: Final = Sentence("you: {text}")
PARTING: Final = Sentence("Leave?")
LATER: Final = Sentence("another day")
END_FOR_GOOD: Final = Sentence("end, save nothing")
CONCEDES: Final = Sentence("concede")
STAYS: Final = Sentence("stay")
CONCEDE_SURE: Final = Sentence("Concede the game?")
DEPARTING: Final = Sentence("Saying goodbye.")
OVER: Final = Sentence("Enter closes the table. l shows the whole game.")
SEEKING: Final = Sentence("Waiting for {name} to come back.")
DELAY: Final = Sentence("{milliseconds} ms")
YOU: Final = Sentence("you")
REVIEW_TITLE: Final = Sentence("The game so far")
WHY_TITLE: Final = Sentence("The rule that refused")
HELP_TITLE: Final = Sentence("Help")
END_YOURS: Final = Sentence("YOU WIN!")
END_THEIRS: Final = Sentence("{name} wins")
END_TEAM: Final = Sentence("{names} win")
END_DRAW: Final = Sentence("A DRAW")
TAKE_BACK: Final = Sentence("Take back your last decision?")
TAKEN_BACK: Final = Sentence("You take back your last decision.")
NOTHING_DECIDED: Final = Sentence("You have no decision to take back.")

# Keys: the word in the bar, and the line of the page of help.

HELP_LABEL: Final = Sentence("help")
HELP_HELP: Final = Sentence("This page.")
RULES: Final = Sentence("rules")
HELP_RULES: Final = Sentence("The rules of the game.")
HINT: Final = Sentence("hint")
HELP_HINT: Final = Sentence(
    "In practice: what a good player would do, and why. The answer is marked: Enter gives it."
)
UNDO: Final = Sentence("undo")
HELP_UNDO: Final = Sentence("In practice: take back your last decision.")
WHY: Final = Sentence("why")
HELP_WHY: Final = Sentence(
    "What the marked move does, why the last thing happened, or why your answer was refused."
)
REVIEW: Final = Sentence("log")
HELP_REVIEW: Final = Sentence("The whole game so far.")
SPEAK: Final = Sentence("talk")
HELP_TALK: Final = Sentence("Talk to the others.")
MUTE: Final = Sentence("mute")
HELP_MUTE: Final = Sentence("Mute a player's talk, or hear it again.")
PAGES: Final = Sentence("PgUp, PgDn")
ARROWS: Final = Sentence("arrows")
HELP_SCROLL: Final = Sentence("Earlier talk, later talk.")
LEAVE: Final = Sentence("leave")
HELP_LEAVE: Final = Sentence("Leave; first you are asked how. F10 and Ctrl-C do the same.")
YES: Final = Sentence("yes")
NO: Final = Sentence("no")
CHOOSES: Final = Sentence("choose")
HELP_CHOOSE: Final = Sentence(
    "In a list: choose the marked answer. Its own key chooses at once."
)
HELP_STEP: Final = Sentence("In a list: mark another answer.")
BACK: Final = Sentence("back")
HELP_BACK: Final = Sentence("Back to the question before.")
CLOSES: Final = Sentence("close")
GOES_ON: Final = Sentence("go on")
HELP_CLOSE: Final = Sentence("At the end: go on, or close the table.")
ANALYSIS: Final = Sentence("analysis")
HELP_ANALYSIS: Final = Sentence(
    "After a round or a game: your decisions judged; again: the next mistake on the board. A "
    "the mistake before."
)
OPEN: Final = Sentence("hidden cards")
HELP_OPEN: Final = Sentence("After a game: offer to show the hidden cards.")
REMATCH: Final = Sentence("play again")
HELP_REMATCH: Final = Sentence("After a game: offer another one.")
NO_HINT: Final = Sentence("No decision is due now.")
