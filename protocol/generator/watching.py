"""Vectors of watching: invites, the seats' words, messages of watchers (PEER#watching)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from ipaddress import ip_address

from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.wire.admission import parse_watch
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.watching import (
    MOST_ITEMS,
    Dismissal,
    decode_come,
    decode_dismissal,
    decode_sight,
)
from protocol.generator import three
from protocol.generator.primitives import verdict
from protocol.generator.vectors import Case, Vectors, seed
from tests.cheats.scene import played


def every() -> Iterator[Vectors]:
    """Yield the vector files of watching."""
    yield Vectors(
        "watch_invite",
        "Invites to watch, and the psk of the channel; that of an invite to play differs.",
        ("PEER#watching", "PEER#invite"),
        tuple(_invites()),
    )
    yield Vectors(
        "watch_words",
        "What seats of a game say about watching. check: of a refused statement, or null.",
        ("PEER#watching",),
        tuple(_words()),
    )
    yield Vectors(
        "watching",
        "What is said on the channel of a watcher. check: of what cannot be read, or null.",
        ("PEER#watching",),
        tuple(_said()),
    )


def _words() -> Iterator[Case]:
    of_three, of_two = three.played(), played("short")
    for file, scene in (("toy/first-0.matcha", of_three), ("accept/short.matcha", of_two)):
        rid = RosterId(scene.log[0].prev)
        keys = [hello.session_key for hello in scene.table.hellos]
        for name, seat, signer, body in _said_by_seats():
            secret = scene.players[signer].secrets.session
            statement = sign(b"matcha/v1/watch\0" + rid, body, secret)
            yield {
                "name": name,
                "file": file,
                "seat": seat,
                "statement": statement,
                "check": verdict(partial(parse_watch, rid=rid, keys=keys), statement),
            }


def _said_by_seats() -> tuple[tuple[str, int, int, Value], ...]:
    """Return words: a name, the author, the signer, and the body."""
    return (
        ("nobody may watch", 1, 1, [1, 0, 0, 0, 0, []]),
        ("a guest of a restarted program", 1, 1, [1, 1_800_000_000, 3, 0, 2, []]),
        ("a host without watchers", 0, 0, [0, 0, 0, 32, 1, []]),
        ("a host with two watchers", 0, 0, [0, 0, 7, 2, 2, ["Ann", "Bo"]]),
        ("more watchers than may watch", 0, 0, [0, 0, 8, 1, 1, ["Ann", "Bo"]]),
        ("more places than there can be", 0, 0, [0, 0, 8, 33, 1, []]),
        ("another sight than there is", 1, 1, [1, 0, 1, 0, 3, []]),
        ("a watcher whose name commands", 0, 0, [0, 0, 8, 3, 1, ["\x1b[2J"]]),
        ("no number", 1, 1, [1, 0, 0, 2, []]),
        ("the signature of another seat", 1, 0, [1, 0, 1, 0, 2, []]),
        ("a seat that nobody has", 3, 0, [3, 0, 0, 0, 2, []]),
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
        ("a watcher who has nothing", [token, "Ann", 0, 0]),
        ("a watcher who comes again", [token, "Ann", 17, 2]),
        ("more than a game can have", [token, "Ann", MOST_ITEMS + 1, 0]),
        ("a short token", [token[:15], "Ann", 0, 0]),
        ("no name", [token, "", 0, 0]),
        ("a name that commands", [token, "\x1b[2J", 0, 0]),
    )
    for name, value in come:
        yield _case(name, "COME", value, decode_come)
    for sight in range(4):
        yield _case(f"sight {sight}", "SIGHT", [sight], decode_sight)
    for why in (*(each.value for each in Dismissal), "SULK"):
        yield _case(why, "BYE", [why], decode_dismissal)


def _case(name: str, frame: str, value: Value, decode: Callable[[bytes], object]) -> Case:
    payload = pack(value)
    return {
        "name": name,
        "frame": frame,
        "payload": payload,
        "check": verdict(decode, payload),
    }
