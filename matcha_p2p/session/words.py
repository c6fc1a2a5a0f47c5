"""The words that the seats flood beside the chain: ASK, HERE, AGAIN, OPEN, TALK, WATCH, WAY.

A restarted program may run on an older disk, and have lost what this seat has signed. The
program asks all other seats, and signs only once each has answered (PEER#asking). After a game
each seat may wish another game (PEER#next-table), or offer its book (PEER#afterwards). Each
seat says what watchers may see (PEER#watching), and where the seat waits for links
(PEER#direct).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

from matcha_p2p.chain.records import gives_up, has_resigned, is_shown
from matcha_p2p.seats import Seat
from matcha_p2p.table.seat import Secrets
from matcha_p2p.wire.admission import WatchWord
from matcha_p2p.wire.again import AgainWord, OpenWord
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record
from matcha_p2p.wire.roster import RosterSeat
from matcha_p2p.wire.said import SaidWord, WayWord
from matcha_p2p.wire.statements import Sync
from matcha_p2p.wire.words import AskWord, Held, HereWord, Word


class DrawnSeat(Protocol):
    """A seat for the next game, with fresh secrets.

    listed: the public half.
    """

    @property
    def listed(self) -> RosterSeat:
        """The public half."""
        ...

    @property
    def secrets(self) -> Secrets:
        """The secrets of the next game."""
        ...


@dataclass(frozen=True, slots=True)
class WordsHeard:
    """The latest ASK of each seat, and the answers to these ASKs.

    heres: by asker and author. runs: the highest run heard of each seat; a run is a program of
    the seat, and 0 began the game. agains: the wish of each seat for another game. forks: two
    wishes of one run, with different keys, of a seat that breaks the protocol.
    opens: the offer of each seat to open its book. said: the latest talk of each seat.
    watched: what each seat says about watching. ways: where each seat waits for links.
    """

    asks: Mapping[Seat, AskWord] = field(default_factory=dict[Seat, AskWord])
    heres: Mapping[tuple[Seat, Seat], HereWord] = field(
        default_factory=dict[tuple[Seat, Seat], HereWord]
    )
    runs: Mapping[Seat, int] = field(default_factory=dict[Seat, int])
    agains: Mapping[Seat, AgainWord] = field(default_factory=dict[Seat, AgainWord])
    forks: Mapping[Seat, tuple[AgainWord, AgainWord]] = field(
        default_factory=dict[Seat, tuple[AgainWord, AgainWord]]
    )
    opens: Mapping[Seat, OpenWord] = field(default_factory=dict[Seat, OpenWord])
    said: Mapping[Seat, SaidWord] = field(default_factory=dict[Seat, SaidWord])
    watched: Mapping[Seat, WatchWord] = field(default_factory=dict[Seat, WatchWord])
    ways: Mapping[Seat, WayWord] = field(default_factory=dict[Seat, WayWord])

    @property
    def all(self) -> tuple[Word, ...]:
        """Each current word; an ASK comes before its answers, and before other words."""
        asked: tuple[Word, ...] = (*self.asks.values(), *self.heres.values())
        forked = [word for fork in self.forks.values() for word in fork]
        agains = dict.fromkeys((*forked, *self.agains.values()))
        wished: tuple[Word, ...] = (*agains, *self.opens.values())
        told: tuple[Word, ...] = (*self.watched.values(), *self.ways.values())
        return (*asked, *wished, *self.said.values(), *told)

    def run_of(self, seat: Seat) -> int:
        """Return the highest run heard of ``seat``."""
        return self.runs.get(seat, 0)

    def news(self, word: Word) -> bool:
        """Return whether ``word`` counts and is new here.

        A seat's greatest ASK counts, and the answers to this ASK by the seats' latest runs.
        After a wish for another game, the seat's leaving is new, and the first wish of the same
        run with other keys. Talk counts once, and so does an offer to open a book. Of a seat's
        places the latest count. Of the words about watching the latest counts, also from an
        earlier run; a word that lets nobody watch counts whenever it comes, and is the seat's
        last.
        """
        match word:
            case AskWord(seat, asked):
                known = self.asks.get(seat)
                return known is None or asked > known.asked
            case HereWord(seat, asker, asked, run):
                ask, before = self.asks.get(asker), self.heres.get((asker, seat))
                wanted = ask is not None and ask.asked == asked and seat != asker
                later = before is None or run > before.run
                return wanted and later and run >= self.run_of(seat)
            case AgainWord(seat, run, keys):
                wish = self.agains.get(seat)
                later = wish is None or run > wish.run
                leaves = keys is None and wish is not None and wish.keys is not None
                forks = seat not in self.forks and self._contradicts(word)
                return run >= self.run_of(seat) and (later or leaves or forks)
            case OpenWord(seat):
                return seat not in self.opens
            case SaidWord(seat, run) | WayWord(seat, run):
                heard = (self.said if isinstance(word, SaidWord) else self.ways).get(seat)
                return run >= self.run_of(seat) and (heard is None or word.place > heard.place)
            case WatchWord(seat):
                last = self.watched.get(seat)
                if last is None or last.is_final:
                    return last is None
                return word.is_final or word.place > last.place

    def with_word(self, word: Word) -> Self:
        """Return these words with ``word``, which is new."""
        match word:
            case AskWord(seat, asked):
                heres = {key: here for key, here in self.heres.items() if key[0] != seat}
                return replace(
                    self,
                    asks={**self.asks, seat: word},
                    heres=heres,
                    runs=self._runs(seat, asked.run),
                )
            case HereWord(seat, asker):
                heres = {**self.heres, (asker, seat): word}
                return replace(self, heres=heres, runs=self._runs(seat, word.run))
            case AgainWord(seat) if self._contradicts(word):
                return replace(self, forks={**self.forks, seat: (self.agains[seat], word)})
            case AgainWord(seat):
                return replace(self, agains={**self.agains, seat: word})
            case OpenWord(seat):
                return replace(self, opens={**self.opens, seat: word})
            case SaidWord(seat):
                return replace(self, said={**self.said, seat: word})
            case WatchWord(seat):
                return replace(self, watched={**self.watched, seat: word})
            case WayWord(seat):
                return replace(self, ways={**self.ways, seat: word})

    def _runs(self, seat: Seat, run: int) -> Mapping[Seat, int]:
        return {**self.runs, seat: max(run, self.run_of(seat))}

    def wishes(self) -> Mapping[Seat, AgainWord]:
        """Return the wishes of the programs that run now: an earlier run has lost its keys."""
        return {
            seat: wish for seat, wish in self.agains.items() if wish.run >= self.run_of(seat)
        }

    @property
    def contradicted(self) -> frozenset[Seat]:
        """The seats that signed wishes which contradict each other.

        Two wishes of one run have different keys, or the wishes of two seats have one session
        key. Each author holds the key of the wish: both seats have broken the protocol.
        """
        sessions = Counter(wish.keys.session for wish in self.agains.values() if wish.keys)
        shared = {
            seat
            for seat, wish in self.agains.items()
            if wish.keys and sessions[wish.keys.session] > 1
        }
        return frozenset(self.forks.keys() | shared)

    def _contradicts(self, word: AgainWord) -> bool:
        """Tell whether ``word`` has other keys than the wish of the same run."""
        wish = self.agains.get(word.seat)
        return (
            wish is not None
            and None not in (wish.keys, word.keys)
            and wish.run == word.run
            and wish.keys != word.keys
        )

    def given(
        self, asker: Seat, entries: Sequence[Entry], records: Sequence[Record]
    ) -> tuple[Seat, ...]:
        """Return the seats whose answer to ``asker`` counts.

        entries, records: of the asker. They must hold all that the answer shows.
        """
        return tuple(
            here.seat
            for (to, _), here in self.heres.items()
            if to == asker
            and here.run >= self.run_of(here.seat)
            and _holds(entries, here.last)
            and (here.record is None or _has_shown(entries, records, here.record))
        )


def newest(seat: Seat, entries: Sequence[Entry], records: Sequence[Record]) -> Held:
    """Return what ``seat`` must not contradict: its newest entry, and a record.

    The record is the resignation of ``seat``. Without one, it is the SYNC of ``seat`` that
    announces the most of what is not here: a later entry in that place would contradict it.
    """
    last = next((entry for entry in reversed(entries) if entry.seat == seat), None)
    ours = [record for record in records if record.seat == seat]
    resigned = next(filter(gives_up, ours), None)
    unshown = [record for record in ours if not is_shown(entries, records, record)]
    return last, resigned or max(unshown, key=_announced, default=None)


def _announced(record: Record) -> int:
    """Return the length that a SYNC announces."""
    match record.statement:
        case Sync(length):
            return length
        case _:
            return 0


def _has_shown(entries: Sequence[Entry], records: Sequence[Record], record: Record) -> bool:
    """Return whether a copy with ``entries`` and ``records`` has what ``record`` binds to."""
    if isinstance(record.statement, Sync):
        return is_shown(entries, records, record)
    return has_resigned(records, record.seat)


def _holds(entries: Sequence[Entry], entry: Entry | None) -> bool:
    return entry is None or entry.id in {held.id for held in entries[entry.seq : entry.seq + 1]}
