"""The state of the firewall, as each system prints the state."""

import sys

import pytest

from matcha_p2p.transport.local.firewall import (
    Firewall,
    Switch,
    find_firewall,
    firewall_of_linux,
    firewall_of_macos,
    firewall_of_windows,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("active\ninactive\nactive\ninactive\n", Firewall(Switch.ON, ("ufw", "nftables"))),
        ("inactive\n" * 4, Firewall(Switch.OFF)),
        ("unknown\nfailed\ninactive\ninactive\n", Firewall(Switch.OFF)),
        ("", Firewall(Switch.UNKNOWN)),
        ("System has not been booted with systemd as init system", Firewall(Switch.UNKNOWN)),
    ],
)
def test_the_services_of_linux(text, found):
    assert firewall_of_linux(text) == found


@pytest.mark.parametrize(
    ("text", "switch"),
    [
        ("Firewall is disabled. (State = 0)\n", Switch.OFF),
        ("Firewall is enabled. (State = 1)\n", Switch.ON),
        ("Firewall is blocking all non-essential incoming connections. (State = 2)", Switch.ON),
        ("", Switch.UNKNOWN),
    ],
)
def test_the_state_of_macos(text, switch):
    assert firewall_of_macos(text) == Firewall(switch)


@pytest.mark.parametrize(
    ("text", "switch"),
    [
        ("\r\nPublic Profile Settings:\r\n----\r\nState             ON\r\nOk.\r\n", Switch.ON),
        ("\r\nDomain Profile Settings:\r\n----\r\nState             OFF\r\n", Switch.OFF),
        ("\r\nStatus             EIN\r\n", Switch.UNKNOWN),
        ("", Switch.UNKNOWN),
    ],
)
def test_the_profile_of_windows(text, switch):
    assert firewall_of_windows(text) == Firewall(switch)


async def test_this_system_tells_its_firewall_or_its_ignorance():
    found = await find_firewall()
    assert found.switch is Switch.ON or found.names == ()


async def test_another_system_is_not_asked(monkeypatch):
    monkeypatch.setattr(sys, "platform", "plan9")
    assert await find_firewall() == Firewall(Switch.UNKNOWN)
