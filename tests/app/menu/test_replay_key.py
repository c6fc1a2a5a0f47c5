"""After a game the first menu has a key that shows the game again."""

from pathlib import Path

import pytest

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.library import replay
from matcha_p2p.app.menu import start
from matcha_p2p.app.menu.menu import REPLAY, choose_action
from matcha_p2p.app.menu.user import MenuUser
from matcha_p2p.console.menu.menu import Back, Menu, Pressed, press
from matcha_p2p.console.terminal.cells import CUT, key_of
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.language import LANGUAGES, speak
from tests.app.menu.test_menu import Script
from tests.console.frames import ask

SAVED = Path("saved.matcha")
FIRST = Menu("Matcha", (), ("Host", "Quit"), teaches="A rule.", keys=(("l", "replay"),))


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 16)])
def test_first_menu_names_its_key(size):
    foot = ask(FIRST, *size, SYMBOLS)[-1]
    assert "l replay" in "".join(text for _, text in foot)
    assert "l" in {key_of(style) for style, _ in foot}
    assert press(FIRST, "l") == Pressed("l", 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_after_a_game_fit_the_narrowest_screen(language, restored):
    speak(language)
    after = FIRST._replace(keys=(("l", REPLAY()),))
    foot = ask(after, 60, 16, SYMBOLS)[-1]
    assert CUT not in "".join(text for _, text in foot)


async def test_key_after_a_game_replays_the_game(user, monkeypatch):
    replayed: list[Path] = []
    monkeypatch.setattr(replay, "run", lambda *args, **_: replayed.append(args[2]) or Exit.DONE)
    user.out.fact("transcript", path=str(SAVED))
    script = Script("The rules", Back(), Pressed("l"))
    action = await choose_action(script, user)
    assert action() == Exit.DONE
    assert replayed == [SAVED]
    assert [[key for key, _ in menu.keys] for menu in script.asked] == [["l"], [], ["l"]]


def test_next_action_takes_the_key_away(user, monkeypatch):
    """A new game that is left early brings no key for the game before."""
    offered: list[Path | None] = []

    async def ask_once(user, *, first):
        offered.append(user.out.saved)
        return Exit.DONE if len(offered) == 3 else actions.pop(0)

    def play():
        user.out.fact("transcript", path=str(SAVED))
        return Exit.DONE

    actions = [play, lambda: Exit.DONE]
    monkeypatch.setattr(start, "MenuUser", lambda *_: user)
    monkeypatch.setattr(start, "_ask", ask_once)
    assert start.run(user.home, {}, user.keyboard) == Exit.DONE
    assert offered == [None, SAVED, None]


async def test_line_mode_has_no_key(user):
    lines = MenuUser(user.home, {"ui": "line"}, user.keyboard)
    lines.out.fact("transcript", path=str(SAVED))
    lines.asker()
    script = Script("Quit")
    await choose_action(script, lines)
    assert script.asked[0].keys == ()
