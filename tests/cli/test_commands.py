"""Names and options of the commands, without a game."""

import json
import re
import subprocess
import sys
from importlib.resources import files

import pytest
from babel.messages.mofile import write_mo
from click.testing import CliRunner, Result

from matcha_p2p import games, language
from matcha_p2p.cli import commands
from matcha_p2p.cli.options import EDITIONS
from matcha_p2p.console.terminal.cells import width
from matcha_p2p.games.matcha.rules import edition
from tests.catalogues import template
from tests.processes import clean_run, environment

SHIPPED = files("matcha_p2p.games.kashi.board").joinpath("board.toml").read_text()


def run(*words: str, stdin: str | bytes = "", **env: str | None) -> Result:
    result = CliRunner().invoke(commands, words, input=stdin, env=env, prog_name="matcha")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


def test_offered_editions_are_the_editions_of_the_rules():
    assert set(EDITIONS) == set(edition.EDITIONS)


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    for name in (
        "arena",
        "demo",
        "export",
        "games",
        "host",
        "join",
        "practice",
        "replay",
        "verify",
    ):
        assert f"\n  {name} " in result.stdout
        assert run(name, "--help").exit_code == 0


def test_help_imports_neither_trio_nor_any_cryptography():
    code = "import sys, matcha_p2p.cli as c; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    heavy = {
        "trio",
        "cryptography",
        "rbcl",
        "msgpack",
        "platformdirs",
        "matcha_p2p.games.matcha.rules",
    }
    assert not heavy & set(done.stdout.split())


@pytest.mark.slow
def test_help_in_japanese_fits_into_the_terminal(tmp_path, monkeypatch, restored):
    """Japanese text has no spaces, and each character takes two cells."""
    made = template("ja")
    for message in made:
        if isinstance(message.id, str) and message.id:
            message.string = "茶碗と水、" * (len(message.id) // 5)
    folder = tmp_path / "ja" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "matcha_p2p.mo").open("wb") as file:
        write_mo(file, made)
    monkeypatch.setattr(language, "LOCALE", tmp_path)
    for words in (("--lang", "ja"), ("--lang", "ja", "host"), ("join", "--lang", "ja")):
        text = run(*words, "--help", COLUMNS="80").stdout
        assert "茶碗と水、" in text
        assert all(width(line) <= 80 and line.strip()[:1] != "、" for line in text.splitlines())
    assert "茶碗と水、" not in run("--help").stdout
    assert run("--lang", "de").exit_code == 2


def test_without_a_command_there_is_help_and_exit_2():
    result = run()
    assert result.exit_code == 2
    assert "Commands:" in result.stdout


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "matcha_p2p", "--version"],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert re.fullmatch(r"matcha 0\.1\.0, engine (fast(, AVX-512)?|native|pure)\n", done.stdout)


@pytest.mark.parametrize("engine", ["native", "pure"])
def test_version_names_the_engine_in_use(tmp_path, engine):
    code, stdout, _ = clean_run(tmp_path, "--version", MATCHA_ENGINE=engine)
    assert (code, stdout) == (0, f"matcha 0.1.0, engine {engine}\n")


