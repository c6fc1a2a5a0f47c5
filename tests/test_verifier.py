"""The independent verifier of protocol/verifier reaches every verdict that the package reaches.

It was written from SPEC.md alone and shares no line with the package, so where both agree the
text suffices.
"""

import ast
import copy
import json
import os
import random
import runpy
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.fork import check_fork
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import CheckError, ProtocolViolationError
from matcha_p2p.table import seat as seats
from matcha_p2p.table.step import step
from matcha_p2p.table.table import Greetings, State, next_due
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.entry import Entry, parse_entry
from tests.cheats.catalogue import CHEATS
from tests.duel import chooser, opened, play_out, secrets_of
from tests.games.toy import find_toy
from tests.games.toy.steps import Toy

FOLDER = Path(__file__).parents[1] / "protocol" / "verifier"
judge = runpy.run_path(str(FOLDER), run_name="verifier")["judge"]
MAGIC = b"matcha transcript 1\n"
MSG, REC = 1, 2
FOUR_SETS = ("t13", "2015")  # 2 cards, 1 and 3 are kept; a zero is met thrice
KEPT_TWICE = ("t26", "2015")  # three sets; a zero is met twice
SHORT = ("v1", "2020")


@pytest.fixture(autouse=True, scope="module")
def remembered_proofs():
    """Check each signature, element and proof once, although games are judged from the start.

    What is remembered depends on nothing but its arguments, and refusals are not remembered.
    """
    modules = [
        sys.modules[name] for name in ("table", "records", "messages", "group", "proofs")
    ]
    statement = sys.modules["proofs"].Statement
    verify, seen = statement.verify, set()

    def verify_once(self, sid, proof, check):
        key = (self.serialised(), sid, proof.challenge, tuple(proof.responses))
        if key not in seen:
            verify(self, sid, proof, check)
            seen.add(key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statement, "verify", verify_once)
        for name in ("check_signature", "decode_element"):
            remembering = lru_cache(100_000)(getattr(sys.modules["group"], name))
            for module in modules:
                if hasattr(module, name):
                    patch.setattr(module, name, remembering)
        yield


@cache
def entries(seed: str, edition: str) -> tuple[bytes, ...]:
    """Return the entries of a game between bots."""
    choosers = (chooser("uniform", f"a{seed[1:]}"), chooser("uniform", f"b{seed[1:]}"))
    return tuple(entry.encoded for entry in play_out(opened(seed, edition), choosers).entries)


def archive(log, records=()):
    return encode_archive(list(log), list(records))


def frame(kind: int, payload: bytes) -> bytes:
    return (len(payload) + 1).to_bytes(2) + bytes([kind]) + payload


def body_of(entry: bytes):
    signed: Any = unpack(entry)
    return unpack(signed[0])


def signed(seed: str, seat: int, body: bytes, domain: bytes) -> bytes:
    key = secrets_of(seed, seat).session
    return pack([body, signature.sign(key, domain + body)])


def record(seed: str, seat: int, kind: str, data: list, **other) -> bytes:
    log = entries(*SHORT)
    gid = other.get("gid", H("game", log[0], log[1]))
    head = other.get("head", H("msg", log[3]))
    return signed(seed, seat, pack([kind, gid, seat, head, data]), b"matcha/v1/rec\0")


def theirs(data: bytes):
    report = verify_transcript(data)
    failure = report.failure
    where = (failure.check.value, failure.entry, failure.seat) if failure else (None,) * 3
    return (report.verdict.value, *where, report.waiting)


def ours(data: bytes):
    verdict = judge(data)
    return verdict.verdict, verdict.check, verdict.item, verdict.seat, verdict.waiting


def assert_agreed(data: bytes) -> str | None:
    """Compare both verdicts on ``data`` and return the check that fails, if one does."""
    assert ours(data) == theirs(data)
    return ours(data)[1]


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
@pytest.mark.parametrize("game", [FOUR_SETS, KEPT_TWICE, ("t8", "2015"), SHORT, ("v4", "2020")])
def test_whole_games_are_complete(game):
    assert assert_agreed(archive(entries(*game))) is None


@pytest.mark.slow
def test_a_transcript_of_three_sets_is_checked_in_five_seconds_of_a_processor(tmp_path):
    log = entries(*KEPT_TWICE)
    assert sum(body_of(entry)[4][0][0] == "SEAL" for entry in log) == 2
    file = tmp_path / "game"
    file.write_bytes(archive(log))
    before = os.times().children_user  # how busy the machine is does not count
    run_verifier(file)
    assert os.times().children_user - before < 5


@pytest.mark.slow
@pytest.mark.parametrize("game", [KEPT_TWICE, SHORT])
def test_every_prefix_of_a_game_has_the_same_verdict_and_speaker(game):
    log = entries(*game)
    for length in range(len(log)):
        assert assert_agreed(archive(log[:length])) is None


