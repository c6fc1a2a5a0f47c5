"""The JSON vectors of cards and proofs, each step by both implementations' arithmetic."""

import hashlib
import hmac
from collections import Counter

from matcha_p2p.crypto import elgamal, shuffle
from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.ristretto255 import GENERATOR, ORDER, Point
from matcha_p2p.crypto.shuffle import ShuffleProof
from matcha_p2p.crypto.sigma import Context, Proof
from matcha_p2p.table.piles import DeckParameters
from protocol.generator.vectors import MATCHA, TOY
from tests.judges import VERIFIER
from tests.vectors import every, refusal, unhex

CODEC, GROUP, PROOFS = VERIFIER["codec"], VERIFIER["group"], VERIFIER["proofs"]
CARDS, MESSAGES = VERIFIER["cards"], VERIFIER["messages"]


def cards_of(encodings: list[str]) -> tuple[list[Ciphertext], list]:
    """Return cards as both implementations have them."""
    halves = [(unhex(card[:64]), unhex(card[64:])) for card in encodings]
    theirs = [tuple(map(GROUP.decode_element, pair)) for pair in halves]
    return [Ciphertext.decode(unhex(card)) for card in encodings], theirs


def number(encoded: str) -> int:
    return int.from_bytes(bytes.fromhex(encoded), "little")


def element(encoded: str):
    return GROUP.decode_element(bytes.fromhex(encoded))


@every("cards")
def test_masked_cards(case):
    if "back" in case:
        (card,), ((A, B),) = cards_of([case["card"]])
        gid, keys = unhex(case["gid"]), [GROUP.BASE] * 2
        theirs = CARDS.Cards("matcha", [], gid, keys).card((A, B)).back
        ours = DeckParameters("matcha", (), gid, Point.decode(GROUP.BASE.encoding), 2).back(
            card
        )
        assert ours == theirs == unhex(case["back"])
        return
    (card,), (their_card,) = cards_of([case["masked"]])
    game = {"matcha": MATCHA, "toy": TOY}[case["game"]]
    shares = [Point.decode(unhex(share)) for share in case["D"]]
    their_shares = [element(share) for share in case["D"]]
    keys = [GROUP.combine([(number(x), GROUP.BASE)]) for x in case.get("x", ["01"] * 2)]
    theirs = CARDS.Cards(game.name, game.faces, b"", keys)
    ours = DeckParameters(game.name, tuple(game.faces.items()), b"", GENERATOR, len(shares))

    def their_face() -> int:
        opened = theirs.card(their_card)
        opened.shares[:] = their_shares
        theirs.covered = Counter(dict.fromkeys(game.faces, 1))
        theirs.open([opened])
        return opened.face

    if "face" not in case:
        found = refusal(lambda: ours.face_of(card, shares)), refusal(their_face)
        assert found == (case["check"],) * 2
        return
    (public,), r = theirs.public(case["face"]), number(case["r"])
    assert theirs.joint_key.encoding == unhex(case["Y"])
    again = [
        public.masked[0] + GROUP.combine([(r, GROUP.BASE)]),
        public.masked[1] + GROUP.combine([(r, theirs.joint_key)]),
    ]
    assert b"".join(half.encoding for half in public.masked) == unhex(case["public"])
    assert b"".join(half.encoding for half in again) == unhex(case["masked"])
    opened = [GROUP.combine([(number(x), again[0])]) for x in case["x"]]
    assert [share.encoding for share in opened] == [share.encode() for share in shares]
    assert ours.face_of(card, shares) == their_face() == case["face"]


def places(case: dict) -> tuple[Context, object]:
    game, variant, head = case["game"], case["variant"], unhex(case["head"])
    place = game, variant, head, case["seat"], case["place"]
    ours = Context(case["label"], head, case["seat"], game, variant, case["place"])
    return ours, PROOFS.Place(*place)


