"""The fast engine agrees with the others, keeps its bounds, and hides its secrets."""

import os
import platform
import shutil
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path

import pytest

from matcha_p2p.crypto.edwards25519 import BASE, ORDER
from matcha_p2p.crypto.fast import SOURCE, FastElement, FastEngine, affine
from tests import engines as differential
from tests.compiled import SANITIZED, quickest_path, sanitizer
from tests.crypto.conftest import ROOT, compiled

EMULATED = ("-DEMULATED", "-Wno-psabi")
ARITHMETICS = pytest.mark.parametrize(
    "options", [(), EMULATED, ("-DONLY_PLAIN",)], ids=["quick", "emulated", "plain"]
)
"""Arithmetic with vectors, where the processor has the instructions; emulated; and without."""


LANE_EDGES = tuple(scalar % ORDER for scalar in differential.EDGES)


@pytest.fixture(scope="module")
def all_engines(fast_library):
    return differential.engines(fast_library)


def compare(library: Path, sums: int, **environment: str) -> None:
    """Let a new process compare; a failed check in C ends the process."""
    command = ["-m", "tests.engines", "--same", "--sums", str(sums), "--library", str(library)]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "agree" in done.stdout


def test_engine_takes_the_quickest_path_of_the_processor_and_names_it(fast):
    assert fast.path == quickest_path()


@pytest.mark.slow
def test_library_without_vectors_names_the_plain_path(plain_library):
    assert FastEngine(plain_library).path == "fast"


@pytest.mark.slow
def test_all_engines_agree(all_engines):
    """On sums at every edge, products, mapped bytes, and encodings right and wrong."""
    differential.compare(all_engines, 150, derandomize=True)


@pytest.mark.slow
@pytest.mark.parametrize("scalar", differential.EDGES)
def test_all_engines_agree_on_each_edge_by_itself(all_engines, scalar):
    for number, form in islice(enumerate(all_engines.pool), 8):
        for which in range(len(form.fast)):
            all_engines.agree([(scalar, number, which), (scalar, number, which + 1)])


def test_the_points_of_a_coset_are_one_element(fast):
    """An element plus the torsion of the curve is equal, with the encoding of the element."""
    point = fast.from_uniform(bytes(range(64)))
    for x, y in differential.TORSION:
        torsion = FastElement(affine(x, y))
        assert fast.equal(torsion, fast.identity)
        assert fast.is_identity(torsion)
        assert fast.encode(torsion) == bytes(32)
        moved = fast.add(point, torsion)
        assert fast.equal(moved, point)
        assert fast.encode(moved) == fast.encode(point)


@pytest.mark.slow
def test_tables_change_no_product(fast):
    """Three scalars make no table. Eight scalars make a comb, also for later sums."""
    point = fast.decode(fast.encode(fast.from_uniform(bytes(range(64)))))
    alone = fast.secret_products([5, 6, ORDER - 7], point)
    assert not point.comb
    combed = fast.secret_products([5, 6, ORDER - 7, 1, 2, 3, 4, 5], point)
    assert point.comb
    assert list(map(fast.encode, alone)) == list(map(fast.encode, combed[:3]))
    assert fast.equal(fast.secret_sum([5], [point]), alone[0])
    assert fast.secret_products([], point) == []


@pytest.mark.parametrize("count", range(1, 18))
def test_lanes_compute_what_the_plain_path_computes(fast, plain_library, count):
    """Sums of every shape of a batch, with every edge in every lane, by tables and combs."""
    plain = FastEngine(plain_library)
    points = [fast.from_uniform(bytes([i]) * 64) for i in range(20)]
    points += [fast.generator, fast.identity]
    fast.secret_products(range(8), points[0])
    edges = cycle((0, 1, ORDER - 1, *LANE_EDGES))
    for most in (1, 2, 3, 20):
        sums = [
            [((7 * i + k) % len(points), next(edges)) for k in range(1 + (i + most) % most)]
            for i in range(count)
        ]
        expected = plain.encode_all(plain.secret_sums(points, sums))
        assert fast.encode_all(fast.secret_sums(points, sums)) == expected
        assert fast.encode_all(fast.public_sums(points, sums)) == expected
        assert fast.encoded_public_sums(points, sums) == expected
    products = fast.secret_products(LANE_EDGES[:count], points[1])
    assert fast.encode_all(fast.add_all(products, points[:count])) == [
        plain.encode(plain.secret_sum([scalar, 1], [points[1], point]))
        for scalar, point in zip(LANE_EDGES, points[:count], strict=False)
    ]


@pytest.mark.parametrize("scalar", sorted({*LANE_EDGES}))
def test_sums_by_one_scalar_are_those_of_the_plain_path(fast, plain_library, scalar):
    """The scalar is the same in all lanes of one term, and another in one lane of the other."""
    plain = FastEngine(plain_library)
    points = [fast.from_uniform(bytes([i]) * 64) for i in range(12)]
    for count in (3, 4, 8, 11):
        sums = [[(i, scalar), (i + 1, 5), (0, scalar + (i == 2))] for i in range(count)]
        expected = plain.encode_all(plain.secret_sums(points, sums))
        assert fast.encoded_public_sums(points, sums) == expected
        assert fast.encode_all(fast.public_sums(points, sums)) == expected


