"""Sums up a game quickly, without checking signatures or proofs.

A summary is enough to list one's own games; ``verify`` checks a game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.chain.records import first_to_resign
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.games import find, seated
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.storage import journal
from matcha_p2p.table.messages import Hello, Result, decode_action
from matcha_p2p.table.moves import MoveForms
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Kind
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.record import Record, parse_record
from matcha_p2p.wire.text import check_name

_NO_MOVES: Final[MoveForms] = {}


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game as its transcript claims.

    game: the id, 32 bytes, equal in all files of one game. kind: "matcha" for example. names:
    by seat. teams: the seats of each. over: whether a player has signed a result or conceded.
    winners: ascending, () if nobody has won, and until the game is over.
    """

    game: bytes
    kind: str
    edition: str
    names: tuple[str, ...]
    teams: tuple[tuple[Seat, ...], ...]
    over: bool
    winners: tuple[Seat, ...]
    conceded: bool

    def side(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the team of ``seat``."""
        return next(team for team in self.teams if seat in team)

    def against(self, team: Sequence[Seat]) -> list[str]:
        """Return the names of all who are not in ``team``."""
        return [name for seat, name in enumerate(self.names) if seat not in team]


@dataclass(frozen=True, slots=True)
class JournalSummary:
    """A game as recorded in our journal.

    seat: our own. kind: "matcha" for example. names: by seat. begun: how many parts of the game
    have begun, sets or rounds. due: the seat that has to speak, or None.
    """

    seat: Seat
    kind: str
    edition: str
    names: tuple[str, ...]
    begun: int
    due: Seat | None

    @property
    def others(self) -> list[str]:
        """The names of all other players."""
        return [name for seat, name in enumerate(self.names) if seat != self.seat]


def summarize_transcript(data: bytes) -> GameSummary:
    """Return the summary of the transcript ``data``.

    Raises:
        TranscriptError: the data are no transcript, or cut short.
        CheckError: the entries cannot belong to a game.
    """
    entries: list[Entry] = []
    records: list[Record] = []
    for frame in parse_archive(data):
        if frame.kind is Kind.MSG:
            entries.append(parse_entry(frame.payload))
        elif frame.kind is Kind.REC:
            records.append(parse_record(frame.payload))
    first = _hello(entries, 0)
    hellos = [first, *(_hello(entries, seat) for seat in range(1, first.seats))]
    if len({(hello.game, hello.variant, hello.seats) for hello in hellos}) > 1:
        raise EncodingError(Check.GAME, "the players have greeted for different games")
    teams = seated(first.game).teams(first.seats)
    result, loser = _result(entries), _conceded(first, entries, records)
    if result is not None:
        winners = _winners(result, teams)
    elif loser is not None:
        winners = tuple(seat for team in teams if loser not in team for seat in team)
    else:
        winners = ()
    return GameSummary(
        game=entries[0].id,
        kind=first.game,
        edition=_edition(first),
        names=tuple(hello.name for hello in hellos),
        teams=teams,
        over=result is not None or loser is not None,
        winners=winners,
        conceded=result is None and loser is not None,
    )


def _hello(entries: Sequence[Entry], seat: int) -> Hello:
    match [entry.fields[:1] for entry in entries[seat : seat + 1]]:
        case [(greeting,)]:
            hello = decode_action(greeting, _NO_MOVES)
        case _:
            raise EncodingError(Check.GRAMMAR, "the players have not greeted each other")
    if not isinstance(hello, Hello):
        raise EncodingError(Check.GRAMMAR, "a game begins with HELLO from each seat")
    if not find(hello.game, hello.variant, hello.seats):
        raise EncodingError(Check.GAME, "no such game is known here")
    check_name(hello.name)
    return hello


def _edition(hello: Hello) -> str:
    return seated(hello.game).called(hello.variant)


def _winners(result: Result, teams: Sequence[Sequence[Seat]]) -> tuple[Seat, ...]:
    """Return the winners; nobody where the result names a part of a team, who has fouled."""
    named = set(result.outcome)
    if not named <= {seat for team in teams for seat in team}:
        raise EncodingError(Check.RESULT, "the game has no such seat")
    whole = [team for team in teams if named.issuperset(team)]
    return tuple(sorted(seat for team in whole for seat in team))


def _result(entries: Sequence[Entry]) -> Result | None:
    """Return the first result that a seat has signed: both sign the same."""
    for entry in entries:
        for field in entry.fields:
            match field:
                case ["RESULT", *_]:
                    action = decode_action(field, _NO_MOVES)
                    return action if isinstance(action, Result) else None
                case _:
                    pass
    return None


def _conceded(hello: Hello, entries: Sequence[Entry], records: Sequence[Record]) -> Seat | None:
    """Return the seat that conceded; of several, the seat that had seen less of the game."""
    if any(record.seat >= hello.seats for record in records):
        raise EncodingError(Check.RECORD, "a record of a seat that this game does not have")
    game = find(hello.game, hello.variant, hello.seats)
    return None if game is None else first_to_resign(game, entries, records)


def summarize_journal(path: Path) -> JournalSummary:
    """Return the summary of the journal at ``path``, which may be in use; change nothing.

    Raises:
        JournalError: the journal is unreadable or damaged.
        CheckError: the game has not begun, or the entries cannot belong to a game.
    """
    chain = Chain.recall(*journal.read(path))
    if not chain.met:
        raise EncodingError(Check.GRAMMAR, "the game had not begun")
    table = chain.table
    first = table.hellos[0]
    due = None if chain.finished else next_due(table)
    return JournalSummary(
        seat=chain.seat,
        kind=first.game,
        edition=_edition(first),
        names=tuple(hello.name for hello in table.hellos),
        begun=seated(first.game).begun(table),
        due=None if due is None else due.seat,
    )
