"""Bots in processes of their own: the protocol, and faults at the other end."""

import json
import random
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from matcha_p2p.app.bots import bot_names
from matcha_p2p.app.bots.bot_names import called, command_of, is_known
from matcha_p2p.app.bots.opponents import opponent
from matcha_p2p.errors import BotError
from matcha_p2p.games.bots.engine import Engine
from matcha_p2p.games.bots.serve import serve
from matcha_p2p.games.matcha.bots.arena import play_game
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.phases import Ended
from matcha_p2p.games.matcha.table.forms import EXCHANGE, LEAVES
from tests.games.matcha.bots.positions import observations
from tests.schemas import faults

EXAMPLE = Path(__file__).parents[4] / "protocol" / "bots" / "example.js"
HELLO = '{"v": 1, "name": "x", "editions": ["2015", "2020"]}'


def said_by(program, limit=5.0):
    """Return an engine whose program is these lines of Python."""
    return Engine(EXCHANGE, "odd", [sys.executable, "-c", program], limit)


def answering(*answers):
    """Return a program that greets, and answers the questions with ``answers`` in turn."""
    answered = f"for line, said in zip(sys.stdin, {[HELLO, *answers]}): print(said, flush=True)"
    return f"import sys\n{answered}"


def first_seen(edition=EDITION_2020):
    return observations(edition, "engine")[0]


def test_schema_refuses_other_objects():
    assert faults({"do": "choose"})
    assert faults({"id": 1, "move": "9z"})
    assert not faults(json.loads(HELLO))
    assert not faults({"id": 1, "info": {}})


def test_only_an_observation_crosses_the_pipe():
    """No hidden card is named: no hand of the other, no cards aside, no lone cards."""
    for seen in observations(EDITION_2020, "crossing", games=3):
        plain = EXCHANGE.described(seen)
        game = plain["game"]
        shown = {*game["table"], *plain["hand"]}
        for past in game["past"]:
            shown |= {*past["table"]}
        for _, hand in seen.earlier:  # its own, of the sets before
            shown |= {card.name for card in hand}
        for played in (
            *game["rounds"],
            *(it for past in game["past"] for it in past["rounds"]),
        ):
            shown |= {card for mat in played["resolutions"] for card in mat["cards"]}
        named = set(json.dumps(plain).replace('"', " ").replace(",", " ").split())
        cards = {f"{suit}{number}" for suit in "TBWS" for number in "1234"}
        assert named & cards <= shown


def test_bot_answers_until_it_is_told_to_quit():
    seen = first_seen()
    lines = [
        json.dumps({"do": "hello", "v": 1}),
        json.dumps({"do": "choose", "id": 3, "observation": EXCHANGE.described(seen)}),
        "nonsense",
        json.dumps({"do": "choose", "id": 4, "observation": {"edition": "1999"}}),
        json.dumps({"do": "quit"}),
        json.dumps({"do": "hello"}),
    ]
    said = []
    serve(EXCHANGE, BOTS["greedy"], lines, lambda line: said.append(json.loads(line)))
    assert said[0]["name"] == "greedy"
    assert said[1]["id"] == 3
    assert not faults(said[0])
    assert not faults(said[1])
    assert [set(answer) for answer in said[2:]] == [{"error"}, {"error"}]


@pytest.mark.parametrize("change", [{"number": 0}, {"number": -1}, {"tokens": [[0] * 5] * 3}])
def test_round_that_the_rules_do_not_know_is_answered_by_an_error(change):
    plain = EXCHANGE.described(first_seen())
    game = plain["game"]
    lie = {**plain, "game": {**game, "rounds": [{**game["rounds"][0], **change}]}}
    said = []
    serve(
        EXCHANGE,
        BOTS["expert"],
        [json.dumps({"do": "choose", "observation": lie})],
        said.append,
    )
    assert "This is no observation of the bot protocol" in said[0]


