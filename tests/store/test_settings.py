"""config.toml: written and read settings, options before settings, and invalid files."""

import os
import stat
import tomllib

import pytest
from click.testing import CliRunner

from matcha_p2p.cli import commands
from matcha_p2p.console.terminal.looks import THEMES, Speed
from matcha_p2p.console.terminal.skins import SKINS
from matcha_p2p.errors import HomeError
from matcha_p2p.language import speak, spoken
from matcha_p2p.store.home import Home
from matcha_p2p.store.setting_values import ICONS, SPEEDS
from matcha_p2p.store.setting_values import THEMES as THEMES_OFFERED
from matcha_p2p.store.settings import Settings, read_settings, write_settings
from tests.processes import clean_run

SETTINGS = Settings(
    name="Оленка 茶 '\\",
    lang="en",
    icons="kanji",
    color="never",
    edition="2020",
    stun="stun.example.org",
    socks="127.0.0.1:9050",
)


@pytest.fixture
def home(tmp_path):
    return Home.find(tmp_path)


def read(home: Home) -> tuple[Settings, list[str]]:
    """Return the settings, and what is said about their file."""
    settings, wrong = read_settings(home.config)
    return settings, [str(fault) for fault in wrong]


def rules(home, *words):
    """Return the exit code of a command in this process, and what it writes."""
    result = CliRunner().invoke(commands, ["rules", *words, "--home", str(home)])
    return result.exit_code, result.stdout, result.stderr


def test_offered_options_are_the_known_settings():
    assert set(THEMES_OFFERED) == set(THEMES)
    assert set(SPEEDS) == {speed.value for speed in Speed}
    assert set(ICONS) == set(SKINS)


def test_written_settings_are_read_again(home):
    write_settings(home, SETTINGS)
    assert read_settings(home.config) == (SETTINGS, ())
    write_settings(home, Settings(name="Mina"))
    assert read_settings(home.config) == (Settings(name="Mina"), ())
    assert home.config.read_text() == 'name = "Mina"\n'
    assert stat.S_IMODE(home.config.parent.stat().st_mode) & 0o077 == 0 or os.name != "posix"


def test_the_file_is_toml_that_others_read_too(home):
    write_settings(home, SETTINGS)
    assert tomllib.loads(home.config.read_text()) == SETTINGS.options()


def test_missing_file_settles_nothing(home):
    assert read_settings(home.config) == (Settings(), ())


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"name = ",
        b"name = 'a'\nname = 'b'",
        b"x = " + b"[" * 60_000,
        b"# " + b"x" * 70_000,
        b"\x00",
        b'name = "\x1b[2J"',
        b"x = " + b"1" * 6000,
        b"name = 2026-13-77",
        'name = "Оленка"'.encode("utf-16"),
        'name = "Олена"'.encode("cp1251"),
    ],
    ids=[
        "bytes",
        "cut",
        "twice",
        "deep",
        "long",
        "null",
        "controls",
        "number",
        "date",
        "utf-16",
        "cp1251",
    ],
)
def test_invalid_file_is_told_and_settles_nothing(home, content):
    home.config.write_bytes(content)
    settings, (sentence,) = read(home)
    assert settings == Settings()
    assert "The defaults apply" in sentence
    assert str(home.config) in sentence
    with pytest.raises(HomeError, match="stays as it is"):
        write_settings(home, Settings(name="Mina"))
    assert home.config.read_bytes() == content


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"# mine\nname = ", "Line 2: This is no TOML"),
        (b"# mine\n\nname = 'M", "Line 3: This is no TOML"),
        (b"# mine\nx = " + b"1" * 6000, "Line 2: A number"),
        (b"# mine\nname = '\xff'", "Line 2: This is no UTF-8"),
        (b"# " + b"x" * 70_000, "longer than 65536 bytes"),
    ],
)
def test_invalid_file_is_told_with_its_line(home, content, said):
    home.config.write_bytes(content)
    _, (sentence,) = read(home)
    assert said in sentence
    assert ".." not in sentence


def test_file_that_some_editor_has_written_is_read(home):
    home.config.write_bytes(b"\xef\xbb\xbf" + 'name = "茶"\r\nlang = "uk"\r\n'.encode())
    assert read_settings(home.config) == (Settings(name="茶", lang="uk"), ())


def test_a_value_that_cannot_be_is_told_and_the_others_count(home):
    home.config.write_text(
        'name = "a\\u202Eb"\nlang = "xx"\nicons = 3\ncolor = ["never"]\nedition = "2020"\n'
        'unknown = "thing"\n'
    )
    settings, wrong = read(home)
    assert settings == Settings(edition="2020")
    assert len(wrong) == 5
    for key, sentence in zip(("name", "lang", "icons", "color"), wrong[:4], strict=True):
        assert f": the value of {key} is not valid" in sentence
    assert ": 'unknown' is no setting" in wrong[4]


def test_name_with_separate_marks_is_told_why(home):
    home.config.write_text('name = "Zoe\\u0308"\n')
    _, (sentence,) = read(home)
    assert sentence.endswith("composed form (NFC): Zoë")


def test_impossible_server_is_told_and_not_asked(home):
    home.config.write_text('stun = "http://a"\nsocks = "127.0.0.1"\n')
    settings, wrong = read(home)
    assert settings == Settings()
    assert [": the value of stun" in wrong[0], ": the value of socks" in wrong[1]] == [True] * 2


