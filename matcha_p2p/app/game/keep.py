"""Stores a finished game in this home, against a peer or a bot.

The module imports no part of the protocol, so practice loads little.
"""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.errors import HomeError
from matcha_p2p.language import Sentence

if TYPE_CHECKING:
    from matcha_p2p.session.chain import Chain

_KEPT: Final = Sentence("The game is saved. Anybody can check the file: matcha verify {path}")
_KEPT_HERE: Final = Sentence("The game is saved among the finished games.")


def store_game(chain: "Chain", setup: SeatSetup) -> Path:
    """Store the game as it stands; return the path."""
    path = setup.home.store_transcript(chain.table.gid, chain.transcript)
    ended = chain.ended
    with suppress(HomeError):  # the game itself is safe; it is listed without a score
        if ended is None:
            setup.home.note_game(path, chain.seat, None)
        else:
            points = ended.points
            setup.home.note_game(path, chain.seat, ended.how, chain.game_key, points)
    setup.out.fact("transcript", path=str(path))
    return path


def kept(path: Path, setup: SeatSetup) -> str:
    """Return the sentence about the game's place at ``path``."""
    return _KEPT_HERE() if setup.out.before_menu else _KEPT(path=path)
