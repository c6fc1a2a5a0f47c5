# ruff: noqa: N803, N806 -- the symbols of SPEC.md
"""Vectors of masked cards and the three proofs, with every step between (SPEC#proofs)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from hashlib import sha512
from itertools import product

from matcha_p2p.crypto import elgamal, shuffle
from matcha_p2p.crypto.elgamal import Ciphertext, _possession, _sharing, mask, share
from matcha_p2p.crypto.ristretto255 import GENERATOR, ORDER, Point, base_mul
from matcha_p2p.crypto.shuffle import ShuffleProof
from matcha_p2p.crypto.sigma import Context, Proof, Random, Relation, prove
from matcha_p2p.crypto.sponge import H, integers, permutation, stream
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import TableGame
from matcha_p2p.table.piles import DeckParameters, point_of
from matcha_p2p.table.seat import Secrets, seeded, take_seat
from matcha_p2p.wire.names import GameId
from protocol.generator.primitives import verdict
from protocol.generator.vectors import MATCHA, TOY, Case, Vectors, randomness, scalars, seed


def every() -> Iterator[Vectors]:
    """Yield the vector files of cards and proofs."""
    yield Vectors(
        "cards",
        "Under the keys x of all seats: public cards, masked again by r, opened by all shares.",
        ("SPEC#masking", "SPEC#cards", "SPEC#backs"),
        (*_public_cards(), *_opened(), *_backs()),
    )
    yield Vectors(
        "pop",
        "PROVE step by step, with nonce k and commitment T. check: what verifying it reports.",
        ("SPEC#pop", "SPEC#contexts", "SPEC#statement"),
        tuple(_possessions()),
    )
    yield Vectors(
        "shares",
        "Shares of cards under the key X. check: what verifying them reports.",
        ("SPEC#shares", "SPEC#contexts", "SPEC#statement"),
        tuple(_shares()),
    )
    yield Vectors(
        "shuffle",
        "SHUFFLE step by step; psi counts from 1. from: the case that a refused one alters.",
        ("SPEC#shuffle", "SPEC#contexts", "SPEC#statement"),
        tuple(_shuffles()),
    )
    yield Vectors(
        "secrets",
        "Draws of a seat from its game secret for the entry after head. last counts from 0.",
        ("PEER#randomness", "PEER#proving"),
        (*_keys_drawn(), *_shuffles_drawn()),
    )


def secret(label: str) -> int:
    """Return a scalar from a labelled seed."""
    (x,) = integers(seed(label, 48), ORDER)
    return x


def _keys(game: TableGame = MATCHA) -> tuple[list[int], DeckParameters]:
    """Return the game keys of all seats, and the parameters of cards under these keys."""
    keys = [secret(f"x_{seat}") for seat in range(game.seats)]
    faces, gid = tuple(sorted(game.faces.items())), GameId(H("test gid"))
    Y = reduce(Point.__add__, map(base_mul, keys))
    return keys, DeckParameters(game.name, faces, gid, Y, game.seats)


def deck_of(n: int) -> tuple[Ciphertext, ...]:
    """Return n masked cards under the joint key of the vectors; the first card is public."""
    _, deck = _keys()
    cards = [deck.public(i % len(deck.faces)).masked for i in range(n)]
    masked = (mask(card, secret(f"mask {i}"), deck.key) for i, card in enumerate(cards[1:]))
    return (cards[0], *masked)


def _context(label: str, seat: int, game: TableGame = MATCHA, place: int = 0) -> Context:
    return Context(label, seed("head"), seat, game.name, game.variant, place)


def _shown(context: Context) -> Case:
    """Return the place of a proof, for the vectors."""
    return {
        "game": context.game,
        "variant": context.variant,
        "label": context.label,
        "head": context.head,
        "seat": context.seat,
        "place": context.place,
    }


def _elsewhere(context: Context) -> dict[str, Context]:
    """Return places that differ from ``context`` in a single field."""
    return {
        "another game": replace(context, game="tichu"),
        "another variant": replace(context, variant="2031"),
        "another label": replace(context, label="other"),
        "another head": replace(context, head=seed("other head")),
        "another seat": replace(context, seat=3 - context.seat),
        "another place": replace(context, place=context.place + 1),
    }


def _steps(statement: Relation[Point], sid: bytes, nonces: Sequence[int], proof: Proof) -> Case:
    """Return the intermediate values of PROVE."""
    return {
        "sid": sid,
        "ser": statement.encoding if len(statement.encoding) < 1000 else None,
        "SHA-512(ser)": sha512(statement.encoding).digest(),
        "k": scalars(nonces),
        "T": statement.map(nonces),
        "challenge": scalars([proof.challenge])[0],
        "responses": scalars(proof.responses),
        "proof": proof.encode(),
    }


def _nonces(statement: Relation[Point], sid: bytes, random: Random) -> tuple[int, ...]:
    digest = sha512(statement.encoding).digest()
    return integers(random("nonce", sid + digest, 48 * statement.scalars), ORDER)


# --- cards ---------------------------------------------------------------------------------


def _public_cards() -> Iterator[Case]:
    for game in (MATCHA, TOY):
        keys, deck = _keys(game)
        for face in game.faces:
            card, r = deck.public(face).masked, secret(f"mask of {face}")
            again = mask(card, r, deck.key)
            yield {
                "game": game.name,
                "x": scalars(keys),
                "Y": deck.key,
                "face": face,
                "public": card.encode(),
                "r": scalars([r])[0],
                "masked": again.encode(),
                "D": [share(x, again) for x in keys],
            }


def _opened() -> Iterator[Case]:
    keys, deck = _keys()
    card = mask(deck.public(3).masked, secret("opened"), deck.key)
    D_0, D_1 = (share(x, card) for x in keys)
    sum_of_two = card.c2 + point_of("matcha", 5)
    stranger = card.c2 - point_of("matcha", 3) + point_of("toy", 3)
    cases = {
        "a share plus G": (card.c2, D_0 + GENERATOR, D_1),
        "one share twice": (card.c2, D_0, D_0),
        "the sum of two faces": (sum_of_two, D_0, D_1),
        "a face of another game": (stranger, D_0, D_1),
        "no message at all": (D_0 + D_1, D_0, D_1),
    }
    for name, (B, *shares) in cases.items():
        masked = Ciphertext(card.c1, B)
        yield {
            "name": name,
            "game": "matcha",
            "masked": masked.encode(),
            "D": shares,
            "check": verdict(deck.face_of, masked, shares),
        }


def _backs() -> Iterator[Case]:
    _, deck = _keys()
    for gid in (deck.gid, GameId(H("test gid", b"other"))):
        for card in deck_of(2):
            back = replace(deck, gid=gid).back(card)
            yield {"gid": gid, "card": card.encode(), "back": back}


# --- proofs --------------------------------------------------------------------------------


def _possessions() -> Iterator[Case]:
    for game, seat in ((MATCHA, 0), (MATCHA, 1), (TOY, 2)):
        x, context = secret(f"x_{seat}"), _context("hello", seat, game)
        random, X, sid = randomness(f"pop {seat}"), base_mul(x), context.sid("POP")
        proof = elgamal.prove_possession(x, context, random)
        statement = _possession(X)
        steps = _steps(statement, sid, _nonces(statement, sid, random), proof)
        x_and_X: Case = {"x": scalars([x])[0], "X": X}
        yield {
            "name": f"seat {seat}",
            **x_and_X,
            **_shown(context),
            **steps,
            "check": None,
        }
        negative = Proof(proof.challenge, (-proof.responses[0] % ORDER,))
        wrong = {
            "another key": (X + GENERATOR, context, proof),
            "minus the key": (-X, context, proof),
            "response + 1": (X, context, bumped(proof)),
            "challenge 0, response 0": (X, context, Proof(0, (0,))),
            "minus the response": (X, context, negative),
            **{
                name: (X, there, proof)
                for name, there in _elsewhere(context).items()
                if there.label == "hello"
            },
        }
        for name, (key, there, shown) in wrong.items():
            yield {
                "name": name,
                "X": key,
                **_shown(there),
                "proof": shown.encode(),
                "check": verdict(elgamal.verify_possession, key, there, shown),
            }


def bumped(proof: Proof) -> Proof:
    """Return the proof with the last response greater by 1."""
    last = (proof.responses[-1] + 1) % ORDER
    return replace(proof, responses=(*proof.responses[:-1], last))


def _shares() -> Iterator[Case]:
    for m, label in ((1, "reveal"), (5, "strip"), (8, "open")):
        x, cards = secret("x_0"), deck_of(m)
        context, random = _context(label, 0, place=m % 3), randomness(f"shares {m}")
        X, sid = base_mul(x), context.sid("SHARES")
        shares, proof = elgamal.prove_shares(x, cards, context, random)
        statement = _sharing(X, cards, shares)
        steps = _steps(statement, sid, _nonces(statement, sid, random), proof)
        yield {
            "name": f"{m} cards",
            "x": scalars([x])[0],
            **_given(X, context, cards, shares),
            **steps,
            "check": None,
        }
        if m != 5:
            continue
        other = (shares[0] + GENERATOR, *shares[1:])
        turned = (shares[1], shares[0], *shares[2:])
        theirs = base_mul(secret("x_1"))
        false = _argued(X, cards, other, context)
        wrong = {
            "a share plus G": (X, cards, other, context, proof),
            "two shares exchanged": (X, cards, turned, context, proof),
            "a share too few": (X, cards, shares[:-1], context, proof),
            "a share too many": (X, cards, (*shares, shares[0]), context, proof),
            "two cards exchanged": (
                X,
                (cards[1], cards[0], *cards[2:]),
                shares,
                context,
                proof,
            ),
            "the key of the other": (theirs, cards, shares, context, proof),
            "response + 1": (X, cards, shares, context, bumped(proof)),
            "challenge 0, response 0": (X, cards, shares, context, Proof(0, (0,))),
            "a share false, argued": (X, cards, other, context, false),
            **{
                name: (X, cards, shares, there, proof)
                for name, there in _elsewhere(context).items()
            },
        }
        for name, given in wrong.items():
            yield {
                "name": name,
                **_given(given[0], given[3], given[1], given[2]),
                "proof": given[4].encode(),
                "check": verdict(elgamal.verify_shares, *given),
            }


def _given(
    X: Point, context: Context, cards: Sequence[Ciphertext], shares: Sequence[Point]
) -> Case:
    return {
        "X": X,
        **_shown(context),
        "cards": [card.encode() for card in cards],
        "shares": shares,
    }


def _argued(
    X: Point, cards: Sequence[Ciphertext], shares: Sequence[Point], context: Context
) -> Proof:
    statement = _sharing(X, cards, shares)
    return prove(statement, context.sid("SHARES"), (secret("x_0"),), randomness("argued"))


# --- shuffle -------------------------------------------------------------------------------


def _shuffles() -> Iterator[Case]:
    Y = _keys()[1].key
    for n, label in ((2, "deal"), (5, "own"), (12, "mix")):
        deck, context = deck_of(n), _context(label, 1)
        random = randomness(f"shuffle {n}")
        after, proof = shuffle.shuffle(deck, Y, context, random)
        yield {
            "name": f"N = {n}",
            **_place(deck, context),
            **_between(deck, Y, context, random),
            "deck'": [card.encode() for card in after],
            "proof": proof.encode(),
            "check": None,
        }
        if n != 5:
            continue
        for name, change in _wrong(deck, after, proof, context).items():
            before, there, shown, place = change
            yield {
                "name": name,
                "from": f"N = {n}",
                **_place(before, place),
                "deck'": [card.encode() for card in there],
                "proof": shown.encode(),
                "check": verdict(shuffle.verify_shuffle, before, there, Y, place, shown),
            }


def _place(deck: Sequence[Ciphertext], context: Context) -> Case:
    return {
        **_shown(context),
        "Y": _keys()[1].key,
        "deck": [card.encode() for card in deck],
    }


def _keys_drawn() -> Iterator[Case]:
    for seat, head in product(SEATS, (seed("rid"), seed("head"))):
        player = take_seat(seat, head, Secrets(seed("game secret"), seed("session")))
        yield {
            "name": f"keys of seat {seat}",
            "game secret": player.secrets.game,
            "head": head,
            "seat": seat,
            "x": scalars([player.x])[0],
            "coin root": player.chain[-1],
        }


def _shuffles_drawn() -> Iterator[Case]:
    """Yield shuffles; each input but one is that of the first."""
    Y = _keys()[1].key
    first = _context("deal", 1)
    for name, context, n, last in (
        ("five cards", first, 5, ()),
        ("of another seat", replace(first, seat=0), 5, ()),
        ("after another head", replace(first, head=seed("other head")), 5, ()),
        ("under another label", replace(first, label="own"), 5, ()),
        ("six cards", first, 6, ()),
        ("with a card to come last", first, 5, (3,)),
        ("with two cards to come last", first, 5, (3, 1)),
    ):
        deck, secret = deck_of(n), seed("game secret")
        random = seeded(secret, context.head, Seat(context.seat))
        after, proof = shuffle.shuffle(deck, Y, context, random, last)
        yield {
            "name": name,
            "game secret": secret,
            **_place(deck, context),
            "last": list(last),
            **_between(deck, Y, context, random, last),
            "deck'": [card.encode() for card in after],
            "proof": proof.encode(),
        }


def _between(
    deck: tuple[Ciphertext, ...],
    Y: Point,
    context: Context,
    random: Random,
    last: Sequence[int] = (),
) -> Case:
    """Repeat the steps of SHUFFLE, and return the intermediate values."""
    n, label = len(deck), context.label
    source = Y.encode() + b"".join(card.encode() for card in deck) + bytes(last)
    others = [place for place in range(n) if place not in last]
    drawn = permutation(stream(random(f"{label}/permutation", source, 32)), len(others))
    psi = (*(others[i] for i in drawn), *last)
    r, rho, r_hat = (
        integers(random(f"{label}/{name}", source, 48 * n), ORDER)
        for name in ("mask", "commitment", "chain")
    )
    after = shuffle.masked(deck, Y, psi, r)
    c = shuffle.commitments(psi, rho)
    u = shuffle.challenges(deck, after, Y, c, context)
    chain, logarithms = shuffle.chained(tuple(u[j] for j in psi), r_hat)
    R, _ = logarithms[-1]
    statement = shuffle.relation(deck, after, Y, c, chain, u)
    sid = context.sid("SHUFFLE")
    witness = (
        sum(rho) % ORDER,
        R,
        sum(a * b for a, b in zip(rho, u, strict=True)) % ORDER,
        sum(a * b for a, b in zip(r, u, strict=True)) % ORDER,
        *r_hat,
        *(u[j] for j in psi),
    )
    proof = prove(statement, sid, witness, random)
    steps = dict(_steps(statement, sid, _nonces(statement, sid, random), proof))
    return {
        "psi": [j + 1 for j in psi],
        "r": scalars(r),
        "rho": scalars(rho),
        "r_hat": scalars(r_hat),
        "c": c,
        "sid /u": replace(context, label=f"{label}/u").sid("SHUFFLE"),
        "u": scalars(u),
        "c_hat": chain,
        "w": scalars(witness),
        "pi": steps.pop("proof"),
        **steps,
    }


_Change = tuple[tuple[Ciphertext, ...], tuple[Ciphertext, ...], ShuffleProof, Context]


def _wrong(
    deck: tuple[Ciphertext, ...],
    after: tuple[Ciphertext, ...],
    proof: ShuffleProof,
    context: Context,
) -> dict[str, _Change]:
    face = Ciphertext(after[0].c1, after[0].c2 + GENERATOR)
    sigma, c, chain = proof.proof, proof.commitments, proof.chain
    turned = replace(proof, commitments=(c[1], c[0], *c[2:]))
    unchained = replace(proof, chain=(chain[1], chain[0], *chain[2:]))
    zero = Proof(0, (0,) * len(sigma.responses))
    return {
        "a card replaced": (deck, (face, *after[1:]), proof, context),
        "two new cards exchanged": (deck, (after[1], after[0], *after[2:]), proof, context),
        "two old cards exchanged": ((deck[1], deck[0], *deck[2:]), after, proof, context),
        "a new card doubled": (deck, (after[1], *after[1:]), proof, context),
        "two commitments exchanged": (deck, after, turned, context),
        "two links of the chain exchanged": (deck, after, unchained, context),
        "response + 1": (deck, after, replace(proof, proof=bumped(sigma)), context),
        "challenge 0, responses 0": (deck, after, replace(proof, proof=zero), context),
        **{name: (deck, after, proof, there) for name, there in _elsewhere(context).items()},
    }
