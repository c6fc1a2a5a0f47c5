"""Vectors of rules digests, state digests, entries, records and SYNC."""

from collections.abc import Iterator, Sequence
from itertools import product

from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table.game import TableGame
from matcha_p2p.table.greeting import rules_digest
from matcha_p2p.table.piles import Card
from matcha_p2p.table.table import Table, game_digest, state_tag
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.statements import MOST_LENGTH, Resign, encode_statement
from protocol.generator.games import Golden
from protocol.generator.vectors import TOY, Case, Vectors, seed
from tests.cheats.scene import played, sign_body


def every(goldens: tuple[Golden, ...]) -> Iterator[Vectors]:
    """Yield the vector files of statements; entries and records come from ``goldens``."""
    yield Vectors(
        "rules",
        "What is digested of the rules of each game and variant.",
        ("SPEC#rules", "SPEC#matcha-rules"),
        tuple(_rules()),
    )
    yield Vectors(
        "state",
        "What `st` is made of after entries of accepted games. shares: which are there.",
        ("SPEC#state", "SPEC#matcha-state"),
        tuple(_states()),
    )
    yield Vectors(
        "entries",
        "The first message of each form in the accepted games. fields: of each action.",
        ("SPEC#entries", "SPEC#messages"),
        tuple(_entries(goldens)),
    )
    yield Vectors(
        "records",
        "One record of each kind.",
        ("SPEC#records",),
        tuple(_records(goldens)),
    )
    yield Vectors(
        "sync",
        "What seat 0 reports of a SYNC by seat 1, when both have the game named.matcha.",
        ("PEER#resume",),
        tuple(_syncs()),
    )


def _rules() -> Iterator[Case]:
    variants = product(EDITIONS.values(), (None, *SEATS))
    games: list[TableGame] = [begin(*variant) for variant in variants]
    for game in (*games, TOY):
        values: Value = [game.name, game.variant, game.seats, game.rules()]
        yield {"rules": values, "pack": pack(values), "digest": rules_digest(game)}


def _states() -> Iterator[Case]:
    """Yield the first state in each phase of both editions, and the last state."""
    yield {"file": None, "entry": None, "st": state_tag(played("short").states[0])}
    for game in ("hoarding", "short", "passing"):
        seen: set[tuple[object, ...]] = set()
        for number, state in enumerate(played(game).states[1:]):
            if not isinstance(state, Table) or not state.coins:
                continue
            rules = game_of(state)
            phase = (type(rules.phase), type(state.step), len(rules.rounds))
            if phase not in seen:
                seen.add(phase)
                yield _state(f"{game}.matcha", number, state)


def _state(file: str, entry: int, table: Table) -> Case:
    value = table.game.snapshot()
    return {
        "file": file,
        "entry": entry,
        "state": value,
        "pack": pack(value),
        "digest": game_digest(table.game),
        "owing": [[seat, verb.value] for seat, verb in table.owing],
        "piles": [_pile(name, table.piles[name]) for name in sorted(table.piles)],
        "st": state_tag(table),
    }


def _pile(name: str, cards: Sequence[Card]) -> Case:
    there = (share is not None for card in cards for share in card.shares)
    return {"name": name, "backs": [card.back for card in cards], "shares": bytes(there)}


def _entries(goldens: tuple[Golden, ...]) -> Iterator[Case]:
    seen: set[tuple[str, ...]] = set()
    for golden in goldens:
        for number, entry in enumerate(golden.entries):
            form = tuple(_name(action) for action in entry.fields)
            if form not in seen:
                seen.add(form)
                yield _entry(golden, number, entry)


def _name(action: Value) -> str:
    """Return the verb of an action, and the name of a move."""
    match action:
        case [*fields] if "HELLO" not in fields:
            return " ".join(field for field in fields if isinstance(field, str))
        case _:
            return "HELLO"


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
