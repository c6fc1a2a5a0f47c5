"""A seat between others that breaks the protocol, or does not do its duty.

Each vice says other frames to a neighbour than the seat's program does. No honest seat may be
blamed, and where honest seats have links of their own, they come to an end.
"""

import random
from collections.abc import Callable

from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import ItemKind, header_of, recall_chain, since
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.record import parse_record
from tests.simulator.plan import Plan

HubVice = Callable[[Chain, Frame, int], list[Frame]]
"""Returns the frames said to a seat in place of one frame."""


def hub_vices(rng: random.Random, plan: Plan) -> dict[str, HubVice]:
    """Return the vices of one seat, each with its own memory."""
    peers = plan.neighbours(0 if plan.vice is None else plan.vice[0])
    return {
        "withholds": Withholding(rng, peers),
        "replays": Replaying(rng),
        "forks": Forking(rng, peers),
    }


class Withholding:
    """Passes nothing of others on to some neighbours once the game has begun.

    Its own entries and words go out: a seat without its own word only waits, and so do all.
    """

    def __init__(self, rng: random.Random, peers: tuple[int, ...]) -> None:
        self._kinds = rng.choice(((Kind.MSG,), (Kind.MSG, Kind.REC, Kind.ASK, Kind.HERE)))
        self._kept_from = rng.sample(peers, rng.randint(1, len(peers)))

    def __call__(self, chain: Chain, frame: Frame, to: int) -> list[Frame]:
        if not chain.met or to not in self._kept_from or frame.kind not in self._kinds:
            return [frame]
        return [frame] if _author(chain, frame) == chain.seat else []


class Replaying:
    """Says again what was said before, to anybody and on any link."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._said: list[Frame] = []

    def __call__(self, chain: Chain, frame: Frame, to: int) -> list[Frame]:
        del chain, to
        again = (
            [self._rng.choice(self._said)] if self._rng.random() < 0.2 and self._said else []
        )
        if frame.kind in (Kind.MSG, Kind.REC, Kind.ASK, Kind.HERE, Kind.SYNC):
            self._said.append(frame)
        return [*again, frame]


class Forking:
    """Makes one move to some neighbours, and once another move in its place to the others."""

    def __init__(self, rng: random.Random, peers: tuple[int, ...]) -> None:
        self._rng = rng
        self._told_otherwise = rng.sample(peers, rng.randint(1, max(1, len(peers) - 1)))
        self._after = rng.randint(0, 20)
        self._fork: dict[bytes, bytes] = {}

    def __call__(self, chain: Chain, frame: Frame, to: int) -> list[Frame]:
        if frame.kind is not Kind.MSG:
            return [frame]
        entry = parse_entry(frame.payload)
        newest = chain.entries[-1].encoded == frame.payload
        if not self._fork and entry.seat == chain.seat and newest and chain.met:
            self._after -= 1
            other = self._other_move(chain) if self._after < 0 else None
            if other is not None:
                self._fork[frame.payload] = other
        other = self._fork.get(frame.payload)
        return [frame if other is None or to not in self._told_otherwise else _entry(other)]

    def _other_move(self, chain: Chain) -> bytes | None:
        """Return another entry in place of our newest, which is a choice."""
        items = [item for item in since(chain, chain.empty) if item.kind == ItemKind.ENTRY]
        before = recall_chain(header_of(chain), items[:-1])
        view = before.view
        if view is None:
            return None
        moves = list(view.legal_moves())
        self._rng.shuffle(moves)
        for move in moves:
            after, _ = before.decide(move)
            if after.entries[-1].encoded != chain.entries[-1].encoded:
                return after.entries[-1].encoded
        return None


def _author(chain: Chain, frame: Frame) -> int:
    match frame.kind:
        case Kind.MSG:
            return parse_entry(frame.payload).seat
        case Kind.REC:
            return parse_record(frame.payload).seat
        case _:
            _, word = chain.hear_word(frame)
            return word.seat


def _entry(encoded: bytes) -> Frame:
    return Frame(Kind.MSG, encoded)
