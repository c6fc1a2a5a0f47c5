"""ASKs and HEREs: their form, and hostile ones."""

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError
from matcha_p2p.seats import Seat
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.names import EntryId, GameId, RosterId
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.statements import Abort, Resign, Sync
from matcha_p2p.wire.words import AskId, parse_ask, parse_here, sign_ask, sign_here

SEEDS = [H("session", bytes([seat])) for seat in range(3)]
KEYS = [signature.public_key(seed) for seed in SEEDS]
RID, OTHER = RosterId(H("rid")), RosterId(H("other rid"))
ASK = sign_ask(RID, Seat(1), AskId(7, 0, H("nonce")), SEEDS[1])
GID, HEAD = GameId(H("gid")), EntryId(H("head"))


def entry(seat: int, signer: int):
    return sign_entry(9, Seat(seat), HEAD, bytes(16), [["MOVE", "x"]], SEEDS[signer])


def record(seat: int, signer: int, statement=None):
    said = Resign() if statement is None else statement
    return sign_record(GID, Seat(seat), HEAD, said, SEEDS[signer])


def here(last=None, resign=None):
    return sign_here(RID, Seat(2), ASK, 0, (last, resign), SEEDS[2]).encoded


def test_words_have_one_form():
    assert parse_ask(ASK.encoded, RID, KEYS) == ASK
    given = sign_here(RID, Seat(2), ASK, 5, (entry(1, 1), record(1, 1)), SEEDS[2])
    heard = parse_here(given.encoded, RID, KEYS)
    assert heard == given
    assert (heard.last, heard.record) == (given.last, given.record)


def test_later_attempts_and_runs_are_greater():
    asked = [AskId(7, 0, b"b"), AskId(7, 1, b"a"), AskId(8, 0, b"a")]
    assert sorted(asked) == asked


@pytest.mark.parametrize(
    "given",
    [
        here(last=entry(0, 0)),
        here(last=entry(1, 2)),
        here(resign=record(0, 0)),
        here(resign=record(1, 2)),
        here(resign=record(1, 1, Abort("E_STATE", bytes(32)))),
        sign_here(RID, Seat(0), ASK, 0, (None, None), SEEDS[2]).encoded,
        sign_here(OTHER, Seat(2), ASK, 0, (None, None), SEEDS[2]).encoded,
        sign_here(RID, Seat(3), ASK, 0, (None, None), SEEDS[2]).encoded,
    ],
    ids=[
        "entry of another seat",
        "forged entry",
        "resignation of another seat",
        "forged resignation",
        "other record",
        "other author",
        "other table",
        "unknown seat",
    ],
)
def test_here_with_a_wrong_signature_is_refused(given):
    with pytest.raises(CheckError) as caught:
        parse_here(given, RID, KEYS)
    assert caught.value.check is Check.SIG


@pytest.mark.parametrize(("rid", "signer"), [(OTHER, 1), (RID, 2)])
def test_ask_of_another_table_or_author_is_refused(rid, signer):
    ask = sign_ask(rid, Seat(1), ASK.asked, SEEDS[signer])
    with pytest.raises(CheckError) as caught:
        parse_ask(ask.encoded, RID, KEYS)
    assert caught.value.check is Check.SIG


@pytest.mark.parametrize("body", [[], [9, 7, 0, bytes(32)], [1, 7, 0, bytes(31)]])
def test_malformed_ask_is_refused(body):
    with pytest.raises(CheckError) as caught:
        parse_ask(sign(b"matcha/v1/ask\0" + RID, body, SEEDS[1]), RID, KEYS)
    assert caught.value.check is Check.ENCODING


@pytest.mark.parametrize(
    "body", [[], [2, 9, 7, 0, bytes(32), 0, b"", b""], [2, 1, 7, 0, bytes(31), 0, b"", b""]]
)
def test_malformed_here_is_refused(body):
    with pytest.raises(CheckError) as caught:
        parse_here(sign(b"matcha/v1/here\0" + RID, body, SEEDS[2]), RID, KEYS)
    assert caught.value.check is Check.ENCODING


@pytest.mark.parametrize(("last", "resign"), [(b"x", b""), (b"", b"x")])
def test_here_that_shows_unreadable_bytes_is_refused(last, resign):
    body = [2, 1, 7, 0, H("nonce"), 0, last, resign]
    with pytest.raises(CheckError) as caught:
        parse_here(sign(b"matcha/v1/here\0" + RID, body, SEEDS[2]), RID, KEYS)
    assert caught.value.check is Check.SIG


def test_id_of_a_record_is_the_hash_of_its_bytes():
    said = record(1, 1)
    assert said.id == H("msg", said.encoded)


def test_here_shows_what_the_asker_has_announced():
    announced = record(1, 1, Sync(9, Binding(bytes(32)), resigned=False))
    shown = sign_here(RID, Seat(2), ASK, 5, (None, announced), SEEDS[2])
    assert parse_here(shown.encoded, RID, KEYS).record == announced
