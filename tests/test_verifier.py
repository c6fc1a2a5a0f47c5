"""The independent verifier of protocol/verifier reaches every verdict that the package reaches.

It was written from SPEC.md alone and shares no line with the package, so where both agree the
text suffices. Files of vectors are judged by both in test_conformance.py, and entries with one
thing changed in test_mutants.py.
"""

import ast
import copy
import json
import os
import random
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p import games
from matcha_p2p.chain.archive import MAGIC, encode_archive
from matcha_p2p.crypto.sponge import H
from matcha_p2p.transport.framing import Kind
from matcha_p2p.wire.encoding import pack, unpack
from tests.cheats.scene import played, sign_body
from tests.duel import roster_of
from tests.games import toy
from tests.games.toy.steps import Toy
from tests.judges import FOLDER, agreed
from tests.table.party import begun

RECORD = b"matcha/v1/rec\0"


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "toy", toy.FOLDERS["toy"])


@cache
def game(name: str) -> tuple[list[bytes], list[bytes]]:
    """Return the entries of a game, and the key with which each seat signs.

    The seats of a toy game choose at random.
    """
    if not name.startswith("toy"):
        scene = played(name)
        return [e.encoded for e in scene.log], [p.secrets.session for p in scene.players]
    party, rng = begun(name, Toy()), random.Random(name)
    while party.goes_on(lambda _: rng.randrange(2)):
        pass
    return [e.encoded for e in party.entries], [p.secrets.session for p in party.players]


def archive(log, records=(), *, of="short"):
    """Return a file of entries and records. of: the game, whose roster stands first."""
    names = [f"seat {seat}" for seat in range(3)]
    roster = roster_of(of, Toy(), names) if of.startswith("toy") else played(of).state.roster
    return encode_archive(list(log), list(records), roster)


def frame(kind: int, payload: bytes) -> bytes:
    return (len(payload) + 1).to_bytes(2) + bytes([kind]) + payload


def body_of(entry: bytes):
    signed: Any = unpack(entry)
    return unpack(signed[0])


def record(seat: int, kind: str, data: list, **other) -> bytes:
    log, keys = game("short")
    gid = other.get("gid", H("game", log[0], log[1]))
    head = other.get("head", H("msg", log[3]))
    return sign_body(pack([kind, gid, seat, head, data]), keys[seat], RECORD)


def test_the_verifier_imports_the_standard_library_and_itself_alone():
    own = {path.stem for path in FOLDER.glob("*.py")}
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {node.module.partition(".")[0]}
            else:
                continue
            assert names <= own | sys.stdlib_module_names, path


@pytest.mark.slow
def test_a_transcript_of_three_sets_is_checked_in_five_seconds_of_a_processor(tmp_path):
    log, _ = game("racing")
    assert sum(body_of(entry)[4][0][0] == "SEAL" for entry in log) == 2
    file = tmp_path / "game"
    file.write_bytes(archive(log))
    before = os.times().children_user  # how busy the machine is does not count
    run_verifier(file)
    assert os.times().children_user - before < 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["long", "short", "toy 1", "toy 2", "toy 3"])
def test_every_prefix_of_a_game_has_the_same_verdict_and_speaker(name):
    log, _ = game(name)
    for length in range(len(log) + 1):
        assert agreed(archive(log[:length], of=name)).check is None


@pytest.mark.slow
def test_flaws_of_files_and_frames_are_reported_alike():
    log, _ = game("short")
    for length in (0, 1, 19):
        assert agreed(MAGIC[:length]).check == "E_ENCODING"
    resigned = record(0, "RESIGN", [], head=H("msg", log[2]))
    for before in (MAGIC, archive(log[:3]), archive(log[:3], [resigned])):
        whole = frame(Kind.MSG, log[3])
        for cut in (1, 2, 3, 50, len(whole) - 1):
            assert agreed(before + whole[:cut]).check == "E_ENCODING"
        for kind in range(9):
            agreed(before + frame(kind, log[3]))
        for length in (0, 1, 2, 16384, 16385, 65535):
            for body in (b"", b"\1", b"\2", b"\3", b"\7", b"\1" + bytes(length)):
                assert agreed(before + length.to_bytes(2) + body[: length + 1]).check


