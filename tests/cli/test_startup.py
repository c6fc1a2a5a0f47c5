"""Modules loaded before the first screen: no protocol, and no slow module."""

import subprocess
import sys

import pytest

LOADED = """
import sys
import matcha_p2p.cli
{imports}
print(*sys.modules)
"""
SLOW = {
    "rbcl",
    "doctest",
    "matcha_p2p.crypto",
    "matcha_p2p.session.chain",
    "matcha_p2p.games.matcha.bots",
}


def loaded(*modules: str) -> set[str]:
    """Return the loaded modules after ``modules`` are imported in a new process."""
    imports = "\n".join(f"import matcha_p2p.{module}" for module in modules)
    printed = subprocess.run(
        [sys.executable, "-c", LOADED.format(imports=imports)],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(printed.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "modules",
    [
        ("app.menu.start", "console.menu.screen"),
        ("app.practice.tutorial", "games.matcha.screen.screen"),
        ("app.invite.host", "app.game.seat", "games.matcha.screen.screen"),
    ],
    ids=["menu", "tutorial", "host"],
)
def test_menu_tutorial_and_invite_come_before_the_protocol(modules):
    assert not loaded(*modules) & SLOW


def test_menu_comes_before_the_modules_of_a_game():
    assert "matcha_p2p.session.news" not in loaded("app.menu.start", "console.menu.screen")


def test_help_and_version_need_next_to_nothing():
    assert not loaded() & {"trio", "prompt_toolkit", "matcha_p2p.games.matcha.rules"}