@pytest.mark.slow
@pytest.mark.parametrize("game", [KEPT_TWICE, SHORT])
def test_a_changed_byte_is_refused_alike_wherever_it_is(game):
    data = archive(entries(*game))
    rng = random.Random("bytes")
    for at in (*range(30), *(rng.randrange(len(data)) for _ in range(40))):
        changed = bytearray(data)
        changed[at] ^= 1 << rng.randrange(8)
        assert assert_agreed(bytes(changed))


@pytest.mark.slow
@pytest.mark.parametrize("game", [KEPT_TWICE, SHORT])
def test_dropped_doubled_and_swapped_entries_are_refused_alike(game):
    log = list(entries(*game))
    for i in range(0, len(log), 1 + len(log) // 20):
        assert_agreed(archive(log[:i] + log[i + 1 :]))
        assert assert_agreed(archive(log[: i + 1] + log[i:])) == "E_CHAIN"
        swapped = log[:i] + log[i : i + 2][::-1] + log[i + 2 :]
        assert_agreed(archive(swapped))


@pytest.mark.slow
def test_spliced_games_are_refused_alike():
    one, two = entries(*SHORT), entries("v4", "2020")
    for i in range(5):
        assert assert_agreed(archive(one[:i] + two[i:])) == ("E_CHAIN" if i else None)


@pytest.mark.slow
def test_flaws_of_files_and_frames_are_reported_alike():
    log = entries(*SHORT)
    for length in (0, 1, 19):
        assert assert_agreed(MAGIC[:length]) == "E_ENCODING"
    resigned = record("v1", 0, "RESIGN", [], head=H("msg", log[2]))
    for before in (MAGIC, archive(log[:3]), archive(log[:3], [resigned])):
        whole = frame(MSG, log[3])
        for cut in (1, 2, 3, 50, len(whole) - 1):
            assert assert_agreed(before + whole[:cut]) == "E_ENCODING"
        for kind in range(9):
            assert_agreed(before + frame(kind, log[3]))
        for length in (0, 1, 2, 16384, 16385, 65535):
            for body in (b"", b"\1", b"\2", b"\3", b"\7", b"\1" + bytes(length)):
                assert assert_agreed(before + length.to_bytes(2) + body[: length + 1])


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
    log = entries(*SHORT)
    for seat in (0, 1):
        for length in (0, 1, 2, 6, len(log)):
            for other in ({}, {"gid": bytes(32)}, {"gid": b""}, {"head": bytes(32)}):
                assert_agreed(archive(log[:length], [record("v1", seat, kind, data, **other)]))
        body = unpack(unpack(record("v1", seat, kind, data))[0])
        for forged in (pack([*body, 0]), pack(body[:-1]), b"", b"\xc0", pack(7)):
            for author in (0, 1):
                said = signed("v1", author, forged, b"matcha/v1/rec\0")
                assert_agreed(archive(log[:6], [said]))


@pytest.mark.slow
def test_keys_exposed_and_resignations_count_alike():
    log = entries(*SHORT)
    duel = opened("v1", "2020")
    for seat in (0, 1):
        x = duel.players[seat].x.to_bytes(32, "little")
        exposed = record("v1", seat, "EXPOSE", [x])
        resigned = record("v1", seat, "RESIGN", [], head=H("msg", log[4]))
        assert assert_agreed(archive(log[:5], [resigned, exposed, resigned])) is None
        assert assert_agreed(archive(log, [exposed, resigned])) == "E_RESIGN"
        wrong = record("v1", 1 - seat, "EXPOSE", [x])
        assert assert_agreed(archive(log, [exposed, wrong])) == "E_EXPOSE"


NAMES = (
    *("", " ", "a ", " a", "a  b", "a b", "a" * 24, "a" * 25, "é" * 12, "é" * 13, "e\u0301"),
    *("\u0301", "q\u0302\u0303", "q\u0302\u0303\u0304", "q\u0302\u0303b\u0302", "日本語", "ﬁ"),
    *(
        "\u00ad",
        "\u034f",
        "\u115f",
        "\u180b",
        "\u2800",
        "\u3164",
        "\ufe0f",
        "\uffa0",
        "\u200d",
        "\u00a0",
    ),
    *("\U0001f600", "\u0221", "\u0220", "\u2028", "\ue000", "\x00", "\x7f", "\u212b", "½", "_"),
)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_are_admitted_alike(name):
    body = body_of(entries(*SHORT)[0])
    body[4][0][8] = name
    assert_agreed(archive([signed("v1", 0, pack(body), b"matcha/v1/msg\0")]))


@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_every_cheat_is_refused_alike(cheat):
    scene = cheat.row.scene()
    data = archive(entry.encoded for entry in scene.log) + cheat.make(scene)
    assert assert_agreed(data) == cheat.row.check.value


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
    """Return the body of entry ``i`` with one thing changed that its author might change."""
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
    """Return actions with one less, one more, in another order, or those of another entry."""
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
@pytest.mark.parametrize("game", [KEPT_TWICE, SHORT])
def test_messages_changed_by_their_author_and_signed_again_are_judged_alike(game):
    log = entries(*game)
    rng = random.Random("mutants")
    checks = Counter()
    for i in range(len(log)):
        for _ in range(2 if i > 3 else 16):
            body = mutant_of(log, i, rng)
            seat = body_of(log[i])[1]
            forged = signed(game[0], seat, body, b"matcha/v1/msg\0")
            checks[assert_agreed(archive([*log[:i], forged]))] += 1
    assert {"E_GRAMMAR", "E_STATE", "E_ENCODING", "E_POINT"} <= set(checks)
    assert len(checks) >= 10


@dataclass(frozen=True)
class ToyGame:
    """A game of three seats: its entries, and the state before each of them and at the end."""

    log: tuple[Entry, ...]
    states: tuple[State, ...]


@cache
def toy_game(seed: str) -> ToyGame:
    """Return a toy game whose seats choose at random."""
    rng = random.Random(seed)
    state: State = Greetings(H("test binding", seed.encode()), find_toy)
    log, states, players = [], [state], []
    while (due := next_due(state)) is not None:
        if isinstance(state, Greetings):
            secrets = secrets_of(seed, due.seat)
            players.append(seats.take_seat(due.seat, state.head, secrets))
            entry = seats.greet(players[-1], state, seats.Offer(Toy(), "Mina"))
        elif due.decision:
            entry = seats.decide(players[due.seat], state, rng.randrange(2)).entry
        else:
            entry = seats.follow(players[due.seat], state).entry
        state, _ = step(state, entry)
        log.append(entry)
        states.append(state)
    return ToyGame(tuple(log), tuple(states))


def toy_check(game: ToyGame, i: int, encoded: bytes):
    """Return check, place and seat of what is wrong with another entry ``i``, if anything."""
    try:
        entry = parse_entry(encoded)
        state = game.states[i] if i else Greetings(entry.prev, find_toy)
        check_fork(state, game.log[:i], entry)
        step(state, entry)
    except ProtocolViolationError as error:
        return error.check.value, error.entry, error.seat
    except CheckError as error:
        return error.check.value, i, None
    return None, None, None


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["w1", "w2", "w3"])
def test_every_prefix_of_a_toy_game_has_the_verdict_and_speaker_of_the_table(seed):
    game = toy_game(seed)
    for length, state in enumerate(game.states):
        verdict = judge(archive(entry.encoded for entry in game.log[:length]))
        due = next_due(state)
        assert verdict.valid
        assert verdict.waiting == (None if due is None else due.seat)
    assert verdict.verdict == "COMPLETE"


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["w1", "w2"])
def test_toy_messages_changed_by_their_author_and_signed_again_are_judged_alike(seed):
    game = toy_game(seed)
    log = [entry.encoded for entry in game.log]
    rng = random.Random("toy mutants")
    checks = Counter()
    for i, entry in enumerate(game.log):
        for _ in range(10):
            forged = signed(seed, entry.seat, mutant_of(log, i, rng), b"matcha/v1/msg\0")
            verdict = judge(archive([*log[:i], forged]))
            found = verdict.check, verdict.item, verdict.seat
            assert found == toy_check(game, i, forged)
            checks[verdict.check] += 1
    assert {"E_GRAMMAR", "E_ENCODING", "E_SHARE"} <= set(checks)


