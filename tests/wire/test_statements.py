"""Statements outside the chain, and their form on the wire."""

import pytest

from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.names import RecordId
from matcha_p2p.wire.statements import (
    Abort,
    Claim,
    Expose,
    Resign,
    ResignOffer,
    ResignTogether,
    decode_statement,
    encode_statement,
)


@pytest.mark.parametrize(
    ("statement", "kind", "data"),
    [
        (Resign(), "RESIGN", []),
        (ResignOffer(), "RESIGN", [b""]),
        (ResignTogether(RecordId(H("offer"))), "RESIGN", [H("offer")]),
        (Claim(90, 1_800_000_000), "CLAIM", [90, 1_800_000_000]),
        (Abort("E_SHARE", H("entry")), "ABORT", ["E_SHARE", H("entry")]),
        (Expose(3), "EXPOSE", [b"\3" + bytes(31)]),
    ],
    ids=lambda value: "" if isinstance(value, str | list) else type(value).__name__,
)
def test_a_statement_has_one_form(statement, kind, data):
    assert encode_statement(statement) == (kind, data)
    assert decode_statement(kind, data) == statement


@pytest.mark.parametrize("check", Check)
def test_an_abort_may_name_every_check(check):
    assert decode_statement("ABORT", [check.value, H("entry")]).code == check.value


@pytest.mark.parametrize(
    ("kind", "data", "check"),
    [
        ("RESIGN", [1], Check.RECORD),
        ("CLAIM", [1], Check.RECORD),
        ("CLAIM", [b"", 1], Check.RECORD),
        ("ABORT", ["E_NONE", H("entry")], Check.RECORD),
        ("ABORT", ["E_SIG", H("entry")[1:]], Check.RECORD),
        ("EXPOSE", [3], Check.RECORD),
        ("EXPOSE", [b"\3"], Check.SCALAR),
        ("EXPOSE", [ORDER.to_bytes(32, "little")], Check.SCALAR),
        ("resign", [], Check.RECORD),
    ],
)
def test_a_statement_of_another_form_is_refused(kind, data, check):
    with pytest.raises(EncodingError) as caught:
        decode_statement(kind, data)
    assert caught.value.check is check
