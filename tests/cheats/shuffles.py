"""Cheats with shuffles and their proofs: rows 17 to 23."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from unittest import mock

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.ristretto255 import ORDER, Point, base_mul, public_sum
from matcha_p2p.crypto.shuffle import (
    ShuffleProof,
    blinding,
    chained,
    challenges,
    commitments,
    generators,
    masked,
    relation,
    shuffle,
)
from matcha_p2p.crypto.sigma import Context, Proof, Relation, prove
from matcha_p2p.crypto.sponge import H, integers, permutation, stream, xof
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table.messages import Shuf, encode_action
from matcha_p2p.table.steps import Shuffle
from matcha_p2p.table.table import Table
from tests.cheats.parts import masked as masked_cards
from tests.cheats.parts import public
from tests.cheats.scene import Row, Scene, at, cheats, coins, say, says, utter

Deck = Sequence[Ciphertext]
Mix = tuple[tuple[int, int], tuple[int, int]]

P = 2**255 - 19


def scalars(scene: Scene, label: str, n: int) -> tuple[int, ...]:
    return integers(scene.random(label, b"", 48 * n), ORDER)


def order(scene: Scene, n: int) -> tuple[int, ...]:
    return permutation(stream(scene.random("order", b"", 32)), n)


def context(scene: Scene, label: str = "deal") -> Context:
    """Return the place of a proof in the first action of a message."""
    return scene.table.context(scene.seat, label, 0)


def argue(
    scene: Scene,
    before: Deck,
    after: Deck,
    psi: Sequence[int],
    r: Sequence[int],
    *,
    c: Sequence[Point] | None = None,
    u: Sequence[int] | None = None,
    rho: Sequence[int] | None = None,
    mix: Mix | None = None,
) -> ShuffleProof:
    """Go the steps of an honest prover, with what may be wrong or made up.

    mix: what takes the place of the permutation of the first two challenges.
    """
    statement, witness, c, chain = argument(
        scene, before, after, psi, r, c=c, u=u, rho=rho, mix=mix
    )
    proof = prove(statement, context(scene).sid("SHUFFLE"), witness, scene.random)
    return ShuffleProof(tuple(c), chain, proof)


def argument(
    scene: Scene,
    before: Deck,
    after: Deck,
    psi: Sequence[int],
    r: Sequence[int],
    *,
    c: Sequence[Point] | None = None,
    u: Sequence[int] | None = None,
    rho: Sequence[int] | None = None,
    mix: Mix | None = None,
) -> tuple[Relation[Point], tuple[int, ...], Sequence[Point], tuple[Point, ...]]:
    """Return what is to be proven, the witness, and the commitments of the proof."""
    n, key, place = len(before), scene.table.deck.key, context(scene)
    rho = rho or scalars(scene, "rho", n)
    r_hat = scalars(scene, "r_hat", n)
    c = c or commitments(psi, rho)
    u = u or challenges(before, after, key, c, place)
    u_prime = tuple(u[j] for j in psi)
    if mix is not None:
        u_prime = (*mixed(mix, u), *u_prime[2:])
    chain, logarithms = chained(u_prime, r_hat)
    witness = (
        sum(rho) % ORDER,
        logarithms[-1][0],
        sum(a * b for a, b in zip(rho, u, strict=True)) % ORDER,
        sum(r[j] * u[j] for j in psi) % ORDER,
        *r_hat,
        *u_prime,
    )
    return relation(before, after, key, c, chain, u), witness, c, chain


def mixed(mix: Mix, values: Sequence[int]) -> tuple[int, ...]:
    """Return a matrix of two rows applied to the first two values."""
    return tuple(sum(a * b for a, b in zip(row, values, strict=False)) % ORDER for row in mix)


def shuffled(scene: Scene, before: Deck, label: str = "deal", place: int = 0) -> Shuf:
    """Shuffle what is not the deck, and prove that honestly."""
    where = replace(context(scene, label), place=place)
    return Shuf(*shuffle(before, scene.table.deck.key, where, scene.random))


def deck_of(table: Table) -> tuple[Ciphertext, ...]:
    assert isinstance(table.step, Shuffle)
    return masked_cards(table, table.step.pile)


def swapped(scene: Scene, prove_the_swap: bool) -> bytes:
    """Put another face, properly masked, in the place of a card."""
    deck = deck_of(scene.table)
    other = public(scene.table, game_of(scene.table).table[0])
    psi, r = order(scene, len(deck)), scalars(scene, "r", len(deck))
    mine = (*other, *deck[1:])
    after = masked(mine, scene.table.deck.key, psi, r)
    claimed = mine if prove_the_swap else deck
    return say(scene, Shuf(after, argue(scene, claimed, after, psi, r)))


def doubled(scene: Scene) -> bytes:
    """Deal card ψ(0) twice and ψ(1) never, and commit to the very matrix that was used.

    The product of the challenges (E2) shows that it is no permutation, and the lost card is
    missed in E4 and E5.
    """
    deck, key = deck_of(scene.table), scene.table.deck.key
    n = len(deck)
    psi, r, rho = order(scene, n), scalars(scene, "r", n), scalars(scene, "rho", n)
    lost, twice = psi[1], psi[0]
    chosen = (twice, twice, *psi[2:])
    after = masked(deck, key, chosen, r)
    bases = generators(n)
    c = [base_mul(blind) for blind in rho]
    for i, j in enumerate(chosen):
        c[j] = c[j] + bases[i]
    assert lost not in chosen
    return say(scene, Shuf(after, argue(scene, deck, after, chosen, r, c=c, rho=rho)))


def doubled_behind_a_permutation(scene: Scene) -> bytes:
    """Deal a card twice, and commit to an honest permutation."""
    deck = deck_of(scene.table)
    psi, r = order(scene, len(deck)), scalars(scene, "r", len(deck))
    after = masked(deck, scene.table.deck.key, (psi[0], psi[0], *psi[2:]), r)
    return say(scene, Shuf(after, argue(scene, deck, after, psi, r)))


def reordered(scene: Scene) -> bytes:
    honest = shuffled(scene, deck_of(scene.table))
    return say(scene, Shuf(honest.deck[::-1], honest.proof))


def resized(change: Callable[[Deck], Deck]) -> Callable[[Scene], bytes]:
    """Shuffle a card too few or too many, all well proven."""

    def make(scene: Scene) -> bytes:
        wrong = shuffled(scene, change(deck_of(scene.table)))
        return utter(scene, [encode_action(wrong), *scene.fields[1:]])

    return make


def one_column(scene: Scene) -> bytes:
    """Commit to two cards in one place."""
    return committed(scene, lambda c, n: [c[0] - generators(n)[0] + generators(n)[1], *c[1:]])


def mixing(scene: Scene, mix: Mix, prove_it: Callable[..., Any] = argue) -> Any:
    """Mix two cards by a matrix that is no permutation, and commit to that very matrix.

    What comes out are cards without a face. E3, E4, E5 and the chain hold for any matrix that
    can be inverted, so that only E1 or E2 is left to notice.
    """
    deck, key = deck_of(scene.table), scene.table.deck.key
    n = len(deck)
    psi = tuple(range(n))
    r, rho = scalars(scene, "r", n), scalars(scene, "rho", n)
    after = list(masked(deck, key, psi, r))
    (a, b), (c, d) = mix
    inverse = pow(a * d - b * c, -1, ORDER)
    back = [[n * inverse % ORDER for n in row] for row in ((d, -c), (-b, a))]
    first, second = after[:2]
    after[:2] = [
        Ciphertext(
            public_sum(row, (first.c1, second.c1)), public_sum(row, (first.c2, second.c2))
        )
        for row in back
    ]
    bases, honest = generators(n), commitments(psi, rho)
    columns = [
        base_mul(rho[j]) + public_sum([row[j] for row in mix], bases[:2]) for j in (0, 1)
    ]
    return prove_it(
        scene, deck, tuple(after), psi, r, c=(*columns, *honest[2:]), rho=rho, mix=mix
    )


SCALED = ((7, 0), (0, pow(7, -1, ORDER)))
STOCHASTIC = ((7, -6 % ORDER), (0, 1))


def mixes(mix: Mix) -> Callable[[Scene], bytes]:
    def make(scene: Scene) -> bytes:
        proven: list[Deck] = []

        def prove_it(scene: Scene, deck: Deck, after: Deck, *rest: Any, **more: Any):
            proven.append(after)
            return argue(scene, deck, after, *rest, **more)

        proof = mixing(scene, mix, prove_it)
        return say(scene, Shuf(tuple(proven[0]), proof))

    return make


def blinds_undone(scene: Scene) -> bytes:
    """Commit with blinds that sum to 0: the image of E1 is the identity, all else holds."""
    deck = deck_of(scene.table)
    n = len(deck)
    psi, r, rho = order(scene, n), scalars(scene, "r", n), list(scalars(scene, "rho", n))
    rho[0] = (rho[0] - sum(rho)) % ORDER
    after = masked(deck, scene.table.deck.key, psi, r)
    with mock.patch.object(Relation, "validate"):
        return say(scene, Shuf(after, argue(scene, deck, after, psi, r, rho=rho)))


def off_the_sum(scene: Scene) -> bytes:
    """Add K to a commitment, so that E1 does not hold."""
    return committed(scene, lambda c, _: [c[0] + blinding(), *c[1:]])


def committed(scene: Scene, change: Callable[[Sequence[Point], int], list[Point]]) -> bytes:
    deck = deck_of(scene.table)
    n = len(deck)
    psi, r, rho = order(scene, n), scalars(scene, "r", n), scalars(scene, "rho", n)
    after = masked(deck, scene.table.deck.key, psi, r)
    c = change(commitments(psi, rho), n)
    return say(scene, Shuf(after, argue(scene, deck, after, psi, r, c=c, rho=rho)))


def elsewhere(**change: Any) -> Callable[[Scene], bytes]:
    """Shuffle the right deck with a proof for another place."""

    def make(scene: Scene) -> bytes:
        place = replace(context(scene), **change)
        deck, key = deck_of(scene.table), scene.table.deck.key
        return say(scene, Shuf(*shuffle(deck, key, place, scene.random)))

    return make


def other_seat(scene: Scene) -> bytes:
    return elsewhere(seat=1 - scene.seat)(scene)


def last_set(scene: Scene) -> bytes:
    """Prove the deck of this set in the place of the first deal."""
    return elsewhere(head=scene.log[2].id)(scene)


def weak(leave_out: str) -> Callable[[Scene], bytes]:
    """Take the challenges from a hash that leaves something out, which can be chosen later."""

    def make(scene: Scene) -> bytes:
        deck, key = deck_of(scene.table), scene.table.deck.key
        n = len(deck)
        psi, r, rho = order(scene, n), scalars(scene, "r", n), scalars(scene, "rho", n)
        after = masked(deck, key, psi, r)
        c = commitments(psi, rho)
        parts = {
            "before": b"".join(card.encode() for card in deck),
            "after": b"".join(card.encode() for card in after),
            "c": b"".join(point.encode() for point in c),
        }
        hashed = key.encode() + b"".join(
            part for name, part in parts.items() if name != leave_out
        )
        sid = context(scene, "deal/u").sid("SHUFFLE")
        u = integers(xof(sid, hashed, 48 * n), ORDER)
        assert (u == challenges(deck, after, key, c, context(scene))) == (leave_out == "")
        return say(scene, Shuf(after, argue(scene, deck, after, psi, r, c=c, u=u, rho=rho)))

    return make


def no_statement(scene: Scene) -> bytes:
    """Hash only the prover's commitments into the challenge: they can be chosen to fit it."""
    right = shuffled(scene, deck_of(scene.table))
    c = right.proof.commitments
    key = scene.table.deck.key
    u = challenges(deck_of(scene.table), right.deck, key, c, context(scene))
    statement = relation(deck_of(scene.table), right.deck, key, c, right.proof.chain, u)
    responses = scalars(scene, "responses", statement.scalars)
    promised = b"".join(point.encode() for point in statement.map(responses))
    wide = xof(context(scene).sid("SHUFFLE"), promised, 48)
    (challenge,) = integers(wide, ORDER)
    return say(scene, Shuf(right.deck, replace(right.proof, proof=Proof(challenge, responses))))


