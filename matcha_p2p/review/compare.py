"""Compares files of one game: has a seat signed contradicting statements? (SPEC#comparing).

A player can keep a copy of a game without what speaks against it. So several copies are read as
one: the longest chain and all records. Whatever fails there is a contradiction that its author
has signed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from matcha_p2p.machine.table import Table
from matcha_p2p.review.verify import Failure, Report, verify_transcript
from matcha_p2p.transcript.archive import encode_archive
from matcha_p2p.transcript.entry import Entry


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Copies of one game that contradict each other.

    copies: their places among those that were compared. failure: by whom, and of what check;
    its ``entry`` is a place in ``evidence``, a file that convinces anybody.
    """

    copies: tuple[int, ...]
    failure: Failure
    evidence: bytes


def contradictions(reports: Sequence[Report]) -> Iterator[Contradiction]:
    """Yield what ``reports``, each on a file of its own, show only together.

    Of a file that is not valid the part that is sound counts.
    """
    met = [(gid, place) for place, report in enumerate(reports) if (gid := _game(report))]
    for _, group in groupby(sorted(met), key=lambda pair: pair[0]):
        places = tuple(place for _, place in group)
        if len(places) > 1:
            evidence = _together([reports[place] for place in places])
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


def _together(reports: Sequence[Report]) -> bytes:
    """Return one file of all that is sound in several of one game.

    Where two chains part, the first entry that differs follows the longest one, and nothing
    after it: it is a fork.
    """
    chains = [tuple(sound.entry for sound in report.accepted) for report in reports]
    longest = max(chains, key=len)
    entries = [entry.encoded for entry in longest]
    for chain in chains:
        other = _parting(longest, chain)
        if other is not None:
            return encode_archive([*entries, other.encoded], [])
    records = dict.fromkeys(record.encoded for report in reports for record in report.records)
    return encode_archive(entries, list(records))


def _parting(longest: Sequence[Entry], chain: Sequence[Entry]) -> Entry | None:
    """Return the first entry of ``chain`` that is another one than in ``longest``."""
    pairs = zip(longest, chain, strict=False)
    return next((theirs for ours, theirs in pairs if ours.id != theirs.id), None)
