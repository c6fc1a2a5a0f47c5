"""The person at a menu."""

import pytest

from matcha_p2p.app.menu.user import MenuUser
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.store.home import Home
from matcha_p2p.store.settings import Settings, write_settings


@pytest.fixture
def user(tmp_path) -> MenuUser:
    home = Home.find(tmp_path)
    write_settings(home, Settings(name="Olena", edition="2020"))
    return MenuUser(home, {}, Keyboard(-1))
