"""The keys of later links at a table of more than two: each pair of seats has its own."""

import pytest

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import HandshakeError
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.session.connection.link_keys import pair_psk
from matcha_p2p.transport.names import Psk


def test_two_seats_make_one_key_for_a_link_and_others_make_another():
    ann, bob, cem = (draw_seat(name) for name in ("Ann", "Bob", "Cem"))
    a, b, c = (seat.secrets.link for seat in (ann, bob, cem))
    table, rid = Psk(H("psk")), H("rid")
    key = pair_psk(table, a, bob.listed.link_key, rid, (1, 2))
    assert pair_psk(table, b, ann.listed.link_key, rid, (1, 2)) == key
    others = [
        pair_psk(table, b, ann.listed.link_key, rid, (2, 1)),
        pair_psk(table, c, ann.listed.link_key, rid, (1, 2)),
        pair_psk(table, a, bob.listed.link_key, H("another"), (1, 2)),
        pair_psk(Psk(H("another psk")), a, bob.listed.link_key, rid, (1, 2)),
    ]
    assert len({key, *others}) == 5
    with pytest.raises(HandshakeError):
        pair_psk(table, a, bytes(32), rid, (1, 2))
