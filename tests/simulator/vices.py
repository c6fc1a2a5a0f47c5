"""Seats that break the protocol: their frames in place of their program's frames.

The other seat is honest. The vice must neither stop that seat's game nor take its win.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from matcha_p2p.session.chain import Chain
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import parse_record, sign_record
from matcha_p2p.wire.statements import Resign, Sync

Vice = Callable[[Chain, Frame, random.Random, dict[str, int]], list[Frame]]
"""Returns the frames sent in place of one frame. The last argument is the vice's memory."""


def tells_more(
    chain: Chain, frame: Frame, rng: random.Random, memory: dict[str, int]
) -> list[Frame]:
    """Announce invented entries on the first links after a cut."""
    lies = memory.setdefault("lies", rng.randint(1, 3))
    if frame.kind is not Kind.SYNC or not (frame.payload and lies):
        return [frame]
    memory["lies"] -= 1
    record = parse_record(frame.payload)
    assert isinstance(record.statement, Sync)
    more = Sync(record.statement.length + rng.randint(1, 5), record.statement.binding)
    lie = sign_record(
        record.gid, record.seat, EntryId(rng.randbytes(32)), more, chain.secrets.session
    )
    return [Frame(Kind.SYNC, lie.encoded)]


def always_tells_more(
    chain: Chain, frame: Frame, rng: random.Random, memory: dict[str, int]
) -> list[Frame]:
    """Announce invented entries on every link after a cut."""
    memory["lies"] = 1
    return tells_more(chain, frame, rng, memory)


def garbage_for_result(
    chain: Chain, frame: Frame, rng: random.Random, memory: dict[str, int]
) -> list[Frame]:
    """Send noise instead of the signature under a lost game."""
    del chain, memory
    return [Frame(Kind.MSG, rng.randbytes(99)) if _is_result(frame) else frame]


def spoilt_result(
    chain: Chain, frame: Frame, rng: random.Random, memory: dict[str, int]
) -> list[Frame]:
    """Send the signature under a lost game with one wrong bit."""
    del chain, memory
    if not _is_result(frame):
        return [frame]
    spoilt = bytearray(frame.payload)
    spoilt[-1 - rng.randrange(60)] ^= 1
    return [Frame(Kind.MSG, bytes(spoilt))]


def takes_back(
    chain: Chain, frame: Frame, rng: random.Random, memory: dict[str, int]
) -> list[Frame]:
    """Resign, and make a move as well, before or after the resignation."""
    if frame.kind is not Kind.REC or "taken" in memory:
        return [frame]
    record = parse_record(frame.payload)
    if record.statement != Resign() or record.seat != chain.seat:
        return [frame]
    memory["taken"] = 1
    before = chain.table.head == record.head
    playing = replace(chain, records=())
    observation = playing.view
    if not before or observation is None:
        return [frame]
    after, _ = playing.decide(rng.choice(observation.legal_moves()))
    move = Frame(Kind.MSG, after.entries[-1].encoded)
    return rng.choice(([frame, move], [move, frame]))


def _is_result(frame: Frame) -> bool:
    """Tell whether a frame holds the result alone, that is, of a game the other decided."""
    if frame.kind is not Kind.MSG:
        return False
    match parse_entry(frame.payload).fields:
        case (["RESULT", *_],):
            return True
        case _:
            return False


VICES: dict[str, Vice] = {
    "tells-more": tells_more,
    "always-tells-more": always_tells_more,
    "garbage-for-result": garbage_for_result,
    "spoilt-result": spoilt_result,
    "takes-back": takes_back,
}
