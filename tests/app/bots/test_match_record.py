"""Matches that are kept in a file, and go on after a stop."""

import json
from dataclasses import replace

import pytest

from matcha_p2p.app import workers
from matcha_p2p.app.bots import arena
from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.command.output import Output
from matcha_p2p.games.kashi.bots.arena import SeatWins
from matcha_p2p.games.matcha import match as matcha
from matcha_p2p.games.matcha.bots.arena import MatchResult
from matcha_p2p.games.matcha.rules.phases import How
from matcha_p2p.games.matches.match import ArenaWish
from matcha_p2p.games.tichu.bots.arena import DealResults


@pytest.fixture
def wish(tmp_path, monkeypatch):
    """Return a match that is recorded, and is played by this process."""
    monkeypatch.setattr(workers, "cores", lambda: 1)
    bots = ("uniform", "greedy", "uniform")
    return ArenaWish(bots, 12, "2020", "matcha", 2, 7, None, tmp_path / "record")


@pytest.fixture
def played(monkeypatch):
    """Return the numbers of all pairs that are played, in order."""
    numbers = []
    real = matcha.arena

    def play(edition, bots, pairs, seed):
        numbers.extend(pairs)
        if stop_at in numbers:
            raise KeyboardInterrupt
        return real(edition, bots, pairs, seed)

    stop_at = None
    monkeypatch.setattr(matcha, "arena", play)
    return numbers


def facts_of(capsys, wish):
    arena.run(Output(facts=True), wish)
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for fact in facts:
        fact.pop("games_per_second", None)
    return facts


def test_second_run_plays_nothing_and_tells_the_same(wish, played, capsys):
    first = facts_of(capsys, wish)
    assert len(played) == 3 * 6
    played.clear()
    assert facts_of(capsys, wish) == first
    assert played == []
    assert facts_of(capsys, replace(wish, record=None)) == first


def test_match_that_was_stopped_goes_on_from_there(wish, played, capsys, monkeypatch):
    pair = replace(wish, bots=wish.bots[:2])
    recorded = matcha.arena

    def stopped(edition, bots, pairs, seed):
        if 4 in pairs:
            raise KeyboardInterrupt
        return recorded(edition, bots, pairs, seed)

    with monkeypatch.context() as patch:
        patch.setattr(matcha, "arena", stopped)
        (part,) = facts_of(capsys, pair)
    assert (part["games"], part["stopped"]) == (8, True)
    (whole,) = facts_of(capsys, pair)
    assert played == [0, 1, 2, 3, 4, 5]
    assert whole == facts_of(capsys, replace(pair, record=None))[0]


def test_seed_of_the_record_is_taken_where_none_is_given(wish, played, capsys):
    pair = replace(wish, bots=wish.bots[:2], seed=None)
    first = facts_of(capsys, pair)
    played.clear()
    assert facts_of(capsys, pair) == first
    assert played == []


@pytest.mark.parametrize(
    "other", [{"seed": 8}, {"variant": "2015"}, {"bots": ("greedy", "uniform")}], ids=repr
)
def test_another_match_is_played_beside_it(wish, played, capsys, other):
    pair = replace(wish, bots=wish.bots[:2])
    facts_of(capsys, pair)
    played.clear()
    facts_of(capsys, replace(pair, **other))
    assert len(played) == 6


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[: len(line) // 2],
        lambda line: line.replace(b'"wins": ', b'"wins": 1'),
        lambda line: line.replace(b'"pairs": [', b'"pairs": ["x", '),
        lambda line: line.replace(b'"sets": ', b'"set": '),
        lambda _: b"[" * 10**5,
    ],
    ids=["cut", "other games", "text", "missing", "deep"],
)
def test_damaged_line_is_played_again(wish, played, capsys, damage):
    pair = replace(wish, bots=wish.bots[:2])
    whole = facts_of(capsys, pair)
    *lines, last = wish.record.read_bytes().splitlines(keepends=True)
    wish.record.write_bytes(b"".join([*lines, damage(last.strip())]))
    for again in ([5], []):
        played.clear()
        assert facts_of(capsys, pair) == whole
        assert played == again


@pytest.mark.parametrize("content", [b"my notes\n", b"{}\n", b"[" * 10**5])
def test_file_of_another_kind_stays(wish, content):
    wish.record.write_bytes(content)
    with pytest.raises(CommandError, match="is no record of matches"):
        arena.run(Output(facts=True), wish)
    assert wish.record.read_bytes() == content


def test_record_that_cannot_be_written_is_told(wish, tmp_path):
    for record in (tmp_path, tmp_path / "none" / "record"):
        with pytest.raises(CommandError, match="cannot be read or written"):
            arena.run(Output(facts=True), replace(wish, record=record))


RESULTS = [
    MatchResult((1, 0, 2, 0, 1), 4, 3, 1, 30, {How.ALIKE: 5, How.TIE_BREAK: 3}),
    DealResults((10.0, -2.5, 0.0), (3, 2, 1, 0), (1, 0), (0, 1)),
    SeatWins(2, (1.5, 2.0, 0.0), 1, (0, 1)),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_result_is_read_as_it_was_written(result):
    plain = json.loads(json.dumps(result.plain()))
    assert result.read(plain, result.units) == result
    with pytest.raises(ValueError, match="other"):
        result.read(plain, result.units + 9)


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
@pytest.mark.parametrize(
    "wrong", [None, -1, "1", [], {}, [float("nan")] * 3, [10**9] * 5], ids=repr
)
def test_result_with_a_wrong_field_is_refused(result, wrong):
    for key in result.plain():
        with pytest.raises((KeyError, TypeError, ValueError)):
            result.read({**result.plain(), key: wrong}, result.units)
