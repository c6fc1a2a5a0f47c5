"""The cases tried in the homes, and their results: seconds, or the told facts."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tests.processes import Matcha
from tests.reach.homes import Home, forget_ports, opened_ports, two_homes
from tests.reach.internet import Internet
from tests.reach.people import (
    friends_again,
    newcomers_at_full_screens,
    newcomers_on_one_network,
    router_asked,
    seconds_to_the_first_card,
    table_found,
)

BOT = ("--json", "--play", "greedy", "--edition", "2020", "--port", "4717")
GUEST = ("--json", "--play", "greedy")
MOVES = ("placed", "passed")
PUNCH_PORTS = (40_001, 40_002)


def told(first: Home, folder: Path) -> tuple[dict[str, object], str]:
    """Let a host ask its router; return the fact, and the invite."""
    with two_homes(first, Home(2), folder), first.matcha(folder / "a", "host", *BOT) as host:
        return host.until("router"), host.until("invite")["invite"]


def kinds_of_addresses(home: Home, folder: Path) -> list[str]:
    """Let a machine with a VPN and privacy addresses be examined; return the kinds it tells."""
    with two_homes(home, Home(9), folder):
        home("tuntap add dev tun0 mode tun")
        home("addr add 10.8.0.2/24 dev tun0")
        home("link set tun0 up")
        home("tuntap add dev tailscale0 mode tun")
        home("addr add 100.101.102.103/32 dev tailscale0")
        home("link set tailscale0 up")
        home("addr add fd00:1::2/64 dev eth0 nodad")
        privacy = "sysctl -qw net.ipv6.conf.eth0.use_tempaddr=2"
        subprocess.run([*home.inside, *privacy.split()], check=True)
        home("addr add 2a0a:1::77/64 dev eth0 mngtmpaddr valid_lft 86400 preferred_lft 3600")
        with home.matcha(folder / "a", "doctor", "--json") as doctor:
            doctor.until("port")
            return [fact["kind"] for fact in doctor.facts("address")]


def _play_on(host: Matcha, guest: Matcha) -> float:
    """Play to the end; return the seconds."""
    began = time.monotonic()
    assert (host.end(), guest.end()) == (0, 0), host.stderr + guest.stderr
    return time.monotonic() - began


def game_by_router(first: Home, second: Home, folder: Path) -> float:
    """Play a game to which the host's router lets the guest in; return the guest's seconds."""
    with two_homes(first, second, folder):
        with first.matcha(folder / "a", "host", *BOT) as host:
            invite = host.until("invite")["invite"]
            began = time.monotonic()
            with second.matcha(folder / "b", "join", "-", *GUEST, stdin=invite) as guest:
                guest.until("connected")
                took = time.monotonic() - began
                assert opened_ports(first)
                _play_on(host, guest)
        assert not opened_ports(first)  # given back
    return took


def game_by_pinhole(first: Home, folder: Path) -> float:
    """Play a game to which only a pinhole for IPv6 lets the guest in."""
    second = Home(2)
    with (
        two_homes(first, second, folder),
        first.matcha(folder / "a", "host", *BOT) as host,
    ):
        invite = host.until("invite")["invite"]
        began = time.monotonic()
        with second.matcha(folder / "b", "join", "-", *GUEST, stdin=invite) as guest:
            guest.until("connected")
            took = time.monotonic() - began
            _play_on(host, guest)
    return took


@dataclass
class Punched:
    """Two programs that are connected by dialling each other."""

    host: Matcha
    guest: Matcha
    second: Home
    internet: Internet
    seconds: float


def punched_game(
    first: Home,
    second: Home,
    folder: Path,
    then: Callable[[Punched], float],
    *,
    delay: float = 0.02,
    words: tuple[str, ...] = (),
    guest_words: tuple[str, ...] = (),
) -> float:
    """Begin a game by an answer code; return what ``then`` does."""
    with (
        two_homes(first, second, folder, delay=delay) as internet,
        first.matcha(folder / "a", "host", *BOT, *words) as host,
    ):
        invite = host.until("invite")["invite"]
        join = ("join", "-", *GUEST, *guest_words)
        with second.matcha(folder / "b", *join, stdin=invite) as guest:
            reply = guest.until("reply")["reply"]
            began = time.monotonic()
            host.type(f"{reply}\n")
            assert host.until("answer")["code"] is None
            guest.until("connected")
            punched = Punched(host, guest, second, internet, time.monotonic() - began)
            return then(punched)


def game_by_two_addresses(first: Home, second: Home, folder: Path) -> float:
    """Play behind deaf routers whose outside addresses the persons know."""
    words = ("--address", first.outside)
    guest_words = ("--address", second.outside)
    return punched_game(first, second, folder, to_the_end, words=words, guest_words=guest_words)


def refusal_of_private_invite(first: Home, second: Home, folder: Path) -> str:
    """Join by an invite that only the host's network can use; return what the guest reads."""
    with (
        two_homes(first, second, folder),
        first.matcha(folder / "a", "host", *BOT) as host,
    ):
        invite = host.until("invite")["invite"]
        with second.matcha(folder / "b", "join", "-", *GUEST, stdin=invite) as guest:
            assert guest.end() == 3
            return guest.stderr


