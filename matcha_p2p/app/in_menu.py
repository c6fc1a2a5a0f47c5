"""The sentences of errors where the menu follows: they name its entries, not commands."""

from typing import Final

from matcha_p2p.errors import MatchaError
from matcha_p2p.language import Sentence, sentence_of

IN_MENU: Final = {
    "call-unanswered": Sentence(
        '"{name}" has not answered. Agree on a time, or host a table and send "{name}" the '
        "invite."
    ),
    "friend-key": Sentence(
        'Somebody has the secret that you share with "{name}", and not the key of "{name}". '
        'Call again only when you know from "{name}" what has happened.'
    ),
    "game-unfinished": Sentence(
        "{why} The game is saved, among the unfinished games of the menu."
    ),
    "game-unsigned": Sentence(
        "{why} The game is decided all the same, and counts; it is kept among the finished "
        "games. It is among the unfinished ones too, so that the other player can sign it."
    ),
    "home-disk": Sentence("{path} cannot be used: {reason}. Make room or set the rights."),
    "journal-older": Sentence(
        "{why} To go on all the same, choose it among the unfinished games of the menu."
    ),
    "no-answer-code": Sentence(
        "{why} There is no answer code either, as no address of yours on the internet is "
        "known. Name a STUN server in the settings, which tells it."
    ),
    "own-fork": Sentence(
        "Your own program has signed two different entries at one place of this game, as "
        "happens when its folder is restored from a backup. The game stops. Both are "
        "kept: {path}"
    ),
    "peer-proof": Sentence(
        "{name}'s program broke the protocol: {breach}, check {check}. The evidence, which "
        "convinces anybody, is kept: {path}"
    ),
}
"""For the code of an error, the sentence that replaces one that names a command."""


def sentence_in_menu(error: MatchaError) -> str:
    """Return what ``error`` says to a person who gets to the menu next.

    A sentence without fields stays as it is: it tells of a breach before a game had begun.
    """
    sentence = IN_MENU.get(error.code or "")
    if sentence is None or not error.fields:
        return sentence_of(error)
    return sentence(**error.fields)
