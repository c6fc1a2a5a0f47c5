"""Replay a finished game line by line."""

from typing import Final

from matcha_p2p.app.library.transcripts import OpenedGame
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed

VALID: Final = Sentence("A valid game of {names}: {verdict}.")
NOTHING: Final = Sentence("In this game nobody has moved.")


def run(out: Output, game: OpenedGame, view: str | None, start: int, look: Look | None) -> int:
    """Print the game from step ``start`` on, counted from 1; return the exit code.

    view, look: without effect. All seats see the same, and this game has no full screen for a
    replay.
    """
    del view, look
    replay = replay_of(game.report)
    if not replay.steps:
        out.say(NOTHING())
        return Exit.DONE
    out.say(VALID(names=listed(replay.names), verdict=game.report.verdict.value))
    for at in range(start - 1, len(replay.steps)):
        for sentence in replay.sentences(at):
            out.say(sentence)
    return Exit.DONE