def to_the_end(punched: Punched) -> float:
    _play_on(punched.host, punched.guest)
    return punched.seconds


def with_a_cut(seconds: float) -> Callable[[Punched], float]:
    """Return a function that cuts the line for ``seconds``, and plays on to the end.

    Its result are the seconds from the mending to the next move.
    """

    def cut(punched: Punched) -> float:
        punched.guest.until(*MOVES)
        punched.internet.cut = True
        time.sleep(seconds)
        punched.guest.catch_up()
        punched.internet.cut = False
        mended = time.monotonic()
        punched.guest.until(*MOVES)
        took = time.monotonic() - mended
        _play_on(punched.host, punched.guest)
        return took

    return cut


def after_a_kill(punched: Punched) -> float:
    """Kill the guest, let it resume, and play to the end; return the seconds to a move."""
    punched.guest.until(*MOVES)
    punched.guest.process.kill()
    punched.guest.process.wait()
    began = time.monotonic()
    with punched.second.matcha(punched.guest.home, "resume", *GUEST) as again:
        again.until(*MOVES)
        took = time.monotonic() - began
        _play_on(punched.host, again)
    return took


def kill(*programs: Matcha) -> None:
    """Kill programs in the middle of a game."""
    for program in programs:
        program.until(*MOVES)
    for program in programs:
        program.process.kill()
        program.process.wait()


def both_resume(first: Home, second: Home, folder: Path) -> float:
    """Let both go on with the game in ``folder``, to the end.

    Return the seconds until the guest hears of a move.
    """
    began = time.monotonic()
    with (
        first.matcha(folder / "a", "resume", *GUEST) as host,
        second.matcha(folder / "b", "resume", *GUEST) as guest,
    ):
        guest.until(*MOVES)
        took = time.monotonic() - began
        _play_on(host, guest)
    return took


def resumed_by_router(first: Home, second: Home, folder: Path) -> float:
    """Kill both sides of a game, start the host's router again, and let both resume."""
    with two_homes(first, second, folder):
        with first.matcha(folder / "a", "host", *BOT) as host:
            invite = host.until("invite")["invite"]
            with second.matcha(folder / "b", "join", "-", *GUEST, stdin=invite) as guest:
                kill(host, guest)
        forget_ports(first)
        took = both_resume(first, second, folder)
        assert not opened_ports(first)  # given back
    return took


def goes_on_by_router(first: Home, second: Home, folder: Path) -> float:
    """Start the host's router again, cut the guest off for good, and let the guest resume."""
    with (
        two_homes(first, second, folder),
        first.matcha(folder / "a", "host", *BOT) as host,
    ):
        invite = host.until("invite")["invite"]
        with second.matcha(folder / "b", "join", "-", *GUEST, stdin=invite) as guest:
            kill(guest)
        forget_ports(first)
        began = time.monotonic()
        with second.matcha(folder / "b", "resume", *GUEST) as again:
            again.until(*MOVES)
            took = time.monotonic() - began
            _play_on(host, again)
    return took


def resumed_through_firewalls(first: Home, second: Home, folder: Path) -> float:
    """Kill both sides of a punched game, and let both resume."""

    def killed(punched: Punched) -> float:
        kill(punched.host, punched.guest)
        return 0.0

    outside = () if first.six is not None else ("--address", first.outside)
    punched_game(first, second, folder, killed, words=outside)
    first, second = replace(first, asked=False), replace(second, asked=False)
    with two_homes(first, second, folder):
        return both_resume(first, second, folder)


def punch(
    first: Home,
    second: Home,
    folder: Path,
    addresses: tuple[str, str],
    *,
    later: float = 0.0,
    delay: float = 0.03,
    loss: float = 0.0,
    limit: float = 30.0,
    system: str = "linux",
) -> str:
    """Punch from both homes; return the seconds of the later side.

    addresses: at which the other finds each. later: seconds by which the guest is, or the host
    if it is negative. system: elsewhere for one where ICMP ends a dial.
    """

    def start(home: Home, role: str, own: int, address: str, there: int) -> subprocess.Popen:
        words = (role, str(own), address, str(there), str(limit), system)
        python = (sys.executable, "-m", "tests.reach.puncher", *words)
        return subprocess.Popen(
            ["ip", "netns", "exec", home.machine, *python], stdout=subprocess.PIPE, text=True
        )

    ours, theirs = PUNCH_PORTS
    sides = [
        (first, "host", ours, addresses[1], theirs),
        (second, "guest", theirs, addresses[0], ours),
    ]
    with two_homes(first, second, folder, delay=delay, loss=loss):
        if later < 0:
            sides.reverse()
        early = start(*sides[0])
        time.sleep(abs(later))
        late = start(*sides[1])
        try:
            shown = [
                process.communicate(timeout=limit + 20)[0].strip() for process in (early, late)
            ]
        finally:
            for process in (early, late):
                process.kill()
                process.wait()
    return "never" if "never" in shown else shown[1]


SIX = ("2a0a:1::2", "2a0a:2::2")
FOUR = ("20.1.0.2", "20.2.0.2")


