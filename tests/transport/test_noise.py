"""The handshake and the ciphers after it."""

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.transport.noise import (
    HANDSHAKE_SIZE,
    MAX_NONCE,
    CipherState,
    Initiator,
    Responder,
    psk_from_secret,
)

# The vector of cacophony for Noise_NNpsk0_25519_ChaChaPoly_SHA256.
PROLOGUE = bytes.fromhex("4a6f686e2047616c74")
PSK = bytes.fromhex("54686973206973206d7920417573747269616e20706572737065637469766521")
INITIATOR_KEY = "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a"
RESPONDER_KEY = "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b"
BINDING = "f4d03dc34495c95729ea6de9e1b59004b59733102488b3e24bc441e0be208eaf"
MESSAGES = [
    (
        "4c756477696720766f6e204d69736573",
        (
            "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944"
            "79b962b8aff8485742ac32f905ba45369e2465fb59e138a93d67a0d1266b6a54"
        ),
    ),
    (
        "4d757272617920526f746862617264",
        (
            "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843"
            "d6062704d5a9c422a8e834423f8c1feada7e8d0d910a1a2cd030fb584221e3"
        ),
    ),
    (
        "462e20412e20486179656b",
        "e632c3763d7669067383433197a3baddf146e9e70ad4b4e9e59e0f",
    ),
    (
        "4361726c204d656e676572",
        "64c6bee32ea91c8474bb4c21d7a700109ad45af77b29764ba5eb1e",
    ),
    (
        "4a65616e2d426170746973746520536179",
        "e2fa0bed0603b62d3ccac2ecabbf3fe33f3e86514909b323361626266cb2471cc8",
    ),
    (
        "457567656e2042f6686d20766f6e2042617765726b",
        "0c01dc9cec1fe4ddd692e8dd32188aa351088dc91183639a53b57aa4692b5ebdef8b8ca111",
    ),
]


def pair(initiator_psk=PSK, responder_psk=PSK):
    return Initiator(initiator_psk), Responder(responder_psk)


def test_the_public_vector_for_this_very_pattern():
    initiator = Initiator(
        PSK, PROLOGUE, X25519PrivateKey.from_private_bytes(bytes.fromhex(INITIATOR_KEY))
    )
    responder = Responder(
        PSK, PROLOGUE, X25519PrivateKey.from_private_bytes(bytes.fromhex(RESPONDER_KEY))
    )
    (payload_1, message_1), (payload_2, message_2), *later = [
        (bytes.fromhex(payload), bytes.fromhex(message)) for payload, message in MESSAGES
    ]
    assert initiator.write(payload_1) == message_1
    assert responder.read(message_1) == payload_1
    theirs, written = responder.write(payload_2)
    assert written == message_2
    ours, read = initiator.read(message_2)
    assert read == payload_2
    assert ours.binding == theirs.binding == bytes.fromhex(BINDING)
    ends = [(ours, theirs), (theirs, ours)]
    for number, (payload, ciphertext) in enumerate(later):
        sender, receiver = ends[number % 2]
        assert sender.outgoing.encrypt(payload) == ciphertext
        assert receiver.incoming.decrypt(ciphertext) == payload


def test_two_handshakes_with_one_psk_have_different_bindings():
    bindings = set()
    for _ in range(2):
        initiator, responder = pair()
        responder.read(initiator.write())
        channel, message = responder.write()
        assert initiator.read(message)[0].binding == channel.binding
        bindings.add(channel.binding)
    assert len(bindings) == 2


def test_messages_with_empty_payloads_have_48_bytes():
    initiator, responder = pair()
    first = initiator.write()
    responder.read(first)
    assert len(first) == len(responder.write()[1]) == HANDSHAKE_SIZE == 48


def test_another_psk_is_noticed_by_the_first_message():
    initiator, responder = pair(responder_psk=bytes(32))
    with pytest.raises(HandshakeError):
        responder.read(initiator.write())


def test_an_answer_to_another_knock_is_refused():
    initiator, responder = pair()
    responder.read(initiator.write())
    stranger = Initiator(PSK)
    stranger.write()
    with pytest.raises(HandshakeError):
        stranger.read(responder.write()[1])


@pytest.mark.parametrize("place", range(HANDSHAKE_SIZE))
@pytest.mark.parametrize("bit", [0, 7])
def test_a_flipped_bit_anywhere_in_either_message_is_refused(place, bit):
    initiator, responder = pair()
    first = initiator.write()
    with pytest.raises(HandshakeError):
        Responder(PSK).read(flip(first, place, bit))
    responder.read(first)
    with pytest.raises(HandshakeError):
        initiator.read(flip(responder.write()[1], place, bit))


def flip(message, place, bit):
    altered = bytearray(message)
    altered[place] ^= 1 << bit
    return bytes(altered)


@pytest.mark.parametrize("size", [0, 31, 32, 47])
def test_a_short_message_is_refused(size):
    initiator, responder = pair()
    first = initiator.write()
    with pytest.raises(HandshakeError):
        Responder(PSK).read(first[:size])
    responder.read(first)
    with pytest.raises(HandshakeError):
        initiator.read(responder.write()[1][:size])


def test_a_key_of_small_order_is_refused(monkeypatch):
    """A holder of the psk who sends the point 0 does not force a known shared secret."""
    initiator, responder = pair()
    monkeypatch.setattr(initiator, "_ephemeral", WorthlessKey())
    responder.read(initiator.write())
    with pytest.raises(HandshakeError, match="worthless"):
        responder.write()


class WorthlessKey:
    def public_key(self):
        return self

    def public_bytes_raw(self):
        return bytes(32)


def ciphers():
    return CipherState(bytes(32)), CipherState(bytes(32))


def test_a_message_twice_or_out_of_order_is_refused():
    sender, receiver = ciphers()
    first, second = sender.encrypt(b"1"), sender.encrypt(b"2")
    with pytest.raises(LinkError):
        receiver.decrypt(second)
    assert receiver.decrypt(first) == b"1"
    with pytest.raises(LinkError):
        receiver.decrypt(first)
    assert receiver.decrypt(second) == b"2"


def test_the_reserved_nonce_is_never_used():
    sender = CipherState(bytes(32), MAX_NONCE - 1)
    receiver = CipherState(bytes(32), MAX_NONCE - 1)
    ciphertext = sender.encrypt(b"last")
    assert receiver.decrypt(ciphertext) == b"last"
    with pytest.raises(LinkError, match="used up"):
        sender.encrypt(b"one too many")
    with pytest.raises(LinkError, match="used up"):
        receiver.decrypt(ciphertext)


def test_the_psk_depends_on_every_bit_of_the_secret():
    secrets = [bytes(16), *(flip(bytes(16), bit // 8, bit % 8) for bit in range(128))]
    assert len({psk_from_secret(secret) for secret in secrets}) == 129
