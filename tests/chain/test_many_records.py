"""Files with many records: the end of the game, and the work that a record costs."""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import FrameType
from typing import Any

import pytest

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.chain.compare import contradictions, copy_of
from matcha_p2p.chain.records import Log, Statements, first_to_resign
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.tichu.table.view import look
from matcha_p2p.seats import Seat
from matcha_p2p.watching.watch_client import WatchedGame
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.names import RecordId
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.statements import ResignOffer, ResignTogether, Statement, Sync
from tests import judges
from tests.games.tichu.party import game, lawful
from tests.table.party import Party, begun

ENTRIES = 80


@cache
def party() -> Party:
    """Return a round of Tichu under way."""
    chance, under_way = random.Random(3), begun("many records", game())

    def choose(seat: Seat) -> object:
        return lawful(look(under_way.players[seat], under_way.table, ()), chance)

    while len(under_way.entries) < ENTRIES:
        under_way.goes_on(choose)
    return under_way


def record(seat: int, place: int, statement: Statement) -> Record:
    secret = party().players[seat].secrets.session
    head = party().entries[place].id
    return sign_record(party().table.gid, Seat(seat), head, statement, secret)


def partner(seat: int) -> int:
    return (seat + 2) % 4


def last_of(entries: Sequence[Entry], seat: int) -> int:
    return max(place for place, entry in enumerate(entries) if entry.seat == seat)


def first_by_the_letter(entries: Sequence[Entry], records: Sequence[Record]) -> int | None:
    """Return the first seat whose resignation counts, as SPEC#team-resigns says it."""
    place = {entry.id: at for at, entry in enumerate(entries)}
    counted = [
        (place[agreed.head], agreed.seat)
        for agreed in records
        if isinstance(agreed.statement, ResignTogether)
        and any(
            made.statement == ResignOffer()
            and made.seat == partner(agreed.seat)
            and place[made.head] <= place[agreed.head]
            and made.seat
            not in [e.seat for e in entries[place[made.head] + 1 : place[agreed.head] + 1]]
            for made in records
        )
    ]
    return min(counted)[1] if counted else None


def drawn(chance: random.Random, entries: Sequence[Entry]) -> list[Record]:
    """Return offers and agreements that no entry of their authors contradicts."""
    records = []
    for _ in range(chance.randint(1, 5)):
        seat = chance.randrange(4)
        if chance.random() < 0.6:
            place = chance.randrange(len(entries))
            records.append(record(seat, place, ResignOffer()))
        else:
            place = chance.randrange(last_of(entries, seat), len(entries))
            offer = RecordId(chance.randbytes(32))
            records.append(record(seat, place, ResignTogether(offer)))
    return records


def games(seeds: int) -> Iterator[tuple[Sequence[Entry], list[Record], int | None]]:
    """Yield beginnings of the game with records, and who has resigned first."""
    for seed in range(seeds):
        chance = random.Random(seed)
        entries = party().entries[: chance.randint(12, ENTRIES)]
        records = drawn(chance, entries)
        yield entries, records, first_by_the_letter(entries, records)


def test_end_of_a_game_of_teams_is_the_end_by_the_letter():
    """Offers and agreements come in any order."""
    ends = set()
    for entries, records, wanted in games(400):
        first = first_to_resign(party().table.game, entries, records)
        assert (None if first is None else first.seat) == wanted
        ends.add(wanted)
    assert ends == {None, 0, 1, 2, 3}


@pytest.mark.slow
def test_both_verifiers_find_the_end_of_a_game_of_teams():
    for entries, records, wanted in games(40):
        file = party().file(len(entries), [each.encoded for each in records])
        verdict = "UNFINISHED" if wanted is None else "RESIGNED"
        assert judges.agreed(file).verdict == verdict


def many(entries: int, count: int) -> bytes:
    """Return a file with ``count`` offers, as many agreements, and as many announcements."""
    closed = last_of(party().entries[:entries], 2) - 1
    records = [
        said
        for number in range(count)
        for said in (
            record(2, closed, ResignOffer()),
            record(0, entries - 1, ResignTogether(RecordId(number.to_bytes(32, "big")))),
            record(1, 4, Sync(60_000 - number, bytes(32), resigned=number % 2 == 0)),
        )
    ]
    return party().file(entries, [each.encoded for each in records])


def watch(file: bytes) -> None:
    watched = WatchedGame()
    for frame in parse_archive(file):
        watched.take(frame)


def compare(file: bytes) -> None:
    copy = copy_of(verify_transcript(file))
    list(contradictions([copy, copy]))


def steps(work: Callable[[], object]) -> int:
    """Return how many steps the interpreter makes for ``work``."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "work",
    [verify_transcript, compare, watch, pytest.param(judges.theirs, marks=pytest.mark.slow)],
)
def test_record_costs_as_much_in_a_long_file_as_in_a_short_one(monkeypatch, work):
    """The work grows in step with the records, whatever the number of entries."""
    for name in ("records", "table"):
        monkeypatch.setattr(judges.VERIFIER[name], "check_signature", lambda *_: None)

    def of_a_record(entries: int, count: int) -> float:
        few, more = many(entries, count), many(entries, 2 * count)
        work(few)  # whatever is cached
        more_steps = steps(lambda: work(more))
        return (more_steps - steps(lambda: work(few))) / count

    assert of_a_record(ENTRIES, 20) < 1.3 * of_a_record(24, 5)


@pytest.mark.parametrize(
    ("length", "place", "before", "after"),
    [
        (60, 59, set(), set()),
        (60, 58, {2}, {2}),
        (61, 60, {2}, set()),
        (61, 59, {2}, {2}),
    ],
)
def test_seat_is_awaited_until_the_entry_of_its_sync_comes(length, place, before, after):
    """The entry of a SYNC is here or is the next one; or another entry stands at its place."""
    log = Log(party().entries[:60])
    said = Statements(log)
    said.take(party().table.game, record(2, place, Sync(length, bytes(32))))
    assert said.announced == before
    log.append(party().entries[60])
    said.grow(party().entries[60])
    assert said.announced == after