FOURS = Home(1, six=None), Home(2, six=None)


def _both(**kind: Any) -> tuple[Home, Home]:
    return Home(1, **kind), Home(2, **kind)


def rows() -> Iterator[tuple[str, Callable[[Path], object]]]:
    """Yield every case of the table, with the function that runs the case in a folder."""
    for provider in (None, "shared", "double"):
        for asked in (True, False):
            home = Home(1, provider=provider, asked=asked)
            name = f"router: {provider or 'plain'}, {'asked' if asked else 'deaf'}"
            yield name, partial(_told_words, home)
    yield "doctor: VPN, privacy", partial(_kinds_in_words, Home(1))
    home = Home(1, asked=True)
    yield "game by a mapped port", partial(game_by_router, home, Home(2, six=None))
    behind = Home(1, asked=True, provider="shared")
    yield "game by an IPv6 pinhole, behind a provider's NAT", partial(game_by_pinhole, behind)
    for name, homes, addresses in (
        ("IPv6, drop", _both(six="drop"), SIX),
        ("IPv6, reset", _both(six="reset"), SIX),
        ("IPv6, prohibited", _both(six="prohibit"), SIX),
        ("IPv6, guest open", (Home(1), Home(2, six="open")), SIX),
        ("IPv6, host open", (Home(1, six="open"), Home(2)), SIX),
        ("IPv4, drop", _both(wan="drop"), FOUR),
        ("IPv4, reset", _both(wan="reset"), FOUR),
        ("IPv4, host behind a provider's NAT", (Home(1, provider="shared"), Home(2)), FOUR),
        ("IPv4, random ports", _both(nat="random"), FOUR),
        ("IPv4, drop, two hops between", _both(hops=1), FOUR),
        ("IPv6, reset, lenient routers", _both(six="reset", strict=False), SIX),
    ):
        for later in (0.0, 2.0, -2.0):
            yield (
                f"punch: {name}, {_ORDER[later]}",
                partial(_punch_row, homes, addresses, later),
            )
    yield "punch: IPv6, drop, 20 % loss", partial(_punch_lossy, *_both())
    for name, addresses in (("IPv4", FOUR), ("IPv6", SIX)):
        row = partial(_punch_elsewhere, _both(), addresses)
        yield f"punch: {name}, drop, where ICMP ends a dial", row
    yield "seconds: a table answers", table_found
    yield "seconds: router, asked", partial(router_asked, Home(1, asked=True))
    yield "seconds: router, deaf", partial(router_asked, Home(1))
    yield "newcomers on one network", newcomers_on_one_network
    yield (
        "newcomers, one paste",
        partial(seconds_to_the_first_card, Home(1, asked=True), Home(2), 1),
    )
    yield "newcomers, two pastes", partial(seconds_to_the_first_card, *_both(), 2)
    yield "newcomers, two pastes, full screen", partial(newcomers_at_full_screens, *_both())
    yield "friends call: IPv6, drop", partial(friends_again, *_both(), 2)
    homes = Home(1, asked=True, six=None), Home(2, six=None)
    yield "friends call: IPv4, NATs keep ports", partial(friends_again, *homes, 1)
    for kind in ("drop", "reset", "prohibit"):
        home, other = _both(six=kind)
        yield f"punched game, {kind}", partial(punched_game, home, other, then=to_the_end)
    yield "punched game, IPv4, both give addresses", partial(game_by_two_addresses, *FOURS)
    yield "punched game, guest killed", partial(punched_game, *_both(), then=after_a_kill)
    homes = Home(1, asked=True), Home(2, six=None, nat="random")
    yield "both resume, mapped port", partial(resumed_by_router, *homes)
    yield "router and guest start again", partial(goes_on_by_router, *homes)
    yield "both resume, IPv6 firewalls", partial(resumed_through_firewalls, *_both())
    homes = Home(1, six=None), Home(2, six=None, asked=True)
    yield "both resume, NATs keep ports", partial(resumed_through_firewalls, *homes)
    for seconds in (8, 55):
        yield (
            f"punched game, cut for {seconds} s",
            partial(punched_game, *_both(), then=with_a_cut(seconds), delay=0.1),
        )


_ORDER = {0.0: "together", 2.0: "guest 2 s later", -2.0: "host 2 s later"}


def _told_words(home: Home, folder: Path) -> str:
    fact, _ = told(home, folder)
    return f"IPv4 {fact['ipv4']}, IPv6 {fact['ipv6']}"


def _kinds_in_words(home: Home, folder: Path) -> str:
    return ", ".join(sorted(set(kinds_of_addresses(home, folder))))


def _punch_row(
    homes: tuple[Home, Home], addresses: tuple[str, str], later: float, folder: Path
) -> str:
    return punch(*homes, folder, addresses, later=later)


def _punch_elsewhere(homes: tuple[Home, Home], addresses: tuple[str, str], folder: Path) -> str:
    return punch(*homes, folder, addresses, system="elsewhere")


def _punch_lossy(first: Home, second: Home, folder: Path) -> str:
    return punch(first, second, folder, SIX, loss=0.2)
