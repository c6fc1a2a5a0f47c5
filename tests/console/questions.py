"""The questions of menu, host and join, as a person meets them, in the current language."""

from collections.abc import Callable

from matcha_p2p.app.invite import host, join, show_invite
from matcha_p2p.app.library.games import SCORE
from matcha_p2p.app.menu import choices, past_games, settings
from matcha_p2p.app.menu import menu as menus
from matcha_p2p.app.menu.levels import level_menu
from matcha_p2p.console.menu.menu import Menu, MenuQuestion, QrCode, TextField, TextPage, Wait
from matcha_p2p.games.matcha.bots import NAMES
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.lessons.rulebook import rulebook, rules_text, short_rules
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITIONS
from matcha_p2p.language import LANGUAGES, spoken

INVITE = "matcha1" + "qpzry9x8gf2tvdw0s3jn54khce6mua7l" * 3


def first_menu() -> Menu:
    entries = (
        menus.HOST(),
        menus.JOIN(),
        menus.FRIENDS(),
        menus.WATCH(),
        menus.PRACTISE(),
        menus.NO_UNFINISHED(),
        menus.GAMES(),
        menus.RULES(),
        menus.TUTORIAL(),
        menus.SETTINGS(),
        menus.QUIT(),
    )
    return Menu(
        menus.TITLE(),
        (menus.ABOUT(games="Matcha, Tichu, Kashi-ichi"),),
        entries,
        3,
        short_rules(EDITION_2015)[1],
    )


def hosting() -> Wait:
    keys = (
        ("c", show_invite.COPY()),
        ("q", show_invite.QR()),
        ("a", host._ADDRESSES()),
        ("p", host._PORT()),
        ("r", host._ANSWER()),
    )
    return Wait(host.TITLE(), (host._HOW_TO_JOIN(),), INVITE, keys)


def in_code() -> QrCode:
    return QrCode(show_invite.INVITE(), (show_invite.QR_HOW(),), INVITE)


def joining() -> TextField:
    return TextField(join.TITLE(), (join._HOW(),), join._INVITE(), draft=INVITE)


def editions() -> Menu:
    first, second = map(MATCHA.described, EDITIONS)
    said = (first, "", second)
    labels = tuple(map(MATCHA.label, EDITIONS))
    return Menu(choices.WHICH_RULES(), said, labels)


def past() -> Menu:
    fields = {"when": "2026-05-03 14:07", "game": "Matcha 2015"}
    entries = (
        past_games.WON_AGAINST(**fields, name="Mina"),
        past_games.LOST_TO(**fields, name="Оленка"),
        past_games.DRAWN_WITH(**fields, name="美奈"),
        past_games.UNFINISHED_WITH(**fields, name="Mina"),
    )
    scores = (SCORE(name="Mina", won=1, lost=0, drawn=0),)
    return Menu(past_games.WHICH_GAME(), scores, entries)


def levels() -> Menu:
    return level_menu("matcha", NAMES.levels, 2)


def all_settings() -> Menu:
    labels = {
        "lang": LANGUAGES[spoken()],
        "icons": settings.ICON_NAMES["symbol"](),
        "color": settings.COLOUR_NAMES["auto"](),
        "theme": settings.THEME_NAMES["dark"](),
        "speed": settings.SPEED_NAMES["normal"](),
        "bell": settings.BELL_NAMES["turn"](),
        "edition": "2015",
        "router": settings.ROUTER_NAMES["on"](),
        "watch": settings.NOBODY(),
    }
    entries = [
        sentence(value=labels.get(key, settings.YES_OR_NO["on"]()))
        for key, (sentence, _) in settings._CHOICES.items()
    ]
    return Menu(settings.TITLE(), (), (settings.NAME(value="Taro"), *entries, settings.BACK()))


def speeds() -> Menu:
    names = tuple(name() for name in settings.SPEED_NAMES.values())
    return Menu(settings.SPEED_Q(), (), names, 1)


def ruled_page() -> TextPage:
    titles = frozenset(chapter.title for chapter in rulebook(EDITION_2015))
    return TextPage(
        menus.RULES_TITLE(variant=MATCHA.label("2015")), rules_text(EDITION_2015), titles
    )


QUESTIONS: dict[str, Callable[[], MenuQuestion]] = {
    each.__name__: each
    for each in (
        first_menu,
        hosting,
        in_code,
        joining,
        levels,
        editions,
        past,
        all_settings,
        speeds,
        ruled_page,
    )
}
