"""The lobby in line mode: who sits where, and the host's commands."""

import pytest

from matcha_p2p.console.lines import lobby as lines
from matcha_p2p.errors import LobbyError
from matcha_p2p.games import find
from matcha_p2p.lobby.guest import GuestTable
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.seats import Seat
from matcha_p2p.transport.names import Binding, Psk

LINK = Binding(bytes(32))
MIA, ANN = draw_seat("Mia"), draw_seat("Ann")
TABLE = (
    HostTable.of_game(find("tichu", "1000 plays", 4), MIA, Psk(bytes(32)))
    .join(LINK, GuestTable(ANN, LINK).join)
    .add_bot(draw_seat("Kettle", bot=True))
)


def shown(table, own, game="kashi"):
    return [*lines.seat_lines(table.lobby.seats, game, own.listed.session_key)]


def test_all_see_who_sits_where_and_which_seats_are_bots():
    assert shown(TABLE, ANN) == [
        "Seat 1: Mia, the host",
        "Seat 2: Ann (you)",
        "Seat 3: Kettle, a bot of the host's program",
        "Seat 4: empty",
    ]
    assert shown(TABLE, MIA)[0] == "Seat 1: Mia, the host (you)"


def test_partners_are_told_of_where_a_game_has_teams():
    assert shown(TABLE, MIA, game="tichu")[-1].startswith("Partners sit opposite")


def test_the_host_is_told_what_comes_next():
    assert "Waiting for guests" in lines.next_step(TABLE.lobby)
    full = TABLE.add_bot(draw_seat("Whisk", bot=True))
    assert "start" in lines.next_step(full.lobby)


@pytest.mark.parametrize(
    ("typed", "wish"),
    [
        ("start", lines.StartGame()),
        (" start ", lines.StartGame()),
        ("bot", lines.FillSeat()),
        ("bot expert", lines.FillSeat("expert")),
        ("swap 2 4", lines.SwapSeats(Seat(1), Seat(3))),
        ("remove 3", lines.EmptySeat(Seat(2))),
        ("time 3", lines.SetPace(3)),
    ],
)
def test_command_is_read(typed, wish):
    assert lines.read_wish(typed, 4) == wish


@pytest.mark.parametrize(
    "typed", ["", "go", "swap", "swap 2", "swap 1 2", "swap 2 5", "swap 2 \u0662", "remove 0"]
)
def test_other_line_is_answered_with_the_commands(typed):
    with pytest.raises(LobbyError) as caught:
        lines.read_wish(typed, 4)
    assert "swap" in str(caught.value)
