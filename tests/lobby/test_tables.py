"""The lobby as values: what the host does, and what a guest believes."""

import json
from dataclasses import replace

import pytest

from matcha_p2p.crypto.signature import public_key
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError, LobbyError
from matcha_p2p.games import find
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.table.written import text_of
from matcha_p2p.lobby.guest import GuestTable
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.seats import Seat
from matcha_p2p.transport.framing import FRAME_LIMIT, Frame, Kind, pad_frame
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.lobby import sign_join, sign_lobby
from matcha_p2p.wire.roster import sign_roster

NONCE = H("nonce")
PSK = Psk(H("psk"))
GAME = find("tichu", "1000 plays", 4)
LINKS = [Binding(H("link", bytes([n]))) for n in range(5)]


@pytest.fixture
def mia():
    return draw_seat("Mia")


@pytest.fixture
def guests():
    return [draw_seat(name) for name in ("Ann", "Bob", "Cem", "Dan")]


def joined(host: HostTable, guests, count=3) -> HostTable:
    for guest, link in list(zip(guests, LINKS, strict=False))[:count]:
        host = host.join(link, GuestTable(guest, link).join)
    return host


def names(host: HostTable) -> list[str]:
    return ["-" if seat is None else seat.name for seat in host.lobby.seats]


def shown(host: HostTable, guest, link) -> GuestTable:
    """Return the guest's table after the host's LOBBY."""
    payload = sign_lobby(host.lobby, link, host.own.secrets.session)
    return GuestTable(guest, link).hear(payload, find)


def test_a_guest_that_leaves_frees_its_seat_for_the_next(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests).leave(LINKS[0])
    assert names(host) == ["Mia", "-", "Bob", "Cem"]
    assert host.leave(LINKS[0]) is host
    assert names(host.join(LINKS[3], GuestTable(guests[3], LINKS[3]).join))[1] == "Dan"


def test_the_fourth_guest_finds_every_seat_taken(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests)
    with pytest.raises(LobbyError, match="taken"):
        host.join(LINKS[3], GuestTable(guests[3], LINKS[3]).join)
    with pytest.raises(LobbyError, match="taken"):
        host.add_bot(draw_seat("Bot", bot=True))


def test_a_join_with_the_key_of_the_host_is_refused(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests, 1)
    with pytest.raises(CheckError) as caught:
        host.join(LINKS[1], sign_join(mia.listed, LINKS[1], mia.secrets.session))
    assert caught.value.check is Check.KEY


def test_a_join_of_a_guest_by_another_name_changes_nothing(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests)
    renamed = replace(guests[0], listed=replace(guests[0].listed, name="Eve"))
    assert host.join(LINKS[3], GuestTable(renamed, LINKS[3]).join) is None


def test_bots_fill_empty_seats_and_every_other_seat_can_be_emptied(mia, guests):
    bot = draw_seat("Kettle", bot=True)
    host = joined(HostTable.of_game(GAME, mia, PSK), guests, 2).add_bot(bot)
    assert names(host) == ["Mia", "Ann", "Bob", "Kettle"]
    assert [seat.bot for seat in host.roster(NONCE).seats] == [False, False, False, True]
    without = host.empty(3)
    assert (names(without), without.bots) == (["Mia", "Ann", "Bob", "-"], ())
    without = without.empty(1)
    assert (names(without), [*without.guests]) == (["Mia", "-", "Bob", "-"], [LINKS[1]])
    with pytest.raises(LobbyError, match="Seat 2 is empty"):
        without.empty(1)


def test_called_friends_sit_in_the_seats_kept_for_them(mia, guests):
    ann, bob, cem, dan = (
        replace(guest, listed=replace(guest.listed, identity=public_key(bytes([at]) * 32)))
        for at, guest in enumerate(guests)
    )
    places = {bob.listed.identity: Seat(1), ann.listed.identity: Seat(2)}
    table = HostTable.of_game(GAME, mia, PSK, places)
    assert names(joined(table, [ann, cem, bob])) == ["Mia", "Bob", "Ann", "Cem"]
    assert names(joined(table, [cem, dan, ann])) == ["Mia", "Dan", "Ann", "Cem"]
    assert names(joined(table.add_bot(draw_seat("Kettle", bot=True)), [bob], 1)) == [
        "Mia",
        "Bob",
        "-",
        "Kettle",
    ]


def test_seats_are_swapped_and_the_host_stays(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests, 2)
    assert names(host.swap(1, 2)) == ["Mia", "Bob", "Ann", "-"]
    assert names(host.swap(1, 3)) == ["Mia", "-", "Bob", "Ann"]
    assert names(host.swap(1, 3).leave(LINKS[0])) == ["Mia", "-", "Bob", "-"]
    with pytest.raises(LobbyError, match="host"):
        host.swap(0, 1)