RECORDS: tuple[tuple[str, list[Any]], ...] = (
    ("RESIGN", []),
    ("RESIGN", [0]),
    ("CLAIM", [60, 1]),
    ("CLAIM", [60]),
    ("CLAIM", [60, b""]),
    ("ABORT", ["E_SIG", bytes(32)]),
    ("ABORT", ["E_SIG", bytes(31)]),
    ("ABORT", ["E_MAIL", bytes(32)]),
    ("EXPOSE", [bytes(32)]),
    ("EXPOSE", [bytes(31)]),
    ("EXPOSE", [b"\xff" * 32]),
    ("EXPOSE", []),
    ("BOAST", []),
)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "data"), RECORDS)
def test_records_are_judged_alike(kind, data):
    log, keys = game("short")
    for seat in (0, 1):
        for length in (0, 1, 2, 6, len(log)):
            for other in ({}, {"gid": bytes(32)}, {"gid": b""}, {"head": bytes(32)}):
                agreed(archive(log[:length], [record(seat, kind, data, **other)]))
        body = unpack(unpack(record(seat, kind, data))[0])
        for forged in (pack([*body, 0]), pack(body[:-1]), b"", b"\xc0", pack(7)):
            for author in (0, 1):
                said = sign_body(forged, keys[author], RECORD)
                agreed(archive(log[:6], [said]))


@pytest.mark.slow
def test_keys_exposed_and_resignations_count_alike():
    log, _ = game("short")
    for seat, player in enumerate(played("short").players):
        x = player.x.to_bytes(32, "little")
        exposed = record(seat, "EXPOSE", [x])
        resigned = record(seat, "RESIGN", [], head=H("msg", log[4]))
        assert agreed(archive(log[:5], [resigned, exposed, resigned])).check is None
        assert agreed(archive(log, [exposed, resigned])).check == "E_RESIGN"
        wrong = record(1 - seat, "EXPOSE", [x])
        assert agreed(archive(log, [exposed, wrong])).check == "E_EXPOSE"


@pytest.mark.parametrize("seat", range(3))
def test_any_seat_of_three_resigns(seat):
    log, keys = game("toy 1")
    body = pack(["RESIGN", H("game", *log[:3]), seat, H("msg", log[7]), []])
    found = agreed(archive(log[:8], [sign_body(body, keys[seat], RECORD)], of="toy 1"))
    assert found.verdict == "RESIGNED"


STRINGS = (
    *("2015", "2020", "2020 rematch", "matcha", "toy", "one", "lay", "pass", "keep", "choose"),
    *("COIN", "SHUF", "SHARE", "MOVE", "SEAL", "UNSEAL", "RESULT", ""),
)


def everything_in(value, at=()):
    """Yield the place of every value inside a body."""
    for i, item in enumerate(value):
        yield (*at, i)
        if isinstance(item, list):
            yield from everything_in(item, (*at, i))


def mutant_of(log, i: int, rng: random.Random) -> bytes:
    """Return the body of entry ``i`` with one change by a cheating author."""
    body, other = body_of(log[i]), body_of(rng.choice(log))
    *way, last = rng.choice(list(everything_in(body)))
    parent = body
    for place in way:
        parent = parent[place]
    value = parent[last]
    if rng.random() < 0.3:
        body[4] = changed_actions(body[4], other[4], rng)
        return pack(body)
    match value:
        case int():
            parent[last] = rng.choice([value + 1, max(0, value - 1), 0, 2**53 - 1])
        case str():
            parent[last] = rng.choice(STRINGS)
        case list():
            parent[last] = [value[:-1], value + value[:1], [copy.deepcopy(value)], 0][
                rng.randrange(4)
            ]
        case bytes():
            parent[last] = changed_bytes(value, rng)
    return pack(body)


def changed_actions(actions, others, rng: random.Random):
    """Return actions with one action less or more, in another order, or of another entry."""
    at = rng.randrange(len(actions))
    before, after = actions[:at], actions[at:]
    added = [*before, rng.choice(others), *after]
    return rng.choice([others, added, before + after[1:], actions[::-1]])


