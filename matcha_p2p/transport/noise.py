"""The encrypted channel: Noise_NNpsk0_25519_ChaChaPoly_SHA256; no I/O (PEER#channel).

Two messages of 48 bytes (with empty payloads) make a channel between two holders of a 32-byte
key, the psk. Without the psk nobody can make or read the first message.

    -> psk, e
    <- e, ee

Source: The Noise Protocol Framework, revision 34; the names of its section 5 are kept.
"""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.transport.names import Binding, Psk

PROTOCOL_NAME: Final = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE: Final = b"matcha/v1"
KEY_SIZE: Final = 32
TAG_SIZE: Final = 16
HANDSHAKE_SIZE: Final = KEY_SIZE + TAG_SIZE
"""Bytes of either handshake message with an empty payload."""

MAX_NONCE: Final = 2**64 - 1
"""Reserved by the framework; the last nonce for encryption is MAX_NONCE - 1."""


def psk_from_secret(secret: bytes, info: bytes = b"matcha/v1 invite psk") -> Psk:
    """Return the 32-byte psk of an invite's secret of 16 bytes (PEER#invite).

    info: the purpose of the invite.
    """
    hkdf = HKDF(SHA256(), KEY_SIZE, salt=None, info=info)
    return Psk(hkdf.derive(secret))


class CipherState:
    """A key, and the number of messages encrypted, or decrypted, so far."""

    def __init__(self, key: bytes, nonce: int = 0) -> None:
        self._aead: Final = ChaCha20Poly1305(key)
        self._nonce = nonce

    def encrypt(self, plaintext: bytes, associated: bytes = b"") -> bytes:
        """Return the ciphertext, 16 bytes longer.

        Raises:
            LinkError: the key has reached its limit of messages.
        """
        ciphertext = self._aead.encrypt(self._encoded_nonce(), plaintext, associated)
        self._nonce += 1
        return ciphertext

    def decrypt(self, ciphertext: bytes, associated: bytes = b"") -> bytes:
        """Return the plaintext of the next message.

        Raises:
            LinkError: a message was altered, dropped, repeated or reordered.
        """
        try:
            plaintext = self._aead.decrypt(self._encoded_nonce(), ciphertext, associated)
        except InvalidTag:
            raise LinkError("The connection carried altered bytes. Connect again.") from None
        self._nonce += 1
        return plaintext

    def _encoded_nonce(self) -> bytes:
        if self._nonce >= MAX_NONCE:
            raise LinkError("The connection has used up its key.")
        return bytes(4) + self._nonce.to_bytes(8, "little")


@dataclass(frozen=True, slots=True)
class Channel:
    """The result of a finished handshake.

    binding: the handshake hash, 32 bytes, equal at both ends and different for every channel.
    """

    outgoing: CipherState
    incoming: CipherState
    binding: Binding


class _SymmetricState:
    """The running hash and the chaining key of a handshake."""

    def __init__(self, psk: Psk, prologue: bytes) -> None:
        self.hash = hashlib.sha256(PROTOCOL_NAME).digest()
        self._chaining_key = self.hash
        self.mix_hash(prologue)
        self._chaining_key, mixed, key = _hkdf(self._chaining_key, psk)  # the token psk
        self.mix_hash(mixed)
        self._cipher = CipherState(key)

    def mix_hash(self, data: bytes) -> None:
        self.hash = hashlib.sha256(self.hash + data).digest()

    def mix_key(self, material: bytes) -> None:
        self._chaining_key, key, _ = _hkdf(self._chaining_key, material)
        self._cipher = CipherState(key)

    def mix_public(self, public: bytes) -> None:
        """Mix an ephemeral key into the hash, and into the key as patterns with a psk do."""
        self.mix_hash(public)
        self.mix_key(public)

    def mix_exchange(self, ours: X25519PrivateKey, theirs: bytes) -> None:
        try:
            shared = ours.exchange(X25519PublicKey.from_public_bytes(theirs))
        except ValueError:  # the library refuses the all-zero result of a point of small order
            raise HandshakeError("The other program sent a worthless key.") from None
        self.mix_key(shared)

    def encrypt_and_hash(self, payload: bytes) -> bytes:
        ciphertext = self._cipher.encrypt(payload, self.hash)
        self.mix_hash(ciphertext)
        return ciphertext

    def decrypt_and_hash(self, ciphertext: bytes) -> bytes:
        try:
            payload = self._cipher.decrypt(ciphertext, self.hash)
        except LinkError:
            raise HandshakeError("The other program does not hold the secret.") from None
        self.mix_hash(ciphertext)
        return payload

    def split(self) -> tuple[CipherState, CipherState]:
        """Return the ciphers of the initiator's messages and of the responder's messages."""
        first, second, _ = _hkdf(self._chaining_key, b"")
        return CipherState(first), CipherState(second)