def check_steps(case: dict, statement, sid: bytes) -> None:
    """Go the steps of PROVE again, in the independent verifier's arithmetic."""
    ser = statement.serialised()
    assert hashlib.sha512(ser).hexdigest() == case["SHA-512(ser)"]
    assert case["ser"] in (None, ser.hex())
    assert sid == unhex(case["sid"])
    nonces = list(map(number, case["k"]))
    commitments = [
        GROUP.combine((b * nonces[j], statement.elements[i]) for j, i, b in terms).encoding
        for _, terms in statement.equations
    ]
    assert commitments == unhex(case["T"])
    (challenge,) = CODEC.challenges(sid, ser + b"".join(commitments), 1)
    assert challenge == number(case["challenge"])


@every("pop")
def test_possession_of_a_key(case):
    ours, theirs = places(case)
    X, proof = unhex(case["X"]), unhex(case["proof"])
    challenge, response = (int.from_bytes(part, "little") for part in (proof[:32], proof[32:]))
    found = (
        refusal(lambda: elgamal.verify_possession(Point.decode(X), ours, Proof.decode(proof))),
        refusal(
            lambda: PROOFS.verify_possession(
                GROUP.decode_element(X), PROOFS.Proof(challenge, [response]), theirs
            )
        ),
    )
    assert found == (case["check"],) * 2
    if case["check"] is None:
        key = GROUP.decode_element(X)
        statement = PROOFS.Statement([GROUP.BASE, key], [([(1, 1)], [(0, 0, 1)])])
        check_steps(case, statement, theirs.sid("POP", "hello"))
        (nonce,), x = map(number, case["k"]), number(case["x"])
        assert (nonce + challenge * x) % ORDER == response == number(case["responses"][0])


@every("shares")
def test_shares_of_cards(case):
    ours, theirs = places(case)
    cards, their_cards = cards_of(case["cards"])
    shares, proof = b"".join(unhex(case["shares"])), unhex(case["proof"])
    _, (given,) = MESSAGES.decode_action(["SHARE", shares, proof], {})
    sid = theirs.sid("SHARES", case["label"])
    points = [Point.decode(share) for share in unhex(case["shares"])]
    X = Point.decode(unhex(case["X"]))
    found = (
        refusal(lambda: elgamal.verify_shares(X, cards, points, ours, Proof.decode(proof))),
        refusal(
            lambda: PROOFS.verify_shares(
                element(case["X"]), their_cards, case["label"], given, theirs
            )
        ),
    )
    assert found == (case["check"],) * 2
    if case["check"] is None:
        m = len(cards)
        elements = [GROUP.BASE, element(case["X"]), *(c for c, _ in their_cards), *given.shares]
        equations = [([(1, 1)], [(0, 0, 1)])]
        equations += [([(2 + m + i, 1)], [(0, 2 + i, 1)]) for i in range(m)]
        check_steps(case, PROOFS.Statement(elements, equations), sid)


@every("shuffle")
def test_shuffles(case):
    ours, theirs = places(case)
    before, their_before = cards_of(case["deck"])
    after, their_after = cards_of(case["deck'"])
    deck, proof = b"".join(unhex(case["deck'"])), unhex(case["proof"])
    _, (given,) = MESSAGES.decode_action(["SHUF", deck, proof], {})
    Y, their_Y = Point.decode(unhex(case["Y"])), element(case["Y"])
    decoded = ShuffleProof.decode(proof, len(after))
    found = (
        refusal(lambda: shuffle.verify_shuffle(before, after, Y, ours, decoded)),
        refusal(
            lambda: PROOFS.verify_shuffle(their_before, their_Y, case["label"], given, theirs)
        ),
    )
    assert found == (case["check"],) * 2
    if case["check"] is None:
        check_shuffle(case, their_before, their_after, their_Y)
        u = list(map(number, case["u"]))
        statement = PROOFS._shuffle_statement(their_before, their_Y, given, u)
        check_steps(case, statement, theirs.sid("SHUFFLE", case["label"]))