def test_unavailable_engine_is_refused_in_a_sentence(tmp_path):
    code, stdout, stderr = clean_run(tmp_path, "--version", MATCHA_ENGINE="abacus")
    assert (code, stdout) == (2, "")
    assert "MATCHA_ENGINE is 'abacus'; it may be fast, native or pure." in stderr
    assert "Traceback" not in stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("hots",), "Did you mean host?"),
        (("xyzzy",), "There is no command"),
        (("host", "--edition", "1999"), "2015, 2020"),
        (("host", "--port", "70000"), "0<=x<=65535"),
        (("host", "--address", "mina"), "'mina' is no address"),
        (("join", "--address", "mina"), "'mina' is no address"),
        (("host", "--stun", "a b"), "'a b' is no server"),
        (("join", "--socks", "127.0.0.1"), "'127.0.0.1' is no server"),
        (("host", "--address", "192.0.2.7:0"), "'192.0.2.7:0' is no address"),
        (("host", "--address", "0.0.0.0"), "No guest can reach you at 0.0.0.0"),
        (("host", "--address", "[ff02::1]:4717"), "No guest can reach you at ff02::1"),
        (("host", "--address", "fe80::1%eth0"), "No guest can reach you at fe80::1%eth0"),
        (("host", "--address", "127.0.0.1", "--address", "192.0.2.7"), "give no other address"),
        (("host", "--address", "münchen.example"), "xn--mnchen-3ya.example"),
        (("join", "--address", "münchen.example:4717"), "xn--mnchen-3ya.example"),
        (("host", "--stun", "stun.münchen.example"), "xn--mnchen-3ya.example"),
        (("join", "--socks", "münchen.example:9050"), "xn--mnchen-3ya.example"),
        (("host", "--name", "Zoe\u0308"), "composed form (NFC): Zoë"),
        (("friends", "--rename", "Mina", "Zoe\u0308"), "composed form (NFC): Zoë"),
        (("host", "--name", "Zoe\u0308\u202e"), "This cannot be a name"),
        (("host", "--name", "a\u202eb"), "This cannot be a name"),
        (("host", "--name", ""), "This cannot be a name"),
        (("host", "--name", "x" * 25), "24 characters"),
        (("join", "--play", "nobody"), "uniform, greedy"),
        (("arena", "greedy", "nobody", "--games", "1"), "uniform, greedy"),
        (("arena", "greedy", "greedy", "--games", "0"), "x>=1"),
        (("verify",), "Missing argument"),
        (("export", "x", "--format", "html"), "'json'"),
    ],
)
def test_wrong_usage_is_told_with_exit_2(words, hint):
    result = run(*words)
    assert result.exit_code == 2
    assert hint in result.stderr


def test_an_arena_with_a_seed_can_be_repeated(tmp_path):
    def score() -> dict[str, object]:
        words = ("arena", "greedy", "uniform", "--games", "12", "--seed", "3", "--json")
        result = run(*words, "--home", str(tmp_path))
        assert result.exit_code == 0
        fact = json.loads(result.stdout)
        assert fact.pop("games_per_second") > 0
        return fact

    first = score()
    assert first == score()
    assert (first["v"], first["event"], first["games"]) == (1, "score", 12)
    assert first["wins"] + first["losses"] + first["draws"] == 12
    assert sum(first["how"].values()) == 12


def test_an_arena_tells_a_person_as_much():
    result = run("arena", "uniform", "uniform", "--games", "4", "--edition", "2020")
    assert result.exit_code == 0
    assert "4 games" in result.stdout
    assert "95 % confidence" in result.stdout


INVITE = "matcha1qyt3ymg38lsqqqgqyqqqqqqqqqqqqqqqqqqqqqqqqqqqq"


@pytest.mark.parametrize(
    ("invite", "code"),
    [
        ("hello", "invite-prefix"),
        ("", "invite-prefix"),
        ("matcha1", "invite-cut"),
        (INVITE[:40], "invite-cut"),
        (INVITE.replace("t3", "tb"), "invite-letter"),
        ("x" * 5000, "invite-long"),
        ("\x00\x1b[31m\udcff", "invite-prefix"),
    ],
)
def test_invalid_invite_is_told_with_exit_2(invite, code, tmp_path):
    stdin = invite.encode(errors="surrogateescape")
    words = ("join", "-", "--play", "greedy", "--json", "--home", str(tmp_path))
    result = run(*words, stdin=stdin)
    assert result.exit_code == 2
    (line,) = result.stdout.splitlines()
    fact = json.loads(line)
    assert (fact["event"], fact["exit"], fact["code"]) == ("error", 2, code)
    assert fact["message"] in result.stderr


