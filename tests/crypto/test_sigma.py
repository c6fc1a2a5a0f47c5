"""The proof engine: the draft's vectors on P-256, each instance check, and the contexts."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.crypto.ristretto255 import GENERATOR, IDENTITY, ORDER, RISTRETTO255, base_mul
from matcha_p2p.crypto.sigma import Context, Equation, Proof, Relation, prove, verify
from matcha_p2p.crypto.sponge import H, xof
from matcha_p2p.errors import Check, EncodingError, ProofError
from tests.crypto.conftest import seeded

VECTORS = json.loads((Path(__file__).parent / "vectors/sigma_p256.json").read_text())
SUITE = "sigma-proofs_Shake128_P256"


class RefusedError(Exception):
    """The test group refuses some bytes."""


@dataclass(frozen=True)
class P256:
    """P-256 as in the vectors: compressed points, big-endian scalars; None is neutral."""

    order: int = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    p: int = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
    b: int = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B

    @property
    def generator(self):
        x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        return self.decode(bytes.fromhex(f"03{x}"))

    def is_identity(self, point):
        return point is None

    def add(self, left, right):
        if left is None or right is None:
            return left or right
        (x1, y1), (x2, y2) = left, right
        if x1 == x2 and (y1 + y2) % self.p == 0:
            return None
        rise, run = (3 * x1 * x1 - 3, 2 * y1) if x1 == x2 else (y2 - y1, x2 - x1)
        slope = rise * pow(run, -1, self.p)
        x = (slope * slope - x1 - x2) % self.p
        return x, (slope * (x1 - x) - y1) % self.p

    def public_sum(self, scalars, points):
        total = None
        for scalar, point in zip(scalars, points, strict=True):
            power = point
            for bit in reversed(f"{scalar % self.order:b}"):
                total = self.add(total, power) if bit == "1" else total
                power = self.add(power, power)
        return total

    def public_sums(self, points, sums):
        return [self.public_sum([s for _, s in t], [points[i] for i, _ in t]) for t in sums]

    secret_sums = public_sums
    encoded_identity = b""

    def encoded_public_sums(self, points, sums):
        return self.encode_all(self.public_sums(points, sums))

    def encode_all(self, points):
        return list(map(self.encode, points))

    def encode(self, point):
        if point is None:
            return self.encoded_identity
        x, y = point
        return bytes([2 | y & 1]) + x.to_bytes(32, "big")

    def decode(self, encoding):
        x = int.from_bytes(encoding[1:], "big")
        square = (x**3 - 3 * x + self.b) % self.p
        y = pow(square, (self.p + 1) // 4, self.p)
        if encoding[0] not in {2, 3} or x >= self.p or y * y % self.p != square:
            raise RefusedError("no point")
        return x, (y if y & 1 == encoding[0] & 1 else self.p - y)

    def encode_scalar(self, scalar):
        return scalar.to_bytes(32, "big")

    def decode_scalars(self, encoding):
        blocks = [encoding[i : i + 32] for i in range(0, len(encoding), 32)]
        scalars = [int.from_bytes(block, "big") for block in blocks]
        if len(encoding) % 32 or any(scalar >= self.order for scalar in scalars):
            raise RefusedError("no scalar")
        return scalars


GROUP = P256()
ONE = Proof(1, (1,))


def relation(instance: bytes) -> Relation:
    """Read a serialised statement."""
    position = 0

    def take(n):
        nonlocal position
        position += n
        return instance[position - n : position]

    def index():
        return int.from_bytes(take(4), "little")

    def coefficient():
        return int.from_bytes(take(32), "big")

    equations = []
    for _ in range(index()):
        image = tuple((index(), coefficient()) for _ in range(index()))
        terms = tuple((index(), index(), coefficient()) for _ in range(index()))
        equations.append(Equation(image, terms))
    rest = instance[position:]
    elements = (GROUP.decode(rest[i : i + 33]) for i in range(0, len(rest), 33))
    return Relation(GROUP, (GROUP.generator, *elements), tuple(equations))


def session(tag: str) -> bytes:
    return xof(b"irtf-cfrg-fiat-shamir/session-id", tag.encode(), 32)


def read_proof(encoding: str) -> Proof:
    challenge, *responses = GROUP.decode_scalars(bytes.fromhex(encoding))
    return Proof(challenge, tuple(responses))


def name(vector):
    return vector["id"]


@pytest.mark.parametrize("vector", VECTORS["accept"], ids=name)
def test_published_proofs_are_made_byte_for_byte(vector):
    """The nonces come from the draft's seeded generator; the proofs verify."""
    statement = relation(bytes.fromhex(vector["instance"]))
    witness = GROUP.decode_scalars(bytes.fromhex(vector["witness"]))
    generator = session(f"TestDRNG-SIGMA-PROOFS-CMPT-{SUITE}-{vector['id']}")
    sid = session(vector["tag"])
    proof = prove(statement, sid, witness, lambda _, __, n: xof(generator, b"", n))
    scalars = (proof.challenge, *proof.responses)
    assert b"".join(map(GROUP.encode_scalar, scalars)).hex() == vector["proof"]
    assert statement.encoding.hex() == vector["instance"]
    verify(statement, sid, proof, Check.POP)


