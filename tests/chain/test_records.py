"""Records beside the chain, and contradictions between signed statements."""

from functools import cache

import pytest

from matcha_p2p.chain.fork import check_fork
from matcha_p2p.chain.records import (
    alike,
    check_record,
    contradicting,
    exposed,
    has_resigned,
    is_shown,
    resigned,
)
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.statements import Abort, Claim, Expose, Resign, Statement, Sync
from tests.cheats.scene import Scene, at, played, says


@cache
def middle() -> Scene:
    """Return the middle of a game, far from the beginning and the end."""
    return at(says("MOVE lay"))()


def state(scene: Scene, seat: Seat, statement: Statement, head: int = -1) -> Record:
    """Let ``seat`` make a record, having seen the chain up to the entry ``head``."""
    seed = scene.players[seat].secrets.session
    return sign_record(scene.table.gid, seat, scene.log[head].id, statement, seed)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "statement",
    [Resign(), Claim(90, 1_800_000_000), Abort("E_SHUFFLE", H("entry"))],
    ids=lambda statement: type(statement).__name__,
)
def test_either_seat_may_state_an_uncheckable_fact(seat, statement):
    check_record(
        middle().table, middle().log, state(middle(), seat, statement), len(middle().log)
    )


def test_either_seat_may_expose_its_key():
    keys = tuple(player.x for player in middle().players)
    records = [state(middle(), seat, Expose(keys[seat])) for seat in (0, 1)]
    for record in records:
        check_record(middle().table, middle().log, record, len(middle().log))
    assert exposed([]) == {}
    assert exposed([state(middle(), 0, Resign()), records[1]]) == {1: keys[1]}
    assert exposed(records) == dict(enumerate(keys))


def test_a_record_may_have_seen_any_part_of_the_chain():
    for head in range(len(middle().log)):
        record = state(middle(), 0, Claim(1, 1), head)
        check_record(middle().table, middle().log, record, len(middle().log))


def test_record_with_an_unknown_head_is_refused_and_proves_nothing_about_its_author():
    for log in (middle().log[:-1], middle().log[:2]):  # the file may have been cut
        with pytest.raises(ProtocolViolationError) as caught:
            check_record(middle().table, log, state(middle(), 1, Resign()), 77)
        assert (caught.value.check, caught.value.seat) == (Check.RECORD, None)


def test_records_of_one_kind_by_one_seat_are_alike():
    claims = [state(middle(), seat, Claim(n, n)) for seat in (0, 1) for n in (1, 2)]
    assert alike(claims[0], claims[1])
    assert not alike(claims[0], claims[2])
    assert not alike(claims[0], state(middle(), 0, Resign()))


def test_a_refused_record_tells_its_author_and_its_place():
    with pytest.raises(ProtocolViolationError) as caught:
        check_record(middle().table, middle().log, state(middle(), 1, Expose(1)), 77)
    assert (caught.value.check, caught.value.seat, caught.value.entry) == (Check.EXPOSE, 1, 77)


def test_seat_without_a_resignation_has_not_resigned():
    claim = state(middle(), 1, Claim(1, 2))
    assert resigned(middle().table, middle().log, [claim]) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_counts_while_nothing_is_decided(seat):
    record = state(middle(), seat, Resign(), 1)
    assert resigned(middle().table, middle().log, [record]) == (1, seat)


def test_a_resignation_that_crosses_the_decision_is_void():
    end = played("short")
    assert resigned(end.table, end.log, [state(end, 0, Resign(), 5)]) is None


def test_signing_the_choice_of_the_other_seat_contradicts_no_resignation():
    end = played("short")
    last = max(n for n, entry in enumerate(end.log) if entry.fields[0][0] == "RESULT")
    resignation = state(end, end.log[last].seat, Resign(), last - 1)
    assert contradicting(end.log, resignation) is None


@pytest.mark.parametrize("back", [1, 2])
def test_only_an_entry_from_the_announced_place_on_contradicts_a_sync(back):
    scene, length = middle(), len(middle().log)
    entry = scene.log[-back]
    assert scene.log[-1].seat != scene.log[-2].seat
    session, another = scene.players[entry.seat].secrets.session, EntryId(H("another entry"))
    statement = Sync(length, bytes(32))
    record = sign_record(scene.table.gid, entry.seat, another, statement, session)
    assert contradicting(scene.log, record) == (entry if back == 1 else None)


def test_record_other_than_sync_announces_nothing():
    record = state(middle(), 1, Claim(1, 2))
    assert is_shown(middle().log, [record], record)


def test_a_sync_is_shown_once_the_entry_that_it_announces_is_here():
    scene = middle()
    session, log = scene.players[1].secrets.session, scene.log

    def shown(length: int, head: EntryId) -> bool:
        statement = Sync(length, bytes(32))
        record = sign_record(scene.table.gid, SEATS[1], head, statement, session)
        return is_shown(log, [record], record)

    assert shown(3, log[2].id)
    assert shown(len(log), log[-1].id)
    assert not shown(3, log[3].id)
    assert not shown(len(log) + 1, log[-1].id)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_sync_that_tells_of_a_resignation_is_shown_once_another_seat_has_resigned(seat):
    here = len(middle().log)
    record = state(middle(), 1, Sync(here, bytes(32), resigned=True))
    given_up = state(middle(), seat, Resign())
    assert not is_shown(middle().log, [record], record)
    assert is_shown(middle().log, [given_up, record], record) == (seat == 0)


@pytest.mark.parametrize("seat", [0, 1])
def test_seat_with_a_resignation_has_resigned(seat):
    given_up = state(middle(), 1, Resign())
    assert not has_resigned([state(middle(), 1, Claim(1, 2))], 1)
    assert has_resigned([state(middle(), 1, Claim(1, 2)), given_up], seat) == (seat == 1)


def test_an_honest_next_entry_forks_nothing():
    check_fork(middle().state, middle().log, middle().honest)


def test_the_same_entry_again_is_no_fork():
    for entry in middle().log:
        check_fork(middle().state, middle().log, entry)


def test_another_entry_for_a_place_is_a_fork_only_if_its_author_signed_both():
    last = middle().log[-1]
    place = (last.seq, last.seat, last.prev, last.state, [["MOVE", "pass"]])
    stranger = sign_entry(*place, H("a stranger's seed"))
    check_fork(middle().state, middle().log, stranger)
    author = sign_entry(*place, middle().players[last.seat].secrets.session)
    with pytest.raises(ProtocolViolationError) as caught:
        check_fork(middle().state, middle().log, author)
    assert (caught.value.check, caught.value.seat) == (Check.FORK, last.seat)
    assert caught.value.entry == len(middle().log)


def test_an_entry_on_another_chain_or_of_the_other_seat_is_no_fork():
    last = middle().log[-1]
    seeds = [player.secrets.session for player in middle().players]
    seat = last.seat
    elsewhere = sign_entry(last.seq, seat, H("x"), last.state, [["MOVE", "pass"]], seeds[seat])
    check_fork(middle().state, middle().log, elsewhere)
    other = sign_entry(last.seq, 1 - seat, last.prev, last.state, [], seeds[1 - seat])
    check_fork(middle().state, middle().log, other)


def test_chain_without_entries_contradicts_no_record():
    check_fork(middle().states[0], [], middle().log[0])
