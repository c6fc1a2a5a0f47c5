"""The name of a link and the key of a link, as two types, so nobody mixes them up."""

from typing import NewType

Psk = NewType("Psk", bytes)
"""The key that both ends share before the link exists; 32 bytes, secret."""

Binding = NewType("Binding", bytes)
"""Names a link at both ends; 32 bytes, public (PEER#channel)."""
