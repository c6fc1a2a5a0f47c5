"""Actions and their arrays: what was played comes back, anything of another form is refused."""

from functools import cache

import pytest

from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.games.matcha.table.steps import FORMS
from matcha_p2p.table.messages import MoveAction, Result, Unseal, decode_action, encode_action
from tests.cheats.scene import Hostile, fields_of, played

NAMES = ("HELLO", "COIN", "SHUF", "SHARE", "MOVE", "SEAL", "UNSEAL", "RESULT")


@cache
def said() -> dict[str, Hostile]:
    """Return for each action what is first said of it in a game with kept cards."""
    log = (*played("named").log, *played("hoarding").log)
    return {action[0]: action for entry in reversed(log) for action in fields_of(entry)}


def refused(value: Hostile) -> Check:
    with pytest.raises(EncodingError) as caught:
        decode_action(value, FORMS)
    return caught.value.check


def test_a_game_with_kept_cards_has_every_action():
    assert set(said()) == set(NAMES)


@pytest.mark.parametrize("game", ["hoarding", "short", "named"])
def test_every_action_of_a_game_is_encoded_as_it_came(game):
    for entry in played(game).log:
        for value in entry.fields:
            assert encode_action(decode_action(value, FORMS)) == value


@pytest.mark.parametrize("name", NAMES)
def test_an_action_has_its_number_of_fields(name):
    action = said()[name]
    assert refused([*action, b""]) is Check.ENCODING
    assert refused(action[:-1]) is Check.ENCODING
    assert refused([name.lower(), *action[1:]]) is Check.ENCODING


@pytest.mark.parametrize("name", NAMES)
def test_every_field_has_its_type(name):
    action = said()[name]
    for place, field in enumerate(action):
        for wrong in (7, b"7", "7", []):
            if type(wrong) is not type(field):
                changed = [*action[:place], wrong, *action[place + 1 :]]
                assert refused(changed) is Check.ENCODING


@pytest.mark.parametrize(
    ("name", "place"),
    [
        *(("HELLO", place) for place in (7, 9, 10, 12, 13, 14)),
        *(("COIN", 1), ("SEAL", 1), ("UNSEAL", 1), ("UNSEAL", 3), ("RESULT", 2)),
        *(("SHUF", 1), ("SHARE", 1), ("SHARE", 2)),
    ],
)
def test_every_field_has_its_size(name, place):
    action = said()[name]
    for wrong in (action[place][:-1], action[place] + b"\0"):
        if wrong != action[place]:  # nothing can be cut from an empty field
            changed = [*action[:place], wrong, *action[place + 1 :]]
            assert refused(changed) is Check.ENCODING


def test_a_shuffle_proof_has_the_length_of_its_deck():
    name, deck, proof = said()["SHUF"]
    assert refused([name, deck, proof + bytes(32)]) is Check.SHUFFLE
    assert refused([name, deck[64:], proof]) is Check.SHUFFLE


@pytest.mark.parametrize(
    ("name", "place"),
    [("HELLO", 11), ("SHUF", 1), ("SHUF", 2), ("SHARE", 1)],
)
def test_every_point_is_a_canonical_one_and_not_the_identity(name, place):
    action = said()[name]
    for wrong in (bytes(32), b"\xff" * 32, b"\1" + bytes(31)):
        changed = [*action[:place], wrong + action[place][32:], *action[place + 1 :]]
        assert refused(changed) is Check.POINT


@pytest.mark.parametrize(("name", "place"), [("HELLO", 12), ("SHUF", 2), ("SHARE", 2)])
def test_every_scalar_is_below_the_order(name, place):
    action = said()[name]
    wrong = action[place][:-32] + ORDER.to_bytes(32, "little")
    assert refused([*action[:place], wrong, *action[place + 1 :]]) is Check.SCALAR


@pytest.mark.parametrize(
    "versions", [[], [1, 1], [2, 1], [8, 1], ["1"], [b""], [1, []]], ids=str
)
def test_versions_are_numbers_ascending(versions):
    hello = said()["HELLO"]
    assert refused([*hello[:2], versions, *hello[3:]]) is Check.ENCODING


@pytest.mark.parametrize(("identity", "certificate"), [(0, 64), (32, 0), (64, 32), (31, 64)])
def test_identity_and_certificate_come_together(identity, certificate):
    hello = said()["HELLO"]
    changed = [*hello[:13], bytes(identity), bytes(certificate)]
    assert refused(changed) is Check.ENCODING


def test_greeting_names_its_game():
    hello = said()["HELLO"]
    assert refused([hello[0], b"mahjong", *hello[2:]]) is Check.ENCODING


@pytest.mark.parametrize(
    "value",
    [
        ["MOVE", "lay", 6, H("back")],
        ["MOVE", "peek"],
        ["MOVE"],
        ["PEEK"],
        [],
        7,
        b"COIN",
        "COIN",
    ],
    ids=str,
)
def test_invalid_action_is_refused(value):
    assert refused(value) is Check.ENCODING


def test_a_refusal_tells_the_form_and_not_the_content():
    with pytest.raises(EncodingError, match=r"\[str, bytes, \[int\]\]$") as caught:
        decode_action(["PEEK", b"secret", [42]], {})
    assert "secret" not in str(caught.value)


A, B = H("a back"), H("another back")


@pytest.mark.parametrize(
    ("action", "value"),
    [
        *((MoveAction(("lay", mat, A)), ["MOVE", "lay", mat, A]) for mat in range(6)),
        (MoveAction(("pass",)), ["MOVE", "pass"]),
        (MoveAction(("keep", b"")), ["MOVE", "keep", b""]),
        (MoveAction(("keep", A + B)), ["MOVE", "keep", A + B]),
        (Unseal(H("salt"), ("keep", b"")), ["UNSEAL", H("salt"), "keep", b""]),
        (Unseal(H("salt"), ("keep", A + B)), ["UNSEAL", H("salt"), "keep", A + B]),
        *((Result(won, H("end")), ["RESULT", [*won], H("end")]) for won in ((0,), (1,), ())),
    ],
)
def test_every_choice_and_every_result_can_be_said(action, value):
    assert encode_action(action) == value
    assert decode_action(value, FORMS) == action
