"""Commands without FILE take the latest finished game."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.cli import commands
from tests.vectors import base

COMMANDS = ("replay --ui line", "analyse", "export --format text", "page")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)  # where pages are written
    (tmp_path / "home" / "games").mkdir(parents=True)
    return tmp_path / "home" / "games"


def run(command: str) -> Result:
    return CliRunner().invoke(commands, command.split(), prog_name="matcha")


def put(file: Path, seconds: int) -> None:
    file.write_bytes(base("kept-0.matcha"))
    os.utime(file, (seconds, seconds))


@pytest.mark.parametrize("command", COMMANDS)
def test_command_without_file_takes_the_latest_game_and_names_it(home, command):
    put(home / "2026-01-02-aaaaaaaa.matcha", 1)
    put(home / "2026-01-02-bbbbbbbb.matcha", 2)
    put(home / "2026-01-01-cccccccc.matcha", 3)
    put(home / "2026-01-03-dddddddd.dispute", 4)
    result = run(command)
    assert result.exit_code == (2 if command == "analyse" else 0)  # nobody showed the cards
    assert "The latest finished game: " in result.stderr
    assert "2026-01-02-bbbbbbbb.matcha" in "".join(result.stderr.split())


def test_page_of_the_latest_game_is_written(home):
    put(home / "2026-01-02-aaaaaaaa.matcha", 1)
    assert run("page").exit_code == 0
    assert Path("2026-01-02-aaaaaaaa.html").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_command_without_file_and_without_games_is_an_error(home, command):
    result = run(f"{command} --json")
    assert result.exit_code == 8
    assert json.loads(result.stdout)["code"] == "stored-none"
    assert "There are no finished games in" in result.stderr