@pytest.mark.parametrize("vector", VECTORS["reject"], ids=name)
def test_published_forgeries_are_refused(vector):
    statement = relation(bytes.fromhex(vector["instance"]))
    with pytest.raises((ProofError, RefusedError)):
        verify(statement, session(vector["tag"]), read_proof(vector["proof"]), Check.POP)


@pytest.mark.parametrize("vector", VECTORS["invalid"], ids=name)
def test_published_invalid_instances_are_refused(vector):
    """The check named by the draft refuses each. P-256 cannot even encode E3's identity."""
    with pytest.raises((ProofError, RefusedError), match=vector["match"]):
        verify(relation(bytes.fromhex(vector["instance"])), bytes(32), ONE, Check.POP)


X = base_mul(5)
KEY = Equation(((1, 1),), ((0, 0, 1),))


def statement(*equations, elements=(GENERATOR, X)):
    return Relation(RISTRETTO255, elements, equations)


INVALID = {
    "check 1": statement(),
    "check 2": statement(KEY, Equation((), ((0, 0, 1),))),
    "check 2, terms": statement(KEY, Equation(((1, 1),), ())),
    "check 3": statement(Equation(((1, 1),), ((0, 0, 1), (2**32, 0, 1)))),
    "check 3, below": statement(Equation(((-1, 1),), ((0, 0, 1),))),
    "check 4": statement(Equation(((2, 1),), ((0, 0, 1),))),
    "check 5": statement(KEY, elements=(GENERATOR, X, X)),
    "check 6": statement(Equation(((1, 1),), ((1, 0, 1),))),
    "check 7": statement(KEY, elements=(X, X)),
    "check 8": statement(KEY, elements=(GENERATOR, IDENTITY)),
    "check 9": statement(KEY, Equation(((1, 5), (0, -25)), ((0, 0, 1),))),
    "check 10": statement(KEY, Equation(((1, 1),), ((0, 0, 1), (1, 1, 1), (1, 0, -5)))),
    "check 10, zero": statement(Equation(((1, 1),), ((0, 0, 1), (1, 0, ORDER)))),
}


def test_a_scalar_may_be_bound_by_a_sum_of_elements():
    """Here w_1 stands before X - 4·G, which is G, and nowhere else."""
    bound = statement(KEY, Equation(((1, 1),), ((0, 0, 1), (1, 1, 1), (1, 0, -4))))
    proof = prove(bound, bytes(32), (5, 0), seeded("bound"))
    verify(bound, bytes(32), proof, Check.POP)


@pytest.mark.parametrize(("check", "invalid"), INVALID.items(), ids=INVALID.keys())
def test_an_invalid_statement_is_refused_by_its_check(check, invalid):
    scalars = {"check 10": 2, "check 10, zero": 2}.get(check, 1)
    with pytest.raises(ProofError, match=check.partition(",")[0] + ":") as refusal:
        verify(invalid, bytes(32), Proof(1, (1,) * scalars), Check.SHARE)
    assert refusal.value.check is Check.SHARE


@pytest.mark.parametrize("check", sorted(INVALID.keys() - {"check 9"}))
def test_an_invalid_statement_is_not_proved(check):
    with pytest.raises(ValueError, match=check.partition(",")[0] + ":"):
        prove(INVALID[check], bytes(32), (5,), lambda *_: bytes(48))


def test_the_generator_may_go_unused():
    """Check 5 asks for every element but the first."""
    unused = statement(Equation(((2, 1),), ((0, 1, 1),)), elements=(GENERATOR, X, 3 * X))
    verify(
        unused, bytes(32), prove(unused, bytes(32), (3,), lambda *_: b"\x07" * 48), Check.POP
    )


