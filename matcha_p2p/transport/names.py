"""What names a link, and what opens one: bytes that must not be taken for each other."""

from typing import NewType

Psk = NewType("Psk", bytes)
"""The key that both ends of a link share before it stands; 32 bytes, secret."""

Binding = NewType("Binding", bytes)
"""Names one link to both of its ends; 32 bytes, public (SPEC#channel)."""
