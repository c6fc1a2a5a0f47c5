"""Vectors of ASK and HERE, the words after a restart, here at a table of three."""

from collections.abc import Iterator

from matcha_p2p.crypto.signature import public_key
from matcha_p2p.seats import Seat
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.names import EntryId, GameId, RosterId
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.statements import Abort, Resign, Sync
from protocol.generator.vectors import Case, Vectors, seed

SEEDS = tuple(seed(f"session of seat {seat}") for seat in range(3))
RID, NONCE = RosterId(seed("rid")), seed("nonce")
ASK, HERE = b"matcha/v1/ask\0", b"matcha/v1/here\0"


def every() -> Iterator[Vectors]:
    """Yield the vector file of both words."""
    yield Vectors(
        "words",
        "ASKs and HEREs at the table rid, whose seats have the session keys.",
        ("PEER#asking",),
        (*_asks(), *_heres()),
    )


def _case(kind: str, name: str, payload: bytes, check: str | None) -> Case:
    return {
        "name": f"{kind}: {name}",
        "kind": kind,
        "rid": RID,
        "keys": [public_key(key) for key in SEEDS],
        "payload": payload,
        "check": check,
    }


def _asks() -> Iterator[Case]:
    body: list[Value] = [1, 1_790_000_000, 0, NONCE]
    good = sign(ASK + RID, body, SEEDS[1])
    cases = {
        "first": (good, None),
        "again": (sign(ASK + RID, [1, 1_790_000_000, 3, NONCE], SEEDS[1]), None),
        "by another seat": (sign(ASK + RID, body, SEEDS[2]), "E_SIG"),
        "of another table": (sign(ASK + seed("other"), body, SEEDS[1]), "E_SIG"),
        "a HERE's prefix": (sign(HERE + RID, body, SEEDS[1]), "E_SIG"),
        "of a seat that nobody has": (sign(ASK + RID, [3, *body[1:]], SEEDS[1]), "E_SIG"),
        "of seat 4": (sign(ASK + RID, [4, *body[1:]], SEEDS[1]), "E_ENCODING"),
        "a short nonce": (sign(ASK + RID, [*body[:3], NONCE[1:]], SEEDS[1]), "E_ENCODING"),
        "a negative run": (sign(ASK + RID, [1, -1, 0, NONCE], SEEDS[1]), "E_ENCODING"),
        "no attempt": (sign(ASK + RID, [1, 7, NONCE], SEEDS[1]), "E_ENCODING"),
        "a byte more": (good + b"\0", "E_ENCODING"),
    }
    for name, (payload, check) in cases.items():
        yield _case("ASK", name, payload, check)


def _heres() -> Iterator[Case]:
    gid, head = GameId(seed("gid")), EntryId(seed("head"))

    def entry(seat: int, signer: int) -> bytes:
        said: list[Value] = [["MOVE", ["x", 1]]]
        return sign_entry(9, Seat(seat), head, bytes(16), said, SEEDS[signer]).encoded

    def resign(seat: int, signer: int) -> bytes:
        return sign_record(gid, Seat(seat), head, Resign(), SEEDS[signer]).encoded

    announced = Sync(9, Binding(bytes(32)), resigned=False)
    sync = sign_record(gid, Seat(1), head, announced, SEEDS[1]).encoded
    abort = sign_record(gid, Seat(1), head, Abort("E_STATE", head), SEEDS[1]).encoded

    def here(
        last: bytes = b"", given: bytes = b"", author: int = 2, domain: bytes = HERE + RID
    ) -> bytes:
        return sign(domain, [author, 1, 1_790_000_000, 0, NONCE, 0, last, given], SEEDS[2])

    cases = {
        "nothing held": (here(), None),
        "an entry held": (here(entry(1, 1)), None),
        "an entry and a resignation held": (here(entry(1, 1), resign(1, 1)), None),
        "an announcement held": (here(entry(1, 1), sync), None),
        "an entry of another seat": (here(entry(0, 0)), "E_SIG"),
        "an entry that the asker has not signed": (here(entry(1, 2)), "E_SIG"),
        "a resignation of another seat": (here(given=resign(0, 0)), "E_SIG"),
        "a resignation that the asker has not signed": (here(given=resign(1, 2)), "E_SIG"),
        "another record": (here(given=abort), "E_SIG"),
        "unreadable bytes for an entry": (here(b"x"), "E_SIG"),
        "by another seat": (here(author=0), "E_SIG"),
        "of another table": (here(domain=HERE + seed("other")), "E_SIG"),
        "an ASK's prefix": (here(domain=ASK + RID), "E_SIG"),
        "of seat 4": (here(author=4), "E_ENCODING"),
        "an entry as text": (
            sign(HERE + RID, [2, 1, 7, 0, NONCE, 0, "", b""], SEEDS[2]),
            "E_ENCODING",
        ),
        "a field more": (
            sign(HERE + RID, [2, 1, 7, 0, NONCE, 0, b"", b"", 0], SEEDS[2]),
            "E_ENCODING",
        ),
    }
    for name, (payload, check) in cases.items():
        yield _case("HERE", name, payload, check)