@pytest.mark.parametrize("edge", [0, 1, 8, ORDER - 1, -8])
def test_each_lane_keeps_to_itself(fast, edge):
    """An edge in one lane, and the same ordinary scalar in the seven others."""
    point = fast.from_uniform(bytes(range(64)))
    usual, at_the_edge = (
        fast.encode(fast.secret_sum([scalar], [point])) for scalar in (LANE_EDGES[-1], edge)
    )
    for lane in range(8):
        scalars = [edge if i == lane else LANE_EDGES[-1] for i in range(8)]
        expected = [at_the_edge if i == lane else usual for i in range(8)]
        sums = [[(0, scalar)] for scalar in scalars]
        by_tables = fast.secret_sums([point] * 8, [[(i, s)] for i, s in enumerate(scalars)])
        assert fast.encode_all(by_tables) == expected
        assert fast.encode_all(fast.secret_sums([point], sums)) == expected


def test_sums_have_their_points_alone(fast):
    with pytest.raises(IndexError):
        fast.secret_sums([fast.generator], [[(1, 5)]])
    assert fast.secret_sums([fast.generator], []) == fast.add_all([], []) == []


def test_without_memory_a_sum_raises(fast, monkeypatch):
    whole, signature_sum = fast._c, fast.signature_sum(*BASE[:2])
    full = {name: lambda *_: 0 for name in ("fast_public_sums", "fast_secret_sums")}
    monkeypatch.setattr(fast, "_c", type("Full", (), full))
    with pytest.raises(MemoryError):
        fast.public_sum([5], [fast.identity])
    with pytest.raises(MemoryError):
        fast.secret_sum([5], [fast.identity])
    with pytest.raises(MemoryError):
        fast.of_group_order(0, 1)
    with pytest.raises(MemoryError):
        signature_sum(bytes(32), 1)
    full |= {"fast_public_sums": whole.fast_public_sums, "fast_double": lambda *_: 0}
    monkeypatch.setattr(fast, "_c", type("Nearly", (), full))
    with pytest.raises(MemoryError):
        fast.encoded_public_sums([fast.identity], [[(0, 5)]])


def test_another_library_is_refused(tmp_path):
    source = tmp_path / "other.c"
    source.write_text("int nothing(void) { return 0; }\n")
    with pytest.raises(AttributeError, match="fast_"):
        FastEngine(compiled(tmp_path / "other.so", source=source))


def test_no_compiler_or_one_that_fails_leaves_no_library(tmp_path, monkeypatch):
    """The installation goes on without the library, and without a message."""
    library = tmp_path / "libfast.so"
    for path, compiler in ((str(tmp_path), "cc"), (os.environ["PATH"], "false")):
        monkeypatch.setenv("PATH", path)
        monkeypatch.setenv("CC", compiler)
        library.write_bytes(b"of an older installation")
        with pytest.raises(pytest.skip.Exception, match="no C compiler"):
            compiled(library, "-std=none")
        assert not library.exists()


@pytest.mark.slow
def test_all_engines_agree_without_vectors(plain_library):
    compare(plain_library, 300)


@pytest.mark.slow
@ARITHMETICS
def test_no_limb_leaves_its_bounds(tmp_path, options):
    """Each limb of each operand is compared with the limits of the field's functions."""
    compare(compiled(tmp_path / "checked.so", "-DCHECK_LIMBS", "-UNDEBUG", *options), 1000)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="how a sanitizer is loaded is Linux's way")
@ARITHMETICS
def test_neither_memory_nor_arithmetic_is_undefined(tmp_path, options):
    library = compiled(tmp_path / "sanitized.so", *SANITIZED, *options)
    compare(library, 300, **sanitizer(), MATCHA_ENGINE="pure")


def built(folder: Path, source: str, *options: str) -> Path:
    """Compile a program of this folder with fast.c; the test fails if that is not possible.

    The test is skipped if not even the program's own headers can be compiled here.
    """
    whole = Path(__file__).with_name(source)
    headers = [line for line in whole.read_text().splitlines() if line.startswith("#include <")]
    empty, program = folder / f"empty-{source}", folder / source.removesuffix(".c")
    empty.write_text("\n".join([*headers, "int main(void) { return 0; }", ""]))
    build = ["cc", "-std=c11", "-D_DEFAULT_SOURCE", *options, f"-I{SOURCE.parent}", "-o"]
    try:
        subprocess.run([*build, program, empty], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no C compiler with the headers and libraries of this program")
    subprocess.run([*build, program, whole], check=True)
    return program


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", [(), EMULATED], ids=["plain", "emulated"])
@pytest.mark.parametrize("options", [("-O3",), ("-O2",), ("-O1",), ("-Os",)], ids=" ".join)
def test_multiplication_by_secrets_has_no_secret_branch(tmp_path, options, arithmetic):
    """Memcheck looks for branches, with the scalars marked as uninitialised."""
    if shutil.which("valgrind") is None:
        pytest.skip("no valgrind")
    program = built(tmp_path, "secret_paths.c", "-g", *options, *arithmetic)
    memcheck = ["valgrind", "-q", "--error-exitcode=9", program]
    secret = subprocess.run([*memcheck, "secret"], capture_output=True, text=True, check=False)
    assert secret.returncode == 0, secret.stderr
    public = subprocess.run([*memcheck, "public"], capture_output=True, check=False)
    assert public.returncode == 9


@pytest.mark.slow
@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="secret_trace.c calls Linux's ptrace and reads the register rip of x86-64",
)
def test_other_secrets_take_the_same_instructions(tmp_path):
    """The compiled code itself is traced, which has the lanes if the processor has them."""
    options = ("-O3", "-fno-tree-vectorize", "-static", "-no-pie")
    program = built(tmp_path, "secret_trace.c", *options)
    traced = [
        subprocess.Popen([program, pattern], stdout=subprocess.PIPE) for pattern in ("0", "89")
    ]
    seen = [process.communicate()[0] for process in traced]
    assert [process.returncode for process in traced] == [0, 0]
    assert seen[0] == seen[1]
