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
QUIET: Final = Sentence("No message from the other player for {seconds} s.")
DOWN: Final = Sentence("Connection lost, game saved; looking for the other player.")
DIALLED: Final = Sentence("No connection, game saved; dialling, try {tries}.")
QUIET_OF: Final = Sentence("No message from {name} for {seconds} s.")
DOWN_OF: Final = Sentence("Connection to {name} lost, game saved; looking for {name}.")
DIALLED_OF: Final = Sentence("No connection to {name}, game saved; dialling, try {tries}.")
TALK_PROMPT: Final = Sentence("Say:")
SAID: Final = Sentence("{name}: {text}")
SAID_YOURS: Final = Sentence("you: {text}")
PARTING: Final = Sentence("Leave?")
PARTINGS: Final = (Sentence("1 another day"), Sentence("2 concede"), Sentence("3 stay"))
PARTING_FOR_GOOD: Final = Sentence("1 end, save nothing")
DEPARTING: Final = Sentence("Saying goodbye.")
OVER: Final = Sentence("Enter closes the table. l shows the whole game.")
DELAY: Final = Sentence("{milliseconds} ms")
YOU: Final = Sentence("you")
REVIEW_TITLE: Final = Sentence("The game so far")
HELP_TITLE: Final = Sentence("Help")
TAKE_BACK: Final = Sentence("Take back your last decision? Enter does, Esc goes on.")
