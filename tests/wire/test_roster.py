"""Rosters, JOINs and LOBBYs: their form, and hostile ones."""

from dataclasses import replace

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.encoding import LIMIT, pack, unpack
from matcha_p2p.wire.lobby import Lobby, parse_join, parse_lobby, sign_join, sign_lobby
from matcha_p2p.wire.roster import (
    RosterGame,
    RosterSeat,
    parse_roster,
    sign_roster,
    write_game,
    write_seat,
)
from matcha_p2p.wire.signed import sign

NONCE = H("nonce")
PSK = Psk(H("psk"))
GAME = RosterGame("tichu", "1000 plays", H("rules of tichu"))
SEEDS = [H("session", bytes([seat])) for seat in range(4)]
LINK, OTHER_LINK = Binding(H("link")), Binding(H("other link"))
IDENTITY = signature.public_key(H("identity"))
SMALL_ORDER = bytes([1, *bytes(31)])


def seat(number: int, name: str = "Ann") -> RosterSeat:
    key = signature.public_key(SEEDS[number])
    return RosterSeat(name, key, H("link key", bytes([number])))


SEATS = (
    seat(0, "Mia"),
    replace(seat(1), identity=IDENTITY),
    replace(seat(2, "Bot"), bot=True),
    seat(3),
)


def refused(check: Check, parse, *args) -> None:
    with pytest.raises(CheckError) as caught:
        parse(*args)
    assert caught.value.check is check


def signed_roster(*fields) -> bytes:
    return sign(b"matcha/v1/roster\0", [*fields], SEEDS[0])


@pytest.mark.parametrize("seats", [SEATS, SEATS[:3], SEATS[:2]], ids=len)
def test_roster_has_one_form(seats):
    roster = sign_roster(NONCE, GAME, seats, SEEDS[0])
    assert parse_roster(roster.encoded) == roster
    assert roster.seats == seats
    assert roster.id == H("roster", roster.encoded)


def test_copied_link_key_is_accepted():
    """Nobody can tell which of two seats has copied the key, and the copy does no harm."""
    seats = (*SEATS[:3], replace(SEATS[3], link_key=SEATS[0].link_key))
    assert parse_roster(sign_roster(NONCE, GAME, seats, SEEDS[0]).encoded).seats == seats


def test_another_nonce_makes_another_roster():
    one, two = (sign_roster(H(nonce), GAME, SEATS, SEEDS[0]) for nonce in ("a", "b"))
    assert one.id != two.id


@pytest.mark.parametrize("count", [0, 1, 5])
def test_roster_of_a_wrong_number_of_seats_is_refused(count):
    seats = [seat(0), *(replace(seat(1), session_key=H(str(n))) for n in range(4))][:count]
    encoded = signed_roster(1, NONCE, *write_game(GAME), [*map(write_seat, seats)])
    refused(Check.ENCODING, parse_roster, encoded)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"name": ""}, Check.TEXT),
        ({"name": "A" * 25}, Check.TEXT),
        ({"name": "\x1b[2J"}, Check.TEXT),
        ({"session_key": bytes(31)}, Check.ENCODING),
        ({"session_key": SMALL_ORDER}, Check.KEY),
        ({"session_key": SEATS[0].session_key}, Check.KEY),
        ({"link_key": b""}, Check.ENCODING),
        ({"identity": b"?"}, Check.ENCODING),
        ({"identity": SMALL_ORDER}, Check.KEY),
    ],
    ids=str,
)
def test_roster_and_lobby_with_a_malformed_seat_are_refused(change, check):
    seats = (*SEATS[:3], replace(SEATS[3], **change))
    refused(check, parse_roster, sign_roster(NONCE, GAME, seats, SEEDS[0]).encoded)
    refused(check, parse_lobby, sign_lobby(Lobby(GAME, seats, PSK), LINK, SEEDS[0]), LINK)


@pytest.mark.parametrize(
    ("fields", "check"),
    [
        ((2, NONCE), Check.VERSION),
        (("1", NONCE), Check.ENCODING),
        ((1, NONCE[1:]), Check.ENCODING),
        ((1,), Check.ENCODING),
    ],
)
def test_roster_of_another_form_is_refused(fields, check):
    encoded = signed_roster(*fields, *write_game(GAME), [*map(write_seat, SEATS)])
    refused(check, parse_roster, encoded)


