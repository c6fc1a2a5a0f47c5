"""Several files of one game, possibly convicting a seat together (SPEC#comparing)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.compare import contradictions, copy_of
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.table.seat import Offer, greet, state_record, take_seat
from matcha_p2p.table.table import Greetings
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record
from matcha_p2p.wire.statements import Resign, Sync
from protocol.generator.games import GUEST, HOST, Golden, announcer, link, stater
from protocol.generator.vectors import Case, Vectors, seed
from tests.cheats.scene import parted, passing, played
from tests.duel import next_entry


def every(goldens: tuple[Golden, ...]) -> Iterator[Vectors]:
    """Yield the vector file of comparing."""
    yield Vectors(
        "compare",
        "Files (see reject/), and the seats that those of one game convict, in any order.",
        ("SPEC#comparing",),
        tuple(_cases({golden.name: golden for golden in goldens})),
    )


def _cases(goldens: dict[str, Golden]) -> Iterator[Case]:
    for name, files in (_copies(goldens) | _contradictions(goldens["short"])).items():
        yield {"name": name, "files": files, "expect": _expected(goldens, files)}


def _copies(goldens: dict[str, Golden]) -> dict[str, list[Case]]:
    """Return copies of whole games, and of beginnings with records."""
    whole = {name: _file(golden, len(golden.encoded), b"") for name, golden in goldens.items()}
    short = whole["short"]
    spoilt = _file(goldens["resigned"], len(goldens["resigned"].encoded), b"\0\0")
    return {
        "the same file twice": [short, short],
        "a whole game, and copies of its beginning": [
            short,
            whole["unfinished"],
            whole["dealt"],
        ],
        "copies that have only the greeting of seat 0": [whole["one-greeting"]] * 2,
        "greetings of seat 0 in two games": [
            whole["one-greeting"],
            _copy(goldens["long"], 1),
        ],
        "files without an entry": [whole["nothing-said"]] * 2,
        "two games": [short, whole["hoarding"]],
        "a game, and a copy in which its loser resigned long before": [
            short,
            whole["resigned"],
        ],
        "the copy first, and another game between": [whole["resigned"], whole["long"], short],
        "a copy of two entries, after which a seat resigned": [
            whole["resigned-at-once"],
            whole["unfinished"],
        ],
        "a copy that is not what a seat has announced": [whole["announced"], short],
        "a copy with a resignation, damaged behind it": [spoilt, short],
        "a resignation that crossed the end": [whole["resigned-late"], whole["unfinished"]],
        "seat 1 has begun two games under one roster": [
            short,
            _copy(goldens["short"], 1, _greeted_again()),
        ],
    }


def _greeted_again() -> Entry:
    """Return another HELLO of seat 1, with other keys."""
    scene = played("short")
    state, player = scene.states[1], scene.players[GUEST]
    if not isinstance(state, Greetings):
        raise TypeError("all seats have greeted")
    secrets = replace(player.secrets, game=seed("another game secret"))
    again = take_seat(GUEST, state.head, secrets)
    return greet(again, state, Offer(scene.table.game, "Taro"))


def _contradictions(short: Golden) -> dict[str, list[Case]]:
    """Return copies of one game with different entries at a place.

    From entry 5 on seat 0 speaks at odd places and seat 1 at even places.
    """

    def copy(end: int, *items: Entry | Record) -> Case:
        return _copy(short, end, *items)

    def other(*places: int, on: int = 0) -> list[Entry]:
        """Return the entries from the first of ``places`` on where a seat decides otherwise."""
        duel = parted("short", *places)
        for _ in range(on):
            entry = next_entry(duel, (passing, passing))
            if entry is not None:
                duel.say(entry)
        return duel.entries[places[0] :]

    state, announce = stater("short"), announcer("short")
    whole = copy(len(short.entries))
    by_host, by_guest = copy(5, *other(5)), copy(6, *other(6))
    on_other_way = copy(5, *other(5, on=1))
    host_resigned, later = copy(5, state(HOST, 5, Resign())), copy(7, state(HOST, 7, Resign()))
    guest_resigned = copy(6, state(GUEST, 6, Resign()))
    there = parted("short", 5)
    resigned_there = state_record(there.players[GUEST], there.table, Resign())
    fork = {"A": whole, "B": by_guest, "C": by_host}
    return {
        "two copies that go different ways": [whole, copy(7, *other(7))],
        "two copies that go different ways, the longer one last": [copy(7, *other(7)), whole],
        "both ways at once": [later, copy(7, *other(7)), whole],
        **{
            f"both seats go different ways, each somewhere else: {' '.join(order)}": [
                fork[name] for name in order
            ]
            for order in permutations(fork)
        },
        "a seat goes another way, and behind it the other seat": [
            whole,
            on_other_way,
            copy(5, *other(5, 6)),
        ],
        "a seat goes another way, the other has resigned and goes on": [
            by_host,
            guest_resigned,
            whole,
        ],
        "a seat goes another way, on which the other has resigned and goes on": [
            whole,
            copy(5, *other(5), resigned_there),
            on_other_way,
        ],
        "a seat goes another way, on which the other speaks, having resigned on the first": [
            guest_resigned,
            on_other_way,
        ],
        "a seat goes another way, on which the other speaks, having announced the first": [
            copy(6, state(GUEST, 6, Sync(6, link()))),
            on_other_way,
        ],
        "a seat resigns, goes on, and then goes different ways": [
            host_resigned,
            whole,
            copy(7, *other(7)),
        ],
        "a seat goes different ways, then resigns and goes on": [later, by_host, whole],
        "a seat goes different ways where it has resigned": [host_resigned, by_host, whole],
        "an entry that a resignation excludes, and an announcement": [
            copy(5, announce(HOST, 6)),
            host_resigned,
            whole,
        ],
        "a seat has announced another signature under the result": [
            copy(len(short.entries) - 1, announce(GUEST, len(short.entries))),
            whole,
        ],
        "a seat has announced another chain, and resigned later": [
            copy(5, announce(HOST, 6)),
            later,
            whole,
        ],
    }


def _expected(goldens: dict[str, Golden], files: list[Case]) -> list[Case]:
    copies = [copy_of(verify_transcript(_joined(goldens, file))) for file in files]
    return [
        {
            "files": list(found.copies),
            "check": found.check.value,
            "entry": found.entry,
            "seat": found.seat,
        }
        for found in contradictions(copies)
    ]


def _joined(goldens: dict[str, Golden], file: Case) -> bytes:
    base, cut, append = file["base"], file["cut"], file["append"]
    if not (isinstance(base, str) and isinstance(cut, int) and isinstance(append, bytes)):
        raise TypeError("no file")
    return goldens[base.removesuffix(".matcha")].encoded[:cut] + append


def _file(golden: Golden, cut: int, append: bytes) -> Case:
    return {"base": f"{golden.name}.matcha", "cut": cut, "append": append}


def _copy(golden: Golden, end: int, *items: Entry | Record) -> Case:
    """Return a file of the first ``end`` entries of a game, and of ``items``."""
    entries = [entry.encoded for entry in golden.entries[:end]]
    before = encode_archive(entries, [], golden.roster)
    return _file(golden, len(before), b"".join(map(_framed, items)))


def _framed(item: Entry | Record) -> bytes:
    kind = Kind.MSG if isinstance(item, Entry) else Kind.REC
    return encode_frame(Frame(kind, item.encoded))
