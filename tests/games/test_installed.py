"""Games from other packages: found by entry points, each fault told and of one game alone."""

import importlib
import json
import subprocess
import sys
from unittest import mock

import click
import pytest
from click.testing import CliRunner

from matcha_p2p import games
from matcha_p2p.app.command.outcomes import Exit, explain
from matcha_p2p.app.command.output import Output
from matcha_p2p.cli import commands, options
from matcha_p2p.cli.parsing import known_bot
from matcha_p2p.errors import UnknownGameError
from matcha_p2p.games.game import Game
from matcha_p2p.games.installed import installed
from matcha_p2p.games.new_game import finder
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.store.home import Home
from matcha_p2p.store.settings import read_settings
from matcha_p2p.table.seat import Offer
from tests.games.toy import FOLDERS
from tests.games.toy.game import GAME as TOY
from tests.games.toy.steps import new_game
from tests.harness import NAMES, PSK, linked_roster, own_seat
from tests.schemas import faults
from tests.vectors import FOLDER

TOY_FILE = FOLDER / "toy" / "first-0.matcha"


@pytest.fixture(autouse=True)
def _forgotten():
    installed.cache_clear()
    yield
    installed.cache_clear()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install a distribution with a module and a game."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def package(name: str, game: str, place: str, module: str = "") -> None:
        folder = tmp_path / f"{name}-1.5.dist-info"
        folder.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n"
        (folder / "METADATA").write_text(metadata)
        (folder / "entry_points.txt").write_text(f"[matcha_p2p.games]\n{game} = {place}\n")
        (tmp_path / f"{name}.py").write_text(module)
        monkeypatch.delitem(sys.modules, name, raising=False)
        importlib.invalidate_caches()

    return package


@pytest.fixture
def toy(package):
    package("toycards", "toy", "tests.games.toy.game:GAME")


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(commands, list(words))
    return result.exit_code, result.output


@pytest.mark.usefixtures("toy")
def test_game_of_another_package_is_one_of_the_games():
    assert [*games.names()] == [*games.FOLDERS, "toy"]
    assert games.game_of("toy") is TOY
    assert games.find("toy", "one", 3) == new_game("one", 3)
    assert games.find("toy", "two", 3) is None
    assert games.numbered(200) == "toy"
    assert games.having(Game.tutorial) == games.having(Game.rulebook) == tuple(games.FOLDERS)


@pytest.mark.usefixtures("toy")
def test_commands_and_settings_know_the_name(tmp_path):
    choice = options.GameName()
    assert choice.convert("toy", None, None) == "toy"
    assert known_bot(click.Context(commands), click.Argument(["bot"]), "random") == "random"
    (tmp_path / "config.toml").write_text('game = "toy"\n')
    settings, faults = read_settings(tmp_path / "config.toml")
    assert (settings.game, faults) == ("toy", ())


@pytest.mark.usefixtures("toy")
def test_own_game_cannot_have_the_name():
    with pytest.raises(ValueError, match="toy is a game of"):
        finder(new_game("one", 3))


def test_list_has_the_package_of_each_game(package, toy):
    package("broken", "odd", "broken:GAME", "1 / 0")
    printed = CliRunner().invoke(commands, ["games", "--installed", "--json"]).stdout
    facts = list(map(json.loads, printed.splitlines()))
    assert not [fault for fact in facts for fault in faults(fact, "facts")]
    assert [fact["number"] for fact in facts] == [1, 2, 3, None, 200]
    code, said = run("games", "--installed")
    assert (code, said.splitlines()) == (
        0,
        [
            "Matcha (--game matcha), of matcha-p2p 0.1.0.",
            "Tichu (--game tichu), of matcha-p2p 0.1.0.",
            "Kashi-ichi (--game kashi), of matcha-p2p 0.1.0.",
            "The game odd of broken 1.5 cannot be used: ZeroDivisionError: division by zero",
            "Toy (--game toy), of toycards 1.5.",
        ],
    )


HEAD = """
from matcha_p2p.games.game import Game
from tests.games.toy.game import ToyGame
from tests.games.toy.steps import Toy
class Odd(ToyGame):
    name = "odd"
    number = 201
class Bare(Game):
    name, number, title, tables = "odd", 201, "Odd", (3,)
"""


@pytest.mark.parametrize(
    ("game", "code", "why"),
    [
        ("matcha", "1 / 0", "another game has its name."),
        ("toy", "Odd.number = 2; GAME = Odd()", "ValueError: 2 is none of 128 to 255"),
        (
            "toy",
            "Odd.variants = 'round'; GAME = Odd()",
            "TypeError: tables and variants are tuples",
        ),
        (
            "toy",
            "Odd.tables = (9,); GAME = Odd()",
            "ValueError: new('one', 9), the usual table, is None",
        ),
        ("odd", "GAME = Toy()", "TypeError: the entry point leads to no Game"),
        (
            "odd",
            "GAME = Bare()",
            "TypeError: the Game lacks entry, variants, new, rules, telling, endings",
        ),
        (
            "odd",
            "GAME = Odd()",
            "ValueError: entry point, Game and TableGame need the same name (a-z): odd, toy",
        ),
        ("odd", "", "AttributeError: module 'bad' has no attribute 'GAME'"),
    ],
)
def test_faulty_package_costs_only_its_game(package, toy, game, code, why):
    """Packages with the same name or number are taken in alphabetic order."""
    package("bad", game, "bad:GAME", HEAD + code)
    refused = [each for each in installed() if each.package == "bad"]
    assert [each.name for each in installed() if each.game] == ["toy"]
    assert [str(each.fault) for each in refused] == [
        f"The game {game} of bad 1.5 cannot be used: {why}"
    ]


