"""Two homes with routers and an internet between them: every way of meeting."""

import shutil

import pytest

from tests.reach.cases import (
    FOUR,
    FOURS,
    SIX,
    after_a_kill,
    game_by_pinhole,
    game_by_router,
    game_by_two_addresses,
    goes_on_by_router,
    kinds_of_addresses,
    punch,
    punched_game,
    refusal_of_private_invite,
    resumed_by_router,
    resumed_through_firewalls,
    to_the_end,
    told,
    with_a_cut,
)
from tests.reach.homes import Home
from tests.reach.machine import lacking
from tests.reach.people import friends_again, newcomers_at_full_screens
from tests.reach.threads import OF_TRIO, StartedThreads

MISSING = lacking("/dev/net/tun")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(MISSING is not None, reason=f"{MISSING} is needed"),
]
asking = pytest.mark.skipif(shutil.which("miniupnpd") is None, reason="miniupnpd is needed")


@asking
def test_a_guest_gets_in_by_a_port_that_the_router_was_asked_for(tmp_path):
    """By IPv4 alone. Afterwards the port is closed again."""
    assert game_by_router(Home(1, asked=True), Home(2, six=None), tmp_path) < 60


@asking
def test_a_guest_gets_in_by_a_pinhole_for_ipv6(tmp_path):
    assert game_by_pinhole(Home(1, asked=True, provider="shared"), tmp_path) < 60


@asking
@pytest.mark.parametrize("provider", ["shared", "double"])
def test_a_second_nat_is_told_before_the_invite(tmp_path, provider):
    fact, _ = told(Home(1, asked=True, provider=provider), tmp_path)
    assert fact["ipv4"] == provider


def test_two_newcomers_at_full_screens_meet_by_two_pastes(tmp_path):
    """From the first start of the program to the first card, behind closed firewalls.

    Screen, router and punching need no threads but those that trio keeps for work.
    """
    threads = StartedThreads(tmp_path)
    assert newcomers_at_full_screens(Home(1), Home(2), tmp_path, threads.path) < 30
    assert threads.modules == {OF_TRIO}


def test_a_router_that_cannot_be_asked_is_told(tmp_path):
    fact, invite = told(Home(1), tmp_path)
    assert (fact["ipv4"], fact["ipv6"]) == ("silent", "silent")
    assert invite


def test_doctor_knows_the_kind_of_each_address_of_a_machine(tmp_path):
    """The temporary address goes first: the system sends from this address."""
    kinds = kinds_of_addresses(Home(1), tmp_path)
    assert kinds[0] == "temporary"
    expected = ["internet", "internet", "link-local", "network", "temporary", "unique-local"]
    assert sorted(kinds) == sorted([*expected, "vpn", "vpn"])


def test_friends_behind_closed_firewalls_call_each_other(tmp_path):
    """The friends have met by two pastes. Now both dial, from ports derived from their keys."""
    assert friends_again(Home(1), Home(2), 2, tmp_path) < 30


@asking
def test_friends_behind_nats_call_each_other(tmp_path):
    """The friends have met by one paste; since then each knows the other's outside address."""
    homes = Home(1, asked=True, six=None), Home(2, six=None)
    assert friends_again(*homes, 1, tmp_path) < 30


def test_a_punched_game_is_gone_on_with_after_a_kill(tmp_path):
    assert punched_game(Home(1), Home(2), tmp_path, after_a_kill) < 30


@asking
def test_the_router_is_asked_again_when_a_game_is_resumed(tmp_path):
    """The restarted router has forgotten the port, and no other way leads in."""
    homes = Home(1, asked=True), Home(2, six=None, nat="random")
    assert resumed_by_router(*homes, tmp_path) < 60


@asking
def test_the_router_is_asked_again_when_a_line_is_lost(tmp_path):
    """A router was started again during the game; the one who waits does not wait in vain."""
    homes = Home(1, asked=True), Home(2, six=None, nat="random")
    assert goes_on_by_router(*homes, tmp_path) < 60


def test_both_resume_a_game_through_closed_firewalls(tmp_path):
    """Nobody waits: each dials from the port that the other knows."""
    assert resumed_through_firewalls(Home(1), Home(2), tmp_path) < 60


@asking
def test_both_resume_a_game_through_nats_that_keep_the_port(tmp_path):
    """By IPv4 alone. No router can be asked any more."""
    homes = Home(1, six=None), Home(2, six=None, asked=True)
    assert resumed_through_firewalls(*homes, tmp_path) < 60


@pytest.mark.parametrize("six", ["drop", "reset", "prohibit"])
def test_two_closed_firewalls_are_passed_by_an_answer_code(tmp_path, six):
    homes = (Home(1, six=six), Home(2, six=six))
    assert punched_game(*homes, tmp_path, to_the_end) < 60


@pytest.mark.parametrize("later", [0, 2, -2])
@pytest.mark.parametrize("wan", ["drop", "reset"])
def test_two_routers_that_keep_the_port_are_passed(tmp_path, wan, later):
    homes = (Home(1, wan=wan), Home(2, wan=wan))
    assert punch(*homes, tmp_path, FOUR, later=later) != "never"


@pytest.mark.parametrize("later", [0, 2, -2])
@pytest.mark.parametrize("six", ["drop", "reset", "prohibit"])
def test_two_firewalls_are_passed_by_either_beginner(tmp_path, six, later):
    homes = (Home(1, six=six), Home(2, six=six))
    assert punch(*homes, tmp_path, SIX, later=later) != "never"


@pytest.mark.parametrize("hops", [0, 1])
def test_near_homes_are_passed(tmp_path, hops):
    homes = (Home(1, hops=hops), Home(2, hops=hops))
    assert punch(*homes, tmp_path, FOUR) != "never"


@pytest.mark.parametrize("addresses", [FOUR, SIX], ids=["IPv4", "IPv6"])
def test_two_systems_where_icmp_ends_a_dial_pass_two_routers(tmp_path, addresses):
    assert punch(Home(1), Home(2), tmp_path, addresses, system="elsewhere") != "never"


def test_two_deaf_routers_are_passed_with_both_outside_addresses(tmp_path):
    """By IPv4 alone. The guest gives the address too, and so gets an answer code."""
    assert game_by_two_addresses(*FOURS, tmp_path) < 60


def test_guest_reads_why_an_invite_of_another_network_leads_nowhere(tmp_path):
    told = refusal_of_private_invite(*FOURS, tmp_path)
    assert "only addresses of the host's own network" in told
    assert "the host adds the outside address" in told


def test_a_lossy_line_is_no_obstacle(tmp_path):
    assert punch(Home(1), Home(2), tmp_path, SIX, loss=0.2) != "never"


def test_a_punched_game_goes_on_after_a_cut_of_55_seconds(tmp_path):
    """How soon is measured by ``python -m tests.reach --all``."""
    punched_game(Home(1), Home(2), tmp_path, with_a_cut(55), delay=0.1)
