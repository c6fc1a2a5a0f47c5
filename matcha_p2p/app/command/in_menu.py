"""The sentences of errors before a menu, with names of menu entries in place of commands."""

from typing import Final

from matcha_p2p.errors import MatchaError
from matcha_p2p.language import Sentence, sentence_of

IN_MENU: Final = {
    "call-unanswered": Sentence(
        '"{name}" does not answer. Agree on a time, or host a table and send "{name}" the '
        "invite."
    ),
    "friend-key": Sentence(
        'Somebody knows the secret that you share with "{name}", but lacks the key of '
        '"{name}". Ask "{name}" what happened before you call again.'
    ),
    "game-unfinished": Sentence(
        "{why} The game is saved among the unfinished games of the menu."
    ),
    "game-unsigned": Sentence(
        "{why} The game is decided and counts; it is saved among the finished games. It "
        "stays among the unfinished games too, until all players have signed the result."
    ),
    "home-disk": Sentence(
        "{path} cannot be used: {reason}. Free some disk space, or correct the file's "
        "permissions."
    ),
    "journal-older": Sentence(
        "{why} To go on all the same, choose the game among the unfinished games of the menu."
    ),
    "no-answer-code": Sentence(
        "{why} Your outside address is unknown, so there is no answer code either. Name a "
        "STUN server in the settings: the server tells your address."
    ),
    "own-fork": Sentence(
        "Your own program signed two different entries at one place of this game. This "
        "happens if a game's folder is restored from a backup. The game stops. Both entries "
        "are saved: {path}"
    ),
    "resume-socks": Sentence(
        "{why} The game can also go on without the proxy: choose so among the unfinished games."
    ),
    "peer-proof": Sentence(
        "{name}'s program broke the protocol: {breach} (check {check}). The proof, which "
        "anybody can check, is saved: {path}"
    ),
}
"""The sentence for each error code, in place of a sentence that names a command."""


def sentence_in_menu(error: MatchaError) -> str:
    """Return the sentence of ``error`` for a person who returns to the menu.

    If ``error`` has no fields, its own sentence stays: the game had not begun.
    """
    sentence = IN_MENU.get(error.code or "")
    if sentence is None or not error.fields:
        return sentence_of(error)
    return sentence(**error.fields)
