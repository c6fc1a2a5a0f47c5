"""The words that the seats give a restarted program (SPEC#asking).

A restarted program may run on an older disk, and have lost what this seat has signed. The
program asks all other seats, and signs only once each has answered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from matcha_p2p.chain.records import has_resigned
from matcha_p2p.seats import Seat
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record
from matcha_p2p.wire.statements import Resign
from matcha_p2p.wire.words import AskWord, Held, HereWord, Word


@dataclass(frozen=True, slots=True)
class WordsHeard:
    """The latest ASK of each seat, and the answers to these ASKs.

    heres: by asker and author. runs: the highest run heard of each seat; a run is a program of
    the seat, and 0 began the game.
    """

    asks: Mapping[Seat, AskWord] = field(default_factory=dict[Seat, AskWord])
    heres: Mapping[tuple[Seat, Seat], HereWord] = field(
        default_factory=dict[tuple[Seat, Seat], HereWord]
    )
    runs: Mapping[Seat, int] = field(default_factory=dict[Seat, int])

    @property
    def all(self) -> tuple[Word, ...]:
        """Each current word; an ASK comes before its answers."""
        return (*self.asks.values(), *self.heres.values())

    def run_of(self, seat: Seat) -> int:
        """Return the highest run heard of ``seat``."""
        return self.runs.get(seat, 0)

    def news(self, word: Word) -> bool:
        """Return whether ``word`` counts and is new here.

        A seat's greatest ASK counts, and the answers to this ASK by the seats' latest runs.
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

    def with_word(self, word: Word) -> Self:
        """Return these words with ``word``, which is new."""
        seat, asks = word.seat, dict(self.asks)
        if isinstance(word, AskWord):
            run = word.asked.run
            asks[seat] = word
            heres = {key: here for key, here in self.heres.items() if key[0] != seat}
        else:
            run = word.run
            heres = {**self.heres, (word.asker, seat): word}
        runs = {**self.runs, seat: max(run, self.run_of(seat))}
        return replace(self, asks=asks, heres=heres, runs=runs)

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
            and (here.resign is None or has_resigned(records, asker))
        )


def newest(seat: Seat, entries: Sequence[Entry], records: Sequence[Record]) -> Held:
    """Return the newest entry and the resignation of ``seat``, or None."""
    last = next((entry for entry in reversed(entries) if entry.seat == seat), None)
    resigned = [
        record for record in records if record.seat == seat and record.statement == Resign()
    ]
    return last, resigned[0] if resigned else None


def _holds(entries: Sequence[Entry], entry: Entry | None) -> bool:
    return entry is None or entry.id in {held.id for held in entries[entry.seq : entry.seq + 1]}
