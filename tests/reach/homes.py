"""Two homes in network namespaces, each with a router, and an internet between them.

home N: a machine 192.168.N.2 and 2a0a:N::2 behind a router with NAT and a firewall, whose line
has 20.N.0.2; on wish a second NAT beyond the first, of the provider or of the home. The line
ends at the first of several hops: routers without NAT, which tell a sender by ICMP that its
packet may not go farther. Linux, root, ip, nft and /dev/net/tun; miniupnpd for routers that can
be asked.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.processes import Matcha
from tests.reach.internet import Internet, open_line
from tests.reach.machine import run

_REFUSING = {
    "drop": "drop",
    "reset": "reject with tcp reset",
    "prohibit": "reject with icmpv6 type admin-prohibited",
    "open": "accept",
}


@dataclass(frozen=True)
class Home:
    """A home's equipment. number: 1..9.

    nat: keep or random, the ports after the NAT; wan: the router's answer to a dial from the
    internet by IPv4, drop or reset; six: the same by IPv6, drop, reset, prohibit or open, None
    for no IPv6. provider: shared or double, a second NAT. asked: whether the router opens ports
    on request. strict: whether the router drops packets from inside that fit no connection.
    hops: the routers between the line and the middle of the internet.
    """

    number: int
    nat: str = "keep"
    wan: str = "drop"
    six: str | None = "drop"
    provider: str | None = None
    asked: bool = False
    configured: str = ""
    strict: bool = True
    hops: int = 3

    @property
    def machine(self) -> str:
        return f"m{os.getpid()}-{self.number}-pc"

    @property
    def router(self) -> str:
        return f"m{os.getpid()}-{self.number}-gw"

    @property
    def outer(self) -> str:
        """The namespace at the end of the line."""
        return self.router if self.provider is None else f"m{os.getpid()}-{self.number}-isp"

    @property
    def hop_names(self) -> list[str]:
        """The namespaces of the hops, the nearest first."""
        return [f"m{os.getpid()}-{self.number}-hop{place}" for place in range(self.hops)]

    @property
    def outside(self) -> str:
        return f"20.{self.number}.0.2"

    @property
    def inside_6(self) -> str:
        return f"2a0a:{self.number}::2"

    @property
    def inside(self) -> tuple[str, ...]:
        """The beginning of a command line on the home's machine."""
        return ("ip", "netns", "exec", self.machine)

    def matcha(self, folder: Path, *words: str, stdin: str | None = None) -> Matcha:
        """Run a command on its machine."""
        kind = type("Inside", (Matcha,), {"before": self.inside})
        return kind(folder, *words, stdin=stdin)

    def __call__(self, words: str) -> None:
        """Run ``ip`` for its machine."""
        run(f"ip -n {self.machine} {words}")


def _namespace(name: str, *, routes: bool) -> None:
    run(f"ip netns add {name}")
    run(f"ip -n {name} link set lo up")
    settings = ["ipv6.conf.all.accept_dad=0", "ipv6.conf.default.accept_dad=0"]
    if routes:
        settings += ["ipv4.ip_forward=1", "ipv6.conf.all.forwarding=1"]
    for setting in settings:
        run(f"ip netns exec {name} sysctl -qw net.{setting}")


def _build(home: Home) -> int:
    """Make the namespaces of ``home``; return the file of its line."""
    n, gw = home.number, home.router
    _namespace(home.machine, routes=False)
    for name in {gw, home.outer}:
        _namespace(name, routes=True)
    run(f"ip link add eth0 netns {home.machine} type veth peer name lan netns {gw}")
    run(f"ip -n {gw} addr add 192.168.{n}.1/24 dev lan")
    run(f"ip -n {gw} link set lan up")
    home(f"addr add 192.168.{n}.2/24 brd + dev eth0")
    home("link set eth0 up")
    home(f"route add default via 192.168.{n}.1")
    if home.six is not None:
        run(f"ip -n {gw} addr add 2a0a:{n}::1/64 dev lan nodad")
        run(f"ip -n {gw} addr add fe80::1/64 dev lan nodad")
        home(f"addr add {home.inside_6}/64 dev eth0 nodad")
        home("-6 route add default via fe80::1 dev eth0")
    line = _lead_out(home)
    run(f"ip -n {home.outer} addr add {home.outside}/32 dev wan")
    if home.provider is not None:
        _provide(home)
    run(f"ip netns exec {gw} nft -f -", _firewall(home))
    return line


def _lead_out(home: Home) -> int:
    """Make the line of ``home`` and its hops; return the file of the last one's line."""
    inner, n = home.outer, home.number
    for place, hop in enumerate(home.hop_names, 1):
        _namespace(hop, routes=True)
        run(f"ip link add wan netns {inner} type veth peer name in netns {hop}")
        nearer = """addr add fe80::1/64 dev wan nodad
            link set wan up
            route add 0.0.0.0/0 via inet6 fe80::2 dev wan
            route add ::/0 via fe80::2 dev wan"""
        farther = f"""addr add fe80::2/64 dev in nodad
            link set in up
            addr add 20.{n}.1.{place}/32 dev lo
            addr add 2a0a:{n}:e::{place}/128 dev lo nodad
            route add {home.outside}/32 via inet6 fe80::1 dev in
            route add 2a0a:{n}::/32 via fe80::1 dev in"""
        run(f"ip -n {inner} -batch -", nearer)
        run(f"ip -n {hop} -batch -", farther)
        inner = hop
    line = open_line(inner)
    last = "link set wan up\nroute add default dev wan\nroute add ::/0 dev wan"
    run(f"ip -n {inner} -batch -", last)
    return line


