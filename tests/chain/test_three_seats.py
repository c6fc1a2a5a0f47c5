"""Files of the toy game, for three seats. The registry finds the game by name."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations

import pytest

from matcha_p2p import games
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.compare import copy_of
from matcha_p2p.chain.verify import CheckResult, Report, Verdict, verify_transcript
from matcha_p2p.errors import Check
from matcha_p2p.seats import Seat
from matcha_p2p.table.seat import Offer, greet, take_seat
from matcha_p2p.table.table import Greetings, Verb
from matcha_p2p.wire.entry import Entry, sign_entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.statements import Claim, Expose, Resign, Statement, Sync
from tests.duel import secrets_of
from tests.games import toy
from tests.games.toy.steps import SEATS, Toy
from tests.judges import Convicted, compared, convicted
from tests.table.party import Party, begun

LAST = SEATS[-1]
ANOTHER = EntryId(b"h" * 32)
seats = pytest.mark.parametrize("seat", SEATS)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "toy", toy.FOLDERS["toy"])


@cache
def played(*second: Seat) -> Party:
    """Return a finished game: ``second`` chose the second card, all other seats the first."""
    party = begun("toy file 0", Toy())
    while party.goes_on(lambda seat: int(seat in second)):
        pass
    return party


def place_of(verb: Verb) -> int:
    """Return the place of the first entry that begins with ``verb``."""
    return next(e.seq for e in played().entries if begins(e, verb))


def begins(entry: Entry, verb: Verb) -> bool:
    match entry.fields[0]:
        case [name, *_]:
            return name == verb.value
        case _:
            return False


def stated(seat: Seat, seen: int, statement: Statement, head: EntryId | None = None) -> Record:
    """Return a record of ``seat``, made after ``seen`` entries."""
    party = played()
    seed = party.players[seat].secrets.session
    known = head or party.entries[seen - 1].id
    return sign_record(party.table.gid, seat, known, statement, seed)


def file(entries: Sequence[Entry], *records: Record) -> bytes:
    roster = played().state.roster
    return encode_archive([e.encoded for e in entries], [r.encoded for r in records], roster)


def found(end: int, *records: Record) -> Report:
    """Return the report on the first ``end`` entries, with ``records`` after them."""
    return verify_transcript(file(played().entries[:end], *records))


def whole() -> int:
    return len(played().entries)


# --- verdicts ------------------------------------------------------------------------------


def test_a_whole_game_is_complete():
    report = found(whole())
    assert (report.verdict, report.valid, report.waiting) == (Verdict.COMPLETE, True, None)
    assert (report.result.winners, report.result.how) == (
        played().table.game.result(),
        "highest card",
    )
    assert [sound.entry for sound in report.accepted] == played().entries
    assert (report.game, found(0).game) == ("toy", None)
    assert report.accepted[-1].state == played().table


def test_every_beginning_names_the_awaited_seat_and_tells_a_decided_game():
    verdicts = []
    for end, entry in enumerate(played().entries):
        report = found(end)
        assert report.waiting == entry.seat
        assert (report.result is None) == (report.verdict is Verdict.UNFINISHED)
        verdicts.append(report.verdict)
    decided = verdicts.index(Verdict.DECIDED)
    assert set(verdicts[:decided]) == {Verdict.UNFINISHED}
    assert set(verdicts[decided:]) == {Verdict.DECIDED}
    assert sorted(entry.seat for entry in played().entries[decided:]) == [*SEATS]


@seats
def test_resigned_seat_leaves_the_game_to_all_others(seat):
    end = place_of(Verb.SEAL)
    report = found(end, stated(seat, end, Resign()))
    assert (report.verdict, report.waiting) == (Verdict.RESIGNED, None)
    others = tuple(other for other in SEATS if other != seat)
    assert (report.result.winners, report.result.how) == (others, "resigned")


@pytest.mark.parametrize(
    ("unseen", "first"), [((2, 1, 0), 0), ((0, 1, 0), 1), ((1, 1, 0), 0), ((0, 0, 0), 0)]
)
def test_earliest_of_several_resignations_counts(unseen, first):
    """Seat 2 has sealed its choice; before, all seats have spoken in the same order."""
    end = place_of(Verb.SEAL) + 1
    assert [entry.seat for entry in played().entries[end - 4 : end]] == [2, 0, 1, 2]
    given_up = [stated(seat, end - unseen[seat], Resign()) for seat in SEATS]
    for order in permutations(given_up):
        assert set(SEATS) - set(found(end, *order).result.winners) == {first}


def test_a_resignation_after_the_decision_changes_nothing():
    seen = place_of(Verb.SEAL)
    signer = played().entries[-1].seat
    late = found(whole(), stated(signer, whole() - 1, Resign()))
    assert (late.verdict, late.result) == (Verdict.COMPLETE, found(whole()).result)
    back = found(whole(), stated(signer, seen, Resign()))
    assert (back.verdict, back.failure.check) == (Verdict.INVALID, Check.RESIGN)
    assert (back.failure.seat, back.result) == (signer, late.result)


def test_seat_out_of_turn_is_blamed():
    party = played()
    end = place_of(Verb.SHUF)
    seat = next(seat for seat in SEATS if seat != party.entries[end].seat)
    before = party.entries[end]
    seed = party.players[seat].secrets.session
    early = sign_entry(end, seat, before.prev, before.state, before.fields, seed)
    report = verify_transcript(file((*party.entries[:end], early)))
    assert (report.verdict, len(report.accepted)) == (Verdict.INVALID, end)
    failure = report.failure
    assert (failure.check, failure.entry, failure.seat) == (Check.TURN, end, seat)


def sign_again(entry: Entry) -> Entry:
    """Return another entry of the same seat for the same place."""
    seed = played().players[entry.seat].secrets.session
    return sign_entry(entry.seq, entry.seat, entry.prev, entry.state, [], seed)


@seats
def test_seat_with_two_entries_for_one_place_has_forked(seat):
    party = played()
    other = sign_again(next(entry for entry in reversed(party.entries) if entry.seat == seat))
    report = verify_transcript(file((*party.entries, other)))
    assert (report.verdict, report.failure.seat) == (Verdict.FORK, seat)
    assert (report.failure.check, report.failure.entry) == (Check.FORK, whole())
    assert report.result == found(whole()).result  # nobody takes it back
    before = verify_transcript(file((*party.entries[:-1], sign_again(party.entries[-2]))))
    assert (before.verdict, before.result) == (Verdict.FORK, None)


def test_a_game_that_the_registry_does_not_find_is_refused(monkeypatch):
    monkeypatch.delitem(games.FOLDERS, "toy")
    report = found(whole())
    assert (report.verdict, report.failure.check) == (Verdict.INVALID, Check.GAME)
    assert (report.failure.entry, report.accepted) == (0, ())


def test_a_greeting_under_a_roster_calls_for_the_check_of_the_roster():
    report = found(whole())
    for count, result in ((0, CheckResult.NOT_REACHED), (1, CheckResult.PASSED)):
        checks = replace(report, accepted=report.accepted[:count]).checks()
        assert checks[Check.ROSTER] is result


@pytest.mark.parametrize("verb", Verb)
def test_only_an_entry_that_names_a_card_calls_for_the_check_of_its_back(verb):
    report = found(whole())
    place = place_of(verb)
    checks = replace(report, accepted=report.accepted[place : place + 1]).checks()
    named = checks[Check.BACK] is CheckResult.PASSED
    assert named == (verb in (Verb.MOVE, Verb.UNSEAL))
    assert checks[Check.CERT] is CheckResult.NOT_REACHED


# --- records -------------------------------------------------------------------------------


def test_the_keys_of_open_books_are_told_by_seat():
    keys = {player.seat: player.x for player in played().players}
    books = [stated(seat, whole(), Expose(keys[seat])) for seat in (LAST, SEATS[0])]
    report = found(whole(), *books)
    assert (report.verdict, report.exposed) == (Verdict.COMPLETE, {0: keys[0], 2: keys[2]})
    alone = replace(report, accepted=()).checks()
    assert {check for check in alone if alone[check] is CheckResult.PASSED} == {
        *(Check.LIMIT, Check.ENCODING, Check.RECORD, Check.SCALAR, Check.EXPOSE)
    }


def test_the_key_of_another_seat_opens_no_book():
    report = found(whole(), stated(LAST, whole(), Expose(played().players[1].x)))
    failure = report.failure
    assert (failure.check, failure.entry, failure.seat) == (Check.EXPOSE, whole(), LAST)
    assert report.exposed == {}


@seats
def test_any_seat_may_claim_to_have_waited(seat):
    claim = stated(seat, 9, Claim(90, 1_800_000_000))
    report = found(9, claim)
    assert (report.verdict, report.records) == (Verdict.UNFINISHED, (claim,))
    assert report.waiting == played().entries[9].seat


@pytest.mark.parametrize("end", [0, 1, 2])
def test_no_record_comes_before_all_have_greeted_each_other(end):
    failure = found(end, stated(SEATS[0], 1, Resign())).failure
    assert (failure.check, failure.entry, failure.seat) == (Check.RECORD, end, None)
    assert found(3, stated(SEATS[0], 1, Resign())).verdict is Verdict.RESIGNED


def test_entries_announced_by_one_seat_are_awaited_and_by_two_are_not():
    due = played().entries[9].seat
    one, two = (seat for seat in SEATS if seat != due)
    more = [stated(seat, 9, Sync(12, bytes(32)), ANOTHER) for seat in (one, two)]
    assert [found(9, record).waiting for record in more] == [one, two]
    assert found(9, *more).waiting == due


# --- three files ---------------------------------------------------------------------------


def agreed(files: Sequence[bytes]) -> list[Convicted]:
    """Return the seats that files convict, when both implementations agree."""
    return compared(*files)


judges = pytest.mark.parametrize(
    "judge", [convicted, pytest.param(agreed, marks=pytest.mark.slow)]
)


@pytest.mark.parametrize(("end", "met"), [(0, False), (2, False), (3, True), (4, True)])
def test_a_copy_is_of_a_game_once_all_have_met(end, met):
    copy = copy_of(found(end))
    party = played()
    assert party.table.roster is not None
    assert copy.gid == (party.table.gid if met else None)
    assert copy.group == (party.table.roster.id if met else None)
    assert copy.entries == tuple(entry.encoded for entry in played().entries[:end])


@judges
def test_shorter_copies_exclude_nothing(judge):
    party = played()
    resigned = stated(LAST, whole(), Resign())
    assert judge([file(party.entries[:end]) for end in (whole(), 9, 2)]) == []
    files = file(party.entries), file(party.entries[:9]), file(party.entries, resigned)
    assert judge(files) == []


@judges
def test_two_of_three_seats_that_fork_are_convicted_by_three_files(judge):
    """Each file is sound, and each pair convicts at most one seat."""
    place = place_of(Verb.SEAL)
    first, second = (entry.seat for entry in played().entries[place : place + 2])
    forks = {first: ("E_FORK", place, first), second: ("E_FORK", place + 1, second)}
    honest, *others = [file(played(*chosen).entries) for chosen in ((), (first,), (second,))]
    for seat, other in zip((first, second), others, strict=True):
        assert verify_transcript(other).verdict is Verdict.COMPLETE
        assert judge([honest, other]) == [((0, 1), *forks[seat])]
    for order in permutations((honest, *others)):
        assert judge(order) == [((0, 1, 2), *fork) for fork in forks.values()]


@cache
def greeted_again() -> Party:
    """Return the game of another half of the table: the last seat has greeted it otherwise."""
    party = begun("toy file 0", Toy(), greeted=LAST)
    secrets = replace(secrets_of("toy file 0", LAST), game=bytes(32))
    assert isinstance(party.state, Greetings)
    player = take_seat(LAST, party.state.head, secrets)
    party.players.append(player)
    party.say(greet(player, party.state, Offer(Toy(), f"seat {LAST}")))
    while party.goes_on(lambda _: 0):
        pass
    return party


@judges
def test_last_seat_that_greets_two_halves_of_a_table_in_two_ways_is_convicted(judge):
    one, other = played(), greeted_again()
    assert one.table.gid != other.table.gid
    files = [file(one.entries), file(other.entries)]
    assert {verify_transcript(each).verdict for each in files} == {Verdict.COMPLETE}
    assert judge(files) == [((0, 1), "E_FORK", LAST, LAST)]


@judges
def test_records_of_one_half_of_a_table_say_nothing_about_the_other_half(judge):
    honest, end = SEATS[0], place_of(Verb.SEAL)
    announced = stated(honest, end, Sync(LAST + 2, bytes(32)), played().entries[LAST + 1].id)
    resigned = stated(honest, end, Resign())
    one = file(played().entries[:end], announced, resigned)
    assert judge([one, file(greeted_again().entries)]) == [((0, 1), "E_FORK", LAST, LAST)]


@judges
def test_a_resignation_and_an_announcement_convict_two_seats_beside_a_third_file(judge):
    party = played()
    place = place_of(Verb.SEAL)
    first, second = (entry.seat for entry in party.entries[place : place + 2])
    given_up = file(party.entries[:place], stated(first, place, Resign()))
    lie = stated(second, place, Sync(place + 2, bytes(32)), ANOTHER)
    announced = file(party.entries[: place + 1], lie)
    assert verify_transcript(given_up).verdict is Verdict.RESIGNED
    assert verify_transcript(announced).waiting == second
    for order in permutations((given_up, announced, file(party.entries))):
        assert judge(order) == [
            ((0, 1, 2), "E_RESIGN", place, first),
            ((0, 1, 2), "E_SYNC", place + 1, second),
        ]