def changed_bytes(value: bytes, rng: random.Random) -> bytes:
    """Return a byte string with 32 bytes of it lost, doubled, moved or replaced."""
    pieces = [value[i : i + 32] for i in range(0, len(value), 32)] or [b""]
    i, j = rng.randrange(len(pieces)), rng.randrange(len(pieces))
    match rng.randrange(5):
        case 0:
            del pieces[i]
        case 1:
            pieces.insert(i, pieces[j])
        case 2:
            pieces[i], pieces[j] = pieces[j], pieces[i]
        case 3:
            pieces[i] = rng.choice([bytes(32), b"\xff" * 32, b"\1" + bytes(31)])[: len(value)]
        case 4:
            pieces[i] = bytes([*pieces[i][:-1], *(b ^ 1 for b in pieces[i][-1:])])
    return b"".join(pieces)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "times", "met"),
    [
        ("long", 2, {"E_GRAMMAR", "E_STATE", "E_ENCODING", "E_POINT"}),
        ("short", 2, {"E_GRAMMAR", "E_STATE", "E_ENCODING", "E_POINT"}),
        ("toy 1", 10, {"E_GRAMMAR", "E_ENCODING", "E_SHARE"}),
        ("toy 2", 10, {"E_GRAMMAR", "E_ENCODING", "E_SHARE"}),
    ],
)
def test_messages_changed_by_their_author_and_signed_again_are_judged_alike(name, times, met):
    log, keys = game(name)
    rng = random.Random("mutants")
    checks = Counter()
    for i, entry in enumerate(log):
        for _ in range(times if i > 3 else 16):
            forged = sign_body(mutant_of(log, i, rng), keys[body_of(entry)[1]])
            checks[agreed(archive([*log[:i], forged], of=name)).check] += 1
    assert met <= set(checks)
    assert len(checks) >= 10


def run_verifier(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER), *map(str, files), "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_command_prints_the_verdict_objects_of_matcha_verify(tmp_path):
    log, _ = game("short")
    good, part, bad = tmp_path / "good", tmp_path / "part", tmp_path / "bad"
    good.write_bytes(archive(log))
    part.write_bytes(archive(log[:5]))
    bad.write_bytes(archive(log[:5] + log[6:]))
    verify = [sys.executable, "-m", "matcha_p2p", "verify", "--json", good, part, bad]
    reference = subprocess.run(verify, capture_output=True, text=True, check=False)
    own = run_verifier(good, part, bad)
    assert own.returncode == reference.returncode == 1
    expected = [json.loads(line) for line in reference.stdout.splitlines()]
    for line in expected:  # a sentence for people, and a summary of what was checked
        line.pop("message", None)
        line.pop("checks")
    assert [json.loads(line) for line in own.stdout.splitlines()] == expected
    assert own.stderr == ""


def test_toy_game_is_unknown_to_both_tools_unless_it_is_asked_for(tmp_path):
    toy_file, whole = tmp_path / "toy", FOLDER.parent / "vectors" / "toy" / "first-0.matcha"
    toy_file.write_bytes(whole.read_bytes())
    verify = [sys.executable, "-m", "matcha_p2p", "verify", "--json", toy_file]
    ours = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert json.loads(ours.stdout)["code"] == "game-unknown"
    assert "The game toy is not installed." in ours.stderr
    found = json.loads(run_verifier(toy_file).stdout)
    assert (found["check"], found["entry"], found["seat"]) == ("E_GAME", 0, 0)
    asked = run_verifier(Path("--toy"), toy_file)
    assert json.loads(asked.stdout)["verdict"] == "COMPLETE"


def test_the_exit_code_tells_valid_files_from_unreadable_ones(tmp_path):
    good = tmp_path / "good"
    good.write_bytes(archive([]))
    assert run_verifier(good).returncode == 0
    assert run_verifier(tmp_path, good).returncode == 8
    assert run_verifier(tmp_path / "absent").returncode == 8


def test_a_file_says_nothing_by_its_name_and_a_pipe_is_not_waited_for(tmp_path):
    names = ("a\ngood: COMPLETE", "b\x1b[2J", "c\u202ed")
    for name in names:
        (tmp_path / name).write_bytes(b"no game")
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, str(FOLDER), *(tmp_path / name for name in (*names, "pipe"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    assert len(lines) == 4
    assert all(line.isprintable() and line.startswith("'") for line in lines)
