"""Cheats with records: rows 42 and 43."""

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