def test_a_proof_with_known_logarithms_has_the_same_bytes():
    """X = 5·G, so 3·X = 15·G, and the products of X become products of G."""
    two = statement(
        KEY, Equation(((2, 1),), ((1, 1, 1), (0, 0, 2))), elements=(*(GENERATOR, X), 3 * X)
    )
    witness, sid = (5, 1), bytes(32)
    proof = prove(two, sid, witness, seeded("known"), {1: ((0, 5),)})
    assert proof == prove(two, sid, witness, seeded("known"))


def test_the_witness_has_one_scalar_for_each_index():
    with pytest.raises(ValueError, match="2 scalars, 1 are due"):
        prove(statement(KEY), bytes(32), (5, 5), lambda *_: bytes(48))


def test_another_number_of_responses_is_refused():
    proof = prove(statement(KEY), bytes(32), (5,), lambda *_: b"\x07" * 48)
    for responses in ((), (*proof.responses, 0)):
        with pytest.raises(ProofError, match="responses, not 1"):
            verify(statement(KEY), bytes(32), Proof(proof.challenge, responses), Check.POP)


def test_a_commitment_that_is_the_identity_is_refused():
    """A prover with nonce 0 shows the witness, so the rule allows no such proof."""
    proof = prove(statement(KEY), bytes(32), (5,), lambda *_: bytes(48))
    with pytest.raises(ProofError, match="a commitment of the proof is the identity"):
        verify(statement(KEY), bytes(32), proof, Check.POP)


def test_nonces_depend_on_session_and_statement():
    """Two proofs under one secret therefore never share a nonce; the witness stays hidden."""
    asked = []

    def random(label, message, n):
        asked.append((label, message, n))
        return b"\x07" * n

    prove(statement(KEY), bytes(32), (5,), random)
    prove(statement(KEY), b"\x01" * 32, (5,), random)
    prove(statement(KEY, elements=(GENERATOR, base_mul(6))), bytes(32), (6,), random)
    assert {(label, n) for label, _, n in asked} == {("nonce", 48)}
    assert len({message for _, message, _ in asked}) == 3


def test_session_id_as_defined():
    suite = b"sigma-proofs_Shake128_ristretto255"
    place = b"hello", b"h" * 32, b"\x01\x02"
    expected = H("proof", b"CMPT", suite, b"POP", b"matcha", b"2020", *place)
    assert Context("hello", b"h" * 32, 1, "matcha", "2020", 2).sid("POP") == expected


def test_every_part_of_a_context_separates():
    one = Context("a", bytes(32), 0, "x", "y", 0)
    contexts = [
        one,
        replace(one, label="b"),
        replace(one, head=b"\x01" * 32),
        replace(one, seat=1),
        replace(one, game="xy", variant=""),
        replace(one, variant="z"),
        replace(one, place=1),
    ]
    sids = {context.sid(name) for context in contexts for name in ("POP", "SHARES")}
    assert len(sids) == 14


@given(st.lists(st.integers(0, ORDER - 1), min_size=1, max_size=4))
def test_proof_round_trip(scalars):
    proof = Proof(scalars[0], tuple(scalars[1:]))
    assert len(proof.encode()) == 32 * len(scalars)
    assert Proof.decode(proof.encode()) == proof


@given(st.binary(max_size=100))
def test_proof_decode_is_total(encoding):
    try:
        proof = Proof.decode(encoding)
    except EncodingError:
        return
    assert proof.encode() == encoding


def test_an_empty_proof_is_refused():
    with pytest.raises(EncodingError, match="an empty proof") as refusal:
        Proof.decode(b"")
    assert refusal.value.check is Check.SCALAR


def test_a_scalar_raised_by_the_order_is_refused():
    proof = prove(statement(KEY), bytes(32), (5,), lambda *_: b"\x07" * 48)
    scalars = [proof.challenge, *proof.responses]
    for i in range(2):
        raised = [s + ORDER * (i == j) for j, s in enumerate(scalars)]
        with pytest.raises(EncodingError) as refusal:
            Proof.decode(b"".join(s.to_bytes(32, "little") for s in raised))
        assert refusal.value.check is Check.SCALAR


def test_a_sum_of_coefficients_one_and_minus_one_costs_no_multiplication(engine, monkeypatch):
    """Relations write sums element by element, and the sums must stay cheap."""

    def fail(*_):
        raise AssertionError("a multiplication")

    point = engine.from_uniform(bytes(range(64)))
    match engine.name:
        case "native":
            monkeypatch.setattr(engine, "_multiply", fail)
        case "pure":
            monkeypatch.setattr(type(point), "odd_multiples", fail)
        case _:
            pass  # fast.c sees to it by itself
    total = engine.public_sum([1, -1, 1, ORDER - 1, 1], [point] * 5)
    assert engine.equal(total, point)