def test_the_time_of_a_window_is_chosen_by_the_host_and_told_to_guests(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests)
    assert host.lobby.pace == 2
    for pace in (1, 3):
        host = host.with_pace(pace)
        _, _, lobby = shown(host, guests[1], LINKS[1]).hear_roster(host.roster(NONCE).encoded)
        assert lobby.pace == pace
    for pace in (0, 4):
        with pytest.raises(LobbyError):
            host.with_pace(pace)


def test_a_guest_refuses_a_roster_that_differs_from_the_lobby(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests)
    guest = shown(host, guests[1], LINKS[1])
    seats = host.lobby.taken
    marked = (*seats[:3], replace(seats[3], bot=True))
    other = sign_roster(NONCE, host.lobby.game, marked, mia.secrets.session)
    for roster in (other, host.swap(1, 3).roster(NONCE)):
        with pytest.raises(CheckError) as caught:
            guest.hear_roster(roster.encoded)
        assert caught.value.check is Check.ROSTER
    with pytest.raises(CheckError):
        GuestTable(guests[1], LINKS[1]).hear_roster(host.roster(NONCE).encoded)


def test_a_guest_refuses_a_lobby_that_does_not_list_it(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests, 1)
    with pytest.raises(CheckError) as caught:
        shown(host, guests[1], LINKS[1])
    assert caught.value.check is Check.ROSTER


def test_a_guest_refuses_another_host_game_or_secret_than_before(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests)
    guest = shown(host, guests[0], LINKS[0])
    eve = draw_seat("Eve")
    for other, check in (
        (joined(HostTable.of_game(GAME, eve, PSK), guests), Check.KEY),
        (
            joined(HostTable.of_game(find("tichu", "300 plays", 4), mia, PSK), guests),
            Check.GAME,
        ),
        (joined(HostTable.of_game(GAME, mia, Psk(bytes(32))), guests), Check.KEY),
    ):
        payload = sign_lobby(other.lobby, LINKS[0], other.own.secrets.session)
        with pytest.raises(CheckError) as caught:
            guest.hear(payload, find)
        assert caught.value.check is check


def test_a_game_unknown_to_the_guest_is_refused(mia, guests):
    host = joined(HostTable.of_game(GAME, mia, PSK), guests)
    lobby = replace(host.lobby, game=replace(host.lobby.game, rules=bytes(32)))
    with pytest.raises(CheckError) as caught:
        shown(replace(host, lobby=lobby), guests[0], LINKS[0])
    assert caught.value.check is Check.GAME


def test_a_text_that_is_no_board_is_refused(mia, guests):
    """A guest reads the text of a board as a stranger's."""
    host = joined(HostTable.of_game(find("kashi", "ichi", 4), mia, PSK), guests)
    good = text_of(shipped_board())
    for text in ("", "{}", "[" * 5000, good.replace("5aa1abA", "5aa1ab#"), f"{good} "):
        game = replace(host.lobby.game, variant=f"ichi {text}")
        told = replace(host, lobby=replace(host.lobby, game=game))
        with pytest.raises(CheckError) as caught:
            shown(told, guests[0], LINKS[0])
        assert caught.value.check is Check.GAME


def test_the_largest_board_fits_into_a_lobby(guests):
    wide = "\N{GOTHIC LETTER AHSA}" * 23
    data = json.loads(text_of(shipped_board()))
    data[0], data[1] = [[wide + letter for letter in names] for names in ("abcde", "abc")]
    letters = "abcdefghijklmnopqrstuvwxyz"
    data[2] = ["12345ABC" + "a" * 12, letters[6:], *["a" * 20] * 17, letters[:20]]
    data[3] = ["20,10", "20,11", "20,12", "20,13"]
    data[4] = [[letter, [99, 99, 99]] for letter in letters]
    bonus = [0, 99, [0, 0, 0, 0, 0], 0, "shop free any"]
    data[7] = [[n, [0, 1, 1, 1, 1], 2, 99, bonus, int(n > 27)] for n in range(1, 31)]
    game = find("kashi", f"ichi {json.dumps(data, separators=(',', ':'))}", 4)
    assert game is not None
    mia = draw_seat(wide + "M")
    host = joined(HostTable.of_game(game, mia, PSK), guests)
    told = Frame(Kind.LOBBY, sign_lobby(host.lobby, LINKS[0], mia.secrets.session))
    assert len(pad_frame(told)) > FRAME_LIMIT / 3
    assert shown(host, guests[0], LINKS[0]).lobby == host.lobby
