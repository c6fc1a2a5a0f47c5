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
    kind: Value,
    data: Callable[[Scene], Value],
    *,
    seat: int | None = None,
    gid: bytes | None = None,
    head: bytes | str | None = None,
    domain: bytes = DOMAIN,
) -> Callable[[Scene], bytes]:
    """State something, rightly signed by the seat of the scene, in the name of ``seat``."""

    def make(scene: Scene) -> bytes:
        author = scene.seat if seat is None else seat
        body: list[Value] = [
            kind,
            gid or scene.table.gid,
            author,
            head or scene.log[-1].id,
            data(scene),
        ]
        signed = sign_body(pack(body), scene.player.secrets.session, domain)
        return encode_frame(Frame(Kind.REC, signed))

    return make


def of_body(change: Callable[[list[Value]], Value]) -> Callable[[Scene], bytes]:
    """State a resignation whose body has not the form of one."""

    def make(scene: Scene) -> bytes:
        body: list[Value] = ["RESIGN", scene.table.gid, scene.seat, scene.log[-1].id, []]
        signed = sign_body(pack(change(body)), scene.player.secrets.session, DOMAIN)
        return encode_frame(Frame(Kind.REC, signed))

    return make


def of_bytes(data: bytes) -> Callable[[Scene], bytes]:
    """Claim what no encoding allows."""

    def make(scene: Scene) -> bytes:
        body = pack(["CLAIM", scene.table.gid, scene.seat, scene.log[-1].id, []])
        signed = sign_body(body[:-1] + data, scene.player.secrets.session, DOMAIN)
        return encode_frame(Frame(Kind.REC, signed))

    return make


def unsigned(make: Callable[[Scene], bytes]) -> Callable[[Scene], bytes]:
    """Change a bit of the signature as well, which is checked later."""

    def spoilt(scene: Scene) -> bytes:
        frame = make(scene)
        return frame[:-1] + bytes([frame[-1] ^ 1])

    return spoilt


def nothing(scene: Scene) -> list[Value]:
    return []


def key(x: Callable[[Scene], int]) -> Callable[[Scene], list[Value]]:
    return lambda scene: [x(scene).to_bytes(32, "little")]


def _x(scene: Scene) -> int:
    return scene.player.x


def head_before_own(scene: Scene) -> bytes:
    """Return the head that the seat had seen before it said its last entry."""
    return next(entry.prev for entry in reversed(scene.log) if entry.seat == scene.seat)


def offering(_: Scene) -> list[Value]:
    """Return the data of an offer to resign with the partner."""
    return [b""]


def agreeing(_: Scene) -> list[Value]:
    """Return the data of a resignation that agrees to an offer, which nobody has made."""
    return [H("offer")]


def after_own_resignation(scene: Scene) -> bytes:
    """Show a resignation that was signed before the own last entry."""
    return record("RESIGN", nothing, head=head_before_own(scene))(scene)


def resigned_at_the_greeting(scene: Scene) -> bytes:
    return record("RESIGN", nothing, head=scene.log[1].id)(scene)


def announced(length: Callable[[Scene], int]) -> Callable[[Scene], bytes]:
    """Announce a chain of ``length`` entries that ends otherwise than this one."""
    return lambda scene: record(
        "SYNC", lambda _: [length(scene), H("link"), 0], head=H("other head")
    )(scene)


def own_last(scene: Scene) -> int:
    return next(e.seq for e in reversed(scene.log) if e.seat == scene.seat) + 1


def ended() -> Scene:
    return played("short")


PLAYING = at(says("MOVE lay", seat=1))