@pytest.mark.parametrize("game", [["tichu", "x", b"?"], [b"tichu", "x", NONCE], ["tichu", "x"]])
def test_roster_of_a_malformed_game_is_refused(game):
    encoded = signed_roster(1, NONCE, *game, [*map(write_seat, SEATS)])
    refused(Check.ENCODING, parse_roster, encoded)


def test_roster_that_seat_0_has_not_signed_is_refused():
    refused(Check.SIG, parse_roster, sign_roster(NONCE, GAME, SEATS, SEEDS[1]).encoded)
    refused(Check.LIMIT, parse_roster, bytes(LIMIT + 1))


def test_join_has_one_form():
    for guest, seed in ((SEATS[1], SEEDS[1]), (SEATS[3], SEEDS[3])):
        assert parse_join(sign_join(guest, LINK, seed), LINK) == guest


@pytest.mark.parametrize(
    ("guest", "check"),
    [
        (replace(SEATS[3], name=" Ann"), Check.TEXT),
        (replace(SEATS[3], session_key=SMALL_ORDER), Check.KEY),
        (replace(SEATS[3], identity=SMALL_ORDER), Check.KEY),
        (replace(SEATS[3], link_key=bytes(33)), Check.ENCODING),
        (replace(SEATS[3], bot=True), Check.ENCODING),
        (SEATS[0], Check.SIG),
    ],
    ids=str,
)
def test_malformed_join_is_refused(guest, check):
    refused(check, parse_join, sign_join(guest, LINK, SEEDS[3]), LINK)


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ([2, write_seat(SEATS[3])], Check.VERSION),
        ([1, "Ann"], Check.ENCODING),
        ([1], Check.ENCODING),
        ("join", Check.ENCODING),
    ],
    ids=["version", "no seat", "short", "no array"],
)
def test_join_of_another_form_is_refused(body, check):
    refused(check, parse_join, sign(b"matcha/v1/join\0" + LINK, body, SEEDS[3]), LINK)


def test_join_and_lobby_of_another_link_are_refused():
    lobby = sign_lobby(Lobby(GAME, SEATS, PSK), LINK, SEEDS[0])
    refused(Check.SIG, parse_join, sign_join(SEATS[3], LINK, SEEDS[3]), OTHER_LINK)
    refused(Check.SIG, parse_lobby, lobby, OTHER_LINK)


def test_lobby_has_one_form_and_may_have_empty_seats():
    for lobby in (Lobby(GAME, SEATS, PSK), Lobby(GAME, (SEATS[0], None, SEATS[2]), PSK)):
        assert parse_lobby(sign_lobby(lobby, LINK, SEEDS[0]), LINK) == lobby
    assert Lobby(GAME, SEATS, PSK).full
    assert not Lobby(GAME, (SEATS[0], None, SEATS[2]), PSK).full


@pytest.mark.parametrize(
    ("lobby", "check"),
    [
        (Lobby(GAME, (None, *SEATS[1:]), PSK), Check.KEY),
        (Lobby(GAME, SEATS[:1], PSK), Check.ENCODING),
        (Lobby(GAME, (SEATS[1], None, None), PSK), Check.SIG),
        (Lobby(GAME, SEATS, Psk(PSK[1:])), Check.ENCODING),
    ],
    ids=["no host", "one seat", "another host", "short secret"],
)
def test_malformed_lobby_is_refused(lobby, check):
    refused(check, parse_lobby, sign_lobby(lobby, LINK, SEEDS[0]), LINK)


def test_statement_of_one_kind_is_refused_as_another_kind():
    roster = sign_roster(NONCE, GAME, SEATS, SEEDS[0]).encoded
    lobby = sign_lobby(Lobby(GAME, SEATS, PSK), LINK, SEEDS[0])
    _, body_signature = unpack(lobby)
    moved = pack([unpack(roster)[0], body_signature])
    refused(Check.SIG, parse_roster, moved)
    refused(Check.ENCODING, parse_lobby, roster, LINK)
