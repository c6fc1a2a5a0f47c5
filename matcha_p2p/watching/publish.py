"""How much of a game watchers may have (PEER#watching)."""

from dataclasses import dataclass
from itertools import islice

from matcha_p2p.session.chain import Chain
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record
from matcha_p2p.wire.roster import Roster
from matcha_p2p.wire.statements import Sync
from matcha_p2p.wire.watching import Visibility


@dataclass(frozen=True, slots=True)
class Published:
    """The part of a game for watchers with ``sight``: ``count`` entries and all ``records``.

    roster: of the game; None with ``Visibility.NOTHING``.
    """

    sight: Visibility = Visibility.NOTHING
    entries: tuple[Entry, ...] = ()
    count: int = 0
    records: tuple[Record, ...] = ()
    roster: Roster | None = None

    def since(self, entries: int, records: int) -> list[Frame]:
        """Return the frames missing after ``entries`` entries and ``records`` records."""
        return [
            *(Frame(Kind.MSG, entry.encoded) for entry in self.entries[: self.count][entries:]),
            *(Frame(Kind.REC, record.encoded) for record in self.records[records:]),
        ]


def publish(chain: Chain, sight: Visibility) -> Published:
    """Return the part of ``chain`` for watchers with ``sight``.

    Records are released when the game is over. A SYNC concerns only the line, so no SYNC is
    released.
    """
    if sight is Visibility.NOTHING:
        return Published()
    count = _of_ended_rounds(chain) if sight is Visibility.LATER else len(chain.entries)
    records = chain.records if chain.finished else ()
    told = tuple(each for each in records if not isinstance(each.statement, Sync))
    return Published(sight, chain.entries, count, told, chain.roster)


def _of_ended_rounds(chain: Chain) -> int:
    """Return the place of the first entry with a move of an unfinished round."""
    entries = chain.entries
    if not chain.met or chain.ended is not None:
        return len(entries)
    said = chain.running
    moves = (place for place in reversed(range(len(entries))) if _has_move(entries[place]))
    return min(islice(moves, said), default=len(entries))


def _has_move(entry: Entry) -> bool:
    """Tell whether ``entry`` makes or seals a move, without decoding the whole entry."""
    match entry.fields:
        case [["MOVE" | "SEAL", *_], *_]:
            return True
        case _:
            return False
