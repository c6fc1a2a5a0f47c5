"""The default routers, out of what systems print."""

import sys
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.transport.router import gateway as module
from matcha_p2p.transport.router.gateway import Gateways, find_gateways

LINUX = """Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask	MTU	Window	IRTT
tun0	00000000	0100A8C0	0003	0	0	600	00000000	0	0	0
eth0	00000000	010200C0	0003	0	0	100	00000000	0	0	0
eth0	000200C0	00000000	0001	0	0	100	00FFFFFF	0	0	0
eth1	00000000	00000000	0001	0	0	1	00000000	0	0	0
"""
NONE = "0" * 32
LINUX_6 = f"""20010db8000000000000000000000000 40 {NONE} 00 {NONE} 00000100 1 0 00000001 eth0
{NONE} 00 {NONE} 00 fe800000000000000000000000000001 00000400 1 0 00000003     eth0
{NONE} 00 {NONE} 00 20010db8000000000000000000000001 00000800 1 0 00000003     eth0
{NONE} 00 {NONE} 00 {NONE} ffffffff 1 0 00200200       lo
"""
MACOS = """   route to: default
destination: default
       mask: default
    gateway: 192.168.1.1
  interface: en0
"""
MACOS_6 = """   route to: default
destination: default
       mask: default
    gateway: fe80::1%en0
  interface: en0
"""
WINDOWS_6 = """===========================================================================
IPv6-Routentabelle
Aktive Routen:
 If Metrik Netzwerkziel             Gateway
 14    291 ::/0                     2001:db8::1
 12     51 ::/0                     fe80::1
  9     21 ::/0                     Auf Verbindung
  1    331 ::1/128                  Auf Verbindung
===========================================================================
St\ufffdndige Routen:
 If Metrik Netzwerkziel             Gateway
  0 4294967295 ::/0                     2001:db8::7
"""
WINDOWS = """===========================================================================
IPv4-Routentabelle
Aktive Routen:
     Netzwerkziel    Netzwerkmaske          Gateway    Schnittstelle Metrik
          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.20     35
          0.0.0.0          0.0.0.0         10.8.0.1         10.8.0.2     25
        127.0.0.0        255.0.0.0   Auf Verbindung         127.0.0.1    331
"""


@pytest.mark.skipif(module._order() == 1, reason="the table is of a little-endian machine")
def test_linux():
    assert module.parse_routes(LINUX) == IPv4Address("192.0.2.1")
    assert module.parse_routes_6(LINUX_6) == IPv6Address("fe80::1%eth0")


def test_other_systems():
    assert module.parse_route_of_macos(MACOS) == IPv4Address("192.168.1.1")
    assert module.parse_routes_of_windows(WINDOWS) == IPv4Address("10.8.0.1")
    assert module.parse_route_6_of_macos(MACOS_6) == IPv6Address("fe80::1%en0")
    assert module.parse_routes_6_of_windows(WINDOWS_6) == IPv6Address("fe80::1%12")
    wide = WINDOWS_6.replace("fe80::1\n", "2001:db8::2\n")
    assert module.parse_routes_6_of_windows(wide) == IPv6Address("2001:db8::2")


PARSERS = (
    module.parse_routes,
    module.parse_routes_6,
    module.parse_route_of_macos,
    module.parse_route_6_of_macos,
    module.parse_routes_of_windows,
    module.parse_routes_6_of_windows,
)


@pytest.mark.parametrize("parse", PARSERS)
@given(
    st.sampled_from([LINUX, LINUX_6, MACOS, MACOS_6, WINDOWS, WINDOWS_6]),
    st.integers(0, 500),
    st.text(),
)
def test_any_text_has_a_gateway_or_none(parse, text, place, other):
    parse(text[:place] + other + text[place + 1 :])
    assert parse("") is None


@pytest.mark.parametrize(
    ("system", "printed", "found"),
    [
        (
            "darwin",
            {"-inet6": MACOS_6},
            Gateways(IPv4Address("192.168.1.1"), IPv6Address("fe80::1%en0")),
        ),
        (
            "win32",
            {"-4": WINDOWS, "-6": WINDOWS_6},
            Gateways(IPv4Address("10.8.0.1"), IPv6Address("fe80::1%12")),
        ),
    ],
)
async def test_both_families_are_asked_for(monkeypatch, system, printed, found):
    async def answer(*words):
        return next((text for word, text in printed.items() if word in words), MACOS)

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(module, "printed_by", answer)
    assert await find_gateways() == found


async def test_this_machine_has_gateways_or_none():
    assert await find_gateways()
