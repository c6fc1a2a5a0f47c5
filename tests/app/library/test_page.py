"""The command that writes pages, and the files beside the pages, which stay as before."""

import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote_to_bytes

import pytest

from matcha_p2p.app.library import page
from matcha_p2p.review.page.build import MARKS
from tests.app.library.test_verify_and_export import run
from tests.vectors import FOLDER, base


@pytest.fixture(autouse=True)
def home(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def games(tmp_path):
    """Make a valid game, a broken one, and a folder for pages."""
    data = base("resigned.matcha")
    (tmp_path / "mine.matcha").write_bytes(data)
    (tmp_path / "theirs.dispute").write_bytes(data[:-1])
    (tmp_path / "pages").mkdir()
    return tmp_path


def test_each_game_gets_its_page_and_each_page_tells_its_verdict(games):
    words = ("page", "--json", "--output", games / "pages")
    result = run(*words, games / "mine.matcha", games / "theirs.dispute")
    assert result.exit_code == 1
    facts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [fact["verdict"] for fact in facts] == ["RESIGNED", "INVALID"]
    for name in ("mine", "theirs.dispute"):
        assert (games / "pages" / f"{name}.html").read_bytes().startswith(MARKS[0])
    assert len(list((games / "pages").iterdir())) == 2


def test_the_page_of_a_long_game_says_how_large_it_is(games, monkeypatch):
    file = games / "mine.matcha"
    assert "kB" not in run("page", "--output", games, file).stdout
    size = (games / "mine.html").stat().st_size
    monkeypatch.setattr(page, "COMMON_SIZE", size - 1)
    assert f"{round(size / 1000)} kB" in run("page", "--output", games, file).stdout


def test_first_of_two_files_with_one_name_keeps_its_page(games):
    (games / "other").mkdir()
    (games / "other" / "mine.matcha").write_bytes(base("short.matcha"))
    files = games / "mine.matcha", games / "other" / "mine.matcha"
    result = run("page", "--json", "--output", games, *files)
    assert result.exit_code == 8
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert (first["event"], second["code"]) == ("page", "page-twice")
    assert (games / "mine.html").stat().st_size == first["size"]


def test_a_page_may_be_made_again(games):
    for _ in range(2):
        assert run("page", "--output", games, games / "mine.matcha").exit_code == 0


def test_other_file_at_the_place_of_a_page_stays_unchanged(games):
    (games / "mine.html").write_text("<p>my own")
    result = run("page", "--json", "--output", games, games / "mine.matcha")
    assert result.exit_code == 8
    assert json.loads(result.stdout)["code"] == "page-exists"
    assert (games / "mine.html").read_text() == "<p>my own"


def test_without_the_folder_or_the_game_there_is_no_page(games):
    assert run("page", "--output", games / "none", games / "mine.matcha").exit_code == 8
    assert run("page", "--output", games, games / "nothing").exit_code == 8
    assert not list(games.glob("*.html"))


@pytest.mark.parametrize("junk", [b"", b"\0" * 5000, b"text\n" * 99], ids=["none", "0", "text"])
def test_other_file_gets_no_page_and_no_place_in_an_index(games, junk):
    (games / "junk.matcha").write_bytes(junk)
    result = run("page", "--json", "--output", games / "pages", games / "junk.matcha")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["code"] == "page-no-game"
    assert not list((games / "pages").iterdir())
    result = run("index", "--json", games)
    assert result.exit_code == 8
    facts = [json.loads(line) for line in result.stdout.splitlines()]
    assert facts[-1]["games"] == len(list(games.glob("*.html"))) - 1
    assert not (games / "junk.html").exists()


def test_an_index_lists_each_game_once_and_writes_its_page(games):
    (games / "shorter.matcha").write_bytes(base("short.matcha"))  # of the same game
    (games / "index.matcha").write_bytes(base("kept-0.matcha"))
    (games / "notes.txt").write_text("no game")
    result = run("index", "--json", games)
    assert result.exit_code == 0
    facts = [json.loads(line) for line in result.stdout.splitlines()]
    assert facts[-1] == {
        "v": 1,
        "event": "index",
        "path": str(games / "index.html"),
        "games": len(facts) - 1,
    }
    pages = {path.name for path in games.glob("*.html")}
    assert pages == {Path(fact["page"]).name for fact in facts[:-1]} | {"index.html"}
    assert "index.matcha.html" in pages


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names that are not Unicode")
@pytest.mark.parametrize("name", [b"\xff\xfe", "家".encode(), b"javascript:a", b"a<b#d?e%20f"])
def test_index_links_to_the_page_of_a_game_with_any_name(games, name):
    (games / "mine.matcha").rename(games / os.fsdecode(name + b".matcha"))
    assert run("index", games).exit_code == 0
    text = (games / "index.html").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("const GAMES = "))
    (game,) = json.loads(line.removeprefix("const GAMES = ").removesuffix(";"))
    assert re.fullmatch("[a-zA-Z0-9%.]+", game["page"])
    assert unquote_to_bytes(game["page"]) == name + b".html"
    assert (games / os.fsdecode(name + b".html")).exists()


