"""The shuffle proof: honest shuffles hold, every forgery of protocol.md's list does not."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.crypto import shuffle as module
from matcha_p2p.crypto.elgamal import Ciphertext, mask, public_ciphertext, share
from matcha_p2p.crypto.ristretto255 import IDENTITY, ORDER, base_mul, public_sum
from matcha_p2p.crypto.shuffle import (
    ShuffleProof,
    blinding,
    chained,
    challenges,
    commitments,
    find_order,
    generators,
    masked,
    relation,
    shuffle,
    verify_shuffle,
)
from matcha_p2p.crypto.sigma import Proof, prove
from matcha_p2p.crypto.sponge import integers, xof
from matcha_p2p.errors import Check, EncodingError, ProofError

N = 5


@pytest.fixture(scope="module")
def honest(game):
    """Shuffle a deck of five: before, after, proof."""
    before = game.deck(N)
    return before, *shuffle(before, game.Y, game.context(), game.random)


@pytest.fixture
def refused(game, honest) -> Callable[..., bool]:
    def refused(**changes) -> bool:
        before, after, proof = honest
        given = {"before": before, "after": after, "key": game.Y, "proof": proof}
        given["context"] = game.context()
        with pytest.raises(ProofError) as refusal:
            verify_shuffle(**(given | changes))
        return refusal.value.check is Check.SHUFFLE

    return refused


def sum_of(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) % ORDER


def forge(game, before, after, psi, r, *, c=None, rho=None, u=None, u_prime=None):
    """Prove as an honest prover does, but with the values chosen by a cheat."""
    n = len(before)
    rho = rho or range(2001, 2001 + n)
    c = c or commitments(psi, rho)
    u = u or challenges(before, after, game.Y, c, game.context())
    u_prime = u_prime or tuple(u[j] for j in psi)
    r_hat = range(3001, 3001 + n)
    chain, logarithms = chained(u_prime, r_hat)
    witness = (sum(rho), logarithms[-1][0], sum_of(rho, u), sum_of(r, u), *r_hat, *u_prime)
    statement = relation(before, after, game.Y, c, chain, u)
    sid = game.context().sid("SHUFFLE")
    return ShuffleProof(c, chain, prove(statement, sid, witness, game.random))


@pytest.mark.parametrize("n", [2, 5, 12, 16, 18, 64])
def test_honest_shuffles_hold(game, n):
    """On a public deck and on a masked deck; two equal zeros do no harm."""
    before = game.deck(n)
    for seat in (0, 1):
        context = game.context(seat=seat)
        after, proof = shuffle(before, game.Y, context, game.random)
        assert len(proof.encode()) == 32 * (4 * n + 5)
        received = ShuffleProof.decode(proof.encode(), n)
        assert received == proof
        verify_shuffle(before, after, game.Y, context, received)
        before = after
    faces = {(c.c2 - share(sum(game.x), c)).encode() for c in before}
    assert faces == {game.face(i).encode() for i in range(n - 1)}


@pytest.mark.parametrize("n", [0, 1, 65])
def test_the_deck_has_2_to_64_cards(game, n, refused):
    deck = (game.deck(2) * 33)[:n]
    with pytest.raises(ValueError, match=f"a deck of {n} cards"):
        shuffle(deck, game.Y, game.context(), game.random)
    assert refused(before=deck, after=deck)


def test_the_forger_of_these_tests_can_be_honest(game):
    """A refusal is therefore due to the cheat, not to a slip of the forger."""
    before, psi, r = game.deck(N), (2, 0, 1, 4, 3), range(1, 1 + N)
    after = masked(before, game.Y, psi, r)
    proof = forge(game, before, after, psi, r)
    verify_shuffle(before, after, game.Y, game.context(), proof)


@pytest.mark.parametrize("last", [(), (3,), (9, 0, 3), (0, 3, 9), tuple(range(12))])
def test_chosen_cards_come_last_in_their_order(game, last):
    before, context = game.deck(13)[:-1], game.context()  # without the second zero
    after, proof = shuffle(before, game.Y, context, game.random, last)
    verify_shuffle(before, after, game.Y, context, proof)
    known = {game.face(face).encode(): face for face in range(12)}
    faces = [known[(card.c2 - share(sum(game.x), card)).encode()] for card in after]
    assert sorted(faces) == list(range(12))
    assert tuple(faces[12 - len(last) :]) == last
    others = faces[: 12 - len(last)]
    assert len(others) < 2 or others != sorted(others)


@pytest.mark.parametrize("last", [(5,), (-1,), (0, 0), (0, 1, 2, 3, 4, 0)])
def test_only_different_places_of_the_deck_can_come_last(game, last):
    with pytest.raises(ValueError, match="not different places"):
        shuffle(game.deck(N), game.Y, game.context(), game.random, last)


@pytest.mark.parametrize("k", [0, 1, 2, N])
def test_last_permutation_is_found_only_with_the_same_randomness(game, k):
    before, lasts = game.deck(N), [*permutations(range(N), k)]
    draws, others = ("deal", game.random), ("mix", game.random)
    for last in islice(permutations(range(N), k), 0, None, 7):
        after, _ = shuffle(before, game.Y, game.context(), game.random, last)
        found = find_order(before, after, game.Y, draws, lasts)
        assert found[N - k :] == last
        assert sorted(found) == [*range(N)]
        with pytest.raises(LookupError):
            find_order(before, after, game.Y, others, lasts)


def test_randomness_is_bound_to_label_key_deck_and_the_cards_that_come_last(game):
    """After a restored backup no mask and no nonce meets another input (row 46)."""
    asked = []

    def random(label, message, n):
        asked.append((label, message))
        return game.random(label, message, n)

    deck = game.deck(N)
    shuffle(deck, game.Y, game.context(), random)
    shuffle(deck, game.Y, game.context("mix"), random)
    shuffle(deck[::-1], game.Y, game.context(), random)
    shuffle(deck, game.X[0], game.context(), random)
    for last in ((0,), (1,), (0, 1), (1, 0), tuple(range(N)), tuple(reversed(range(N)))):
        shuffle(deck, game.Y, game.context(), random, last)
    assert len(set(asked)) == len(asked) == 5 * 10
    assert {label for label, _ in asked} == {
        *(f"{step}/{name}" for step in ("deal", "mix") for name in NAMES),
        "nonce",
    }


NAMES = ("permutation", "mask", "commitment", "chain")


def test_the_same_input_gives_the_same_bytes(game, honest):
    before, after, proof = honest
    assert shuffle(before, game.Y, game.context(), game.random) == (after, proof)


def test_a_replaced_face(game, refused):
    """Row 17: the shuffle is consistent, for another deck."""
    before = game.deck(N)
    changed = (public_ciphertext(game.face(9), game.Y), *before[1:])
    after, proof = shuffle(changed, game.Y, game.context(), game.random)
    verify_shuffle(changed, after, game.Y, game.context(), proof)
    assert refused(before=before, after=after, proof=proof)
    psi, r = (1, 0, 2, 4, 3), range(1, 1 + N)
    after = masked(changed, game.Y, psi, r)
    assert refused(before=before, after=after, proof=forge(game, before, after, psi, r))


def test_a_doubled_card(game, refused):
    """Row 18: card 0 twice, card 1 lost."""
    before, r, psi = game.deck(N), range(1, 1 + N), (0, 0, 2, 3, 4)
    after = masked(before, game.Y, psi, r)
    c = tuple(map(mul_add, range(2001, 2001 + N), generators(N)))
    for j in (psi, tuple(range(N))):
        u = challenges(before, after, game.Y, c, game.context())
        proof = forge(game, before, after, j, r, c=c, u=u)
        assert refused(before=before, after=after, proof=proof)


def mul_add(scalar, point):
    return base_mul(scalar) + point


def test_outputs_reordered_after_the_proof(game, honest, refused):
    """Row 19."""
    _, after, _ = honest
    assert refused(after=(after[1], after[0], *after[2:]))
    assert refused(after=(mask(after[0], 1, game.Y), *after[1:]))


def test_another_number_of_cards(game, honest, refused):
    """Row 19: N - 1, N + 1, and a proof for another N."""
    before, after, proof = honest
    assert refused(after=after[:-1])
    assert refused(after=(*after, after[0]))
    assert refused(before=before[:-1], after=after[:-1])
    four, short = shuffle(before[:-1], game.Y, game.context(), game.random)
    assert refused(after=four, proof=short)
    assert refused(proof=short)
    assert refused(proof=replace(proof, chain=proof.chain[:-1]))
    with pytest.raises(EncodingError) as refusal:
        ShuffleProof.decode(short.encode(), N)
    assert refusal.value.check is Check.SHUFFLE


def test_two_commitments_on_one_generator(game, refused):
    """Row 20: c commits to no permutation, and E1 finds the fault."""
    before, r, psi, rho = game.deck(N), range(1, 1 + N), (0, 0, 2, 3, 4), range(2001, 2001 + N)
    bases = generators(N)
    after = masked(before, game.Y, psi, r)
    c = tuple(map(mul_add, rho, (bases[0], bases[0], *bases[2:])))
    assert refused(before=before, after=after, proof=forge(game, before, after, psi, r, c=c))


def test_a_matrix_that_is_no_permutation_breaks_the_chain(game, refused):
    """Columns with sum one satisfy E1 and E3 to E5; only the product of E2 is wrong.

    c commits to ((2, -1), (-1, 2)) on the first two cards, and its inverse acts on them.
    """
    before, rho, r = game.deck(N), tuple(range(2001, 2001 + N)), (0,) * N
    third = pow(3, -1, ORDER)
    inverse = ((2 * third, third), (third, 2 * third))
    after = (*(combined(before[:2], row) for row in inverse), *before[2:])
    first_two, rest = generators(N)[:2], generators(N)[2:]
    hidden = (public_sum((2, -1), first_two), public_sum((-1, 2), first_two), *rest)
    c = tuple(map(mul_add, rho, hidden))
    u = challenges(before, after, game.Y, c, game.context())
    u_prime = (2 * u[0] - u[1], 2 * u[1] - u[0], *u[2:])
    proof = forge(game, before, after, range(N), r, c=c, rho=rho, u=u, u_prime=u_prime)
    assert refused(before=before, after=after, proof=proof)

    statement = relation(before, after, game.Y, c, proof.chain, u)
    _, logarithms = chained(u_prime, range(3001, 3001 + N))
    witness = (sum(rho), logarithms[-1][0], sum_of(rho, u), 0, *range(3001, 3001 + N), *u_prime)
    pairs = zip(statement.image, statement.map(witness), strict=True)
    assert [left == right for left, right in pairs] == [True, False, *[True] * (3 + N)]


def combined(cards, row):
    """Return the cards, added up with the coefficients of ``row``."""
    return Ciphertext(
        public_sum(row, [card.c1 for card in cards]),
        public_sum(row, [card.c2 for card in cards]),
    )


def test_another_place(game, refused):
    """Row 21: another set or game (head), another step (label), another seat."""
    assert refused(context=game.context(head=8))
    assert refused(context=game.context("mix"))
    assert refused(context=game.context(seat=1))


def test_another_key(game, refused):
    assert refused(key=game.X[0])


def test_another_input(game, honest, refused):
    """Row 24: the faces of the last set instead of the rest of the current set."""
    before, _, _ = honest
    assert refused(before=before[::-1])
    assert refused(before=game.deck(N + 1)[1:])


@pytest.mark.parametrize("left_out", ["commitments", "output"])
def test_weak_challenges_u(game, refused, left_out):
    """Row 22: the hash for u leaves out c, or e'."""
    before, psi, r = game.deck(N), (2, 0, 1, 4, 3), range(1, 1 + N)
    after = masked(before, game.Y, psi, r)
    c = commitments(psi, range(2001, 2001 + N))
    weak = ((), after) if left_out == "commitments" else (c, ())
    u = challenges(before, weak[1], game.Y, weak[0], game.context())
    assert refused(before=before, after=after, proof=forge(game, before, after, psi, r, u=u))


