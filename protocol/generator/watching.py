"""Vectors of watching: invites to watch, and messages of watchers and hosts (SPEC#watching)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from ipaddress import ip_address

from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.watching import (
    MOST_ITEMS,
    Dismissal,
    decode_come,
    decode_dismissal,
    decode_sight,
)
from protocol.generator.primitives import verdict
from protocol.generator.vectors import Case, Vectors, seed


def every() -> Iterator[Vectors]:
    """Yield the vector files of watching."""
    yield Vectors(
        "watch_invite",
        "Invites to watch, and the psk of the channel; that of an invite to play differs.",
        ("watching", "invite"),
        tuple(_invites()),
    )
    yield Vectors(
        "watching",
        "What is said on the channel of a watcher. check: of what cannot be read, or null.",
        ("watching",),
        tuple(_said()),
    )


def _invites() -> Iterator[Case]:
    places = ("192.0.2.1", "2001:db8::1")
    for count in (1, 2):
        endpoints = tuple(Endpoint(ip_address(each), 4718) for each in places[:count])
        secret = seed(f"watch {count}", 16)
        invite = Invite(endpoints, secret, kind=InviteKind.WATCH)
        yield {
            "text": invite.encode(),
            "endpoints": [str(each) for each in endpoints],
            "secret": secret,
            "psk": invite.psk,
            "psk to play": replace(invite, kind=InviteKind.PLAY).psk,
        }


def _said() -> Iterator[Case]:
    token = seed("watcher", 16)
    come: tuple[tuple[str, Value], ...] = (
        ("a watcher who has nothing", ["COME", token, "Ann", 0, 0]),
        ("a watcher who comes again", ["COME", token, "Ann", 17, 2]),
        ("more than a game can have", ["COME", token, "Ann", MOST_ITEMS + 1, 0]),
        ("a short token", ["COME", token[:15], "Ann", 0, 0]),
        ("no name", ["COME", token, "", 0, 0]),
        ("a name that commands", ["COME", token, "\x1b[2J", 0, 0]),
    )
    for name, value in come:
        yield _case(name, "CHAT of a watcher", value, decode_come)
    for sight in range(4):
        yield _case(f"sight {sight}", "CHAT of the host", ["SIGHT", sight], decode_sight)
    for why in (*(each.value for each in Dismissal), "SULK"):
        yield _case(why, "BYE of the host", [why], decode_dismissal)


def _case(name: str, frame: str, value: Value, decode: Callable[[bytes], object]) -> Case:
    payload = pack(value)
    return {
        "name": name,
        "frame": frame,
        "payload": payload,
        "check": verdict(decode, payload),
    }
