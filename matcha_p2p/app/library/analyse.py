"""Judge the decisions of a finished game: the loss of each decision, and each seat's skill."""

from pathlib import Path

from matcha_p2p.app.library.transcripts import game_in, open_game
from matcha_p2p.app.output import Output
from matcha_p2p.games.game import Game
from matcha_p2p.store.home import Home


def run(out: Output, home: Home, file: Path) -> int:
    """Judge the decisions in ``file`` of each seat with known cards; return the exit code.

    home: the index may know our seat and our game key.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the transcript is not valid, or nobody's cards are known.
    """
    game = open_game(out, home, file)
    return game_in(game.report).needed(Game.analyse)(out, game)
