"""State that the other player has stayed away."""

import time
from contextlib import suppress
from typing import Final

from matcha_p2p.cli.home import Home
from matcha_p2p.cli.outcomes import CommandError, Exit
from matcha_p2p.cli.output import Output
from matcha_p2p.errors import HomeError
from matcha_p2p.language import Sentence
from matcha_p2p.machine.table import next_due
from matcha_p2p.session.chain import Chain
from matcha_p2p.wire.records import Claim

_KEPT: Final = Sentence(
    "Kept, with your word that {name} has been silent for {seconds} s: {path}. Anybody can "
    "check whose turn it is, and nobody how long. The game can still be resumed."
)


def run(out: Output, home: Home, name: str | None) -> int:
    """Add a claim to the game called ``name``, or to the latest one, and store the game.

    The game stays unfinished, and can be gone on with if the other player comes back.
    """
    journal = home.unfinished_game(name)
    now = time.time()
    silent = max(0, int(now - journal.stat().st_mtime))  # at least: opening a journal renews it
    chain = Chain.open(journal)
    try:
        due = None if chain.finished else next_due(chain.table)
        if due is None or due.seat == chain.seat:
            raise CommandError(
                Exit.USAGE, "In this game nothing is due from the other player. [claim-void]"
            )
        chain.declare(Claim(silent, int(now)))
        path = home.keep_transcript(chain.table.gid, chain.transcript())
        with suppress(HomeError):  # the game itself is safe
            home.note_game(path, chain.seat, None)
        peer = chain.table.hellos[due.seat].name
    finally:
        chain.close()
    out.fact("transcript", path=str(path))
    out.say(_KEPT(name=peer, seconds=silent, path=path))
    return Exit.DONE