def _provide(home: Home) -> None:
    """Put a second NAT between the router and the line."""
    n, gw, out = home.number, home.router, f"ip -n {home.outer}"
    net = f"100.64.{n}" if home.provider == "shared" else "192.168.100"
    run(f"ip link add wan netns {gw} type veth peer name inner netns {home.outer}")
    run(f"{out} addr add {net}.1/24 dev inner")
    run(f"ip -n {gw} addr add {net}.2/24 dev wan")
    run(f"{out} addr add 2a0a:{n}:f::1/64 dev inner nodad")
    run(f"ip -n {gw} addr add 2a0a:{n}:f::2/64 dev wan nodad")
    run(f"{out} link set inner up")
    run(f"ip -n {gw} link set wan up")
    run(f"ip -n {gw} route add default via {net}.1")
    run(f"ip -n {gw} -6 route add default via 2a0a:{n}:f::1")
    run(f"{out} -6 route add 2a0a:{n}::/64 via 2a0a:{n}:f::2")
    rules = """
    table ip provider {
      chain post { type nat hook postrouting priority 100; oifname "wan" masquerade; }
      chain in { type filter hook input priority 0;
        iifname "wan" ct state != established drop; }
    }"""
    run(f"ip netns exec {home.outer} nft -f -", rules)


def _firewall(home: Home) -> str:
    kept = "masquerade" if home.nat == "keep" else "masquerade fully-random"
    six = _REFUSING[home.six or "drop"]
    invalid = "ct state invalid drop" if home.strict else ""
    return f"""
    table inet filter {{
      chain miniupnpd {{ }}
      chain prerouting_miniupnpd {{ }}
      chain postrouting_miniupnpd {{ }}
      chain pre {{ type nat hook prerouting priority -100; jump prerouting_miniupnpd; }}
      chain post {{ type nat hook postrouting priority 100; jump postrouting_miniupnpd;
        oifname "wan" meta nfproto ipv4 {kept}; }}
      chain forward {{ type filter hook forward priority 0; policy accept;
        ct state established,related accept
        {invalid}
        iifname "lan" accept
        jump miniupnpd
        meta nfproto ipv6 meta l4proto tcp {six}
        ct status dnat accept
        drop
      }}
      chain input {{ type filter hook input priority 0; policy accept;
        ct state established,related accept
        iifname != "wan" accept
        meta l4proto icmpv6 accept
        meta l4proto tcp {_REFUSING[home.wan]}
        drop
      }}
    }}"""


@contextmanager
def _asked(home: Home, folder: Path) -> Iterator[None]:
    """Let the router be asked for ports, by miniupnpd, as long as the body lasts."""
    if not home.asked:
        yield
        return
    settings = f"""ext_ifname=wan
listening_ip=lan
http_port=5000
enable_natpmp=yes
enable_upnp=yes
secure_mode=yes
min_lifetime=10
max_lifetime=86400
upnp_table_name=filter
upnp_nat_table_name=filter
upnp_forward_chain=miniupnpd
upnp_nat_chain=prerouting_miniupnpd
upnp_nat_postrouting_chain=postrouting_miniupnpd
uuid=00000000-0000-0000-0000-00000000000{home.number}
{home.configured}
allow 1024-65535 0.0.0.0/0 1024-65535
"""
    config = folder / f"miniupnpd-{home.number}.conf"
    config.write_text(settings)
    run(f"ip -n {home.router} route add 239.0.0.0/8 dev lan")
    words = ["miniupnpd", "-d", "-f", str(config), "-P", str(config.with_suffix(".pid"))]
    log = config.with_suffix(".log").open("w")
    daemon = subprocess.Popen(
        ["ip", "netns", "exec", home.router, *words], stdout=log, stderr=log
    )
    try:
        _until_it_listens(home)
        yield
    finally:
        daemon.terminate()
        daemon.wait()
        log.close()


def _until_it_listens(home: Home) -> None:
    words = ["ip", "netns", "exec", home.router, "ss", "-lunH"]
    for _ in range(200):
        shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        if ":5351" in shown:
            return
        subprocess.run(["sleep", "0.05"], check=True)
    raise RuntimeError("miniupnpd does not start")


def opened_ports(home: Home) -> str:
    """Return the ports that the router leads to the machine."""
    words = f"ip netns exec {home.router} nft list chain inet filter prerouting_miniupnpd"
    shown = subprocess.run(words.split(), capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in shown.splitlines() if "dnat" in line)


def forget_ports(home: Home) -> None:
    """Let the router forget all opened ports, as after a restart."""
    for chain in ("miniupnpd", "prerouting_miniupnpd", "postrouting_miniupnpd"):
        run(f"ip netns exec {home.router} nft flush chain inet filter {chain}")


@contextmanager
def two_homes(
    first: Home, second: Home, folder: Path, *, delay: float = 0.02, loss: float = 0.0
) -> Iterator[Internet]:
    """Make both homes, and the internet between them."""
    homes, lines = (first, second), dict[int, int]()
    names = {
        name
        for home in homes
        for name in (home.machine, home.router, home.outer, *home.hop_names)
    }
    internet = None
    try:
        for home in homes:
            lines[home.number] = _build(home)
        internet = Internet(lines, delay, loss)
        internet.start()
        with _asked(first, folder), _asked(second, folder):
            yield internet
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
        if internet is not None:
            internet.stop()
