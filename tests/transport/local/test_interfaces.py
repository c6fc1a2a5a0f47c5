"""The addresses of this machine and of its neighbours."""

from ipaddress import ip_address, ip_interface, ip_network

import pytest

from matcha_p2p.transport.local.interfaces import Interface, has_neighbours, interfaces, is_near


def own(*texts: str) -> list[Interface]:
    found = map(ip_interface, texts)
    return [Interface(2, each.ip, each.network) for each in found]


OWN = own("192.168.1.2/24", "2001:db8:1::2/64")


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("192.168.1.77", True),
        ("192.168.2.77", False),
        ("8.8.8.8", False),
        ("169.254.1.1", True),
        ("2001:db8:1::77", True),
        ("2001:db8:2::77", False),
        ("fe80::1%eth0", True),
    ],
)
def test_neighbours_are_on_the_own_networks(address, near):
    assert is_near(ip_address(address), OWN) is near


@pytest.mark.parametrize(
    ("network", "has"),
    [
        ("0.0.0.0/0", False),
        ("10.0.0.0/8", True),
        ("192.168.1.0/30", True),
        ("100.64.0.1/32", False),
        ("::/0", False),
        ("fe80::/64", True),
        ("::1/128", False),
    ],
)
def test_the_world_and_a_single_address_are_no_network_of_neighbours(network, has):
    assert has_neighbours(ip_network(network)) is has


def test_this_machine_has_its_loopback():
    assert any(each.address == ip_address("127.0.0.1") for each in interfaces())
