"""A hostile seat of three or four: its neighbours go on, and blame no honest seat."""

import math
from dataclasses import replace
from ipaddress import IPv4Address

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.seats import Seat
from matcha_p2p.session import chain as chains
from matcha_p2p.session.chain import WAY_CHANGES_LIMIT, Chain
from matcha_p2p.session.connection.changes import LineEnded
from matcha_p2p.session.news import Broken, Concede, Finished, MakeMove, Violated, Withheld
from matcha_p2p.session.step.links import as_frame, level, standing
from matcha_p2p.session.step.state import Greeting, Parting, Playing, SessionOver
from matcha_p2p.table.seat import Offer
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.admission import sign_watch
from matcha_p2p.wire.again import sign_again, sign_open
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.names import EntryId, GameId, RecordId, RosterId
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.said import sign_said
from matcha_p2p.wire.statements import (
    Abort,
    Claim,
    Expose,
    Resign,
    ResignOffer,
    ResignTogether,
    Sync,
)
from matcha_p2p.wire.talk import Farewell, PeerAddresses, Say, encode_farewell, encode_way
from matcha_p2p.wire.watching import Admission, Visibility
from matcha_p2p.wire.words import AskId, Word, sign_ask, sign_here
from tests.games.toy import steps as toy
from tests.session.room import Room, know_toy


@pytest.fixture(autouse=True)
def known(monkeypatch):
    know_toy(monkeypatch)


def greeted(graph: str, entries: int) -> Room:
    """Return a room in which the host has ``entries``."""
    room = Room(graph, "hostile", stays=True)
    room.run(until=lambda: len(room.chain(0).entries) >= entries)
    return room


def give(room: Room, reader: int, bearer: int, kind: Kind, payload: bytes) -> None:
    """Let ``reader`` hear a frame of ``bearer``."""
    room.hear(reader, bearer, Frame(kind, payload))


def check_whole(room: Room) -> None:
    """Check that all seats have the whole game, and blame nobody."""
    assert all(isinstance(room.states[seat], Parting) for seat in room.seats)
    assert not any(room.told(seat, Broken) for seat in room.seats)


def finish(room: Room) -> None:
    """Let the seats make their moves again, and check that the game ends."""
    room.most = math.inf
    for seat in room.seats:
        view = room.chain(seat).view
        if view is not None:
            room.do(seat, MakeMove(view.legal_moves()[0]))
    room.run()
    check_whole(room)


# --- the greetings ---------------------------------------------------------------------------


def unreadable(_: Room) -> bytes:
    return b"?"


def forged(room: Room) -> bytes:
    """Return a greeting in the name of seat 1 that seat 2 has signed."""
    chain = room.chain(0)
    first, seed = chain.entries[0], room.chain(2).secrets.session
    return sign_entry(1, Seat(1), first.id, bytes(16), first.fields, seed).encoded


def out_of_place(room: Room) -> bytes:
    """Return an entry of seat 2 that follows nothing."""
    first, seed = room.chain(0).entries[0], room.chain(2).secrets.session
    return sign_entry(2, Seat(2), first.prev, bytes(16), first.fields, seed).encoded


@pytest.mark.parametrize("lie", [unreadable, forged, out_of_place])
def test_greeting_without_proof_of_its_author_ends_the_link_alone(lie):
    """The host keeps its secrets, and the game begins once the seat comes back."""
    room = greeted("star of three", 1)
    give(room, 0, 2, Kind.MSG, lie(room))
    state = room.states[Seat(0)]
    assert isinstance(state, Greeting)
    assert standing(state.links).keys() == {1}
    room.link(0, 2)
    room.run()
    check_whole(room)


def test_second_greeting_of_a_seat_is_shown_to_every_seat():
    room = greeted("star of four", 3)
    first, seed = room.chain(0).entries[2], room.chain(2).secrets.session
    again = sign_entry(2, Seat(2), first.prev, bytes(16), first.fields, seed)
    give(room, 0, 2, Kind.MSG, again.encoded)
    room.run()
    room.time_passes()
    for seat in room.seats:
        state = room.states[seat]
        assert isinstance(state, SessionOver)
        assert isinstance(state.ending, Violated)
        assert (state.ending.violation.check, state.ending.violation.seat) == (Check.FORK, 2)


