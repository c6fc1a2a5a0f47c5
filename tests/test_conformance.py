"""Every vector and every transcript, by both implementations and all engines."""

import os
import random
import subprocess
import sys
import tomllib
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from unittest import mock

import pytest

from matcha_p2p.chain.archive import MAGIC
from matcha_p2p.crypto.fast import LIBRARY
from tests.judges import JUDGES, VERIFIER, agreed, compared
from tests.vectors import accepted, base, comparisons, of_many_items, refused

ROOT = Path(__file__).parent.parent
CHECKS = tomllib.loads((ROOT / "protocol" / "checks.toml").read_text())["check"]
BOTH = pytest.mark.parametrize(
    "judge",
    [pytest.param(JUDGES["verifier"], marks=pytest.mark.slow), JUDGES["matcha_p2p"]],
    ids=["verifier", "matcha_p2p"],
)

# Shares of proven decks always open to a face that is left.
IN_NO_TRANSCRIPT = {"E_CARD"}


# --- the files -----------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("golden", accepted(), ids=str)
def test_a_golden_transcript_is_accepted(golden, judge):
    assert judge(golden.data) == golden.expected


@BOTH
@pytest.mark.parametrize("bad", refused(), ids=str)
def test_bad_transcript_is_refused_at_its_place_with_its_check(bad, judge):
    assert judge(bad.data) == bad.expected


@pytest.mark.slow
@pytest.mark.parametrize("case", comparisons(), ids=str)
def test_files_of_one_game_convict_the_listed_seats_in_any_order(case):
    for order in permutations(range(len(case.files))):
        found = compared(*(case.files[place] for place in order))
        assert [
            (tuple(sorted(order[place] for place in files)), *rest) for files, *rest in found
        ] == case.expected


@pytest.mark.slow
def test_item_65537_is_refused():
    """All items but the last are sound; most are copies of one record, verified once."""
    records = VERIFIER["records"]
    with mock.patch.object(records, "check_signature", cache(records.check_signature)):
        for file in of_many_items():
            assert agreed(file.data) == file.expected, file


def test_every_check_that_a_transcript_can_fail_has_one_that_does():
    shown = {bad.expected.check for bad in refused()}
    assert shown == {check["code"] for check in CHECKS} - IN_NO_TRANSCRIPT


def test_an_abort_can_name_every_check():
    assert {check["code"] for check in CHECKS} == VERIFIER["records"].CHECKS


@pytest.mark.slow
@pytest.mark.parametrize("bad", refused(), ids=str)
def test_refused_transcript_was_sound_before(bad):
    """Each file has one failure: the part before the refused item is valid."""
    if bad.expected.entry:
        before = bad.data[: ends_of_items(bad.data)[bad.expected.entry]]
        assert all(judge(before).check is None for judge in JUDGES.values())


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["fast", "native"])
def test_the_generator_makes_every_byte_again(engine):
    """Every game is played, and every proof made and verified, by each engine."""
    run([sys.executable, "protocol/generate.py", "--check"], engine)


@pytest.mark.slow
def test_the_slowest_engine_makes_three_games_and_every_proof_again():
    program = (
        "from protocol.generate import FOLDER\n"
        "from protocol.generator import games, proofs\n"
        "three = {'hoarding', 'racing', 'short'}\n"
        "made = {f'accept/{it.name}.matcha': it.encoded for it in games.whole(three)}\n"
        "made |= {f'{it.name}.json': it.encode() for it in proofs.every()}\n"
        "assert len(made) > 6\n"
        "wrong = [name for name in made if (FOLDER / name).read_bytes() != made[name]]\n"
        "raise SystemExit(', '.join(wrong) or 0)\n"
    )
    run([sys.executable, "-c", program], "pure")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["fast", "native", "pure"])
def test_all_transcripts_get_the_same_verdicts_by_every_engine(engine):
    program = (
        "from tests.judges import ours\n"
        "from tests.vectors import accepted, refused\n"
        "wrong = [j.name for j in (*accepted(), *refused()) if ours(j.data) != j.expected]\n"
        "raise SystemExit(', '.join(wrong) or 0)\n"
    )
    run([sys.executable, "-c", program], engine)


def run(command: list[str], engine: str) -> None:
    if engine == "fast" and not LIBRARY.exists():
        pytest.skip("installed without a compiler")
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"MATCHA_ENGINE": engine},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# --- files with a change that nobody has signed --------------------------------------------


def ends_of_items(data: bytes) -> list[int]:
    """Return where the roster ends, and each whole item."""
    places = [len(MAGIC)]
    while places[-1] + 2 <= len(data):
        end = places[-1] + 2 + int.from_bytes(data[places[-1] : places[-1] + 2])
        if end > len(data) or end == places[-1] + 2:  # cut off, or empty
            break
        places.append(end)
    return places[1:]


def items(file: str) -> tuple[bytes, list[bytes]]:
    """Return a file as its beginning, with the roster, and its items."""
    data = base(file)
    places = ends_of_items(data)
    return data[: places[0]], [data[a:b] for a, b in pairwise(places)]


@pytest.mark.parametrize("places", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_no_changed_byte_goes_unnoticed(places):
    data = base("resigned.matcha")
    rng = random.Random("bytes")
    for place in rng.sample(range(len(data)), places):
        changed = bytearray(data)
        changed[place] ^= rng.randrange(1, 256)
        assert agreed(bytes(changed)).check is not None, place


@pytest.mark.slow
@pytest.mark.parametrize("file", ["short.matcha", "hoarding.matcha"])
def test_no_entry_can_be_dropped_doubled_or_swapped(file):
    start, said = items(file)
    for n in range(len(said) - 1):
        dropped = [*said[:n], *said[n + 1 :]]
        doubled = [*said[: n + 1], *said[n:]]
        swapped = [*said[:n], said[n + 1], said[n], *said[n + 2 :]]
        for changed, place in ((dropped, n), (doubled, n + 1), (swapped, n)):
            found = agreed(start + b"".join(changed))
            assert (found.check, found.entry, found.seat) == ("E_CHAIN", place, None)


@pytest.mark.slow
@pytest.mark.parametrize("other", ["racing.matcha", "kept-5-5.matcha"])
def test_two_games_cannot_be_spliced(other):
    (start, said), (_, strange) = items("hoarding.matcha"), items(other)
    for n in range(1, min(len(said), len(strange))):
        found = agreed(start + b"".join([*said[:n], *strange[n:]]))
        assert (found.check, found.entry, found.seat) == ("E_CHAIN", n, None)
        found = agreed(start + b"".join([*said[:n], strange[n], *said[n + 1 :]]))
        assert (found.check, found.entry, found.seat) == ("E_CHAIN", n, None)


def test_a_record_of_one_game_is_refused_in_another():
    data = base("hoarding.matcha") + items("resigned.matcha")[1][-1]
    assert agreed(data).check == "E_RECORD"


def test_cutting_a_chain_short_accuses_nobody_with_honest_records():
    """A resignation whose head was cut off is no evidence against who resigned."""
    start, (*entries, resignation) = items("resigned.matcha")
    for n in range(len(entries)):
        found = agreed(start + b"".join([*entries[:n], resignation]))
        assert (found.check, found.entry, found.seat) == ("E_RECORD", n, None)


@pytest.mark.parametrize("end", range(1, 60))
def test_a_file_that_is_cut_is_refused_or_ends_with_an_item(end):
    data = base("resigned.matcha")[:-end]
    assert agreed(data).check == "E_ENCODING"
