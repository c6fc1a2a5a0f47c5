"""Machines on one network, each a network namespace. Linux, root, ip, and nft for firewalls."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

_STATEFUL = """table inet machine {
    chain input {
        type filter hook input priority 0; policy drop;
        iif lo accept
        ct state established,related accept
        meta l4proto ipv6-icmp accept
    }
}"""


def lacking_for_lan() -> str | None:
    """Return what this machine lacks for a network of namespaces, if anything."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "Linux and root"
    missing = [tool for tool in ("ip", "nft") if shutil.which(tool) is None]
    if missing:
        return missing[0]
    probe = f"m{os.getpid()}-probe"
    if _call(f"ip netns add {probe}"):
        return "network namespaces"
    return "network namespaces" if _call(f"ip netns del {probe}") else None


def _call(words: str, text: str | None = None) -> int:
    done = subprocess.run(
        words.split(), input=text, text=True, capture_output=True, check=False
    )
    return done.returncode


def _run(words: str, text: str | None = None) -> None:
    subprocess.run(words.split(), input=text, text=True, capture_output=True, check=True)


class Lan:
    """A switch, and the machines at it."""

    def __init__(self, name: str, stack: ExitStack) -> None:
        self._name = name
        self._stack = stack
        self._count = 0
        self._add(name)
        _run(f"ip -n {name} link add br0 type bridge")
        _run(f"ip -n {name} link set br0 up")

    def _add(self, name: str) -> None:
        _run(f"ip netns add {name}")
        self._stack.callback(_run, f"ip netns del {name}")
        _run(f"ip -n {name} link set lo up")

    def machine(self, *, firewall: bool = False) -> list[str]:
        """Add 192.168.7.n, n from 1; return what a command line there begins with.

        firewall: lets in only what was asked for.
        """
        self._count += 1
        name, port = f"{self._name}-{self._count}", f"p{self._count}"
        self._add(name)
        _run(f"ip -n {self._name} link add {port} type veth peer name eth0 netns {name}")
        _run(f"ip -n {self._name} link set {port} master br0 up")
        _run(f"ip -n {name} addr add 192.168.7.{self._count}/24 broadcast + dev eth0")
        _run(f"ip -n {name} link set eth0 up")
        if firewall:
            _run(f"ip netns exec {name} nft -f -", _STATEFUL)
        return ["ip", "netns", "exec", name]


@contextmanager
def lan() -> Iterator[Lan]:
    """Yield a network without machines; remove it afterwards."""
    with ExitStack() as stack:
        yield Lan(f"m{os.getpid()}-lan", stack)