def test_a_challenge_that_leaves_out_the_statement(game, honest, refused):
    """Row 22: a hash of the commitments T alone would let a cheat bend the statement."""
    before, after, proof = honest
    statement = relation(
        before,
        after,
        game.Y,
        proof.commitments,
        proof.chain,
        challenges(before, after, game.Y, proof.commitments, game.context()),
    )
    responses = tuple(range(1, statement.scalars + 1))
    T = b"".join(point.encode() for point in statement.map(responses))
    (weak,) = integers(xof(game.context().sid("SHUFFLE"), T, 48), ORDER)
    assert refused(proof=replace(proof, proof=Proof(weak, responses)))


def test_a_scalar_raised_by_the_order(honest):
    """Row 23."""
    _, _, proof = honest
    encoding = proof.encode()
    for start in (64 * N, 64 * N + 32, len(encoding) - 32):
        scalar = int.from_bytes(encoding[start : start + 32], "little") + ORDER
        raised = encoding[:start] + scalar.to_bytes(32, "little") + encoding[start + 32 :]
        with pytest.raises(EncodingError) as refusal:
            ShuffleProof.decode(raised, N)
        assert refusal.value.check is Check.SCALAR


@pytest.mark.parametrize("index", [0, N - 1, N, 2 * N - 1])
@pytest.mark.parametrize(
    "bad", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32], ids=["identity", "odd", "high"]
)
def test_a_bad_point(honest, index, bad):
    """Row 23: the identity, or no canonical encoding."""
    encoding = bytearray(honest[2].encode())
    encoding[32 * index : 32 * index + 32] = bad
    with pytest.raises(EncodingError) as refusal:
        ShuffleProof.decode(bytes(encoding), N)
    assert refusal.value.check is Check.POINT


