"""How far a copy goes, said for one link and worth nothing on another."""

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, EncodingError, ProofError
from matcha_p2p.transcript.sync import parse_sync, sign_sync
from matcha_p2p.wire.encoding import pack

SEED = H("test seed")
KEY = signature.public_key(SEED)
GID, HEAD, LINK = H("gid"), H("head"), H("link")


def test_a_sync_is_read_as_it_was_made():
    sync = parse_sync(sign_sync(GID, 7, HEAD, LINK, SEED), LINK)
    assert (sync.gid, sync.length, sync.head) == (GID, 7, HEAD)
    sync.signed.check(KEY)


def test_a_sync_of_another_link_is_not_signed_for_this_one():
    sync = parse_sync(sign_sync(GID, 7, HEAD, H("old link"), SEED), LINK)
    with pytest.raises(ProofError) as caught:
        sync.signed.check(KEY)
    assert caught.value.check is Check.SIG


@pytest.mark.parametrize(
    "body",
    [
        [],
        [GID, 7],
        [GID, b"", HEAD],
        [GID[1:], 7, HEAD],
        [GID, 7, HEAD + b"\0"],
        [GID, 7, HEAD, 0],
    ],
    ids=str,
)
def test_a_body_of_another_form_is_no_sync(body):
    with pytest.raises(EncodingError) as caught:
        parse_sync(pack([pack(body), bytes(64)]), LINK)
    assert caught.value.check is Check.ENCODING
