"""The next game of two who have just played one, on the same link (SPEC#rematch)."""

from pathlib import Path
from typing import Final

from matcha_p2p.crypto.sponge import H, kdf
from matcha_p2p.machine.table import Table
from matcha_p2p.player.secret import Secrets
from matcha_p2p.rules.moves import Seat
from matcha_p2p.session.chain import Chain

_PSK_INFO: Final = b"matcha/v1 rematch psk"


def next_seat(table: Table, seat: Seat) -> Seat:
    """Return where ``seat`` of the game before sits: who did not deal first is seat 0."""
    moved_on = table.game.number % 2 == 0  # the deal goes round with every set (R15)
    first_dealer = 1 - table.game.dealer if moved_on else table.game.dealer
    return 1 if seat == first_dealer else 0


def next_binding(link: bytes, gid: bytes) -> bytes:
    """Return what the next game's chain begins with, on ``link`` and after the game ``gid``."""
    return H("again", link, gid)


def next_psk(resume_psk: bytes) -> bytes:
    """Return the psk of the next game; what held the last one's line together leads to it."""
    return kdf(resume_psk, _PSK_INFO, 32)


def next_chain(before: Chain, link: bytes, secrets: Secrets, path: Path) -> Chain:
    """Begin the game after that of ``before`` with a new journal at ``path``.

    Where both seats wait is still known.

    Raises:
        JournalError: the journal cannot be made.
    """
    seat = next_seat(before.table, before.seat)
    binding = next_binding(link, before.table.gid)
    chain = Chain.create(path, seat, secrets, binding, next_psk(before.resume_psk))
    for kind, reach in before.reaches.items():
        chain.note_reach(kind, reach)
    return chain