def test_second_package_does_not_get_the_name_or_number_of_the_first(package, toy):
    package("twin", "toy", "tests.games.toy.game:GAME")
    package("zoo", "zoo", "zoo:GAME", HEAD + "Odd.number = 200; GAME = Odd()")
    assert [(each.package, each.game is None) for each in installed()] == [
        ("toycards", False),
        ("twin", True),
        ("zoo", True),
    ]
    assert str(installed()[1].fault).endswith("another game has its name.")
    assert str(installed()[2].fault).endswith("the game toy has its number, 200.")
    assert options.GameName().convert("toy", None, None) == "toy"


def test_unusable_game_is_refused_by_its_fault(package):
    package("bad", "odd", "bad:GAME", "1 / 0")
    said = "The game odd of bad 1.5 cannot be used: ZeroDivisionError: division by zero"
    with pytest.raises(UnknownGameError, match=said):
        games.game_of("odd")
    code, told = run("practice", "--game", "odd")
    assert (code, told.splitlines()[-1]) == (2, f"Error: Invalid value for '--game': {said}")


@pytest.mark.usefixtures("toy")
def test_unknown_game_is_refused_with_the_names_of_all():
    code, told = run("practice", "--game", "mahjong")
    assert code == 2
    assert "'mahjong' is not one of 'matcha', 'tichu', 'kashi', 'toy'." in told


def test_package_is_not_looked_for_without_need(package):
    """The search takes 50 ms, and runs the code of packages."""
    package("bad", "odd", "bad:GAME", "1 / 0")
    for words in (
        ["--help"],
        ["practice", "--help"],
        ["practice", "--game", "tichu", "--help"],
    ):
        assert run(*words)[0] == 0
    assert games.numbered(3) == "kashi"
    assert games.find("tichu", "1000", 4)
    assert (installed.cache_info().misses, "bad" in sys.modules) == (0, False)
    code = "import sys, matcha_p2p.cli, matcha_p2p.games; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert b"importlib.metadata" not in done.stdout


@pytest.fixture
def lone(tmp_path, monkeypatch):
    """Make a home with a game that is not installed."""
    file = tmp_path / "games" / "2026-01-01-game.matcha"
    file.parent.mkdir()
    file.write_bytes(TOY_FILE.read_bytes())
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path))
    return file


@pytest.mark.parametrize(
    "words",
    [
        ["verify", "FILE"],
        ["replay", "FILE"],
        ["analyse", "FILE"],
        ["export", "FILE", "--format", "json"],
        ["page", "FILE"],
        ["index", "FOLDER"],
    ],
)
def test_file_of_a_game_that_is_not_installed_names_the_game(lone, words):
    given = {"FILE": str(lone), "FOLDER": str(lone.parent)}
    code, said = run(*(given.get(word, word) for word in words))
    assert (code, said.splitlines()[0]) == (8, f"{lone}: The game toy is not installed.")


def test_list_of_games_names_a_game_that_is_not_installed(lone):
    _, said = run("games")
    assert said == f"{lone} cannot be listed: The game toy is not installed.\n"


@pytest.fixture
def journal(tmp_path, monkeypatch):
    """Make a home with an unfinished game that is not installed."""
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path))
    roster = linked_roster("toy", new_game("one", 2), NAMES)
    chain = Chain.begin(Seat(0), own_seat("toy", Seat(0), NAMES[0]).secrets, PSK, roster)
    path = tmp_path / "unfinished" / "game" / "journal"
    ledger = Ledger(path, chain)
    with mock.patch.dict(games.FOLDERS, FOLDERS):
        ledger.become(chain.greet(Offer(new_game("one", 2), NAMES[0]))[0])
    ledger.close()
    return path


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["resume"], 8, "The game toy is not installed.\n"),
        (["claim"], 8, "The game toy is not installed.\n"),
        (["games"], 0, "FILE cannot be listed: The game toy is not installed.\n"),
    ],
)
def test_journal_of_a_game_that_is_not_installed_names_the_game(journal, words, code, said):
    assert run(*words) == (code, said.replace("FILE", str(journal)))


def test_bug_in_the_code_of_a_package_is_told_as_the_packages(package, tmp_path, capsys):
    package("oddcards", "odd", "oddcards:GAME", "GAME = None\ndef fail(): return 1 / 0")
    home = Home.find(tmp_path)
    with pytest.raises(ZeroDivisionError) as raised:
        importlib.import_module("oddcards").fail()
    assert explain(Output(facts=False), home, raised.value) == Exit.BUG
    said = capsys.readouterr().err
    assert said.startswith("The game odd of oddcards 1.5 failed because of a bug (Zero")
    assert list(home.log.iterdir())


def test_damaged_file_of_a_game_that_is_not_installed_is_invalid(lone):
    lone.write_bytes(lone.read_bytes()[:300])
    assert run("verify", str(lone))[0] == 1


def test_name_in_a_file_is_shown_only_if_it_is_a_name():
    with pytest.raises(UnknownGameError, match=r"The game '\\x1b\[31m' is not installed"):
        games.game_of("\x1b[31m")


def test_game_whose_bots_cannot_be_loaded_is_listed_with_what_is_wrong(package):
    module = (
        "from matcha_p2p.games.game import late\n"
        "from tests.games.toy.game import ToyGame\n"
        "class Broken(ToyGame):\n"
        "    bots = late('no_such_module')\n"
        "GAME = Broken()\n"
    )
    package("halfcards", "toy", "halfcards:GAME", module)
    code, output = run("games", "--installed")
    assert code == Exit.DONE
    assert output.splitlines()[-1].startswith(
        "The game toy of halfcards 1.5 lacks what it promises: bots ("
    )
