"""The breaches of the protocol in everyday words: one sentence for each check."""

from typing import Final

from matcha_p2p.errors import Check
from matcha_p2p.language import Sentence

BREACHES: Final = {
    Check.LIMIT: Sentence("a message or file was too long"),
    Check.ENCODING: Sentence("a message was garbled"),
    Check.CHAIN: Sentence("a message did not follow on the one before it"),
    Check.SIG: Sentence("a signature was wrong"),
    Check.FORK: Sentence("two different messages were signed for one place in the game"),
    Check.TURN: Sentence("a move was made out of turn"),
    Check.GRAMMAR: Sentence("something was done that was not due, or left out"),
    Check.POINT: Sentence("a cryptographic value was malformed"),
    Check.SCALAR: Sentence("a cryptographic number was malformed"),
    Check.VERSION: Sentence("another version of the protocol was named"),
    Check.GAME: Sentence("another game or other rules were meant"),
    Check.TEXT: Sentence("a name was too long or cannot be shown"),
    Check.KEY: Sentence("a key was worthless, or one that is used already"),
    Check.POP: Sentence("a player did not prove to hold the key of the game"),
    Check.CERT: Sentence("a player's identity did not vouch for the keys of this game"),
    Check.COIN: Sentence("the draw was tampered with"),
    Check.SHUFFLE: Sentence("a shuffle was not proved to be honest"),
    Check.SHARE: Sentence("the key to a card was wrong"),
    Check.CARD: Sentence("a card was shown that does not exist, or lies open already"),
    Check.BACK: Sentence("a card was played that was not in the hand"),
    Check.RULE: Sentence("a move broke a rule of the game"),
    Check.SEAL: Sentence("a choice was changed after it had been made"),
    Check.RESULT: Sentence("a wrong result was signed"),
    Check.STATE: Sentence("the two programs disagree on how the game stands"),
    Check.RECORD: Sentence("a statement about the game was malformed or not signed"),
    Check.EXPOSE: Sentence("a wrong key was given when the cards were laid open"),
    Check.RESIGN: Sentence("a player went on after giving the game up"),
    Check.SYNC: Sentence("a player announced another game than the one it signed"),
}