def test_engine_of_ours_plays_as_it_does_here():
    seen = first_seen()
    engine = opponent("matcha", "club")
    move = engine.choose(seen, random.Random(1))
    here = BOTS["club"].choose(seen, random.Random(str(random.Random(1).getrandbits(32))))
    engine.close()
    assert move == here


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("", "ended without an answer"),
        ("print('hello')", "no message of the bot protocol"),
        ("print('[' * 100000)", "no message of the bot protocol"),
        ("print('{}', flush=True); input(); input()", "no message of the bot protocol"),
        ("print('x' * 200000)", "no message of the bot protocol"),
        (answering('{"id": 1, "move": "9z"}'), "no legal move"),
        (answering('{"id": 1, "move": ["p"]}'), "no legal move"),
        (answering('{"error": "I am lost"}'), "answered with an error: “I am lost”"),
        (answering(), "ended without an answer"),
        (
            "print('" + HELLO.replace('"2015", "2020"', '"1999"') + "', flush=True)\ninput()",
            "does not play",
        ),
    ],
)
def test_every_failure_of_an_engine_is_one_error(program, why):
    engine = said_by(program)
    with pytest.raises(BotError, match=why):
        engine.choose(first_seen(), random.Random(1))


def test_last_words_of_a_program_that_ends_are_shown_fit_for_a_terminal():
    wild = "\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}" + "x" * 999
    program = f"import sys\nsys.stderr.write('\\n'.join(['first', '', {wild!r}]))\nno.bot"
    with pytest.raises(BotError) as ended:
        said_by(program).choose(first_seen(), random.Random(1))
    told = str(ended.value)
    assert "NameError: name 'no' is not defined" in told
    assert "\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}xxx" in told
    assert "first" not in told
    assert told.isprintable()
    assert len(told) < 700


def test_program_that_cannot_be_started_is_told():
    with pytest.raises(BotError, match="cannot be started"):
        Engine(EXCHANGE, "none", ["/nowhere/at/all"], 1.0).choose(
            first_seen(), random.Random(1)
        )


@pytest.mark.slow
def test_engine_that_thinks_too_long_is_stopped():
    program = f"import sys, time\nprint('{HELLO}', flush=True)\ntime.sleep(600)"
    engine = said_by(program, limit=0.05)
    with pytest.raises(BotError, match=r"within 0\.05 s"):
        engine.choose(first_seen(), random.Random(1))


def test_engine_answers_when_it_is_told_to_stop():
    program = f"""
import sys
print('{HELLO}', flush=True)
for line in sys.stdin:
    if 'stop' in line:
        print('{{"id": 1, "move": "p"}}', flush=True)
"""
    engine = said_by(program, limit=0.05)
    assert engine.choose(first_seen(), random.Random(1)) in first_seen().legal_moves()
    engine.close()


def test_information_and_late_answers_are_read_over():
    said = '{"id": 1, "info": {}}\n{"id": 0, "move": "9z"}\n{"id": 1, "move": "p"}'
    engine = said_by(answering(said))
    assert engine.choose(first_seen(), random.Random(1)) in first_seen().legal_moves()
    engine.close()


@pytest.mark.skipif(shutil.which("node") is None, reason="the example needs node")
@pytest.mark.parametrize("edition", [EDITION_2015, EDITION_2020], ids=lambda it: it.name)
def test_example_in_another_language_plays_a_game(edition):
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 42
    engine = opponent("matcha", f"cmd:node {EXAMPLE}")
    game = play_game(edition, (engine, BOTS["greedy"]), 1)
    engine.close()
    assert isinstance(game.phase, Ended)


def test_names_of_bots():
    assert is_known("matcha", "strong")
    assert is_known("matcha", "cmd:node a.js")
    assert not is_known("matcha", "cmd:")
    assert not is_known("matcha", "cmd:'")
    assert not is_known("matcha", "stockfish")
    assert called("strong") == "strong"
    assert called("cmd:/usr/bin/node 'my bot.js'") == "node"


@pytest.mark.parametrize(
    ("system", "name", "words"),
    [
        ("linux", r"cmd:my\ bot 'a b' # c", ["my bot", "a b", "#", "c"]),
        ("win32", r"cmd:C:\bots\mine.exe --level 3", [r"C:\bots\mine.exe", "--level", "3"]),
        ("win32", r'cmd:"C:\my bots\mine.exe" "a b"', [r"C:\my bots\mine.exe", "a b"]),
    ],
)
def test_command_line_is_split_as_the_system_writes_paths(monkeypatch, system, name, words):
    monkeypatch.setattr(bot_names, "sys", SimpleNamespace(platform=system))
    assert command_of(name) == words
    assert called(name) == words[0].rsplit("\\", 1)[-1]


def test_what_is_kept_is_no_move_of_a_round():
    with pytest.raises(ValueError, match="nothing is kept in a round"):
        LEAVES[Play | Pass].read("k13")
