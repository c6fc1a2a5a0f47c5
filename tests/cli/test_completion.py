"""What a shell is offered at Tab: the names of bots, variants, friends, games and topics."""

import shlex
import subprocess
import sys
from datetime import date

import pytest
from click.testing import CliRunner

from matcha_p2p import games
from matcha_p2p.cli import commands
from matcha_p2p.store.friends import Book, Friend, format_book
from matcha_p2p.store.home import Home
from tests.processes import environment


@pytest.fixture
def offered(tmp_path, monkeypatch):
    """Return a function that gives the names offered after a line; the home is new."""
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path))

    def offer(line: str) -> list[str]:
        number = len(shlex.split(line)) - (not line.endswith(" "))
        env = {
            "_MATCHA_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": f"{number}",
        }
        result = CliRunner().invoke(commands, env=env, prog_name="matcha")
        assert result.exit_code == 0, result.output
        assert not result.stderr
        return [each.partition(",")[2] for each in result.stdout.split()]

    return offer


def meet(home: Home, *names: str) -> None:
    """Write a book of friends with these names."""
    day = date(2026, 11, 1)
    friends = [
        Friend(name=name, says=name, identity=bytes([at]) * 32, first_met=day, last_met=day)
        for at, name in enumerate(names)
    ]
    home.store_friends(format_book(Book(tuple(friends))))


@pytest.mark.parametrize(
    "line", ["matcha practice --bot ", "matcha arena greedy ", "matcha arena "]
)
def test_bots_of_the_usual_game_are_offered(offered, line):
    assert offered(line) == list(games.game_of(games.USUAL).bots.names)


def test_bots_and_variants_of_the_named_game_are_offered(offered):
    tichu = games.game_of("tichu").bots.names
    assert offered("matcha practice --game tichu --bot ") == list(tichu)
    assert offered("matcha arena --game tichu cl") == ["club"]
    assert offered("matcha host --game tichu --variant 3") == ["300"]


def test_bots_of_all_games_are_offered_where_no_option_names_a_game(offered, monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "toy", "tests.games.toy")
    assert {"strong", "random"} <= {*offered("matcha join --play ")}


def test_friends_are_offered_by_name(offered, tmp_path):
    meet(Home.find(tmp_path), "Mina", "Mira", "友", "Taro")
    assert sorted(offered("matcha call Mi")) == ["Mina", "Mira"]
    assert sorted(offered("matcha friends --forget ")) == ["Mina", "Mira", "Taro", "友"]


@pytest.mark.parametrize(
    "name", ["$(id)", "a;b", "a b", "`id`", "-x", "a'b", "a,b", "*", "~", "a\\b"]
)
def test_name_with_a_meaning_for_a_shell_is_not_offered(offered, tmp_path, name):
    meet(Home.find(tmp_path), name, "Mina")
    assert offered("matcha call ") == ["Mina"]


def test_unfinished_games_are_offered_the_latest_first(offered, tmp_path):
    home = Home.find(tmp_path)
    for name in ("20261101-1-aa", "20261102-1-bb"):
        (home.unfinished / name).mkdir(parents=True)
        (home.unfinished / name / "journal").touch()
    assert offered("matcha resume ") == ["20261102-1-bb", "20261101-1-aa"]
    assert offered("matcha claim 20261101") == ["20261101-1-aa"]


def test_home_of_the_command_line_is_asked(offered, tmp_path):
    meet(Home.find(tmp_path / "other"), "Ren")
    assert offered(f"matcha --home {tmp_path / 'other'} call ") == ["Ren"]
    assert offered(f"matcha call --home {tmp_path / 'other'} ") == ["Ren"]


def test_damaged_or_empty_home_offers_nothing(offered, tmp_path):
    assert offered("matcha call ") == offered("matcha resume ") == []
    home = Home.find(tmp_path)
    home.store_friends("no book")
    assert offered("matcha call ") == []


def test_topics_and_commands_are_offered_by_help(offered):
    assert offered("matcha help comp") == ["completion"]
    assert offered("matcha help ver") == ["verify"]  # a topic and a command


WITH_MODULES = """
import atexit, sys
import matcha_p2p.cli
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
sys.argv = ["matcha"]
matcha_p2p.cli.main()
"""


def test_tab_loads_no_protocol():
    line = {"COMP_WORDS": "matcha arena ", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-c", WITH_MODULES],
        env=environment(_MATCHA_COMPLETE="bash_complete", **line),
        check=True,
        capture_output=True,
        text=True,
    )
    assert "plain,greedy" in done.stdout
    assert not {"trio", "cryptography", "matcha_p2p.table"} & {*done.stderr.split()}
