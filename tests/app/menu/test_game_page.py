"""A key in the menu of finished games makes the page of a game and opens the page."""

import webbrowser
from types import SimpleNamespace

import pytest

from matcha_p2p.app.menu import past_games
from matcha_p2p.app.menu.menu import choose_action
from matcha_p2p.console.menu.asker import LineAsker
from matcha_p2p.console.menu.menu import Back, Chosen, Menu, Pressed, press
from matcha_p2p.console.terminal.cells import key_of
from matcha_p2p.console.terminal.skins import SYMBOLS
from tests.app.menu.test_menu import Script
from tests.console.frames import ask
from tests.vectors import base

GAMES = Menu("Which game?", (), ("one", "two"), keys=(("p", "page"),))


def test_key_of_a_menu_answers_with_the_entry_under_the_cursor():
    assert press(press(GAMES, "down"), "p") == Pressed("p", 1)
    assert press(GAMES, "x") == GAMES
    foot = ask(GAMES, 80, 24, SYMBOLS)[-1]
    assert "p page" in "".join(text for _, text in foot)
    assert "p" in {key_of(style) for style, _ in foot}


class Typist:
    echoes = True

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    async def read(self) -> str:
        return self.lines.pop(0)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("p2",), Pressed("p", 1)),
        (("P 1",), Pressed("p", 0)),
        (("p", "p3", "p0", "x1", "2"), Chosen(1)),
    ],
)
async def test_line_mode_takes_the_key_and_a_number(lines, answer):
    said: list[str] = []
    assert await LineAsker(said.append, Typist(*lines)).ask(GAMES) == answer
    assert "p and a number: page\n" in said


@pytest.mark.parametrize("display", ["", ":0"])
async def test_page_of_a_finished_game_is_made_and_opened(
    user,
    monkeypatch,
    display,
):
    opened: list[str] = []
    browser = SimpleNamespace(open=lambda url: opened.append(url) or True)
    monkeypatch.setattr(webbrowser, "open", browser.open)
    monkeypatch.setattr(webbrowser, "get", lambda _: browser)  # on Windows
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("WAYLAND_DISPLAY", "BROWSER", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if display:
        monkeypatch.setenv("DISPLAY", display)
    user.home.games.mkdir(parents=True)
    (user.home.games / "2026-05-03-00000000.matcha").write_bytes(
        base("open-book-by-both.matcha")
    )
    action = await choose_action(Script("Finished games", Pressed("p", 0)), user)
    assert action() == 0
    page = user.home.web / "2026-05-03-00000000.html"
    assert page.read_text().startswith("<!doctype html>")
    assert opened == ([page.as_uri()] if display else [])
    assert str(page) in user.out.last


async def test_after_its_page_and_its_replay_a_game_is_in_the_list_again(user, monkeypatch):
    monkeypatch.setattr(past_games, "_make_page", lambda _, user: user.out.say("a page"))
    monkeypatch.setattr(user, "replay", lambda _: 0)
    user.home.games.mkdir(parents=True)
    for day, name in enumerate(("2015-alike.matcha", "2020-alike.matcha"), 3):
        (user.home.games / f"2026-05-0{day}-00000000.matcha").write_bytes(base(name))
    make_page = await choose_action(Script("Finished games", Pressed("p", 1)), user)
    make_page()
    script = Script(Chosen(0))
    replay = await choose_action(script, user)
    assert script.asked[0].at == 1
    assert script.asked[0].said[0] == "a page"
    replay()
    script = Script(Back(), Back())
    assert await choose_action(script, user) == 0
    assert script.asked[0].at == 0
    assert "a page" not in script.asked[0].said
    assert script.asked[1].title == "Matcha"


async def test_list_without_its_last_game_has_the_cursor_at_an_entry(user, monkeypatch):
    """The file of the game goes away while the game is replayed."""
    monkeypatch.setattr(user, "replay", lambda _: 0)
    user.home.games.mkdir(parents=True)
    for day, name in enumerate(("2015-alike.matcha", "2020-alike.matcha"), 3):
        (user.home.games / f"2026-05-0{day}-00000000.matcha").write_bytes(base(name))
    replay = await choose_action(Script("Finished games", Chosen(1)), user)
    replay()
    (user.home.games / "2026-05-03-00000000.matcha").unlink()
    script = Script(Back(), Back())
    assert await choose_action(script, user) == 0
    assert press(script.asked[0], "enter") == Chosen(0)