def altered(place: int, change: Callable[[bytes], bytes]) -> Callable[[Scene], bytes]:
    """Change the bytes of the honest deck (place 1) or of its proof (place 2)."""

    def make(scene: Scene) -> bytes:
        action = [*scene.fields[0]]
        action[place] = change(action[place])
        return utter(scene, [action, *scene.fields[1:]])

    return make


def plus_order(proof: bytes) -> bytes:
    last = int.from_bytes(proof[-32:], "little") + ORDER
    return proof[:-32] + last.to_bytes(32, "little")


def negated(encoding: bytes) -> bytes:
    """Give the first point its other, not canonical, sign."""
    return (P - int.from_bytes(encoding[:32], "little")).to_bytes(32, "little") + encoding[32:]


def plus_p(encoding: bytes) -> bytes:
    return (P + int.from_bytes(encoding[:32], "little")).to_bytes(32, "little") + encoding[32:]


def first_half(number: int) -> Callable[[Scene], bytes]:
    return altered(1, lambda deck: number.to_bytes(32, "little") + deck[32:])


def high_bit(encoding: bytes) -> bytes:
    return encoding[:31] + bytes([encoding[31] | 0x80]) + encoding[32:]


def sized(cards: int) -> Callable[[Scene], bytes]:
    """Shuffle any number of cards; the proof has the size that fits it."""

    def make(scene: Scene) -> bytes:
        name, deck, proof = scene.fields[0]
        card, commitment = deck[:64], proof[:32]
        made_up = commitment * 2 * cards + bytes(32 * (2 * cards + 5))
        return utter(scene, [[name, card * cards, made_up], *scene.fields[1:]])

    return make


