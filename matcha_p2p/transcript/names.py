"""What names an entry and a game: bytes that must not be taken for each other."""

from typing import NewType

EntryId = NewType("EntryId", bytes)
"""The hash of a signed entry; 32 bytes."""

GameId = NewType("GameId", bytes)
"""The hash of both greetings; 32 bytes (SPEC#entries)."""
