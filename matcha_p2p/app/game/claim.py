"""Claim that the other player has stayed away."""

from contextlib import suppress
from typing import Final

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.play import claim_silence, open_unfinished
from matcha_p2p.chain.records import Statements, awaited
from matcha_p2p.errors import HomeError
from matcha_p2p.language import Sentence
from matcha_p2p.store.home import Home

_KEPT: Final = Sentence(
    "The game is closed and saved, with your statement that {name} has been silent for "
    "{seconds} s: {path}. Anybody can check whose turn it is, but not how long you waited. "
    "You can still resume the game."
)


def run(out: Output, home: Home, name: str | None) -> int:
    """Add a claim to the game called ``name``, or to the latest game, and store the game.

    The game stays unfinished. If the other player comes back, the game can go on.
    """
    ledger = open_unfinished(home, name)
    try:
        chain = ledger.chain
        silent = None
        if chain.met and not chain.finished:
            said = Statements.of(chain.table.game, chain.entries, chain.records)
            silent = awaited(chain.table, said)
        if silent is None or silent not in chain.apart:  # we, or a bot of our program
            raise CommandError(
                Exit.USAGE,
                "In this game no other player owes a move.",
                code="claim-void",
            )
        seconds = claim_silence(ledger)
        chain = ledger.chain
        path = home.store_transcript(chain.table.gid, chain.transcript)
        ended = chain.ended
        with suppress(HomeError):  # the game itself is safe
            home.note_game(path, chain.seat, None if ended is None else ended.how)
    finally:
        ledger.close()
    out.fact("transcript", path=str(path))
    out.say(_KEPT(name=chain.table.hellos[silent].name, seconds=seconds, path=path))
    return Exit.DONE
