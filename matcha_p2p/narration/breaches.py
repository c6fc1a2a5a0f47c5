"""The breaches of the protocol in everyday words, with a sentence for each check."""

from typing import Final

from matcha_p2p.errors import Check
from matcha_p2p.language import Sentence

BREACHES: Final = {
    Check.LIMIT: Sentence("a message or file was too long"),
    Check.ENCODING: Sentence("a message was garbled"),
    Check.CHAIN: Sentence("a message did not continue the one before it"),
    Check.SIG: Sentence("a signature was wrong"),
    Check.FORK: Sentence("two different messages were signed for one place in the game"),
    Check.TURN: Sentence("a move was made out of turn"),
    Check.GRAMMAR: Sentence("a player did something out of turn, or left a step out"),
    Check.POINT: Sentence("a cryptographic value was malformed"),
    Check.SCALAR: Sentence("a cryptographic number was malformed"),
    Check.VERSION: Sentence("the message named another version of the protocol"),
    Check.GAME: Sentence("the game or its rules are not those installed here"),
    Check.TEXT: Sentence("a name was too long or cannot be shown"),
    Check.KEY: Sentence("a key was worthless, or already in use"),
    Check.POP: Sentence("a player did not prove that they hold the key of the game"),
    Check.CERT: Sentence("a player's identity did not vouch for the keys of this game"),
    Check.COIN: Sentence("a player tampered with the draw"),
    Check.SHUFFLE: Sentence("a shuffle was not proved to be honest"),
    Check.SHARE: Sentence("the key to a card was wrong"),
    Check.CARD: Sentence("a card was shown that does not exist, or is already open"),
    Check.BACK: Sentence("a card was played that was not in the hand"),
    Check.RULE: Sentence("a move broke a rule of the game"),
    Check.SEAL: Sentence("a player changed a choice after making it"),
    Check.RESULT: Sentence("a wrong result was signed"),
    Check.STATE: Sentence("the two programs disagree about the state of the game"),
    Check.RECORD: Sentence("a statement about the game was malformed or not signed"),
    Check.EXPOSE: Sentence("a wrong key was given when the cards were opened"),
    Check.RESIGN: Sentence("a player went on after conceding"),
    Check.SYNC: Sentence("a player announced a different game from the one it signed"),
    Check.ROSTER: Sentence("a greeting did not fit the list of who sits where"),
}
