"""The events for front ends in the games of protocol/vectors, against the entries."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games import find
from matcha_p2p.games.matcha.table.events import (
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
from matcha_p2p.games.matcha.table.told import told
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table.step import Taken, step
from matcha_p2p.table.steps import Share, Shuffle
from matcha_p2p.table.table import Greetings, State
from matcha_p2p.transport.framing import Kind
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.roster import parse_roster
from tests.cheats.scene import fields_of
from tests.vectors import base

GAMES = ("short", "hoarding", "racing")


@dataclass(frozen=True)
class Told:
    """An entry, its actions, its events, and the next state."""

    entry: Entry
    taken: tuple[Taken, ...]
    events: tuple[Event, ...]
    state: State


@cache
def course(game: str) -> tuple[Told, ...]:
    """Return a game as an observer follows it."""
    first, *frames = parse_archive(base(f"{game}.matcha"))
    entries = [parse_entry(frame.payload) for frame in frames if frame.kind is Kind.MSG]
    state: State = Greetings.of_roster(parse_roster(first.payload), find)
    heard = []
    for entry in entries:
        state, events = step(state, entry)
        taken = tuple(event for event in events if isinstance(event, Taken))
        heard.append(Told(entry, taken, told(events), state))
    return tuple(heard)


def events_of(game: str, *kinds: type[Event]) -> list[Event]:
    return [event for each in course(game) for event in each.events if isinstance(event, kinds)]


def actions(game: str) -> list[Taken]:
    """Return every action after the greetings."""
    return [taken for each in course(game) for taken in each.taken]


def opens(taken: Taken) -> bool:
    """Tell whether seat 0 opens cards of the mixed deck."""
    match taken.before.step:
        case Share(label="open"):
            return taken.seat == 0
        case _:
            return False


def said(game: str, *names: str) -> list[tuple[Entry, list]]:
    """Return every action of ``names``, and the action's entry."""
    entries = [each.entry for each in course(game)]
    return [(e, fields) for e in entries for fields in fields_of(e) if fields[0] in names]


def moves(game: str, *names: str) -> list[tuple[Entry, list]]:
    """Return every move of these names, openly made or unsealed, and its entry."""
    return [
        each for each in said(game, "MOVE", "UNSEAL") if set(names) & set(map(str, each[1]))
    ]


@pytest.mark.parametrize("game", GAMES)
def test_both_are_introduced_first(game):
    first, second = course(game)[:2]
    names = tuple(each.entry.fields[0][8] for each in (first, second))
    gid = H("game", first.entry.encoded, second.entry.encoded)
    assert first.events == ()
    assert second.events == (Met(gid, game_of(second.state).edition, names),)
    assert game_of(second.state).edition.name == first.entry.fields[0][5]


@pytest.mark.parametrize("game", GAMES)
def test_every_shuffle_is_told_with_its_pile(game):
    labels = {"mixed": "mix", "deck": "deal", "hand 0": "own", "hand 1": "own"}
    expected = [
        Shuffled(taken.seat, labels[taken.before.step.pile])
        for taken in actions(game)
        if isinstance(taken.before.step, Shuffle)
    ]
    assert events_of(game, Shuffled) == expected


@pytest.mark.parametrize("game", GAMES)
def test_every_set_has_its_table_and_its_hands(game):
    laid = [
        (game_of(each.state), event)
        for each in course(game)
        for event in each.events
        if isinstance(event, TableLaid)
    ]
    for number, (state, event) in enumerate(laid, start=1):
        assert event == TableLaid(number, state.dealer, state.table, event.zeros_met)
        assert event.dealer == (laid[0][1].dealer + number - 1) % 2
    assert len(events_of(game, HandsDealt)) == len(laid) > 0
    assert len(laid) == game_of(course(game)[-1].state).number


@pytest.mark.parametrize("game", [*GAMES, "zeros-met-0", "zeros-met-1", "zeros-met-2"])
def test_as_many_zeros_are_met_as_positions_are_opened_in_vain(game):
    """A seat that opens a mixed deck opens six cards and the zeros before the sixth."""
    opened = 0
    for each in course(game):
        opened += sum(len(taken.action.shares) for taken in each.taken if opens(taken))
        for event in each.events:
            if isinstance(event, TableLaid):
                assert event.zeros_met == max(opened - 6, 0)
                opened = 0


@pytest.mark.parametrize("game", GAMES)
def test_every_card_and_every_pass_is_told_as_it_was_said(game):
    decided = [e for e in events_of(game, Placed, Passed) if e != Passed(e.seat, auto=True)]
    assert decided == [
        Placed(entry.seat, fields[2]) if fields[1] == "lay" else Passed(entry.seat, auto=False)
        for entry, fields in moves(game, "lay", "pass")
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_round_is_told_once_it_is_resolved(game):
    rounds = [event.played for event in events_of(game, RoundResolved)]
    assert all(len(played.resolutions) == 2 for played in rounds)
    assert [played.number for played in rounds] == [n % 3 + 1 for n in range(len(rounds))]
    assert rounds[-1].tokens == game_of(course(game)[-1].state).tokens
    turns = Counter(turn.auto for played in rounds for turn in played.turns)
    assert turns[False] == len(moves(game, "lay", "pass"))
    assert turns[True] == events_of(game, Passed).count(Passed(0, auto=True)) + events_of(
        game, Passed
    ).count(Passed(1, auto=True))


@pytest.mark.parametrize("game", GAMES)
def test_number_of_kept_cards_is_told(game):
    counts = [(entry.seat, len(fields[-1]) // 32) for entry, fields in moves(game, "keep")]
    pairs = [sorted(counts[i : i + 2]) for i in range(0, len(counts), 2)]
    assert events_of(game, Kept) == [Kept((first, second)) for (_, first), (_, second) in pairs]


@pytest.mark.parametrize("game", GAMES)
def test_the_end_is_told_once_and_as_both_have_signed_it(game):
    (ended,) = events_of(game, GameEnded)
    ((_, first), (_, second)) = said(game, "RESULT")
    assert first == second
    assert first[1] == ([] if ended.ended.winner is None else [ended.ended.winner])
    assert ended.tokens == game_of(course(game)[-1].state).tokens
