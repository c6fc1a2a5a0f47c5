"""Bytes on the wire: the canonical encoding, and one frozen dataclass per action and record."""
