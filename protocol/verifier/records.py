"""Records: statements outside the chain (SPEC#records)."""

from codec import CheckError, refuse, require, split_statement
from game import Game
from group import BASE, check_signature, combine, decode_scalar

CODES = (
    "LIMIT ENCODING CHAIN SIG FORK TURN GRAMMAR POINT SCALAR VERSION RULES TEXT KEY POP CERT"
    " COIN SHUFFLE SHARE CARD PLACE BACK SPENT PASS COMMIT KEEP RESULT STATE RECORD EXPOSE"
    " RESUME"
)
CHECKS = {"E_" + name for name in CODES.split()}


def accept_record(game: Game, encoded: bytes) -> None:
    """Check a record of a game and note who resigns; raises CheckError."""
    body, value, signature = split_statement(encoded)
    match value:
        case [str(kind), bytes(gid), 0 | 1 as seat, bytes(head), list(data)]:
            require(len(gid) == 32 and len(head) == 32, "E_RECORD")
            _check_data(kind, data)
        case _:
            refuse("E_RECORD")
    require(len(game.chain) >= 2 and gid == game.gid, "E_RECORD")
    author = game.hellos[seat]
    signed = b"matcha/v1/rec\0" + body
    check_signature(author.session_key, signed, signature, "E_RECORD")
    require(head in game.heads, "E_RECORD")
    if kind == "EXPOSE":
        exposed = combine([(decode_scalar(data[0]), BASE)])
        if exposed.encoding != author.game_key.encoding:
            raise CheckError("E_EXPOSE", seat)
    if kind == "RESIGN":
        game.resigned.add(seat)


def _check_data(kind: str, data: list) -> None:
    """Refuse the data of a record that has not the form of its kind."""
    match kind, data:
        case ("RESIGN", []) | ("CLAIM", [int(), int()]):
            return
        case "ABORT", [str(code), bytes(offender)]:
            require(code in CHECKS and len(offender) == 32, "E_RECORD")
        case "EXPOSE", [bytes(x)]:
            decode_scalar(x)
        case _:
            refuse("E_RECORD")