@pytest.mark.parametrize(("verb", "check"), [("MOVE", "E_BACK"), ("UNSEAL", "E_SEAL")])
def test_toy_choice_of_another_seats_card_is_refused_alike(verb, check):
    game = toy_game("w1")
    log = [entry.encoded for entry in game.log]
    i = next(i for i, entry in enumerate(game.log) if entry.fields[0][0] == verb)
    seat, body = game.log[i].seat, body_of(log[i])
    body[4][0][-1] = game.states[i].piles[f"hand {(seat + 1) % 3}"][0].back
    forged = signed("w1", seat, pack(body), b"matcha/v1/msg\0")
    verdict = judge(archive([*log[:i], forged]))
    found = verdict.check, verdict.item, verdict.seat
    assert found == toy_check(game, i, forged) == (check, i, seat)


@pytest.mark.parametrize(("seat", "check"), [(0, None), (1, None), (2, None), (3, "E_RECORD")])
def test_any_seat_of_the_table_and_no_other_resigns(seat, check):
    game = toy_game("w1")
    log = [entry.encoded for entry in game.log[:8]]
    gid, head = H("game", *log[:3]), game.log[7].id
    body = pack(["RESIGN", gid, seat, head, []])
    resigned = signed("w1", min(seat, 2), body, b"matcha/v1/rec\0")
    verdict = judge(archive(log, [resigned]))
    assert (verdict.verdict, verdict.check) == (
        ("INVALID", check) if check else ("RESIGNED", None)
    )


def run_verifier(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER), *map(str, files), "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_command_prints_the_verdict_objects_of_matcha_verify(tmp_path):
    log = entries(*SHORT)
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


def test_the_exit_code_tells_valid_files_from_unreadable_ones(tmp_path):
    good = tmp_path / "good"
    good.write_bytes(MAGIC)
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
