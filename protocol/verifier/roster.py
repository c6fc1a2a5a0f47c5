"""The roster of a table (SPEC#roster)."""

from typing import NamedTuple

from codec import H, Value, refuse, require, split_statement
from group import check_signature, decode_key
from messages import Hello, check_name


class Listed(NamedTuple):
    """The fields of a seat."""

    name: str
    session_key: bytes
    link_key: bytes
    identity: bytes
    bot: int


class Roster(NamedTuple):
    """The fields of a roster that a table needs, and the roster's name rid."""

    rid: bytes
    rules: list[Value]
    seats: list[Listed]

    def check_fit(self, seat: int, hello: Hello) -> None:
        """Refuse a HELLO with the right session key that does not fit; E_ROSTER."""
        rules = [hello.game, hello.variant, hello.seats, hello.rules]
        listed = self.seats[seat]
        require(rules == self.rules, "E_ROSTER")
        require((hello.name, hello.identity) == (listed.name, listed.identity), "E_ROSTER")


def parse_roster(encoded: bytes) -> Roster:
    """Check a roster (SPEC#roster); raises CheckError."""
    body, value, signature = split_statement(encoded)
    match value:
        case [int(version), bytes(nonce), str(game), str(variant), bytes(rules), list(seats)]:
            require(len(nonce) == len(rules) == 32 and 2 <= len(seats) <= 4, "E_ENCODING")
        case _:
            refuse("E_ENCODING")
    listed = [_listed(seat) for seat in seats]
    require(version == 1, "E_VERSION")
    for seat in listed:
        check_name(seat.name)
        decode_key(seat.session_key)
        if seat.identity:
            decode_key(seat.identity)
    require(len({seat.session_key for seat in listed}) == len(listed), "E_KEY")
    check_signature(listed[0].session_key, b"matcha/v1/roster\0" + body, signature, "E_SIG")
    return Roster(H("roster", encoded), [game, variant, len(listed), rules], listed)


def _listed(value: Value) -> Listed:
    match value:
        case [str(name), bytes(session), bytes(link), bytes(identity), 0 | 1 as bot]:
            require(len(session) == len(link) == 32, "E_ENCODING")
            require(len(identity) in (0, 32), "E_ENCODING")
        case _:
            refuse("E_ENCODING")
    return Listed(name, session, link, identity, bot)
