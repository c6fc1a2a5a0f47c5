"""The fast engine agrees with the others, keeps its bounds, and hides its secrets."""

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from matcha_p2p.crypto.edwards25519 import ORDER
from matcha_p2p.crypto.fast import SOURCE, FastElement, FastEngine, affine
from tests import engines as differential
from tests.compiled import SANITIZED, sanitizer
from tests.crypto.conftest import ROOT, compiled

ARITHMETICS = pytest.mark.parametrize(
    "options", [(), ("-DONLY_PLAIN",)], ids=["quick", "plain"]
)
"""Arithmetic with vectors, where the processor has the instructions, and without."""


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
    assert point.comb is None
    combed = fast.secret_products([5, 6, ORDER - 7, 1, 2, 3, 4, 5], point)
    assert point.comb is not None
    assert list(map(fast.encode, alone)) == list(map(fast.encode, combed[:3]))
    assert fast.equal(fast.secret_sum([5], [point]), alone[0])
    assert fast.secret_products([], point) == []


def test_without_memory_a_sum_raises(fast, monkeypatch):
    whole = fast._c
    full = {name: lambda *_: 0 for name in ("fast_public_sums", "fast_secret_sum")}
    monkeypatch.setattr(fast, "_c", type("Full", (), full))
    with pytest.raises(MemoryError):
        fast.public_sum([5], [fast.identity])
    with pytest.raises(MemoryError):
        fast.secret_sum([5], [fast.identity])
    with pytest.raises(MemoryError):
        fast.of_group_order(0, 1)
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
def test_all_engines_agree_without_vectors(tmp_path):
    compare(compiled(tmp_path / "plain.so", "-DONLY_PLAIN"), 300)


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


@pytest.mark.slow
@pytest.mark.parametrize("options", [("-O3",), ("-O2",), ("-O1",), ("-Os",)], ids=" ".join)
def test_multiplication_by_secrets_has_no_secret_branch(tmp_path, options):
    """Memcheck looks for branches, with the scalars marked as uninitialised."""
    program = tmp_path / "secret_paths"
    source = Path(__file__).with_name("secret_paths.c")
    build = ["cc", "-std=c11", "-g", *options, f"-I{SOURCE.parent}", "-o", program, source]
    try:
        subprocess.run(build, check=True, capture_output=True)
        subprocess.run(["valgrind", "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no C compiler, or no valgrind with its headers")
    memcheck = ["valgrind", "-q", "--error-exitcode=9", program]
    secret = subprocess.run([*memcheck, "secret"], capture_output=True, text=True, check=False)
    assert secret.returncode == 0, secret.stderr
    public = subprocess.run([*memcheck, "public"], capture_output=True, check=False)
    assert public.returncode == 9