def test_index_lists_games_of_all_kinds(games):
    for kind, file in (("tichu", "runs.matcha"), ("kashi", "four.matcha")):
        (games / f"{kind}.matcha").write_bytes((FOLDER / kind / file).read_bytes())
    assert run("index", games).exit_code == 0
    text = (games / "index.html").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("const GAMES = "))
    listed = json.loads(line.removeprefix("const GAMES = ").removesuffix(";"))
    found = {
        game["page"]: (game["game"], len(game["names"]), game["winners"]) for game in listed
    }
    assert found["tichu.html"] == ("Tichu", 4, [0, 2])
    assert found["kashi.html"] == ("Kashi-ichi", 4, [0])
    assert found["mine.html"][0] == "Matcha"
    for kind in ("tichu", "kashi"):
        assert (games / f"{kind}.html").read_bytes().startswith(MARKS[0])


def test_index_of_no_games_is_empty(tmp_path):
    assert run("index", tmp_path).exit_code == 0
    assert (tmp_path / "index.html").read_bytes().startswith(MARKS[1])


def test_an_index_may_be_made_again(games):
    for _ in range(2):
        assert run("index", games).exit_code == 0


def test_index_replaces_only_an_index(games):
    (games / "index.html").write_text("<p>my own")
    assert run("index", games).exit_code == 8
    assert (games / "index.html").read_text() == "<p>my own"


@pytest.mark.skipif(os.name != "posix", reason="no pipes and links among files")
@pytest.mark.parametrize("odd", ["pipe", "link", "file"])
def test_a_file_beside_a_page_is_not_written_and_holds_nothing_up(games, odd):
    """A stranger's folder brings links and pipes along."""
    mine, beside = games / "precious", games / "mine.html.part"
    mine.write_text("precious")
    match odd:
        case "pipe":
            os.mkfifo(beside)
        case "link":
            beside.symlink_to(mine)
        case _:
            beside.write_text("precious")
    assert run("page", "--output", games, games / "mine.matcha").exit_code == 0
    assert (games / "mine.html").read_bytes().startswith(MARKS[0])
    assert mine.read_text() == "precious"
    assert not (games / "mine.html").is_symlink()
    assert beside.is_fifo() or beside.read_text() == "precious"


@pytest.mark.parametrize("changed", [2.0**40, -(2.0**40), -62135600000.0])
def test_impossible_file_time_is_no_obstacle(games, monkeypatch, changed):
    """An archive may bring impossible times, and some file systems keep the times."""
    real = Path.stat

    def stat(path: Path, **how: bool) -> object:
        found = real(path, **how)
        if path.suffix != ".matcha":
            return found
        return SimpleNamespace(st_mtime=changed, st_size=found.st_size, st_mode=found.st_mode)

    monkeypatch.setattr(Path, "stat", stat)
    (games / "games").mkdir()
    (games / "mine.matcha").rename(games / "games" / "mine.matcha")
    assert run("index", games / "games").exit_code == 0
    listed = run("games", "--home", games, "--json")
    assert [json.loads(line)["event"] for line in listed.stdout.splitlines()] == ["stored"]
