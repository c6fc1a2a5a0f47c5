"""Signed statements: entries and records, their form and their names."""

from typing import Any

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError, EncodingError, ProofError
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import parse_entry, sign_entry
from matcha_p2p.wire.record import parse_record, sign_record
from matcha_p2p.wire.statements import Abort, Claim, Expose, Resign

SEED = H("test seed")
KEY = signature.public_key(SEED)
PREV, STATE, GID = H("prev"), bytes(16), H("gid")
BODY: list[Any] = [3, 1, PREV, STATE, [["MOVE", "pass"]]]


def wrapped(body: Value) -> bytes:
    return pack([pack(body), bytes(64)])


def test_an_entry_is_read_as_it_was_made():
    made = sign_entry(3, 1, PREV, STATE, [["COIN", H("link")], ["MOVE", "pass"]], SEED)
    read = parse_entry(made.encoded)
    assert read == made
    assert (read.seq, read.seat, read.prev, read.state) == (3, 1, PREV, STATE)
    assert read.fields == (["COIN", H("link")], ["MOVE", "pass"])
    assert read.id == H("msg", made.encoded)
    read.signed.check(KEY)


def test_the_signature_is_part_of_the_id():
    """Otherwise the next entry would not bind it, and evidence could be exchanged."""
    made = sign_entry(0, 0, PREV, STATE, [["MOVE", "pass"]], SEED)
    other = parse_entry(pack([made.signed.body, bytes(64)]))
    assert other.signed.body == made.signed.body
    assert other.id != made.id


def test_a_key_that_has_not_signed_is_told():
    made = sign_entry(3, 1, PREV, STATE, [["MOVE", "pass"]], SEED)
    with pytest.raises(ProofError) as caught:
        made.signed.check(signature.public_key(H("another seed")))
    assert caught.value.check is Check.SIG


@pytest.mark.parametrize(
    "body",
    [
        7,
        [],
        BODY[:4],
        [*BODY, 0],
        [b"", *BODY[1:]],
        [3, 4, *BODY[2:]],
        [3, 1, PREV[:31], *BODY[3:]],
        [3, 1, PREV, STATE + b"\0", BODY[4]],
        [3, 1, PREV, STATE, b""],
    ],
    ids=str,
)
def test_body_of_another_form_is_no_entry(body):
    with pytest.raises(EncodingError) as caught:
        parse_entry(wrapped(body))
    assert caught.value.check is Check.ENCODING


@pytest.mark.parametrize("parse", [parse_entry, parse_record])
@pytest.mark.parametrize(
    "encoded",
    [
        b"",
        b"\0",
        pack([]),
        pack([b"", bytes(63)]),
        pack([pack(BODY), bytes(63)]),
        pack([pack(BODY), bytes(65)]),
        pack(["", bytes(64)]),
        pack([b"", bytes(64)]),
    ],
    ids=bytes.hex,
)
def test_invalid_signed_statement_is_refused(parse, encoded):
    with pytest.raises(EncodingError) as caught:
        parse(encoded)
    assert caught.value.check is Check.ENCODING


@pytest.mark.parametrize(
    "statement",
    [Resign(), Claim(90, 1_800_000_000), Abort("E_SHUFFLE", H("entry")), Expose(5)],
    ids=lambda statement: type(statement).__name__,
)
def test_a_record_is_read_as_it_was_made(statement):
    made = sign_record(GID, 1, PREV, statement, SEED)
    read = parse_record(made.encoded)
    assert read == made
    assert (read.gid, read.seat, read.head, read.statement) == (GID, 1, PREV, statement)
    read.signed.check(KEY)


@pytest.mark.parametrize(
    "body",
    [
        7,
        [b"RESIGN", GID, 0, PREV, []],
        ["RESIGN", GID[1:], 0, PREV, []],
        ["RESIGN", GID, 4, PREV, []],
        ["RESIGN", GID, 0, b"", []],
        ["RESIGN", GID, 0, PREV, b""],
        ["RESIGN", GID, 0, PREV, [0]],
        ["CLAIM", GID, 0, PREV, [1]],
        ["CLAIM", GID, 0, PREV, [1, ""]],
        ["ABORT", GID, 0, PREV, ["E_MAIL", PREV]],
        ["ABORT", GID, 0, PREV, ["E_SIG", b""]],
        ["EXPOSE", GID, 0, PREV, [0]],
        ["GLOAT", GID, 0, PREV, []],
    ],
    ids=str,
)
def test_a_body_of_another_form_is_no_record(body):
    with pytest.raises(CheckError) as caught:
        parse_record(wrapped(body))
    assert caught.value.check is Check.RECORD


def test_signed_bytes_begin_with_the_domain_of_their_kind():
    """SPEC#encoding names both; another program signs the same bytes."""
    entry = sign_entry(3, 1, PREV, STATE, [["MOVE", "pass"]], SEED).signed
    record = sign_record(GID, 1, PREV, Resign(), SEED).signed
    signature.verify(KEY, b"matcha/v1/msg\0" + entry.body, entry.signature)
    signature.verify(KEY, b"matcha/v1/rec\0" + record.body, record.signature)


def test_no_statement_serves_as_another_kind():
    """The same body, signed as an entry, is not signed as a record."""
    entry = sign_entry(3, 1, PREV, STATE, [["MOVE", "pass"]], SEED)
    record = sign_record(GID, 1, PREV, Resign(), SEED)
    swapped = parse_record(pack([record.signed.body, entry.signed.signature]))
    with pytest.raises(ProofError):
        swapped.signed.check(KEY)
    resigned = signature.sign(SEED, b"matcha/v1/msg\0" + record.signed.body)
    with pytest.raises(ProofError):
        parse_record(pack([record.signed.body, resigned])).signed.check(KEY)
