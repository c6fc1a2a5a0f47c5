"""What a game shows to programs reads back: views, moves and events of random games."""

import json
import random
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games import FOLDERS, find, game_of
from matcha_p2p.games.bots.any_move import BOTS
from matcha_p2p.games.json_values import LINE_LIMIT
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.matches.in_memory import Sitting, meet, undecided
from matcha_p2p.seats import Seat
from matcha_p2p.table.seat import SECRET_SIZE, Said, Secrets, decide
from matcha_p2p.table.table import Table
from matcha_p2p.table.verbs import result_of
from tests.schemas import faults

games = pytest.mark.parametrize("name", [*FOLDERS, "trio"])
NAMES = ("Ann", "Bea", "Carl", "Dora")


@pytest.fixture(autouse=True)
def trio(monkeypatch):
    """Let the example of a game from another package be one of the games."""
    monkeypatch.setitem(FOLDERS, "trio", "tests.games.trio.matcha_trio")


class Course(NamedTuple):
    """What seats saw and decided, each event for each seat with the state after it, the end.

    known: how many events were told before each decision.
    """

    decided: list[tuple[Any, Any]]
    events: list[tuple[Seat, Any, Any]]
    known: list[int]
    last: list[Table]


@cache
def course(name: str, level: str = "random") -> Course:
    """Return a game that was played at a table in memory, by a bot or with moves by chance."""
    rng, game = random.Random(name), game_of(name)
    secrets = [Secrets(*(rng.randbytes(SECRET_SIZE) for _ in range(3))) for _ in NAMES]
    sitting = [Sitting(*each, bot=False) for each in zip(NAMES, secrets, strict=True)]
    begun = find(name, game.variants[-1], game.tables[0])
    assert begun is not None
    there = meet(begun, sitting[: game.tables[0]], rng.randbytes, find)
    told: list[list[Any]] = [[] for _ in NAMES]
    table, found = there.table, Course([], [], [], [])

    def hear(events: Any) -> None:
        for player in there.players:
            for event in game.rules.told(events, player):
                told[player.seat].append(event)
                found.events.append((player.seat, event, game.rules.state(table)))

    hear(there.events)
    while table.owing:
        player = there.players[table.owing[0].seat]
        said = undecided(player, table, game.rules, told[player.seat])
        if not isinstance(said, Said):
            bot = game.roster.get(level, BOTS["random"])
            move = bot.choose(said, rng)
            found.decided.append((said, move))
            found.known.append(len(found.events))
            said = decide(player, table, move)
        table = said.table
        hear(said.events)
    found.last.append(table)
    return found


def unnamed(seen: Outlook) -> Outlook:
    """Return a view without the name of the board, which is not shown."""
    board = replace(seen.game.board, name="")
    return Outlook(seen.game._replace(board=board), seen.seat)


@games
def test_view_reads_back_from_a_short_line(name):
    exchange = game_of(name).exchange
    for seen, _ in course(name).decided:
        line = json.dumps(exchange.described(seen))
        plain = json.loads(line)
        again = exchange.observed(plain)
        assert again == (unnamed(seen) if name == "kashi" else seen)
        assert exchange.described(again) == plain
        assert len(line) < LINE_LIMIT / 4
        question = {"do": "choose", "id": 1, "limit_ms": 1, "seed": 1, "observation": plain}
        assert name == "trio" or not faults(question)


@games
def test_move_reads_back_and_each_listed_move_is_legal(name):
    notation, rng = game_of(name).exchange.notation, random.Random(name)
    for seen, move in course(name).decided:
        text = notation.text_of(seen, move)
        assert notation.read(seen, text) == move
        assert name == "trio" or not faults({"id": 1, "move": text})
        for listed in rng.sample(notation.listed(seen), min(3, len(notation.listed(seen)))):
            assert notation.text_of(seen, notation.read(seen, listed)) == listed


@games
def test_event_reads_back_and_is_a_fact(name):
    telling = game_of(name).telling
    tellers = [telling.facts(Seat(seat)) for seat in range(len(NAMES))]
    for seat, event, state in course(name).events:
        form = tellers[seat].events(state)
        assert form.read(json.loads(json.dumps(form.write(event)))) == event
        kind, fields = tellers[seat].tell(event, state)
        fact = {"v": 1, "event": kind, **fields}
        assert name == "trio" or not faults(fact, "facts")


@games
def test_random_text_is_no_move(name):
    notation, rng = game_of(name).exchange.notation, random.Random(name)
    for seen, move in course(name).decided[:50]:
        letters = notation.text_of(seen, move) + "0 ;:9kpP\ud800"
        text = "".join(rng.choices(letters, k=rng.randrange(12)))
        try:
            found = notation.read(seen, text)
        except (ValueError, IllegalMoveError):
            continue
        assert notation.text_of(seen, found)


@games
def test_result_names_the_seats_that_have_won(name):
    (last,) = course(name).last
    end = game_of(name).rules.ended(last, None)
    assert end is not None
    assert end.winners
    assert result_of(last).outcome == end.winners
    assert end.how in game_of(name).endings
