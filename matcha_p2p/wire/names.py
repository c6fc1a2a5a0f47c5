"""The ids of entries, games, records and rosters, as four types, so nobody mixes them up."""

from typing import NewType

EntryId = NewType("EntryId", bytes)
"""The hash of a signed entry; 32 bytes."""

GameId = NewType("GameId", bytes)
"""The hash of both greetings; 32 bytes (SPEC#entries)."""

RecordId = NewType("RecordId", bytes)
"""The hash of a signed record; 32 bytes."""

RosterId = NewType("RosterId", bytes)
"""The hash of a signed roster; 32 bytes (SPEC#roster)."""