@every("secrets")
def test_secrets_follow_from_the_game_secret_as_the_specification_says(case):
    def rnd(label: str, message: bytes, n: int) -> bytes:
        """Return HKDF-Expand with SHA-512 (PEER#randomness)."""
        head, seat = unhex(case["head"]), bytes([case["seat"]])
        info = CODEC.H("rnd", label.encode(), head, seat, message)
        out, block = b"", b""
        for i in range(1, -(-n // 64) + 1):
            block = hmac.digest(unhex(case["game secret"]), block + info + bytes([i]), "sha512")
            out += block
        return out[:n]

    def scalars(label: str, message: bytes, count: int) -> list[int]:
        drawn = rnd(label, message, 48 * count)
        return [
            int.from_bytes(drawn[48 * i : 48 * i + 48], "little") % ORDER for i in range(count)
        ]

    if "x" in case:
        assert scalars("game key", b"", 1) == [number(case["x"])]
        assert rnd("coin root", b"", 32) == unhex(case["coin root"])
        return
    n, label, last = len(case["deck"]), case["label"], case["last"]
    message = unhex(case["Y"] + "".join(case["deck"])) + bytes(last)
    others = [place for place in range(n) if place not in last]
    drawn = CODEC.draw(rnd(f"{label}/permutation", message, 32), len(others), len(others))
    assert [i - 1 for i in case["psi"]] == [*(others[i] for i in drawn), *last]
    for name, letter in (("mask", "r"), ("commitment", "rho"), ("chain", "r_hat")):
        assert scalars(f"{label}/{name}", message, n) == list(map(number, case[letter]))
    hashed = unhex(case["sid"]) + unhex(case["SHA-512(ser)"])
    assert scalars("nonce", hashed, len(case["k"])) == list(map(number, case["k"]))
    _, before = cards_of(case["deck"])
    _, after = cards_of(case["deck'"])
    check_shuffle(case, before, after, element(case["Y"]))


def check_shuffle(case: dict, before: list, after: list, Y) -> None:
    """Go the steps of SHUFFLE again, in the independent verifier's arithmetic."""
    n = len(before)
    psi = [i - 1 for i in case["psi"]]
    r, rho, r_hat, u, w = (
        list(map(number, case[name])) for name in ("r", "rho", "r_hat", "u", "w")
    )
    G = GROUP.BASE
    K, bases = (
        PROOFS.K,
        [GROUP.hash_to_group(b"pedersen/" + i.to_bytes(2)) for i in range(1, n + 1)],
    )
    assert sorted(psi) == list(range(n))
    for i, j in enumerate(psi):
        masked = [
            GROUP.combine([(1, before[j][0]), (r[j], G)]),
            GROUP.combine([(1, before[j][1]), (r[j], Y)]),
        ]
        assert [half.encoding for half in masked] == [half.encoding for half in after[i]]
        c = GROUP.combine([(rho[j], G), (1, bases[i])])
        assert c.encoding == unhex(case["c"][j])
    hashed = unhex(case["Y"] + "".join(case["deck"] + case["deck'"] + case["c"]))
    assert CODEC.challenges(unhex(case["sid /u"]), hashed, n) == u
    link, R = K, 0
    for i, j in enumerate(psi):
        link = GROUP.combine([(r_hat[i], G), (u[j], link)])
        R = (r_hat[i] + u[j] * R) % ORDER
        assert link.encoding == unhex(case["c_hat"][i])
    sums = [sum(rho), R, sum(map(int.__mul__, rho, u)), sum(map(int.__mul__, r, u))]
    assert w == [*(s % ORDER for s in sums), *r_hat, *(u[j] for j in psi)]
    challenge = number(case["challenge"])
    expected = [
        (k + challenge * x) % ORDER for k, x in zip(map(number, case["k"]), w, strict=True)
    ]
    assert list(map(number, case["responses"])) == expected
    points = "".join(case["c"] + case["c_hat"])
    scalars = "".join([case["challenge"], *case["responses"]])
    assert case["proof"] == points + scalars
