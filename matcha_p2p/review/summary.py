"""Sums up a game quickly, without checking signatures or proofs.

A summary is enough to list one's own games; ``verify`` checks a game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.chain.records import resigned, table_then
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.games import find, game_of
from matcha_p2p.seats import Seat
from matcha_p2p.session.ledger import recall_chain
from matcha_p2p.session.storage import journal
from matcha_p2p.table.messages import Result, decode_action
from matcha_p2p.table.moves import MoveForms
from matcha_p2p.table.step import recall
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.transport.framing import Kind
from matcha_p2p.transport.servers import Server
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.record import Record, parse_record
from matcha_p2p.wire.roster import Roster, parse_roster

_NO_MOVES: Final[MoveForms] = {}


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game as its transcript claims.

    game: the roster's id, equal in all files of one game. kind: "matcha" for example. names: by
    seat. teams: the seats of each. over: whether the entries decide the game or a player has
    conceded. winners: ascending, () if nobody has won, and until the game is over.
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
    have begun, sets or rounds. due: the seat that has to speak, or None. proxy: dials in our
    place, or None.
    """

    seat: Seat
    kind: str
    edition: str
    names: tuple[str, ...]
    begun: int
    due: Seat | None
    proxy: Server | None = None

    @property
    def others(self) -> list[str]:
        """The names of all other players."""
        return [name for seat, name in enumerate(self.names) if seat != self.seat]


def summarize_transcript(data: bytes) -> GameSummary:
    """Return the summary of the transcript ``data``.

    Raises:
        TranscriptError: the data are no transcript, or cut short.
        UnknownGameError: the game is not installed.
        CheckError: the entries cannot belong to a game.
    """
    entries: list[Entry] = []
    records: list[Record] = []
    first, *frames = parse_archive(data)
    for frame in frames:
        if frame.kind is Kind.MSG:
            entries.append(parse_entry(frame.payload))
        else:
            records.append(parse_record(frame.payload))
    roster = parse_roster(first.payload)
    game, seats = roster.game, len(roster.seats)
    game_of(game.name)
    if not find(game.name, game.variant, seats):
        raise EncodingError(Check.GAME, "no such game is known here")
    if len(entries) < seats:
        raise EncodingError(Check.GRAMMAR, "the players have not greeted each other")
    teams = game_of(game.name).rules.teams(seats)
    if any(record.seat >= seats for record in records):
        raise EncodingError(Check.RECORD, "a record of a seat that this game does not have")
    result = _result(entries)
    if result is None:
        winners, conceded = _unsigned(roster, entries, records)
    else:
        winners, conceded = _winners(result, teams), False
    return GameSummary(
        game=roster.id,
        kind=game.name,
        edition=game_of(game.name).rules.called(game.variant),
        names=tuple(seat.name for seat in roster.seats),
        teams=teams,
        over=winners is not None,
        winners=winners or (),
        conceded=conceded,
    )


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


def _unsigned(
    roster: Roster, entries: Sequence[Entry], records: Sequence[Record]
) -> tuple[tuple[Seat, ...] | None, bool]:
    """Return the winners without a signed result, and whether a resignation ends the game.

    Until the game is over, the winners are None.
    """
    begin = Greetings.of_roster(roster, find)
    state: State = begin
    for entry in entries:
        state, _ = recall(state, entry)
    if not isinstance(state, Table):
        raise EncodingError(Check.GRAMMAR, "the players have not greeted each other")
    resignation = resigned(state, entries, records)
    if resignation is None:
        then, seat = state, None
    else:
        then, seat = table_then(begin, entries, resignation), resignation.seat
    end = game_of(then.game.name).rules.ended(then, seat)
    return (None if end is None else end.winners), resignation is not None


def summarize_journal(path: Path) -> JournalSummary:
    """Return the summary of the journal at ``path``, which may be in use; change nothing.

    Raises:
        JournalError: the journal is unreadable or damaged.
        UnknownGameError: the game is not installed.
        CheckError: the entries cannot belong to a game.
    """
    chain = recall_chain(*journal.read(path))
    game = chain.roster.game
    due = None if chain.finished else next_due(chain.state)
    return JournalSummary(
        seat=chain.seat,
        kind=game.name,
        edition=game_of(game.name).rules.called(game.variant),
        names=tuple(map(chain.name_of, chain.seats)),
        begun=game_of(game.name).rules.begun(chain.table) if chain.met else 0,
        due=None if due is None else due.seat,
        proxy=chain.proxy,
    )
