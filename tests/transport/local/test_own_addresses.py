"""What the addresses of a machine are, as the doctor says."""

from ipaddress import ip_address, ip_interface

import pytest

from matcha_p2p.transport.local.interfaces import Interface
from matcha_p2p.transport.local.own_addresses import (
    AddressKind,
    Marks,
    describe,
    own_addresses,
    parse_if_inet6,
)

IF_INET6 = """\
00000000000000000000000000000001 01 80 10 80       lo
2600000000000000000000000000abcd 02 40 00 01     eth0
26000000000000000000000000000007 02 40 00 00     eth0
26000000000000000000000000000008 02 40 00 21     eth0
fe800000000000000000000000000001 02 40 20 80     eth0
not a line of it
"""
PRIVACY, OLD = ip_address("2600::abcd"), ip_address("2600::8")
MARKS = Marks(frozenset({PRIVACY}), frozenset({OLD}), frozenset({"office"}))


def at(text: str, name: str) -> Interface:
    found = ip_interface(text)
    return Interface(2, found.ip, found.network, name)


@pytest.mark.parametrize(
    ("address", "name", "kind"),
    [
        ("8.8.8.8/24", "eth0", AddressKind.INTERNET),
        ("8.8.8.8/32", "ppp0", AddressKind.INTERNET),
        ("2600::7/64", "eth0", AddressKind.INTERNET),
        ("2600::abcd/64", "eth0", AddressKind.TEMPORARY),
        ("100.64.1.2/24", "wwan0", AddressKind.SHARED),
        ("100.100.1.2/32", "tailscale0", AddressKind.VPN),
        ("100.100.1.2/32", "Tailscale Tunnel", AddressKind.VPN),
        ("10.8.0.2/24", "wg0", AddressKind.VPN),
        ("10.8.0.2/24", "office", AddressKind.VPN),
        ("200:1::2/7", "tun0", AddressKind.VPN),
        ("fd7a:115c:a1e0::2/128", "utun3", AddressKind.VPN),
        ("10.8.0.2/24", "eth1", AddressKind.NETWORK),
        ("192.168.1.2/24", "wlan0", AddressKind.NETWORK),
        ("fd00::2/64", "eth0", AddressKind.UNIQUE_LOCAL),
        ("fe80::2/64", "eth0", AddressKind.LINK_LOCAL),
        ("169.254.1.2/16", "eth0", AddressKind.LINK_LOCAL),
        ("172.17.0.1/16", "docker0", AddressKind.CONTAINERS),
    ],
)
def test_each_kind_of_address_is_known(address, name, kind):
    own = at(address, name)
    (found,) = describe((), [own], MARKS)
    assert (found.address, found.kind, found.interface) == (own.address, kind, name)
    assert not found.in_invites


def test_addresses_of_invites_come_first_and_undialled_ones_are_left_out():
    held = (ip_address("2600::7"), ip_address("192.168.1.2"))
    own = [
        at("127.0.0.1/8", "lo"),
        at("2600::8/64", "eth0"),
        at("fe80::1/64", "docker0"),
        at("fe80::2/64", "wg0"),
        at("fe80::3/64", "eth0"),
        at("192.168.1.2/24", "eth0"),
        at("2600::7/64", "eth0"),
    ]
    found = describe(held, own, MARKS)
    assert [(str(each.address), each.in_invites) for each in found] == [
        ("2600::7", True),
        ("192.168.1.2", True),
        ("fe80::3", False),
    ]


def test_without_a_network_there_is_loopback_alone():
    (found,) = describe((ip_address("127.0.0.1"),), [at("127.0.0.1/8", "lo")], Marks())
    assert found.kind is AddressKind.MACHINE


def test_linux_marks_temporary_and_deprecated_addresses():
    flags = parse_if_inet6(IF_INET6)
    assert {address for address, flag in flags.items() if flag & 1} == {PRIVACY, OLD}
    assert {address for address, flag in flags.items() if flag & 0x20} == {OLD}
    assert len(flags) == 5
    assert parse_if_inet6("") == {}


def test_this_machine_knows_its_own():
    held = (ip_address("127.0.0.1"),)
    assert own_addresses(held)[0].kind is AddressKind.MACHINE
