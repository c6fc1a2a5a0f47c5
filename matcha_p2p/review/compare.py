"""Compares files of one game: has a seat signed contradicting statements? (SPEC#comparing).

A player can leave out of a copy what speaks against that player. So several copies are read as
one: the longest chain and all records. An item that fails there contradicts what its author has
signed elsewhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from matcha_p2p.machine.table import Table
from matcha_p2p.review.verify import Failure, Report, verify_transcript
from matcha_p2p.transcript.archive import encode_archive


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Copies of one game that contradict each other.

    copies: their places among those that were compared. failure: the seat and the check that it
    breaks; its ``entry`` is a place in ``evidence``, a file that convinces anybody.
    """

    copies: tuple[int, ...]
    failure: Failure
    evidence: bytes


@dataclass(frozen=True, slots=True)
class Copy:
    """The sound part of a file. gid: of its game, None if nobody has met in it."""

    gid: bytes | None
    entries: tuple[bytes, ...]
    records: tuple[bytes, ...]


def copy_of(report: Report) -> Copy:
    """Return what is sound in the file of ``report``, as it stands there."""
    return Copy(
        _game(report),
        tuple(sound.entry.encoded for sound in report.accepted),
        tuple(record.encoded for record in report.records),
    )


def contradictions(copies: Sequence[Copy]) -> Iterator[Contradiction]:
    """Yield the contradictions between ``copies``, each of a file of its own.

    Of a file that is not valid, only the sound part counts.
    """
    met = [(copy.gid, place) for place, copy in enumerate(copies) if copy.gid is not None]
    for _, group in groupby(sorted(met), key=lambda pair: pair[0]):
        places = tuple(place for _, place in group)
        if len(places) > 1:
            evidence = _together([copies[place] for place in places])
            failure = verify_transcript(evidence).failure
            if failure is not None and failure.seat is not None:
                yield Contradiction(places, failure, evidence)


def _game(report: Report) -> bytes | None:
    """Return what names the game of a file, None if nobody has met in it."""
    match report.accepted[-1].state if report.accepted else None:
        case Table(gid=gid):
            return gid
        case _:
            return None


def _together(copies: Sequence[Copy]) -> bytes:
    """Return one file of all that is sound in several of one game.

    Where another chain differs from the longest one, its first different entry is put at the
    end: it is a fork.
    """
    longest = max((copy.entries for copy in copies), key=len)
    for copy in copies:
        other = _parting(longest, copy.entries)
        if other is not None:
            return encode_archive([*longest, other], [])
    records = dict.fromkeys(record for copy in copies for record in copy.records)
    return encode_archive(longest, list(records))


def _parting(longest: Sequence[bytes], chain: Sequence[bytes]) -> bytes | None:
    """Return the first entry of ``chain`` that differs from that in ``longest``."""
    pairs = zip(longest, chain, strict=False)
    return next((theirs for ours, theirs in pairs if ours != theirs), None)
