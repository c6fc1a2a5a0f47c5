"""What the addresses of a machine are, as the doctor says."""

from ipaddress import ip_address, ip_interface

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.transport.local.interfaces import Interface
from matcha_p2p.transport.local.own_addresses import (
    AddressKind,
    Marks,
    describe,
    marks_of_macos,
    marks_of_windows,
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
IFCONFIG = """en0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500 index 11
	ether a0:9a:8e:90:a6:62
	inet6 fe80::10d9:bcb0:601f:16fa%en0 prefixlen 64 secured scopeid 0xb
	inet6 2600::7 prefixlen 64 autoconf secured
	inet6 2600::abcd prefixlen 64 autoconf temporary
	inet6 2600::8 prefixlen 64 deprecated autoconf temporary
	inet 192.168.0.106 netmask 0xffffff00 broadcast 192.168.0.255
"""
NETSH = """
Schnittstelle 12: Ethernet

Adresstyp   DAD-Status  G\ufffdlt.dauer   Bevorzugt  Adresse
----------  ----------- ---------- ---------- ------------------------
Tempor\ufffdr   Bevorzugt     6d23h59m   23h59m58s 2600::abcd
Tempor\ufffdr   Verworfen     5d23h59m         0s 2600::8
\ufffdffentlich  Bevorzugt    29d23h59m  6d23h59m58s 2600::7
Andere      Bevorzugt     infinite   infinite fe80::1%12
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


@pytest.mark.parametrize(
    ("read", "text"), [(marks_of_macos, IFCONFIG), (marks_of_windows, NETSH)]
)
def test_macos_and_windows_mark_temporary_and_deprecated_addresses(read, text):
    assert read(text) == Marks(frozenset({PRIVACY, OLD}), frozenset({OLD}))
    assert read("") == Marks()


@pytest.mark.parametrize("read", [marks_of_macos, marks_of_windows])
@given(st.sampled_from([IFCONFIG, NETSH]), st.integers(0, 900), st.text())
def test_any_text_has_marks_or_none(read, text, place, other):
    assert isinstance(read(text[:place] + other + text[place + 1 :]), Marks)


async def test_this_machine_knows_its_own():
    held = (ip_address("127.0.0.1"),)
    assert (await own_addresses(held))[0].kind is AddressKind.MACHINE
