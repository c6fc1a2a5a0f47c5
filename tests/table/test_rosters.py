"""Greetings under a roster: each HELLO fits, and entry 0 names the roster (SPEC#roster)."""

from dataclasses import replace

import pytest

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.seats import Seat
from matcha_p2p.table.seat import Offer, greet, take_seat
from matcha_p2p.table.step import step
from matcha_p2p.table.table import Greetings
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.roster import RosterGame, sign_roster
from tests.duel import roster_of, secrets_of
from tests.games.toy.steps import Toy

SEED = "roster"
NAMES = ("Mia", "Ann", "Bob")
ZERO = Seat(0)
ROSTER = roster_of(SEED, Toy(), NAMES)


def find(*_):
    return Toy()


def other_roster(**changes):
    """Return a roster with the same keys, signed by the same host."""
    fields = {"nonce": ROSTER.nonce, "game": ROSTER.game, "seats": ROSTER.seats} | changes
    return sign_roster(*fields.values(), secrets_of(SEED, 0).session)


def hello_of(roster, *, seed=SEED, name="Mia", identity=None):
    """Return entry 0 of the seat with the secrets of ``seed``, under ``roster``."""
    player = take_seat(ZERO, roster.id, secrets_of(seed, 0))
    state = Greetings.of_roster(roster, find)
    return parse_entry(greet(player, state, Offer(Toy(), name, identity)).encoded)


def refused(entry, roster=ROSTER):
    """Return the check that a seat with ``roster`` finds broken, and the blamed seat."""
    state = Greetings.of_roster(roster, find)
    with pytest.raises(ProtocolViolationError) as caught:
        step(state, entry)
    assert caught.value.entry == 0
    return caught.value.check, caught.value.seat


def test_hello_under_its_roster_is_taken():
    state, _ = step(Greetings.of_roster(ROSTER, find), hello_of(ROSTER))
    assert state.roster == ROSTER


def test_hello_by_another_key_than_in_the_roster_blames_nobody():
    assert refused(hello_of(ROSTER, seed="stranger")) == (Check.ROSTER, None)


@pytest.mark.parametrize(
    "hello", [{"name": "Eve"}, {"identity": H("identity")}], ids=["name", "identity"]
)
def test_hello_that_does_not_fit_its_roster_blames_its_author(hello):
    assert refused(hello_of(ROSTER, **hello)) == (Check.ROSTER, ZERO)


@pytest.mark.parametrize(
    "game",
    [
        replace(ROSTER.game, name="toys"),
        replace(ROSTER.game, variant="two"),
        replace(ROSTER.game, rules=bytes(32)),
    ],
    ids=["name", "variant", "rules"],
)
def test_hello_of_another_game_than_in_the_roster_blames_its_author(game: RosterGame):
    roster = other_roster(game=game)
    assert refused(hello_of(roster), roster) == (Check.ROSTER, ZERO)


def test_hello_of_three_seats_under_a_roster_of_four_blames_its_author():
    fourth = replace(ROSTER.seats[2], session_key=H("a key"), link_key=H("a link key"))
    roster = other_roster(seats=(*ROSTER.seats, fourth))
    assert refused(hello_of(roster), roster) == (Check.ROSTER, ZERO)


@pytest.mark.parametrize(
    "other",
    [
        other_roster(nonce=H("another nonce")),
        other_roster(seats=(*ROSTER.seats[:2], replace(ROSTER.seats[2], bot=True))),
        other_roster(seats=(*ROSTER.seats[:2], replace(ROSTER.seats[2], name="Eve"))),
    ],
    ids=["nonce", "bot", "name"],
)
def test_host_with_another_roster_for_each_guest_is_found(other):
    """The guest with ``other`` refuses entry 0, which names the roster of the first guest."""
    entry = hello_of(ROSTER)
    step(Greetings.of_roster(ROSTER, find), entry)
    assert refused(entry, other) == (Check.ROSTER, ZERO)
