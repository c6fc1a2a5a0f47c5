"""Asks the system whether a firewall of this machine is switched on.

The rules of the firewall are not read: only an administrator may, and rules are many.
"""

import re
import sys
from dataclasses import dataclass
from enum import Enum
from typing import Final

from matcha_p2p.transport.local.programs import printed_by

_SERVICES: Final = ("ufw", "firewalld", "nftables", "iptables")
_MACOS: Final = "/usr/libexec/ApplicationFirewall/socketfilterfw"


class Switch(Enum):
    """On, off, or unknown."""

    ON = "on"
    OFF = "off"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Firewall:
    """The firewall of this machine. names: of the services that make up the firewall."""

    switch: Switch
    names: tuple[str, ...] = ()


async def find_firewall() -> Firewall:
    """Return the system's answer about the firewall. No packet is sent."""
    match sys.platform:
        case "linux":
            return firewall_of_linux(await printed_by("systemctl", "is-active", *_SERVICES))
        case "darwin":
            return firewall_of_macos(await printed_by(_MACOS, "--getglobalstate"))
        case "win32":
            words = ("netsh", "advfirewall", "show", "currentprofile", "state")
            return firewall_of_windows(await printed_by(*words))
        case _:
            return Firewall(Switch.UNKNOWN)


def firewall_of_linux(text: str) -> Firewall:
    """Read the output of ``systemctl is-active``, a line for each of ``_SERVICES``."""
    states = text.split()
    if len(states) != len(_SERVICES):
        return Firewall(Switch.UNKNOWN)
    active = [name for name, state in zip(_SERVICES, states, strict=True) if state == "active"]
    return Firewall(Switch.ON, tuple(active)) if active else Firewall(Switch.OFF)


def firewall_of_macos(text: str) -> Firewall:
    """Read the output of ``socketfilterfw --getglobalstate``: 0 is off, 1 and 2 are on."""
    found = re.search(r"State = (\d)", text)
    if found is None:
        return Firewall(Switch.UNKNOWN)
    return Firewall(Switch.OFF if found[1] == "0" else Switch.ON)


def firewall_of_windows(text: str) -> Firewall:
    """Read the output of ``netsh advfirewall``, in English only."""
    found = re.search(r"(?im)^State\s+(ON|OFF)\s*$", text)
    return Firewall(Switch.UNKNOWN if found is None else Switch(found[1].lower()))