FIRST = at(says("SHUF deal", "SHARE strip"))
HAND = at(says("SHUF own", "SHARE strip"))
LATER = at(lambda state, entry: says("SHUF")(state, entry) and coins(state) > 1, "short")

CHEATS = cheats(
    {
        Row(17, Check.SHUFFLE, FIRST): {
            "a face replaced": lambda s: swapped(s, False),
            "a face replaced, and proven": lambda s: swapped(s, True),
        },
        Row(17, Check.SHUFFLE, LATER): {
            "a face replaced in set 2": lambda s: swapped(s, False),
        },
        Row(18, Check.SHUFFLE, FIRST): {
            "a card doubled, one lost, committed so": doubled,
            "a card doubled, one lost": doubled_behind_a_permutation,
        },
        Row(19, Check.SHUFFLE, FIRST): {
            "outputs reordered after the proof": reordered,
            "a card too few": resized(lambda deck: deck[1:]),
            "a card too many": resized(lambda deck: (*deck, deck[0])),
            "one card": altered(1, lambda deck: deck[:64]),
            "a deck of no card": sized(0),
            "a deck of one card": sized(1),
            "a deck of 65 cards": sized(65),
        },
        Row(19, Check.SHUFFLE, HAND): {
            "a hand of no card": sized(0),
            "a hand of one card": sized(1),
            "a hand of 65 cards": sized(65),
        },
        Row(20, Check.SHUFFLE, FIRST): {
            "two commitments on one generator": one_column,
            "commitments that break E1": off_the_sum,
            "two cards scaled, which E1 alone refuses": mixes(SCALED),
            "two cards mixed, which E2 alone refuses": mixes(STOCHASTIC),
            "blinds that sum to 0": blinds_undone,
        },
        Row(21, Check.SHUFFLE, LATER): {
            "a proof from another set": last_set,
        },
        Row(21, Check.SHUFFLE, FIRST): {
            "a proof for the mix": elsewhere(label="mix"),
            "a proof for the other seat": other_seat,
            "a proof of another game": elsewhere(head=H("another game")),
            "a proof for another kind of game": elsewhere(game="tichu"),
            "a proof for another variant": elsewhere(variant="2031"),
            "a proof for another place in the message": elsewhere(place=1),
        },
        Row(22, Check.SHUFFLE, FIRST): {
            "challenges without the commitments": weak("c"),
            "challenges without the new deck": weak("after"),
            "challenges without the old deck": weak("before"),
            "a challenge without the statement": no_statement,
        },
        Row(23, Check.SCALAR, FIRST): {
            "a scalar plus the order": altered(2, plus_order),
            "the order as a scalar": altered(
                2, lambda proof: proof[:-32] + ORDER.to_bytes(32, "little")
            ),
        },
        Row(23, Check.POINT, FIRST): {
            "a card not canonical": altered(1, negated),
            "a commitment not canonical": altered(2, negated),
            "a card with bit 255 set": altered(1, high_bit),
            "a card plus p": altered(1, plus_p),
            "p as a card": first_half(P),
            "p - 1 as a card": first_half(P - 1),
            "a card with no root": first_half(14),
            "a card with a negative t": first_half(2),
            "the identity as a card": altered(1, lambda deck: bytes(32) + deck[32:]),
            "the identity as a commitment": altered(2, lambda proof: bytes(32) + proof[32:]),
        },
        Row(23, Check.SHUFFLE, FIRST): {
            "a proof 32 bytes longer": altered(2, lambda proof: proof + bytes(32)),
            "a proof 32 bytes shorter": altered(2, lambda p: p[:-32]),
        },
        Row(23, Check.ENCODING, FIRST): {
            "half a card more": altered(1, lambda deck: deck + deck[:32]),
        },
    }
)
