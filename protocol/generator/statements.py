"""Vectors of rules digests, state digests, entries, records and SYNC (SPEC 2 and 11 to 15)."""

from collections.abc import Iterator
from itertools import product

from matcha_p2p.machine.opening import rules_digest
from matcha_p2p.machine.table import Table, state_digest
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.rules.seats import SEATS
from matcha_p2p.rules.snapshot import snapshot
from matcha_p2p.transcript.entry import Entry
from matcha_p2p.transcript.record import Record, sign_record
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.records import MOST_LENGTH, Resign, encode_statement
from protocol.generator.games import Golden
from protocol.generator.vectors import Case, Vectors, seed
from tests.cheats.scene import played, sign_body


def every(goldens: tuple[Golden, ...]) -> Iterator[Vectors]:
    """Yield the vector files of this module; entries and records are those of ``goldens``."""
    yield Vectors(
        "rules",
        "The values of each edition and the digest of its rules.",
        ("rules", "game-end"),
        tuple(_rules()),
    )
    yield Vectors(
        "state",
        "State arrays after entries of accepted games, their encodings and digests.",
        ("snapshot", "state"),
        tuple(_states()),
    )
    yield Vectors(
        "entries",
        "The first message of each form in the accepted games. fields: of each action.",
        ("entries", "messages"),
        tuple(_entries(goldens)),
    )
    yield Vectors(
        "records",
        "One record of each kind.",
        ("records",),
        tuple(_records(goldens)),
    )
    yield Vectors(
        "sync",
        "What seat 0 reports of a SYNC by seat 1, when both have the game named.matcha.",
        ("resume",),
        tuple(_syncs()),
    )


def _rules() -> Iterator[Case]:
    for edition, drawn in product(EDITIONS.values(), (True, False)):
        values: list[Value] = [
            edition.name,
            edition.suits_alike,
            edition.whisks_alike,
            edition.turns or 0,
            int(edition.keeps),
            edition.sets or 0,
            int(edition.further_rounds),
            *([] if drawn else [0]),
        ]
        digest = rules_digest(edition, drawn=drawn)
        yield {"rules": values, "pack": pack(values), "digest": digest}


def _states() -> Iterator[Case]:
    """Yield the first state in each phase of both editions, and the last one."""
    yield {"file": None, "entry": None, "state": [], "pack": pack([]), "digest": _nothing_yet()}
    for game in ("hoarding", "short", "passing"):
        scene = played(game)
        seen: set[tuple[type, int, int]] = set()
        for number, state in enumerate(scene.states[1:]):
            if not isinstance(state, Table) or not state.coins:
                continue
            value = snapshot(state.game)
            phase = (type(state.game.phase), state.game.number, len(state.game.rounds))
            if phase in seen:
                continue
            seen.add(phase)
            yield {
                "file": f"{game}.matcha",
                "entry": number,
                "state": value,
                "pack": pack(value),
                "digest": state_digest(state),
            }


def _nothing_yet() -> bytes:
    return state_digest(played("short").states[0])


def _entries(goldens: tuple[Golden, ...]) -> Iterator[Case]:
    seen: set[tuple[str, ...]] = set()
    for golden in goldens:
        for number, entry in enumerate(golden.entries):
            form = tuple(_name(action) for action in entry.fields)
            if form not in seen:
                seen.add(form)
                yield _entry(golden, number, entry)


def _name(action: Value) -> str:
    match action:
        case [str(name), *_]:
            return name
        case _:
            raise TypeError("no action")


def _entry(golden: Golden, number: int, entry: Entry) -> Case:
    return {
        "file": f"{golden.name}.matcha",
        "entry": number,
        "seq": entry.seq,
        "seat": entry.seat,
        "prev": entry.prev,
        "st": entry.state,
        "actions": entry.fields,
        "body": entry.signed.body,
        "signature": entry.signed.signature,
        "id": entry.id,
    }


def _records(goldens: tuple[Golden, ...]) -> Iterator[Case]:
    seen: set[str] = set()
    for golden in goldens:
        for number, record in enumerate(golden.records):
            kind, data = encode_statement(record.statement)
            if kind not in seen:
                seen.add(kind)
                yield _record(golden, len(golden.entries) + number, record, kind, data)


def _record(golden: Golden, item: int, record: Record, kind: str, data: Value) -> Case:
    return {
        "file": f"{golden.name}.matcha",
        "item": item,
        "kind": kind,
        "gid": record.gid,
        "seat": record.seat,
        "head": record.head,
        "data": data,
        "record": record.encoded,
    }


def _syncs() -> Iterator[Case]:
    scene = played("named")
    table, binding, other = scene.table, seed("sync binding"), seed("other")

    def sync(
        length: int = 2,
        head: bytes = table.head,
        bound: bytes = binding,
        author: int = 1,
        gid: bytes = table.gid,
        said: tuple[Value, ...] = (0,),
    ) -> bytes:
        body = pack(["SYNC", gid, author, head, [length, bound, *said]])
        return sign_body(body, scene.players[author].secrets.session, b"matcha/v1/rec\0")

    session = scene.players[1].secrets.session
    resigned = sign_record(table.gid, SEATS[1], table.head, Resign(), session).encoded
    cases: dict[str, tuple[bytes, str | None]] = {
        "as far as seat 0": (sync(), None),
        "further than seat 0": (sync(length=9, head=other), None),
        "as far as can be": (sync(length=MOST_LENGTH, head=other), None),
        "with a resignation of seat 0": (sync(said=(1,)), None),
        "gone another way, where it has signed": (sync(head=other), "E_SYNC"),
        "of another channel": (sync(bound=other), "E_RECORD"),
        "by seat 0": (sync(author=0), "E_RECORD"),
        "of another game": (sync(gid=other), "E_RECORD"),
        "of no entries": (sync(length=0), "E_RECORD"),
        "of one entry": (sync(length=1, head=scene.log[0].id), "E_RECORD"),
        "further than can be": (sync(length=MOST_LENGTH + 1, head=other), "E_RECORD"),
        "a short binding": (sync(bound=binding[1:]), "E_RECORD"),
        "without a word of a resignation": (sync(said=()), "E_RECORD"),
        "with more than a word of it": (sync(said=(1, 0)), "E_RECORD"),
        "two resignations": (sync(said=(2,)), "E_RECORD"),
        "another record": (resigned, "E_RECORD"),
        "without a signature": (pack([sync()]), "E_ENCODING"),
        "a byte more": (sync() + b"\0", "E_ENCODING"),
        "too long": (pack([bytes(16300), bytes(100)]), "E_LIMIT"),
    }
    for name, (payload, check) in cases.items():
        shown = {"name": name, "binding": binding}
        if len(payload) > 1000:
            yield {**shown, "zeros": [16300, 100], "check": check}
        else:
            yield {**shown, "payload": payload, "check": check}
