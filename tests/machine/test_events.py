"""What front ends are told of the games in protocol/vectors, against what was said in them."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

from matcha_p2p.crypto.sponge import H
from matcha_p2p.machine.events import (
    Event,
    GameEnded,
    HandsDealt,
    Kept,
    Met,
    Passed,
    Placed,
    RoundResolved,
    Shuffled,
    TableLaid,
)
from matcha_p2p.machine.step import step
from matcha_p2p.machine.table import Start, State
from matcha_p2p.transcript.archive import parse_archive
from matcha_p2p.transcript.entry import Entry, parse_entry
from matcha_p2p.transport.framing import Kind
from matcha_p2p.transport.names import Binding
from tests.cheats.scene import fields_of
from tests.vectors import base

GAMES = ("short", "hoarding", "racing")


@dataclass(frozen=True)
class Told:
    """An entry, what was told when it came, and the state after it."""

    entry: Entry
    events: tuple[Event, ...]
    state: State


@cache
def course(game: str) -> tuple[Told, ...]:
    """Return a game as an observer follows it."""
    frames = [f for f in parse_archive(base(f"{game}.matcha")) if f.kind is Kind.MSG]
    entries = [parse_entry(frame.payload) for frame in frames]
    state: State = Start(Binding(entries[0].prev))
    told = []
    for entry in entries:
        state, events = step(state, entry)
        told.append(Told(entry, events, state))
    return tuple(told)


def events_of(game: str, *kinds: type[Event]) -> list[Event]:
    return [event for told in course(game) for event in told.events if isinstance(event, kinds)]


def said(game: str, *names: str) -> list[tuple[Entry, list]]:
    """Return every action of these names, and the entry that it is in."""
    entries = [told.entry for told in course(game)]
    return [(e, fields) for e in entries for fields in fields_of(e) if fields[0] in names]


@pytest.mark.parametrize("game", GAMES)
def test_both_are_introduced_first(game):
    first, second = course(game)[:2]
    names = tuple(told.entry.fields[0][6] for told in (first, second))
    gid = H("game", first.entry.encoded, second.entry.encoded)
    assert first.events == ()
    assert second.events == (Met(gid, second.state.game.edition, names),)
    assert second.state.game.edition.name == first.entry.fields[0][4]


@pytest.mark.parametrize("game", GAMES)
def test_every_shuffle_is_told_with_what_is_shuffled(game):
    """Before the table lies there it is what the table is laid from: where cards were kept."""
    expected = []
    coins, laid = 0, False
    for told in course(game):
        seat = told.entry.seat
        for name, *_ in told.entry.fields:
            match name:
                case "COIN":
                    coins += 1
                    laid = coins % 2 == 0
                case "OPEN":
                    laid = any(isinstance(event, TableLaid) for event in told.events)
                case "KEEPO":
                    laid = False
                case "SHUF":
                    expected.append(Shuffled(seat, "deal" if laid else "mix"))
                case "OWN":
                    expected.append(Shuffled(seat, "own"))
    assert events_of(game, Shuffled) == expected


@pytest.mark.parametrize("game", GAMES)
def test_every_set_has_its_table_and_its_hands(game):
    laid = [
        (told.state.game, event)
        for told in course(game)
        for event in told.events
        if isinstance(event, TableLaid)
    ]
    for number, (state, event) in enumerate(laid, start=1):
        assert event == TableLaid(number, state.dealer, state.table, event.zeros_met)
        assert event.dealer == (laid[0][1].dealer + number - 1) % 2
    assert len(events_of(game, HandsDealt)) == len(laid) > 0
    assert len(laid) == course(game)[-1].state.game.number


@pytest.mark.parametrize("game", [*GAMES, "zeros-met-0", "zeros-met-1", "zeros-met-2"])
def test_as_many_zeros_are_met_as_positions_are_opened_in_vain(game):
    """A seat that opens a mixed deck opens six cards and the zeros before the sixth."""
    opened = 0
    for told in course(game):
        for name, *fields in told.entry.fields:
            if name == "OPEN" and told.entry.seat == 0:
                opened += len(fields[0]) // 32
        for event in told.events:
            if isinstance(event, TableLaid):
                assert event.zeros_met == max(opened - 6, 0)
                opened = 0


@pytest.mark.parametrize("game", GAMES)
def test_every_card_and_every_pass_is_told_as_it_was_said(game):
    decided = [e for e in events_of(game, Placed, Passed) if e != Passed(e.seat, auto=True)]
    assert decided == [
        Placed(entry.seat, fields[1]) if fields[0] == "PLAY" else Passed(entry.seat, auto=False)
        for entry, fields in said(game, "PLAY", "PASS")
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_round_is_told_once_it_is_resolved(game):
    rounds = [event.played for event in events_of(game, RoundResolved)]
    assert all(len(played.resolutions) == 2 for played in rounds)
    assert [played.number for played in rounds] == [n % 3 + 1 for n in range(len(rounds))]
    assert rounds[-1].tokens == course(game)[-1].state.game.tokens
    turns = Counter(turn.auto for played in rounds for turn in played.turns)
    assert turns[False] == len(said(game, "PLAY", "PASS"))
    assert turns[True] == events_of(game, Passed).count(Passed(0, auto=True)) + events_of(
        game, Passed
    ).count(Passed(1, auto=True))


@pytest.mark.parametrize("game", GAMES)
def test_it_is_told_how_many_cards_each_keeps(game):
    counts = [
        (entry.seat, len(fields[-1]) // 32) for entry, fields in said(game, "KEEP", "KEEPO")
    ]
    pairs = [sorted(counts[i : i + 2]) for i in range(0, len(counts), 2)]
    assert events_of(game, Kept) == [Kept((first, second)) for (_, first), (_, second) in pairs]


@pytest.mark.parametrize("game", GAMES)
def test_the_end_is_told_once_and_as_both_have_signed_it(game):
    (ended,) = events_of(game, GameEnded)
    ((_, first), (_, second)) = said(game, "RESULT")
    assert first == second
    assert first[1] == (2 if ended.ended.winner is None else ended.ended.winner)
    assert ended.tokens == course(game)[-1].state.game.tokens