def test_unknown_keys_are_told_in_one_sentence_that_they_cannot_write(home):
    hostile = "\\u001b[2J\\n" + "x" * 100
    home.config.write_text(f'"{hostile}" = 1\n[table]\nname = "Mina"\n[[more]]\n')
    settings, (sentence,) = read(home)
    assert settings == Settings()
    assert sentence.isprintable()
    assert len(sentence) < 300


@pytest.mark.parametrize("value", ["1", "true", "1.5", "[]", "{}", "2026-01-02", "''", "inf"])
@pytest.mark.parametrize(
    "key", ["name", "lang", "icons", "color", "theme", "speed", "bell", "edition", "stun"]
)
def test_a_value_of_any_other_type_is_one_sentence(home, key, value):
    home.config.write_text(f"{key} = {value}\n")
    settings, (sentence,) = read(home)
    assert settings == Settings()
    assert f"the value of {key} is not valid" in sentence


@pytest.mark.parametrize("content", [b"\xff", b"name = 3", b"x = " + b"1" * 6000, b"y = 1"])
def test_every_command_goes_on_with_an_invalid_file(tmp_path, content):
    (tmp_path / "config.toml").write_bytes(content)
    code, stdout, stderr = rules(tmp_path)
    assert (code, len(stderr.splitlines())) == (0, 1)
    assert stdout


@pytest.mark.skipif(os.name != "posix", reason="no pipes among files")
def test_a_pipe_or_a_folder_in_its_place_is_not_waited_for(home):
    os.mkfifo(home.config)
    assert "The defaults apply" in read(home)[1][0]
    home.config.unlink()
    home.config.mkdir()
    assert "The defaults apply" in read(home)[1][0]
    with pytest.raises(HomeError):
        write_settings(home, Settings(name="Mina"))


def test_options_and_variables_go_before_the_settings(tmp_path):
    (tmp_path / "config.toml").write_text('edition = "2020"\n')

    def title(*words: str) -> str:
        code, stdout, stderr = rules(tmp_path, *words)
        assert (code, stderr) == (0, "")
        return stdout.rpartition("HOW EDITION ")[2][:4]

    assert title() == "2015"  # the other one: 2020 is told
    assert title("--edition", "2015") == "2020"


@pytest.mark.slow
def test_settings_reach_a_game_and_not_the_terms_of_a_guest(tmp_path):
    (tmp_path / "config.toml").write_text('name = "Оленка"\nedition = "2020"\nicons = "no"\n')
    code, stdout, stderr = clean_run(tmp_path, "practice", "--bot", "uniform", stdin="")
    assert code == 6
    assert "Edition 2020" in stdout
    assert "is not valid and is ignored" in stderr
    assert "Traceback" not in stdout + stderr
    code, _, stderr = clean_run(tmp_path, "join", "matcha1")
    assert code == 2
    assert "cut short" in stderr


def test_a_broken_file_stops_no_command(tmp_path):
    (tmp_path / "config.toml").write_bytes(b"\xff")
    code, stdout, stderr = rules(tmp_path)
    assert code == 0
    assert "There are 18 cards" in stdout
    assert "The defaults apply" in stderr


@pytest.mark.parametrize(
    ("words", "env", "language"),
    [
        (("rules",), {}, "uk"),
        (("--lang", "ja", "rules"), {}, "ja"),
        (("rules", "--lang", "ja"), {}, "ja"),
        (("rules",), {"MATCHA_LANG": "en"}, "en"),
        (("rules",), {"LC_ALL": "ja_JP.UTF-8"}, "uk"),
    ],
)
def test_the_settled_language_goes_after_option_and_variable(tmp_path, words, env, language):
    (tmp_path / "config.toml").write_text('lang = "uk"\n')
    env = {"MATCHA_LANG": None, "LC_ALL": "C.UTF-8", **env}
    try:
        result = CliRunner().invoke(commands, [*words, "--home", str(tmp_path)], env=env)
        assert result.exit_code == 0
        assert spoken() == language
    finally:
        speak("en")


WORDS = {
    "join": ["matcha1"],
    "watch": ["matcha1"],
    "call": ["Mina"],
    "verify": ["none.matcha"],
    "export": ["none.matcha", "--format", "json"],
    "analyse": ["none.matcha"],
    "replay": ["none.matcha"],
    "page": ["none.matcha"],
    "index": ["none"],
}
"""Words that a command needs, and by which it ends at once."""
LIVE = {
    "help",
    "host",
    "practice",
    "wait",
    "demo",
    "tutorial",
    "engine",
    "worker",
    "doctor",
    "arena",
    "kashi",
}
"""Commands that go on for long and begin as the others do; and help, without settings."""


@pytest.mark.parametrize("name", sorted(commands.commands.keys() - LIVE))
@pytest.mark.parametrize("env", [{"MATCHA_LANG": None}, {"MATCHA_LANG": "ja"}])
def test_faults_of_settings_are_told_in_the_language_of_the_settings(tmp_path, name, env):
    (tmp_path / "config.toml").write_text('lang = "uk"\nspeed = 3\nodd = "x"\n')
    words = [name, *WORDS.get(name, []), "--home", str(tmp_path)]
    said = {"uk": "знач", "ja": "値"}[env["MATCHA_LANG"] or "uk"]
    try:
        result = CliRunner().invoke(commands, words, env={"LC_ALL": "C.UTF-8", **env})
        first, second, *_ = result.stderr.splitlines()
        assert (said in first, "odd" in second) == (True, True), result.stderr
        assert "ignored" not in result.stderr
    finally:
        speak("en")
