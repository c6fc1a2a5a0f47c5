"""Cheats with records: rows 42, 43, 48 and 49."""

from collections.abc import Callable

from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.encoding import Value, pack
from tests.cheats.scene import Row, Scene, at, cheats, played, says, sign_body

DOMAIN = b"matcha/v1/rec\0"


def record(
    kind: str,
    data: Callable[[Scene], list[Value]],
    *,
    other: bool = False,
    gid: bytes | None = None,
    head: bytes | None = None,
    domain: bytes = DOMAIN,
) -> Callable[[Scene], bytes]:
    """State something, rightly signed by the seat; ``other``: in the other seat's name."""

    def make(scene: Scene) -> bytes:
        seat = 1 - scene.seat if other else scene.seat
        body = [kind, gid or scene.table.gid, seat, head or scene.log[-1].id, data(scene)]
        signed = sign_body(pack(body), scene.player.secrets.session, domain)
        return encode_frame(Frame(Kind.REC, signed))

    return make


def nothing(scene: Scene) -> list[Value]:
    return []


def key(x: Callable[[Scene], int]) -> Callable[[Scene], list[Value]]:
    return lambda scene: [x(scene).to_bytes(32, "little")]


def head_before_own(scene: Scene) -> bytes:
    """Return the head that the seat had seen before it said its last entry."""
    return next(entry.prev for entry in reversed(scene.log) if entry.seat == scene.seat)


def after_own_resignation(scene: Scene) -> bytes:
    """Show a resignation that was signed before the own last entry."""
    return record("RESIGN", nothing, head=head_before_own(scene))(scene)


def resigned_at_the_greeting(scene: Scene) -> bytes:
    return record("RESIGN", nothing, head=scene.log[1].id)(scene)


def announced(length: Callable[[Scene], int]) -> Callable[[Scene], bytes]:
    """Announce a chain of ``length`` entries that ends otherwise than this one."""
    return lambda scene: record(
        "SYNC", lambda _: [length(scene), H("link")], head=H("other head")
    )(scene)


def own_last(scene: Scene) -> int:
    return next(e.seq for e in reversed(scene.log) if e.seat == scene.seat) + 1


def ended() -> Scene:
    return played("short")


PLAYING = at(says("PLAY"))

CHEATS = cheats(
    {
        Row(42, Check.RECORD, PLAYING, attributed=False): {
            "signed for the other seat": record("RESIGN", nothing, other=True),
            "a resignation of another game": record("RESIGN", nothing, gid=H("some game")),
            "a resignation signed as a message": record(
                "RESIGN", nothing, domain=b"matcha/v1/msg\0"
            ),
            "a resignation with data": record("RESIGN", lambda _: [0]),
            "an unknown kind": record("BOAST", nothing),
            "an unknown check": record("ABORT", lambda _: ["E_MAIL", H("entry")]),
            "a head never seen": record("RESIGN", nothing, head=H("some entry")),
            "a SYNC of one entry": record("SYNC", lambda _: [1, H("link")]),
            "a SYNC of 65537 entries": record("SYNC", lambda _: [65537, H("link")]),
            "a SYNC of a short link": record("SYNC", lambda _: [2, H("link")[1:]]),
            "a SYNC without a link": record("SYNC", lambda _: [2]),
            "a SYNC for the other seat": record("SYNC", lambda _: [2, H("link")], other=True),
        },
        Row(48, Check.RESIGN, PLAYING): {
            "an entry after the own resignation": after_own_resignation,
            "a whole game after it": resigned_at_the_greeting,
        },
        Row(48, Check.RESIGN, ended): {
            "a game decided after it": after_own_resignation,
        },
        Row(49, Check.SYNC, PLAYING): {
            "another last entry of its own": announced(own_last),
            "another chain long ago": announced(lambda _: 2),
        },
        Row(43, Check.EXPOSE, ended): {
            "x + 1": record("EXPOSE", key(lambda scene: (scene.player.x + 1) % ORDER)),
            "x of the other seat": record("EXPOSE", key(lambda scene: scene.peer.x)),
            "x = 0": record("EXPOSE", key(lambda _: 0)),
        },
        Row(43, Check.SCALAR, ended, attributed=False): {
            "x + l": record("EXPOSE", key(lambda scene: scene.player.x + ORDER)),
        },
    }
)