CHEATS = cheats(
    {
        Row(42, Check.RECORD, PLAYING, attributed=False): {
            "signed for the other seat": record("RESIGN", nothing, seat=0),
            "a resignation of another game": record("RESIGN", nothing, gid=H("some game")),
            "a resignation signed as a message": record(
                "RESIGN", nothing, domain=b"matcha/v1/msg\0"
            ),
            "a resignation with data": record("RESIGN", lambda _: [0]),
            "an offer to a partner": record("RESIGN", offering),
            "a resignation with a partner": record("RESIGN", agreeing),
            "an offer with a field more": record("RESIGN", lambda s: [*offering(s), 0]),
            "a resignation with a partner and a field more": record(
                "RESIGN", lambda s: [*agreeing(s), 0]
            ),
            "a record of seat 2": record("RESIGN", nothing, seat=2),
            "a gid of 31 bytes": record("RESIGN", nothing, gid=bytes(31)),
            "a head of 31 bytes": record("RESIGN", nothing, head=bytes(31)),
            "a gid of 31 bytes, and x of 31": record(
                "EXPOSE", lambda _: [bytes(31)], gid=bytes(31)
            ),
            "gid, head and x of 31 bytes": record(
                "EXPOSE", lambda _: [bytes(31)], gid=bytes(31), head=bytes(31)
            ),
            "a gid that is a number": of_body(lambda body: [body[0], 0, *body[2:]]),
            "a seat in words": of_body(lambda body: [*body[:2], "one", *body[3:]]),
            "a kind that is a number": record(0, nothing),
            "data that are no array": record("RESIGN", lambda _: 0),
            "a body with a field more": of_body(lambda body: [*body, 0]),
            "a body with a field less": of_body(lambda body: body[:-1]),
            "a body that is no array": of_body(lambda _: 0),
            "a claim of one number": record("CLAIM", lambda _: [90]),
            "a claim with text": record("CLAIM", lambda _: ["90", 0]),
            "a claim at a time in words": record("CLAIM", lambda _: [90, "noon"]),
            "an ABORT without an offender": record("ABORT", lambda _: ["E_SIG"]),
            "an ABORT by a number": record("ABORT", lambda _: [4, H("entry")]),
            "an ABORT of a short offender": record("ABORT", lambda _: ["E_SIG", bytes(31)]),
            "an ABORT of an offender in words": record("ABORT", lambda _: ["E_SIG", "entry"]),
            "an EXPOSE of nothing": record("EXPOSE", nothing),
            "an EXPOSE in words": record("EXPOSE", lambda _: ["x"]),
            "a SYNC in words": record("SYNC", lambda _: ["2", H("link"), 0]),
            "a SYNC of a link in words": record("SYNC", lambda _: [2, "link", 0]),
            "an unknown kind": record("BOAST", nothing),
            "an unknown kind with two numbers": record("BOAST", lambda _: [90, 0]),
            "an unknown kind with a check": record("BOAST", lambda _: ["E_SIG", H("entry")]),
            "an unknown kind with a key": record("BOAST", key(lambda s: s.player.x)),
            "an unknown kind with a length": record("BOAST", lambda _: [2, H("link"), 0]),
            "a claim of three numbers": record("CLAIM", lambda _: [90, 0, 0]),
            "an ABORT by an array": record("ABORT", lambda _: [[], H("entry")]),
            "an ABORT of 32 letters": record("ABORT", lambda _: ["E_SIG", "x" * 32]),
            "an ABORT of two": record("ABORT", lambda _: ["E_SIG", H("entry"), H("entry")]),
            "an EXPOSE of two keys": record("EXPOSE", lambda s: key(_x)(s) * 2),
            "a SYNC of 32 letters": record("SYNC", lambda _: [2, "x" * 32, 0]),
            "a SYNC of two links": record("SYNC", lambda _: [2, H("link"), H("link")]),
            "a SYNC of two resignations": record("SYNC", lambda _: [2, H("link"), 2]),
            "a SYNC of a resignation in words": record("SYNC", lambda _: [2, H("link"), "1"]),
            "a SYNC with a field more": record("SYNC", lambda _: [2, H("link"), 0, 0]),
            "a SYNC with a field less": record("SYNC", lambda _: [2, H("link")]),
            "a SYNC of a head of 31 bytes": record(
                "SYNC", lambda _: [9, H("link"), 0], head=bytes(31)
            ),
            "a SYNC of a head in words": record(
                "SYNC", lambda _: [9, H("link"), 0], head="x" * 32
            ),
            "a resignation with a byte for an array": record("RESIGN", lambda _: b""),
            "an unknown check": record("ABORT", lambda _: ["E_MAIL", H("entry")]),
            "a head never seen": record("RESIGN", nothing, head=H("some entry")),
            "a SYNC of one entry": record("SYNC", lambda _: [1, H("link"), 0]),
            "a SYNC of 65537 entries": record("SYNC", lambda _: [65537, H("link"), 0]),
            "a SYNC of a short link": record("SYNC", lambda _: [2, H("link")[1:], 0]),
            "a SYNC without a link": record("SYNC", lambda _: [2]),
            "a SYNC for the other seat": record("SYNC", lambda _: [2, H("link"), 0], seat=0),
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
        Row(2, Check.ENCODING, PLAYING, attributed=False): {
            "a claim of 2^53 seconds": of_bytes(b"\x92\xcf" + (2**53).to_bytes(8) + b"\x00"),
        },
        Row(43, Check.SCALAR, PLAYING, attributed=False): {
            "x of 31 bytes, not signed": unsigned(record("EXPOSE", lambda _: [bytes(31)])),
        },
        Row(43, Check.SCALAR, ended, attributed=False): {
            "x + l": record("EXPOSE", key(lambda scene: scene.player.x + ORDER)),
        },
    }
)
