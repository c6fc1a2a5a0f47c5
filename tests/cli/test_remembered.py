"""A command plays the same table in each home, whatever the menu remembers."""

from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

from matcha_p2p import games
from matcha_p2p.cli import commands
from matcha_p2p.games import usual_table
from matcha_p2p.store.home import Home
from matcha_p2p.store.settings import Settings, write_settings
from tests.processes import clean_run, host, join

WORDS = {
    "arena": ("club", "club", "--games", "1"),
    "call": ("Ivo",),
    "engine": ("club",),
    "kashi": ("check", "nowhere"),
    "export": ("--format", "text"),
    "index": ("nowhere",),
    "verify": ("nowhere",),
}
"""The words that a command cannot do without."""

PREFERRING = ("host", "wait", "practice")
"""The commands that take the edition of Matcha from the settings."""

BOT_OPTION = {"host": "--play", "wait": "--play", "practice": "--bot"}


def of_seat(setup: Any, *_: Any) -> tuple[Any, ...]:
    return setup.terms.game, setup.terms.variant, setup.terms.seats


BODIES: dict[str, tuple[str, Any]] = {
    "arena": ("bots.arena", lambda _, wish, *__: (wish.game, wish.variant, wish.seats)),
    "call": ("friends.call", of_seat),
    "demo": ("bots.demo", lambda _, edition, __, ___, table: (table[0], edition, table[1])),
    "doctor": ("invite.doctor", lambda *_: ()),
    "host": ("invite.host", of_seat),
    "join": ("invite.join", of_seat),
    "practice": (
        "practice.practice",
        lambda setup, bot, _, seats, **__: (setup.terms.game, setup.terms.variant, seats, bot),
    ),
    "tutorial": ("practice.tutorial", lambda *given: given[-1:]),
    "wait": ("friends.wait", of_seat),
}
"""The bodies of commands that would play or wait: the place of each, and the table it gets."""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a command; no game is played, but its table is returned."""
    played: list[tuple[Any, ...]] = []
    for place, table_of in BODIES.values():

        def body(*given, table_of=table_of, **named):
            played.append(table_of(*given, **named))
            return 0

        monkeypatch.setattr(f"matcha_p2p.app.{place}.run", body)

    def run_in(settings: Settings, *words: str) -> tuple[int, str, list[tuple[Any, ...]]]:
        played.clear()
        write_settings(Home.find(tmp_path), settings)
        named = (*words, "--home", str(tmp_path)) if takes_home(words[0]) else words
        result = CliRunner().invoke(commands, named, prog_name="matcha")
        assert result.exit_code != 70, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result.exit_code, result.output, [*played]

    return run_in


def takes_home(command: str) -> bool:
    return any(param.name == "home" for param in commands.commands[command].params)


@pytest.mark.parametrize("edition", [None, *games.game_of(games.USUAL).variants])
@pytest.mark.parametrize("command", commands.commands)
def test_remembered_game_changes_no_command(run, command, edition):
    words = (command, *WORDS.get(command, ()))
    usual = run(Settings(edition=edition), *words)
    for game in games.FOLDERS:
        assert run(Settings(game=game, edition=edition), *words) == usual


@pytest.mark.parametrize("edition", [None, *games.game_of(games.USUAL).variants])
@pytest.mark.parametrize("remembered", games.FOLDERS)
@pytest.mark.parametrize("game", games.FOLDERS)
@pytest.mark.parametrize("command", [*PREFERRING, "demo", "arena"])
def test_usual_table_of_the_named_game_is_played(run, command, remembered, game, edition):
    level = games.game_of(game).bots.levels[0]
    bots = (level, level, "--games", "1") if command == "arena" else ()
    code, output, (table,) = run(
        Settings(game=remembered, edition=edition), command, "--game", game, *bots
    )
    usual = usual_table(game, edition if command in PREFERRING else None)
    assert code == 0, output
    assert table == tuple(usual)[: len(table)]


@pytest.mark.parametrize("remembered", games.FOLDERS)
@pytest.mark.parametrize("game", games.FOLDERS)
@pytest.mark.parametrize("command", PREFERRING)
def test_named_table_and_level_are_played(run, command, remembered, game):
    offered = games.game_of(game)
    for variant, seats, bot in product(
        offered.variants, offered.tables, games.game_of(game).bots.levels
    ):
        code, output, (table,) = run(
            Settings(game=remembered, edition="2020"),
            *(command, "--game", game, "--variant", variant, "--players", str(seats)),
            *(BOT_OPTION[command], bot),
        )
        assert code == 0, output
        assert table == (game, variant, seats, bot)[: len(table)]


@pytest.mark.parametrize("game", games.FOLDERS)
def test_usual_table_can_be_played(game):
    for edition in (None, *games.game_of(games.USUAL).variants):
        table = usual_table(game, edition)
        assert games.find(table.game, table.variant, table.seats) is not None
        assert table.bot in games.game_of(game).bots.levels


@pytest.mark.slow
@pytest.mark.parametrize("game", games.FOLDERS)
def test_host_and_guest_play_in_a_home_that_remembers_another_game(tmp_path, game):
    homes = [tmp_path / name for name in ("host", "guest")]
    for home in homes:
        write_settings(Home.find(home), Settings(game=game))
    with host(homes[0], "--play", "greedy") as mina:
        invite = mina.until("invite")["invite"]
        with join(homes[1], invite) as taro:
            assert (mina.end(), taro.end()) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("game", games.FOLDERS)
def test_practice_begins_in_a_home_that_remembers_another_game(tmp_path, game):
    write_settings(Home.find(tmp_path), Settings(game=game))
    code, stdout, stderr = clean_run(tmp_path, "practice")
    assert (code, "Edition 2015" in stdout) == (6, True), stderr
