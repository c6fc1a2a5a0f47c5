"""Vectors of rules digests, state digests, entries, records and SYNC (SPEC 2 and 11 to 15)."""

from collections.abc import Iterator
from itertools import product

from matcha_p2p.machine.opening import rules_digest
from matcha_p2p.machine.table import Table, state_digest
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.rules.snapshot import snapshot
from matcha_p2p.transcript.entry import Entry
from matcha_p2p.transcript.record import Record
from matcha_p2p.transcript.sync import sign_sync
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.records import encode_statement
from protocol.generator.games import Golden
from protocol.generator.vectors import Case, Vectors, seed
from tests.cheats.scene import played


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
        seen: set[str] = set()
        for number, state in enumerate(scene.states[1:]):
            if not isinstance(state, Table) or not state.coins:
                continue
            value = snapshot(state.game)
            phase = str(value[9][0]) + str(value[1]) + str(len(value[5]))
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
    table, binding = scene.table, seed("sync binding")
    guest, host = (scene.players[seat].secrets.session for seat in (1, 0))
    right = sign_sync(table.gid, 2, table.head, binding, guest)
    other = seed("other")
    cases: dict[str, tuple[bytes, str | None]] = {
        "as far as seat 0": (right, None),
        "further than seat 0": (sign_sync(table.gid, 9, other, binding, guest), None),
        "gone another way": (sign_sync(table.gid, 2, other, binding, guest), None),
        "of another channel": (sign_sync(table.gid, 2, table.head, other, guest), "E_SIG"),
        "by seat 0": (sign_sync(table.gid, 2, table.head, binding, host), "E_SIG"),
        "of another game": (sign_sync(other, 2, table.head, binding, guest), "E_RESUME"),
        "of no entries": (sign_sync(table.gid, 0, bytes(32), binding, guest), "E_RESUME"),
        "of one entry": (
            sign_sync(table.gid, 1, scene.log[0].id, binding, guest),
            "E_RESUME",
        ),
        "without a signature": (pack([right]), "E_ENCODING"),
        "a byte more": (right + b"\0", "E_ENCODING"),
        "a short head": (sign_sync(table.gid, 2, b"head", binding, guest), "E_ENCODING"),
        "too long": (pack([bytes(16300), bytes(100)]), "E_LIMIT"),
    }
    for name, (payload, check) in cases.items():
        shown = {"name": name, "binding": binding}
        if len(payload) > 1000:
            yield {**shown, "zeros": [16300, 100], "check": check}
        else:
            yield {**shown, "payload": payload, "check": check}