def test_the_invite_may_come_from_the_environment(tmp_path):
    words = ("join", "--play", "greedy", "--home", str(tmp_path))
    result = run(*words, MATCHA_INVITE="matcha1")
    assert result.exit_code == 2
    assert "cut short" in result.stderr


def test_rules_of_a_game_that_cannot_be_played_are_read():
    (line,) = run("rules", "--game", "tichu", "--json").stdout.splitlines()
    fact = json.loads(line)
    assert (fact["event"], fact["game"]) == ("rules", "tichu")
    assert len(fact["paragraphs"]) > 20
    assert games.find("tichu", "", 4) is None


def test_log_of_a_round_is_judged_line_by_line(tmp_path):
    log = tmp_path / "log"
    start = {"deck": [*range(56)], "first": 0, "windows": "every", "late_tichu": True}
    log.write_text("\n".join(map(json.dumps, [start, [0, "grand", True], [0, "hold"]])))
    words = ("rules", "--game", "tichu", "--log", str(log))
    taken, refused = map(json.loads, run(*words, "--json").stdout.splitlines())
    assert (taken["event"], taken["line"], taken["speaker"]) == ("log", 2, 1)
    assert (refused["line"], refused["refused"]) == (3, "T4")
    assert json.loads(run(*words).stdout.splitlines()[1]) == {"line": 3, "refused": "T4"}


def test_rules_and_logs_of_kashi_are_read(tmp_path):
    (line,) = run("rules", "--game", "kashi", "--json").stdout.splitlines()
    assert json.loads(line)["game"] == "kashi"
    log = tmp_path / "log"
    log.write_text("KASHI 1 3\nSTART 0 1,1\n")
    _, refused = map(
        json.loads, run("rules", "--game", "kashi", "--log", str(log)).stdout.splitlines()
    )
    assert (refused["line"], refused["refused"]) == (2, "K11")


def test_log_is_played_on_the_board_of_a_file(tmp_path):
    log, board = tmp_path / "log", tmp_path / "board.toml"
    log.write_text("KASHI 1 3\nSTART 0 3,4\n")
    board.write_text(SHIPPED.replace('starts = ["3 3"', 'starts = ["3 4"'))
    words = ("rules", "--game", "kashi", "--log", str(log))
    shipped, other = (run(*words), run(*words, "--board", str(board)))
    assert json.loads(shipped.stdout.splitlines()[1])["refused"] == "K11"
    assert "refused" not in json.loads(other.stdout.splitlines()[1])
    board.write_text(SHIPPED.replace('starts = ["3 3"', 'starts = ["3 30"'))
    assert "is no board. Line" in run(*words, "--board", str(board)).stderr


def test_board_is_refused_where_it_has_no_use(tmp_path):
    board, log = tmp_path / "board.toml", tmp_path / "log"
    board.write_text(SHIPPED)
    log.write_text("{}")
    assert "needs --log" in run("rules", "--game", "kashi", "--board", str(board)).stderr
    result = run("rules", "--game", "tichu", "--log", str(log), "--board", str(board))
    assert (result.exit_code, "Tichu lacks this part: boards" in result.stderr) == (2, True)


WITH_LOGS = [game for game in games.FOLDERS if games.game_of(game).log]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        (b"", ""),
        (b"[]", ""),
        (b"\n[]", ""),
        (b"[" * 10_000, ""),
        (b"9" * 10_000, ""),
        (b"\xff", "Line 1: "),
    ],
    ids=["none", "empty", "other", "blank", "deep", "digits", "bytes"],
)
@pytest.mark.parametrize("game", WITH_LOGS)
def test_log_that_cannot_be_judged_is_explained(tmp_path, game, content, said):
    log = tmp_path / "log"
    if content is not None:
        log.write_bytes(content)
    result = run("rules", "--game", game, "--log", str(log))
    assert result.exit_code == 8
    assert said in result.stderr
    assert "log" in result.stderr
    assert "bug" not in result.stderr