@pytest.mark.parametrize("change", [-32, -1, 1, 32])
def test_another_length(honest, change):
    """Row 23: the length is fixed by N."""
    encoding = (honest[2].encode() + bytes(32))[: len(honest[2].encode()) + change]
    with pytest.raises(EncodingError) as refusal:
        ShuffleProof.decode(encoding, N)
    assert refusal.value.check is Check.SHUFFLE


def test_an_identity_that_was_never_encoded(honest, refused):
    _, after, proof = honest
    assert refused(proof=replace(proof, chain=(IDENTITY, *proof.chain[1:])))
    assert refused(after=(replace(after[0], c1=IDENTITY), *after[1:]))


def test_every_part_of_a_proof_counts(game, honest):
    """After a change of one bit in any 32-byte field, the bytes or the proof are refused."""
    before, after, proof = honest
    encoding = proof.encode()
    for position in range(5, len(encoding), 32):
        changed = bytearray(encoding)
        changed[position] ^= 4
        with pytest.raises((EncodingError, ProofError)):
            verify_shuffle(
                before, after, game.Y, game.context(), ShuffleProof.decode(bytes(changed), N)
            )


@given(st.binary(min_size=32 * 13, max_size=32 * 13) | st.binary(max_size=8))
def test_decode_is_total(encoding):
    try:
        proof = ShuffleProof.decode(encoding, 2)
    except EncodingError:
        return
    assert proof.encode() == encoding


def test_generators_are_independent_points():
    points = {point.encode() for point in (*generators(module.LARGEST), blinding())}
    assert len(points) == module.LARGEST + 1


def test_the_chain_by_fixed_bases_is_the_chain_of_the_statement():
    """Step 5: Ĉ_i = r̂_i·G + u'_i·Ĉ_(i-1), from K."""
    chain, logarithms = chained((5, 7, 11), (2, 3, 4))
    link = blinding()
    for u, r, expected in zip((5, 7, 11), (2, 3, 4), chain, strict=True):
        link = base_mul(r) + u * link
        assert link == expected
    for link, (q, U) in zip(chain, logarithms, strict=True):
        assert link == base_mul(q) + U * blinding()
