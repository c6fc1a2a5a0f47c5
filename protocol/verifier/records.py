"""Records: statements outside the chain (SPEC#records)."""

from bisect import bisect_left
from typing import cast

from codec import CheckError, Value, refuse, require, split_statement
from group import BASE, check_signature, combine, decode_scalar
from table import Statement, Table

CODES = (
    "LIMIT ENCODING CHAIN SIG FORK TURN GRAMMAR POINT SCALAR VERSION GAME TEXT KEY POP CERT"
    " COIN SHUFFLE SHARE CARD BACK RULE SEAL RESULT STATE RECORD EXPOSE RESIGN SYNC ROSTER"
)
CHECKS = {"E_" + name for name in CODES.split()}
ENTRIES = range(2, 65_537)
EXCLUDING = {"RESIGN": "E_RESIGN", "SYNC": "E_SYNC"}


def accept_record(table: Table, encoded: bytes) -> None:
    """Check a record of a game, and note the statement; raises CheckError."""
    body, value, signature = split_statement(encoded)
    match value:
        case [kind, bytes(gid), 0 | 1 | 2 | 3 as seat, bytes(head), data]:
            require(len(gid) == len(head) == 32, "E_RECORD")
            number, resigned, offer = _check_data(kind, data)
        case _:
            refuse("E_RECORD")
    require(gid == table.gid and seat < len(table.hellos), "E_RECORD")
    author = table.hellos[seat]
    signed = b"matcha/v1/rec\0" + body
    check_signature(author.session_key, signed, signature, "E_RECORD")
    require(kind == "SYNC" or head in table.lengths, "E_RECORD")
    require(kind != "RESIGN" or (offer is not None) == table.game.teams, "E_RECORD")
    try:  # from here on the author is to blame
        length = number if kind == "SYNC" else table.lengths[head]
        said = Statement(cast("str", kind), seat, head, length, offer)
        _take(table, said, number)
        if resigned:
            table.holding.add(seat)
    except CheckError as refusal:
        raise CheckError(refusal.check, seat) from None


def _check_data(kind: Value, data: Value) -> tuple[int, bool, bytes | None]:
    """Return what the data say: number, resigned, offer.

    number: the secret of EXPOSE, the length of SYNC, or 0. resigned: of a SYNC. offer: as in
    ``Statement``.

    Raises: CheckError with E_RECORD or E_SCALAR: the data does not fit the kind.
    """
    number, resigned = 0, False
    offer: bytes | None = None
    match kind, data:
        case ("RESIGN", []) | ("CLAIM", [int(), int()]):
            pass
        case "RESIGN", [bytes(named)]:
            require(len(named) in (0, 32), "E_RECORD")
            offer = named
        case "ABORT", [str(code), bytes(offender)]:
            require(code in CHECKS and len(offender) == 32, "E_RECORD")
        case "EXPOSE", [bytes(x)]:
            number = decode_scalar(x)
        case "SYNC", [length, bytes(binding), 0 | 1 as said]:
            require(length in ENTRIES and len(binding) == 32, "E_RECORD")
            number, resigned = cast("int", length), said == 1
        case _:
            refuse("E_RECORD")
    return number, resigned, offer


def _take(table: Table, said: Statement, number: int) -> None:
    if said.kind == "EXPOSE":
        exposed = combine([(number, BASE)])
        require(exposed.encoding == table.hellos[said.seat].game_key.encoding, "E_EXPOSE")
    elif said.kind in EXCLUDING:
        require(excluded(table, said) is None, EXCLUDING[said.kind])
        table.statements.append(said)


def excluded(table: Table, statement: Statement) -> int | None:
    """Return the first entry excluded by a RESIGN or SYNC of its author (SPEC#final)."""
    chain, own = table.chain, table.places[statement.seat]
    resigns = statement.kind == "RESIGN"
    if resigns and not statement.gives_up:
        return None
    if statement.is_shown(chain) != resigns:
        return None
    begin = statement.length if resigns else statement.length - 1
    for at in range(bisect_left(own, begin), len(own)):
        if not (resigns and chain[own[at]].verbs == ["RESULT"]):
            return own[at]
    return None
