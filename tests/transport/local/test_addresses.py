"""The addresses to put into an invite."""

import socket
from ipaddress import IPv4Address, ip_address, ip_interface

import pytest
import trio

from matcha_p2p.errors import InviteError
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.endpoints import MOST_ENDPOINTS, at_port
from matcha_p2p.transport.local import addresses as module
from matcha_p2p.transport.local.addresses import GivenPlace, choose, local_addresses
from matcha_p2p.transport.local.interfaces import Interface


def chosen(*texts):
    return [str(address) for address in choose(map(ip_address, texts))]


def test_public_addresses_come_before_private_ones():
    assert chosen("192.168.1.2", "8.8.8.8", "fd00::1", "2600::1") == [
        "8.8.8.8",
        "2600::1",
        "192.168.1.2",
        "fd00::1",
    ]


def test_address_useless_to_a_guest_is_left_out():
    useless = ("127.0.0.1", "127.0.1.1", "::1", "fe80::1", "169.254.1.1", "0.0.0.0", "ff02::1")
    assert chosen(*useless, "10.0.0.1", "10.0.0.1") == ["10.0.0.1"]


def test_loopback_stands_in_only_for_nothing():
    assert chosen() == chosen("::1") == ["127.0.0.1"]


def test_seven_are_the_most():
    assert len(chosen(*(f"10.0.0.{number}" for number in range(20)))) == MOST_ENDPOINTS == 7


async def test_this_machine_can_be_invited_to():
    assert Invite(at_port(await local_addresses(), 4717), bytes(16))


async def test_a_machine_without_routes_or_name_has_loopback(monkeypatch):
    def refuse(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr(trio.socket, "socket", refuse)
    monkeypatch.setattr(trio.socket, "getaddrinfo", refuse)
    monkeypatch.setattr(module, "interfaces", tuple)
    assert await local_addresses() == (IPv4Address("127.0.0.1"),)


async def test_a_name_server_that_never_answers_is_not_waited_for(monkeypatch, autojump_clock):
    async def never(*_, **__):
        await trio.sleep_forever()

    monkeypatch.setattr(trio.socket, "getaddrinfo", never)
    start = trio.current_time()
    assert await local_addresses()
    assert trio.current_time() - start == pytest.approx(2)
    assert autojump_clock.current_time() >= 2


async def test_the_machines_own_name_adds_addresses(monkeypatch):
    async def lookup(*_, **__):
        kind = (socket.AF_INET6, socket.SOCK_STREAM, 6, "")
        return [(*kind, ("2600::7%eth0", 0, 0, 2)), (*kind, ("2600::8", 0, 0, 0))]

    monkeypatch.setattr(trio.socket, "getaddrinfo", lookup)
    assert [str(address) for address in await module._lookup("here")] == ["2600::7", "2600::8"]


FOUR, SIX = ip_address("203.0.113.7"), ip_address("2600::7")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("203.0.113.7", GivenPlace(FOUR)),
        ("203.0.113.7:4718", GivenPlace(FOUR, 4718)),
        ("2600::7", GivenPlace(SIX)),
        ("[2600::7]", GivenPlace(SIX)),
        ("[2600::7]:4718", GivenPlace(SIX, 4718)),
        ("::ffff:203.0.113.7", GivenPlace(FOUR)),
        ("mina.example.org", GivenPlace("mina.example.org")),
        ("Mina.Example.org.:1", GivenPlace("mina.example.org", 1)),
        ("xn--fiqs8s.example", GivenPlace("xn--fiqs8s.example")),
        ("fe80::1%eth0", GivenPlace(ip_address("fe80::1%eth0"))),
    ],
)
def test_a_place_is_an_address_or_a_name_with_or_without_a_port(text, place):
    assert GivenPlace.parse(text) == place


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":4717",
        "mina",
        "203.0.113.7:0",
        "203.0.113.7:65536",
        "203.0.113.7:",
        "203.0.113",
        "1.2.3.4.5",
        "[203.0.113.7]:1",
        "[2600::7]4718",
        "[mina.example.org]:1",
        "2600::7%eth0",
        "[2600::7%eth0]:1",
        "http://mina.example.org/",
        "mina..example",
        "-mina.example",
        "matcha.onion",
        "мина.example",
        "a" * 64 + ".example",
        "a." * 130 + "example",
    ],
)
def test_invalid_place_is_refused(text):
    with pytest.raises(ValueError, match=r".*"):
        GivenPlace.parse(text)


async def test_a_name_stands_for_the_addresses_that_it_has_now(monkeypatch):
    async def lookup(*_, **__):
        kind = (socket.AF_INET6, socket.SOCK_STREAM, 6, "")
        found = ("127.0.0.1", "fe80::1", "2600::7", "2600::7", "203.0.113.7")
        return [(*kind, (address, 0)) for address in found]

    monkeypatch.setattr(trio.socket, "getaddrinfo", lookup)
    assert await GivenPlace("mina.example.org").resolve() == (SIX, FOUR)
    assert await GivenPlace(FOUR).resolve() == (FOUR,)


@pytest.mark.parametrize("found", [["127.0.0.1"], []])
async def test_a_name_that_leads_nowhere_is_told(monkeypatch, found):
    async def lookup(*_, **__):
        return [(0, 0, 0, "", (address, 0)) for address in found]

    monkeypatch.setattr(trio.socket, "getaddrinfo", lookup)
    with pytest.raises(InviteError, match="leads to no machine"):
        await GivenPlace("mina.example").resolve()


async def test_a_network_without_a_way_to_the_internet_has_addresses_too(monkeypatch):
    """The private addresses of the machine's networks count; those of containers do not."""

    def refuse(*_, **__):
        raise OSError

    cards = (
        ("lo", "127.0.0.1/8"),
        ("eth0", "192.168.7.2/24"),
        ("docker0", "172.17.0.1/16"),
        ("wwan0", "100.64.3.4/16"),
        ("wlan0", "fd00::2/64"),
        ("wlan0", "fe80::2/64"),
    )
    found = [(name, ip_interface(text)) for name, text in cards]
    own = tuple(Interface(2, each.ip, each.network, name) for name, each in found)
    monkeypatch.setattr(trio.socket, "socket", refuse)
    monkeypatch.setattr(trio.socket, "getaddrinfo", refuse)
    monkeypatch.setattr(module, "interfaces", lambda: own)
    addresses = await module.local_addresses()
    assert list(map(str, addresses)) == ["192.168.7.2", "fd00::2"]
