"""The questions of menu, host and join, as a person meets them; in the language spoken now."""

from collections.abc import Callable

from matcha_p2p.app.game import host, join
from matcha_p2p.app.menu import menu as menus
from matcha_p2p.app.menu import settings
from matcha_p2p.console.learn.rulebook import rules_text, short_rules
from matcha_p2p.console.menu.menu import Menu, MenuQuestion, QrCode, TextField, TextPage, Wait
from matcha_p2p.rules.edition import EDITION_2015

INVITE = "matcha1" + "qpzry9x8gf2tvdw0s3jn54khce6mua7l" * 3


def first_menu() -> Menu:
    entries = (
        menus.HOST(edition="2015"),
        menus.JOIN(),
        menus.PRACTISE(),
        menus.NO_UNFINISHED(),
        menus.GAMES(),
        menus.RULES(),
        menus.TUTORIAL(),
        menus.SETTINGS(),
        menus.QUIT(),
    )
    return Menu(menus.TITLE(), (menus.ABOUT(),), entries, 2, short_rules(EDITION_2015)[1])


def hosting() -> Wait:
    keys = (
        ("c", host.COPY()),
        ("q", host._QR()),
        ("a", host._ADDRESSES()),
        ("p", host._PORT()),
        ("r", host._ANSWER()),
    )
    return Wait(host.TITLE(), (host._HOW_TO_JOIN(),), INVITE, keys)


def in_code() -> QrCode:
    return QrCode(host.INVITE(), (host._QR_HOW(),), INVITE)


def joining() -> TextField:
    return TextField(join.TITLE(), (join._HOW(),), join._INVITE(), draft=INVITE)


def speeds() -> Menu:
    names = tuple(name() for name in settings.SPEED_NAMES.values())
    return Menu(settings.SPEED_Q(), (), names, 1)


def ruled_page() -> TextPage:
    return TextPage(menus.RULES_TITLE(edition="2015"), rules_text(EDITION_2015))


QUESTIONS: dict[str, Callable[[], MenuQuestion]] = {
    each.__name__: each for each in (first_menu, hosting, in_code, joining, speeds, ruled_page)
}
