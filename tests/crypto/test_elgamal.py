"""Masks, shares and keys: honest values pass, every forged value is refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.crypto.elgamal import (
    Ciphertext,
    mask,
    prove_possession,
    prove_shares,
    public_ciphertext,
    share,
    verify_possession,
    verify_shares,
)
from matcha_p2p.crypto.ristretto255 import GENERATOR, IDENTITY, base_mul
from matcha_p2p.crypto.sigma import Proof
from matcha_p2p.errors import Check, EncodingError, ProofError


def test_a_public_card_is_masked_by_one(game):
    card = public_ciphertext(game.face(3), game.Y)
    assert card == Ciphertext(GENERATOR, game.face(3) + game.Y)


def test_both_shares_open_a_card(game):
    card = mask(public_ciphertext(game.face(3), game.Y), 12345, game.Y)
    assert card.c2 - share(game.x[0], card) - share(game.x[1], card) == game.face(3)
    assert card.c2 - share(game.x[0], card) != game.face(3)


def test_masks_add_up(game):
    card = public_ciphertext(game.face(3), game.Y)
    assert mask(mask(card, 5, game.Y), 7, game.Y) == mask(card, 12, game.Y)


def test_ciphertext_round_trip(game):
    card = public_ciphertext(game.face(3), game.Y)
    assert len(card.encode()) == Ciphertext.SIZE == 64
    assert Ciphertext.decode(card.encode()) == card


@given(st.binary(max_size=70))
def test_ciphertext_decode_is_total(encoding):
    try:
        card = Ciphertext.decode(encoding)
    except EncodingError:
        return
    assert card.encode() == encoding


@pytest.mark.parametrize("length", [0, 32, 63, 65])
def test_a_ciphertext_has_64_bytes(game, length):
    encoding = (public_ciphertext(game.face(3), game.Y).encode() * 2)[:length]
    with pytest.raises(EncodingError) as refusal:
        Ciphertext.decode(encoding)
    assert refusal.value.check is Check.POINT


def test_a_ciphertext_holds_no_identity(game):
    for encoding in (bytes(32) + game.Y.encode(), game.Y.encode() + bytes(32)):
        with pytest.raises(EncodingError, match="identity"):
            Ciphertext.decode(encoding)


class TestPossession:
    def test_an_honest_proof_has_64_bytes_and_holds(self, game):
        proof = prove_possession(game.x[0], game.context("hello"), game.random)
        assert len(proof.encode()) == 64
        verify_possession(game.X[0], game.context("hello"), Proof.decode(proof.encode()))

    def refused(self, X, context, proof):
        with pytest.raises(ProofError) as refusal:
            verify_possession(X, context, proof)
        return refusal.value.check is Check.POP

    def test_proof_fits_only_its_place(self, game):
        """Row 13: a proof of another game, seat or step, or copied from the other seat."""
        context = game.context("hello")
        proof = prove_possession(game.x[0], context, game.random)
        assert self.refused(game.X[0], game.context("hello", head=8), proof)
        assert self.refused(game.X[0], game.context("hello", seat=1), proof)
        assert self.refused(game.X[0], game.context("hi"), proof)
        assert self.refused(game.X[1], context, proof)

    def test_a_rogue_key_cannot_be_proved(self, game):
        """Row 13: with X_1 = a·G - X_0 the joint key would be the cheat's alone."""
        rogue = base_mul(99) - game.X[0]
        proof = prove_possession(99, game.context("hello", seat=1), game.random)
        assert self.refused(rogue, game.context("hello", seat=1), proof)

    def test_the_identity_is_no_key(self, game):
        """Row 12; and no reader accepts the encoding of the identity."""
        assert self.refused(IDENTITY, game.context("hello"), Proof(1, (1,)))

    def test_every_changed_scalar_is_refused(self, game):
        context = game.context("hello")
        proof = prove_possession(game.x[0], context, game.random)
        (s,) = proof.responses
        assert self.refused(game.X[0], context, Proof(proof.challenge + 1, (s,)))
        assert self.refused(game.X[0], context, Proof(proof.challenge, (s + 1,)))


class TestShares:
    @pytest.fixture
    def deal(self, game):
        cards = tuple(mask(card, 1000 + i, game.Y) for i, card in enumerate(game.deck(6)))
        context = game.context("strip")
        return cards, *prove_shares(game.x[0], cards[:5], context, game.random)

    def refused(self, *arguments):
        with pytest.raises(ProofError) as refusal:
            verify_shares(*arguments)
        return refusal.value.check is Check.SHARE

    @pytest.mark.parametrize("m", [1, 5, 7])
    def test_honest_shares_hold_with_64_bytes(self, game, m):
        cards = tuple(mask(card, 9, game.Y) for card in game.deck(m + 2))[:m]
        shares, proof = prove_shares(game.x[1], cards, game.context(), game.random)
        assert shares == tuple(share(game.x[1], card) for card in cards)
        assert len(proof.encode()) == 64
        verify_shares(game.X[1], cards, shares, game.context(), proof)

    def test_one_share_of_another_exponent(self, game, deal):
        """Row 25; even when the proof was made for these very shares."""
        cards, shares, proof = deal
        for i in range(5):
            false = (*shares[:i], share(game.x[0] + 1, cards[i]), *shares[i + 1 :])
            assert self.refused(game.X[0], cards[:5], false, game.context("strip"), proof)

    def test_shares_of_other_slots(self, game, deal):
        """Rows 25, 26, 28 and 35: swapped shares, or shares of a card not due."""
        cards, shares, proof = deal
        context = game.context("strip")
        swapped = (shares[1], shares[0], *shares[2:])
        assert self.refused(game.X[0], cards[:5], swapped, context, proof)
        other = (*shares[:4], share(game.x[0], cards[5]))
        assert self.refused(game.X[0], cards[:5], other, context, proof)
        given, correct = prove_shares(game.x[0], cards[1:], context, game.random)
        verify_shares(game.X[0], cards[1:], given, context, correct)
        assert self.refused(game.X[0], cards[:5], given, context, correct)

    def test_too_few_and_too_many_shares(self, game, deal):
        cards, shares, proof = deal
        context = game.context("strip")
        assert self.refused(game.X[0], cards[:5], shares[:4], context, proof)
        assert self.refused(game.X[0], cards[:5], (*shares, shares[0]), context, proof)
        assert self.refused(game.X[0], cards[:4], shares[:4], context, proof)

    def test_the_key_of_the_other_seat(self, game, deal):
        cards, shares, proof = deal
        assert self.refused(game.X[1], cards[:5], shares, game.context("strip"), proof)
        theirs, honest = prove_shares(game.x[1], cards[:5], game.context("strip"), game.random)
        assert self.refused(game.X[0], cards[:5], theirs, game.context("strip"), honest)

    def test_another_place(self, game, deal):
        """Row 36: another head; and another label or seat."""
        cards, shares, proof = deal
        for context in (
            game.context("strip", head=8),
            game.context("strip", seat=1),
            game.context("reveal"),
        ):
            assert self.refused(game.X[0], cards[:5], shares, context, proof)

    def test_a_share_that_is_the_identity(self, game, deal):
        cards, shares, proof = deal
        false = (IDENTITY, *shares[1:])
        assert self.refused(game.X[0], cards[:5], false, game.context("strip"), proof)

    def test_only_the_first_half_of_a_card_is_proved(self, game, deal):
        """A share takes the mask off c1; c2 was fixed when the card was shuffled."""
        cards, shares, proof = deal
        changed = (replace(cards[0], c2=game.Y), *cards[1:5])
        verify_shares(game.X[0], changed, shares, game.context("strip"), proof)
