"""From where an address can be reached, by our own table."""

from ipaddress import IPv6Address, ip_address

import pytest

from matcha_p2p.transport.endpoints import Endpoint, Scope, is_shared, leads_nowhere, scope_of

MACHINE, NETWORK, INTERNET = Scope.MACHINE, Scope.NETWORK, Scope.INTERNET


@pytest.mark.parametrize(
    ("scope", "texts"),
    [
        (MACHINE, "127.0.0.1 127.255.0.1 ::1 ::ffff:127.0.0.1"),
        (NETWORK, "10.0.0.1 172.31.0.1 192.168.1.1 100.64.0.1 100.127.255.255 169.254.0.1"),
        (NETWORK, "192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 192.88.99.1 240.0.0.1"),
        (NETWORK, "0.1.2.3 224.0.0.1 255.255.255.255 ::ffff:10.0.0.1"),
        (NETWORK, "fd00::1 fe80::1 fec0::1 ff02::1 64:ff9b::808:808 200:1::1 100::1"),
        (NETWORK, "2001::1 2001:db8::1 2002:808:808::1 3fff::1"),
        (INTERNET, "8.8.8.8 100.63.0.1 100.128.0.1 172.32.0.1 223.255.255.255 ::ffff:8.8.8.8"),
        (INTERNET, "2600::1 2a0a::1 2001:200::1 2001:4860::1"),
    ],
)
def test_an_address_has_a_scope(scope, texts):
    assert {scope_of(ip_address(text)) for text in texts.split()} == {scope}


def test_address_shared_by_a_provider_is_known():
    assert is_shared(ip_address("100.64.0.1"))
    assert not any(is_shared(ip_address(text)) for text in ("100.128.0.1", "fd00::1"))


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0.0",
        "0.0.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "169.254.1.1",
        "::",
        "ff02::1",
        "fe80::1",
    ],
)
def test_some_addresses_lead_nowhere(text):
    assert leads_nowhere(ip_address(text))


@pytest.mark.parametrize(
    "text", ["127.0.0.1", "10.0.0.1", "8.8.8.8", "fd7a::1", "200:1::1", "2600::1"]
)
def test_others_may_be_ones_own(text):
    """Of a VPN among others."""
    assert not leads_nowhere(ip_address(text))


def test_an_endpoint_has_a_port_and_no_zone():
    for address, port in ((IPv6Address("fe80::1%eth0"), 1), (IPv6Address(1), 0)):
        with pytest.raises(ValueError, match=r"port|interface"):
            Endpoint(address, port)
    assert str(Endpoint(IPv6Address("2600::1"), 4717)) == "[2600::1]:4717"
    assert str(Endpoint(ip_address("8.8.8.8"), 1)) == "8.8.8.8:1"