def test_goodbye_of_one_neighbour_before_the_first_greeting_leaves_the_others():
    room = Room("ring of three", "hostile", stays=True)
    assert room.chain(1).entries == ()
    give(room, 1, 2, Kind.BYE, encode_farewell(Farewell.LATER))
    assert isinstance(room.states[Seat(1)], Greeting)
    room.link(1, 2)
    room.run()
    check_whole(room)


def test_early_announcement_of_any_length_holds_a_seat_up_for_one_wait():
    """The seat was started again, and cannot know that the announced entries do not exist."""
    room = greeted("star of three", 2)
    room.restart(0)
    room.link(0, 1)
    room.link(0, 2)
    seed, sync = room.chain(2).secrets.session, Sync(60_000, room.bindings(0)[Seat(2)], True)
    lie = sign_record(GameId(bytes(32)), Seat(2), EntryId(bytes(32)), sync, seed)
    give(room, 0, 2, Kind.SYNC, lie.encoded)
    room.run()
    assert room.chain(0).whole
    assert [entry.seat for entry in room.chain(0).entries] == [0, 1, 2]
    room.time_passes()
    assert room.told(0, Withheld)
    room.link(0, 2)
    room.run()
    check_whole(room)


# --- words -----------------------------------------------------------------------------------


def playing(graph: str, entries: int = 8) -> Room:
    """Return a game that waits for the move of a person."""
    room = Room(graph, "hostile", stays=True)
    room.most = entries
    room.run()
    return room


def rid_of(room: Room) -> RosterId:
    return RosterId(room.chain(0).entries[0].prev)


def ask(room: Room, number: int) -> Word:
    seed = room.chain(2).secrets.session
    return sign_ask(rid_of(room), Seat(2), AskId(1, number, bytes(32)), seed)


def talk(room: Room, number: int) -> Word:
    seed = room.chain(2).secrets.session
    return sign_said(rid_of(room), Seat(2), (1, number), Say("hello"), seed)


def watch(room: Room, number: int) -> Word:
    seed = room.chain(2).secrets.session
    return sign_watch(rid_of(room), Seat(2), (1, number), Admission(most=1), seed)


@pytest.mark.parametrize("sign", [ask, talk, watch])
def test_older_words_of_a_seat_are_not_remembered(sign):
    """Each word is signed and another, so a set of the words would grow for ever."""
    room = playing("star of three")
    for number in reversed(range(50)):
        frame = as_frame(sign(room, number))
        give(room, 0, 2, frame.kind, frame.payload)
    state = room.states[Seat(0)]
    assert isinstance(state, Playing)
    current = set(state.chain.words.all)
    assert all(link.words <= current for link in level(state.links).values())


def sign_words(rid: RosterId, chain: Chain) -> list[Word]:
    """Return a word of each kind in the name of seat 1, signed with the key of ``chain``."""
    seed, seat = chain.secrets.session, Seat(1)
    question = sign_ask(rid, Seat(2), AskId(1, 0, bytes(32)), seed)
    return [
        sign_ask(rid, seat, AskId(9, 0, bytes(32)), seed),
        sign_here(rid, seat, question, 9, (None, None), seed),
        sign_again(rid, seat, 9, None, seed),
        sign_open(rid, seat, seed),
        sign_said(rid, seat, (9, 0), Say("hello"), seed),
        sign_watch(rid, seat, (9, 0), Admission(Visibility.NOTHING), seed),
    ]


