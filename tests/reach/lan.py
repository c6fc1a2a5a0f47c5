"""Machines on one network, each a network namespace. Linux, root, ip, and nft for firewalls."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests.reach.machine import run

_STATEFUL = """table inet machine {
    chain input {
        type filter hook input priority 0; policy drop;
        iif lo accept
        ct state established,related accept
        meta l4proto ipv6-icmp accept
    }
}"""


class Lan:
    """A switch, and the machines at it."""

    def __init__(self, name: str, stack: ExitStack) -> None:
        self._name = name
        self._stack = stack
        self._count = 0
        self._add(name)
        run(f"ip -n {name} link add br0 type bridge")
        run(f"ip -n {name} link set br0 up")

    def _add(self, name: str) -> None:
        run(f"ip netns add {name}")
        self._stack.callback(run, f"ip netns del {name}")
        run(f"ip -n {name} link set lo up")

    def machine(self, *, firewall: bool = False) -> list[str]:
        """Add 192.168.7.n, n from 1; return what a command line there begins with.

        firewall: lets in only what was asked for.
        """
        self._count += 1
        name, port = f"{self._name}-{self._count}", f"p{self._count}"
        self._add(name)
        run(f"ip -n {self._name} link add {port} type veth peer name eth0 netns {name}")
        run(f"ip -n {self._name} link set {port} master br0 up")
        run(f"ip -n {name} addr add 192.168.7.{self._count}/24 broadcast + dev eth0")
        run(f"ip -n {name} link set eth0 up")
        if firewall:
            run(f"ip netns exec {name} nft -f -", _STATEFUL)
        return ["ip", "netns", "exec", name]


@contextmanager
def lan() -> Iterator[Lan]:
    """Yield a network without machines; remove it afterwards."""
    with ExitStack() as stack:
        yield Lan(f"m{os.getpid()}-lan", stack)
