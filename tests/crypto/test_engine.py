"""The choice of the engine, the traps of rbcl, and equal bytes from all engines."""

import importlib
import os
import subprocess
import sys
import tempfile
from types import SimpleNamespace

import pytest

from matcha_p2p.crypto import engine as choice
from matcha_p2p.crypto import fast
from matcha_p2p.crypto.fast import LIBRARY
from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.errors import EngineError

NATIVE = choice.load("native")  # first: it sees to it that rbcl leaves no file behind
OTHER = NATIVE.from_uniform(bytes(range(64)))
rbcl = importlib.import_module("rbcl")

# Prints the engine, and a hash of a game's worth of proofs, all made from one seed.
WHOLE_RUN = """
import hashlib
from matcha_p2p.crypto.elgamal import (
    prove_possession, prove_shares, public_ciphertext, verify_possession, verify_shares)
from matcha_p2p.crypto.engine import ENGINE
from matcha_p2p.crypto.ristretto255 import base_mul, hash_to_group, reduce_wide
from matcha_p2p.crypto.shuffle import find_order, shuffle, verify_shuffle
from matcha_p2p.crypto.sigma import Context

def random(label, message, n):
    return hashlib.shake_256(label.encode() + b"|" + message).digest(n)

x = [reduce_wide(random("x", bytes([seat]), 48)) for seat in (0, 1)]
X = [base_mul(x[0]), base_mul(x[1])]
Y = X[0] + X[1]
deck = [public_ciphertext(hash_to_group(bytes([min(i, 4)])), Y) for i in range(6)]
out = []
for seat in (0, 1):
    context = Context("deal", bytes(32), seat, "matcha", "2020", 0)
    possession = prove_possession(x[seat], context, random)
    verify_possession(X[seat], context, possession)
    after, proof = shuffle(deck, Y, context, random)
    verify_shuffle(deck, after, Y, context, proof)
    given, giving = shuffle(deck, Y, context, random, (4, 1))
    verify_shuffle(deck, given, Y, context, giving)
    assert find_order(deck, given, Y, ("deal", random), [(0, 1), (4, 1)])[-2:] == (4, 1)
    shares, sharing = prove_shares(x[seat], after[:5], context, random)
    verify_shares(X[seat], after[:5], shares, context, sharing)
    out += [possession, *after, proof, *given, giving, *shares, sharing]
    deck = after
whole = b"".join(part.encode() for part in out)
print(ENGINE.name, hashlib.sha256(whole).hexdigest())
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if k != choice.VARIABLE}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


NOT_COMPILED = """
from pathlib import Path
from matcha_p2p.crypto import fast
fast.LIBRARY = Path("nowhere")
"""
NAME = "from matcha_p2p.crypto.engine import ENGINE; print(ENGINE.name)"


@pytest.mark.slow
def test_all_engines_give_the_same_bytes():
    native = run(WHOLE_RUN, MATCHA_ENGINE="native").stdout.split()
    pure = run(WHOLE_RUN, MATCHA_ENGINE="pure").stdout.split()
    assert (native[0], pure[0]) == ("native", "pure")
    assert native[1] == pure[1]
    if LIBRARY.exists():
        assert run(WHOLE_RUN, MATCHA_ENGINE="fast").stdout.split() == ["fast", pure[1]]


@pytest.mark.slow
@pytest.mark.skipif(not LIBRARY.exists(), reason="installed without a compiler")
def test_the_fast_engine_is_taken_where_it_was_compiled():
    assert run(NAME).stdout == "fast\n"


def test_without_the_fast_engine_the_native_one_is_taken(tmp_path):
    """The temporary directory, where rbcl leaves 2.8 MB, stays empty."""
    done = run(NOT_COMPILED + NAME, TMPDIR=str(tmp_path))
    assert done.stdout == "native\n"
    assert list(tmp_path.iterdir()) == []


def test_a_library_that_cannot_be_mapped_means_pure_python(tmp_path):
    """On a temporary directory mounted noexec, the loader raises OSError."""
    (tmp_path / "rbcl.py").write_text("raise OSError('failed to map segment')")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    assert run(NOT_COMPILED + NAME, PYTHONPATH=path).stdout == "pure\n"


def test_an_unknown_engine_is_refused():
    done = run(NAME, MATCHA_ENGINE="gpu")
    assert done.returncode != 0
    assert "MATCHA_ENGINE is 'gpu'; it may be fast, native or pure" in done.stderr


@pytest.mark.parametrize("error", [ImportError, OSError, RuntimeError])
def test_a_native_engine_that_was_asked_for_must_load(monkeypatch, error):
    def fail(_name: str) -> None:
        raise error("no such luck")

    monkeypatch.setattr(choice.importlib, "import_module", fail)
    before = tempfile.tempdir
    with pytest.raises(EngineError, match="cannot be loaded: no such luck"):
        choice.choose("native")
    assert choice.choose(None).name == "pure"
    assert tempfile.tempdir == before


def test_without_library_and_temporary_directory_pure_python_plays(monkeypatch, tmp_path):
    monkeypatch.setattr(fast, "LIBRARY", tmp_path / "missing")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    assert choice.choose(None).name == "pure"


def test_a_library_of_another_source_is_refused(fast_library, monkeypatch, tmp_path):
    """After an update of the source alone, the library may compute another result."""
    updated = tmp_path / "fast.c"
    updated.write_bytes(fast.SOURCE.read_bytes() + b"\n")
    monkeypatch.setattr(fast, "SOURCE", updated)
    monkeypatch.setattr(fast, "LIBRARY", fast_library)
    with pytest.raises(EngineError, match=r"from another fast\.c") as refusal:
        choice.choose("fast")
    assert "fast engine cannot be loaded" in str(refusal.value)
    assert choice.choose(None).name == "native"


def test_an_engine_that_computes_something_else_is_refused(monkeypatch):
    """A library of the right name without ristretto255 must not be trusted."""
    names = [name for name in dir(rbcl) if name.startswith("crypto_")]
    fake = SimpleNamespace(**{name: getattr(rbcl, name) for name in names})
    fake.crypto_scalarmult_ristretto255_base = lambda _scalar: bytes(32)
    monkeypatch.setattr(choice.importlib, "import_module", lambda _name: fake)
    with pytest.raises(EngineError, match="does not compute"):
        choice.choose("native")


def test_choosing_by_name():
    assert choice.choose("native").name == "native"
    assert choice.choose("pure").name == "pure"
    with pytest.raises(EngineError, match="may be fast, native or pure"):
        choice.choose("")


class TestTrapsOfRbcl:
    """Each test shows a trap in rbcl itself. The engine avoids the trap."""

    native = NATIVE
    point = NATIVE.generator
    invalid = b"\x01" + bytes(31)

    def test_bit_255_is_ignored(self):
        encoding = self.point[:31] + bytes([self.point[31] | 0x80])
        assert rbcl.crypto_core_ristretto255_is_valid_point(encoding)
        assert self.native.decode(encoding) is None

    def test_adding_an_invalid_point_gives_the_identity(self):
        assert rbcl.crypto_core_ristretto255_add(self.point, self.invalid) == bytes(32)
        assert rbcl.crypto_core_ristretto255_sub(self.point, self.invalid) == bytes(32)
        assert self.native.decode(self.invalid) is None

    @pytest.mark.parametrize(
        ("scalar", "element"),
        [
            (0, NATIVE.generator),
            (0, OTHER),
            (5, NATIVE.identity),
        ],
        ids=["zero times the generator", "zero times a point", "the identity"],
    )
    def test_a_product_that_is_the_identity_raises(self, scalar, element):
        with pytest.raises(RuntimeError):
            rbcl.crypto_scalarmult_ristretto255(scalar.to_bytes(32, "little"), element)
        assert self.native.secret_products([scalar], element) == [self.native.identity]
        assert self.native.secret_sum([scalar], [element]) == self.native.identity
        assert self.native.public_sum([scalar], [element]) == self.native.identity

    def test_unreduced_scalars_are_taken(self):
        element = OTHER
        for unreduced in (ORDER + 5, 5 | 2**255):
            encoded = unreduced.to_bytes(32, "little")
            assert rbcl.crypto_scalarmult_ristretto255(encoded, element) == (
                rbcl.crypto_scalarmult_ristretto255((5).to_bytes(32, "little"), element)
            )
        expected = self.native.secret_products([5, 2**255 % ORDER + 5], element)
        assert self.native.secret_products([ORDER + 5, 5 | 2**255], element) == expected
        assert expected[0] != expected[1]


def test_several_sums_are_sums_of_products(engine):
    """The generator has a table, the second point gets one, and the third is used once."""
    points = [engine.generator, *engine.secret_products([7, 9], engine.generator)]
    sums = [*([(0, scalar), (1, 3)] for scalar in range(1, 7)), [(2, 1)]]
    found = engine.encode_all(engine.secret_sums(points, sums))
    scalars = [*range(22, 28), 9]
    products = engine.secret_products(scalars, engine.generator)
    assert found == engine.encode_all(products)
    doubled = engine.encode_all(engine.add_all(products, products))
    assert doubled == [engine.encode(engine.add(product, product)) for product in products]
