"""The pages of ``matcha help TOPIC``."""

import re

import pytest
from click.testing import CliRunner

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.cli import commands
from matcha_p2p.cli.topics import EXITS, TOPICS
from matcha_p2p.console.terminal.cells import width
from matcha_p2p.games import game_of
from matcha_p2p.language import LANGUAGES
from tests.catalogues import COMPLETE


def told(*words: str, **env: str | None):
    return CliRunner().invoke(commands, words, env=env, prog_name="matcha")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_page_fits_the_terminal_in_each_language(topic, language, restored):
    result = told("--lang", language, "help", topic, COLUMNS="80")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) > 5
    assert all(width(line) <= 80 for line in lines)
    english = told("--lang", "en", "help", topic, COLUMNS="80").stdout
    assert (result.stdout == english) == (language not in COMPLETE)


def test_help_lists_commands_and_topics():
    text = told("help").stdout
    assert all(f"\n  {name} " in text for name in (*TOPICS, "host", "rules"))
    assert text == told("--help").stdout


def test_page_is_in_the_language_of_the_settings(tmp_path, restored):
    (tmp_path / "config.toml").write_text('lang = "uk"\n', encoding="utf-8")
    result = told("help", "play", "--home", str(tmp_path), MATCHA_LANG=None)
    assert "Як грати" in result.stdout


def test_help_of_a_command_is_its_own_help():
    assert told("help", "host").stdout == told("host", "--help").stdout


def test_unknown_topic_is_answered_with_the_topics():
    result = told("help", "nonsense")
    assert result.exit_code == 2
    assert "There is no topic 'nonsense'" in result.stderr
    assert all(topic in result.stderr for topic in TOPICS)


def test_every_exit_code_is_explained():
    assert set(EXITS) == set(Exit)


def test_completion_lines_of_the_topic_print_the_script_of_each_shell():
    text = told("help", "completion").stdout
    shells = re.findall("_MATCHA_COMPLETE=([a-z]+)_source matcha", text)
    assert sorted(shells) == ["bash", "fish", "zsh"]
    for shell in shells:
        script = told(_MATCHA_COMPLETE=f"{shell}_source").stdout
        assert f"_MATCHA_COMPLETE={shell}_complete" in script


def test_shell_completes_a_command():
    given = {"COMP_WORDS": "matcha ver", "COMP_CWORD": "1"}
    assert told(_MATCHA_COMPLETE="bash_complete", **given).stdout == "plain,verify\n"


def test_help_names_the_bots_of_the_menu_and_no_other():
    """Each level, and each bot of another temper; stand-ins and measures stay unnamed."""
    text = " ".join(told("practice", "--help").stdout.split())
    named = {
        *re.findall(r"[\w-]+", text[text.index("From easy") : text.index("[default: (club)]")])
    }
    bots = [game_of(game).bots for game in ("matcha", "tichu", "kashi")]
    offered = {level for each in bots for level in each.levels}
    offered |= {
        bot for each in bots for level in each.levels for bot in each.tempers.get(level, ())
    }
    assert {name for each in bots for name in each.names} & named == offered