@pytest.mark.parametrize("kind", range(6))
@pytest.mark.parametrize("lie", ["forged", "of another table"])
def test_false_word_ends_the_link_of_its_bearer_and_changes_nothing(kind, lie):
    """The host relays, and could say what it likes in the name of seat 1."""
    room = playing("star of three")
    before = room.chain(2).words
    forged = sign_words(rid_of(room), room.chain(0))
    replayed = sign_words(RosterId(bytes(32)), room.chain(1))
    frame = as_frame((forged if lie == "forged" else replayed)[kind])
    give(room, 2, 0, frame.kind, frame.payload)
    assert room.chain(2).words == before
    assert room.bindings(2) == {}
    room.link(0, 2)
    finish(room)


@pytest.mark.parametrize("lie", ["forged", "of another game"])
@pytest.mark.parametrize(
    "statement", [Resign(), Claim(60, 0), Abort("E_STATE", bytes(32)), Expose(7)]
)
def test_false_record_ends_the_link_of_its_bearer_and_blames_nobody(statement, lie):
    room = playing("star of three")
    chain, head = room.chain(2), room.chain(2).entries[-1].id
    gid, signer = (chain.table.gid, 0) if lie == "forged" else (GameId(bytes(32)), 1)
    seed = room.chain(signer).secrets.session
    record = sign_record(gid, Seat(1), head, statement, seed)
    give(room, 2, 0, Kind.REC, record.encoded)
    assert room.chain(2) is chain
    assert room.bindings(2) == {}
    room.link(0, 2)
    finish(room)


@pytest.mark.parametrize("goodbye", [*Farewell, None])
def test_hub_that_leaves_at_the_end_takes_no_result_away(goodbye):
    """No AGAIN and no OPEN was heard; each guest ends with the result that all have signed."""
    room = Room("star of four", "hub", stays=True)
    room.run()
    for seat in room.seats[1:]:
        if goodbye is None:
            room.do(seat, LineEnded("cut", Seat(0)))
        else:
            give(room, seat, 0, Kind.BYE, encode_farewell(goodbye))
        state = room.states[seat]
        assert isinstance(state, SessionOver)
        assert isinstance(state.ending, Finished)
        assert state.ending.ended == room.chain(0).ended
        assert verify_transcript(state.chain.transcript).verdict is Verdict.COMPLETE


# --- announcements ---------------------------------------------------------------------------


def test_true_announcements_that_a_seat_carries_to_others_are_not_stored():
    """Each channel has another SYNC of an honest seat; its neighbour can collect them."""
    room = playing("star of three")
    kept = room.chain(1).records
    for seat in (1, 2):
        for number in range(20):
            sync = room.chain(seat).sync(Binding(bytes([number]) * 32))
            give(room, 1, 0, Kind.REC, sync)
    assert room.chain(1).records == kept


# --- resignations of teams -------------------------------------------------------------------


def stale_offers(room: Room) -> list[bytes]:
    """Return an offer of the host to resign at each entry up to the latest."""
    chain = room.chain(0)
    return [
        sign_record(
            chain.table.gid, Seat(0), e.id, ResignOffer(), chain.secrets.session
        ).encoded
        for e in chain.entries
    ]


def agreements(room: Room) -> list[bytes]:
    """Return agreements of the host to nothing, all at the latest entry."""
    chain = room.chain(0)
    head, seed = chain.entries[-1].id, chain.secrets.session
    return [
        sign_record(
            chain.table.gid, Seat(0), head, ResignTogether(RecordId(H(f"{number}"))), seed
        ).encoded
        for number in range(chains.MOST_RECORDS)
    ]


def team_room(monkeypatch: pytest.MonkeyPatch) -> Room:
    """Return a game of two teams in which no seat has moved; few records of a kind are kept."""
    monkeypatch.setattr(chains, "MOST_RECORDS", 4)
    monkeypatch.setattr(toy, "new_game", lambda _, seats: toy.ToyOfTeams(seats, Seat(3)))
    return playing("star of four", 0)


def check_all_resigned(room: Room, first: int) -> None:
    for seat in room.seats:
        assert room.chain(seat).resigned == first
        verdict = verify_transcript(room.chain(seat).transcript).verdict
        assert verdict is Verdict.RESIGNED