class Initiator:
    """The end that speaks first: ``write``, send, receive, ``read``.

    psk: 32 bytes. ephemeral: fresh for every handshake; given only to reproduce test vectors.
    """

    def __init__(
        self,
        psk: Psk,
        prologue: bytes = PROLOGUE,
        ephemeral: X25519PrivateKey | None = None,
    ) -> None:
        self._state: Final = _SymmetricState(psk, prologue)
        self._ephemeral: Final = ephemeral or X25519PrivateKey.generate()

    def write(self, payload: bytes = b"") -> bytes:
        """Return the first message, 48 bytes and the payload's."""
        public = self._ephemeral.public_key().public_bytes_raw()
        self._state.mix_public(public)
        return public + self._state.encrypt_and_hash(payload)

    def read(self, message: bytes) -> tuple[Channel, bytes]:
        """Read the answer to the first message; return the channel and the payload.

        Raises:
            HandshakeError: the sender does not hold the psk, or the message was altered.
        """
        public, ciphertext = _split_message(message)
        self._state.mix_public(public)
        self._state.mix_exchange(self._ephemeral, public)
        payload = self._state.decrypt_and_hash(ciphertext)
        outgoing, incoming = self._state.split()
        return Channel(outgoing, incoming, Binding(self._state.hash)), payload


class Responder:
    """The end that stays silent until spoken to: receive, ``read``, ``write``, send.

    psk: 32 bytes. ephemeral: fresh for every handshake; given only to reproduce test vectors.
    """

    def __init__(
        self,
        psk: Psk,
        prologue: bytes = PROLOGUE,
        ephemeral: X25519PrivateKey | None = None,
    ) -> None:
        self._state: Final = _SymmetricState(psk, prologue)
        self._ephemeral: Final = ephemeral
        self._initiator_public = b""

    def read(self, message: bytes) -> bytes:
        """Read the first message and return its payload; costs no public-key operation.

        Raises:
            HandshakeError: the sender does not hold the psk, or the message was altered.
        """
        self._initiator_public, ciphertext = _split_message(message)
        self._state.mix_public(self._initiator_public)
        return self._state.decrypt_and_hash(ciphertext)

    def write(self, payload: bytes = b"") -> tuple[Channel, bytes]:
        """Return the channel and the answer, 48 bytes and the payload's.

        The first message may be a recording: only a good transport message proves the presence
        of the initiator.

        Raises:
            HandshakeError: the initiator's key is a point of small order.
        """
        ephemeral = self._ephemeral or X25519PrivateKey.generate()
        public = ephemeral.public_key().public_bytes_raw()
        self._state.mix_public(public)
        self._state.mix_exchange(ephemeral, self._initiator_public)
        message = public + self._state.encrypt_and_hash(payload)
        incoming, outgoing = self._state.split()
        return Channel(outgoing, incoming, Binding(self._state.hash)), message


def _hkdf(chaining_key: bytes, material: bytes) -> tuple[bytes, bytes, bytes]:
    """Return three outputs of 32 bytes; for two outputs, drop the third."""
    temporary = hmac.digest(chaining_key, material, "sha256")
    first = hmac.digest(temporary, b"\x01", "sha256")
    second = hmac.digest(temporary, first + b"\x02", "sha256")
    third = hmac.digest(temporary, second + b"\x03", "sha256")
    return first, second, third


def _split_message(message: bytes) -> tuple[bytes, bytes]:
    if len(message) < HANDSHAKE_SIZE:
        raise HandshakeError(
            "A handshake message of {size} bytes is too short.", size=len(message)
        )
    return message[:KEY_SIZE], message[KEY_SIZE:]