@pytest.mark.parametrize("game", WITH_LOGS)
def test_log_that_some_editor_has_written_is_judged_alike(tmp_path, game):
    lines = {
        "tichu": [
            '{"deck": [DECK], "first": 0, "windows": "every", "late_tichu": true}',
            '[0, "hold"]',
        ],
        "kashi": ["KASHI 1 3", "START 0 1,1"],
    }
    text = "\n".join(lines[game]).replace("DECK", ",".join(map(str, range(56)))).encode()
    log = tmp_path / "log"
    told: list[str] = []
    for content in (text, b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n") + b"\r\n"):
        log.write_bytes(content)
        result = run("rules", "--game", game, "--log", str(log))
        assert result.exit_code == 0, result.stderr
        told.append(result.stdout)
    assert told[0] == told[1] != ""


def test_game_without_logs_is_named(tmp_path):
    result = run("rules", "--log", str(tmp_path))
    assert result.exit_code == 2
    assert "Matcha lacks this part: logs." in result.stderr


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rules_are_printed_a_paragraph_a_line(edition):
    result = run("rules", "--edition", edition)
    assert result.exit_code == 0
    assert "There are 18 cards" in result.stdout
    assert f"Edition {edition}: " in result.stdout
    assert "\x1b" not in result.stdout
    (line,) = run("rules", "--edition", edition, "--json").stdout.splitlines()
    fact = json.loads(line)
    assert (fact["event"], fact["edition"]) == ("rules", edition)
    assert fact["paragraphs"] == [line for line in result.stdout.splitlines() if line]


def test_the_rules_need_no_network_no_screen_and_no_cryptography():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "matcha_p2p", "rules"],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    for heavy in ("trio", "prompt_toolkit", "cryptography", "rbcl", "msgpack"):
        assert f" {heavy}\n" not in done.stderr


def test_the_home_may_stand_before_the_command(tmp_path):
    result = CliRunner().invoke(commands, ["--home", str(tmp_path / "here"), "games"])
    assert result.exit_code == 0
    assert str(tmp_path / "here") in result.stdout


@pytest.mark.parametrize("words", [("--home", "given", "games"), ("games", "--home", "given")])
def test_home_of_the_command_line_wins_over_the_environment(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHA_HOME", "other")
    said = CliRunner().invoke(commands, words).output
    assert ("given" in said, "other" in said) == (True, False)


def test_home_of_the_environment_holds_for_a_command(tmp_path, monkeypatch):
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path / "other"))
    assert str(tmp_path / "other") in CliRunner().invoke(commands, ["games"]).output


@pytest.mark.parametrize(
    ("game", "level"), [("matcha", "club"), ("tichu", "club"), ("kashi", "club")]
)
def test_bot_of_the_middle_level_plays_by_default(game, level, monkeypatch, tmp_path):
    played = []
    monkeypatch.setattr(
        "matcha_p2p.app.practice.practice.run",
        lambda _, bot, *__, **___: played.append(bot) or 0,
    )
    run("practice", "--game", game, "--ui", "line", "--home", str(tmp_path))
    assert played == [level]


def test_practice_refuses_seats_and_boards_that_a_game_lacks(tmp_path):
    result = run("practice", "--players", "3")
    assert (result.exit_code, "are 2, not 3" in result.stderr) == (2, True)
    result = run("practice", "--game", "kashi", "--players", "5")
    assert (result.exit_code, "are 3, 4, not 5" in result.stderr) == (2, True)
    file = tmp_path / "board.toml"
    file.write_text("idle = 0")
    result = run("practice", "--board", str(file))
    assert (
        result.exit_code,
        "Matcha lacks this part: boards of players." in result.stderr,
    ) == (2, True)
    result = run("practice", "--game", "kashi", "--board", str(file))
    assert (result.exit_code, "is no board. Line 1:" in result.stderr) == (1, True)