def give_to_the_other_team(room, records):
    """Let the hub, seat 0, give ``records`` to both seats of the other team."""
    for record in records:
        for seat in (1, 3):
            give(room, seat, 0, Kind.REC, record)


def concede(room, *seats):
    for seat in seats:
        room.do(seat, Concede())
        room.run()


def test_stale_offers_of_a_hub_take_no_room_from_the_offer_that_its_partner_sees(monkeypatch):
    room = team_room(monkeypatch)
    stale = stale_offers(room)
    assert len(stale) > chains.MOST_RECORDS
    give_to_the_other_team(room, stale)
    concede(room, 0, 2)
    check_all_resigned(room, 2)


def test_false_agreements_of_a_hub_take_no_room_from_the_agreement_that_its_partner_sees(
    monkeypatch,
):
    room = team_room(monkeypatch)
    give_to_the_other_team(room, agreements(room))
    concede(room, 2, 0)
    check_all_resigned(room, 0)


def ways(number: int) -> bytes:
    return encode_way(PeerAddresses((Endpoint(IPv4Address("192.0.2.1"), 5000 + number),)))


def test_seat_with_many_addresses_uses_up_no_change_of_another_seat():
    room = playing("star of three")
    for number in range(WAY_CHANGES_LIMIT + 2):
        give(room, 0, 2, Kind.WAYS, ways(number))
    give(room, 0, 1, Kind.WAYS, ways(9))
    assert room.chain(0).ways[Seat(1)].endpoints[0].port == 5009
    assert room.chain(0).ways[Seat(2)].endpoints[0].port == 5000 + WAY_CHANGES_LIMIT - 1


def other_greeting(room: Room) -> bytes:
    """Return another last HELLO of seat 2, with another game key."""
    chain = room.chain(2)
    secrets = replace(chain.secrets, game=bytes(32))
    other = Chain.begin(chain.seat, secrets, chain.psk, chain.roster)
    for entry in chain.entries[:2]:
        other, _ = other.hear(entry.encoded)
    other, _ = other.greet(Offer(chain.table.game, chain.name_of(chain.seat)))
    return other.entries[2].encoded


def two_games_of_a_roster(room: Room) -> None:
    """Let seat 2 begin one game with seat 0 and another with seat 1, which have no link."""
    told = list[Frame]()

    def relay(author: Seat, reader: Seat, frame: Frame) -> list[Frame]:
        if (author, reader) != (2, 1) or len(room.chain(2).entries) < 3:
            return [frame]
        if not told:
            told.append(Frame(Kind.MSG, other_greeting(room)))
            return told
        return []

    room.cut(0, 1)
    room.relay = relay
    room.run()
    assert room.chain(0).table.gid != room.chain(1).table.gid
    room.relay = lambda _from, _to, frame: [frame]


def test_seat_that_begins_two_games_under_a_roster_is_proven_to_both():
    """The SYNC of each honest seat names a game that the other seat does not know."""
    room = Room("ring of three", "two games", stays=True)
    two_games_of_a_roster(room)
    room.link(0, 1)
    room.run()
    room.time_passes()
    for seat in (0, 1):
        state = room.states[Seat(seat)]
        assert isinstance(state, SessionOver)
        assert isinstance(state.ending, Violated)
        failure = verify_transcript(state.chain.evidence).failure
        assert failure is not None
        assert (failure.check, failure.seat) == (Check.FORK, 2)


def test_announcement_of_a_game_that_nobody_plays_blames_nobody():
    room = playing("star of three")
    room.link(0, 2)
    chain = room.chain(2)
    seed, sync = chain.secrets.session, Sync(60_000, room.bindings(0)[Seat(2)])
    head = chain.entries[-1].id
    lie = sign_record(GameId(bytes(32)), Seat(2), head, sync, seed)
    give(room, 0, 2, Kind.SYNC, lie.encoded)
    assert room.chain(0).records == ()
    room.link(0, 2)
    finish(room)
