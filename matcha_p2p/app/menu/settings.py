"""The settings in the menu; each change is stored at once."""

from dataclasses import replace
from typing import Final

from matcha_p2p.app.command.front_end import usual_icons
from matcha_p2p.app.invite.given_places import NOT_ASCII
from matcha_p2p.app.menu.choices import ask_variant
from matcha_p2p.app.menu.own_name import ask_name
from matcha_p2p.app.menu.user import MenuUser
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu, TextField, Written
from matcha_p2p.games import USUAL, game_of
from matcha_p2p.language import LANGUAGES, Counted, Sentence, spoken
from matcha_p2p.store.setting_values import WATCH as WATCHERS
from matcha_p2p.transport.servers import socks_proxy, stun_server

TITLE: Final = Sentence("Settings")
NAME: Final = Sentence("Name: {value}")
LANGUAGE: Final = Sentence("Language: {value}")
ICONS: Final = Sentence("Suits: {value}")
COLOURS: Final = Sentence("Colours: {value}")
THEME: Final = Sentence("Background: {value}")
BELL: Final = Sentence("Bell: {value}")
SPEED: Final = Sentence("Cards are turned up: {value}")
EDITION: Final = Sentence("Edition: {value}")
ANNOUNCE: Final = Sentence("Your table is seen on your network: {value}")
ROUTER: Final = Sentence("Router, when you host: {value}")
REMEMBER: Final = Sentence("Players know each other again by their keys: {value}")
BANTER: Final = Sentence("Bots say something now and then: {value}")
HOLD: Final = Sentence("Time for a bomb in Tichu ends by itself: {value}")
PASSES: Final = Sentence("Pass for me in Tichu where nothing fits: {value}")
WATCH: Final = Sentence("Who may watch a table that you open: {value}")
STUN: Final = Sentence("Your outside address is asked from (STUN server): {value}")
SOCKS: Final = Sentence("Connections go through (SOCKS proxy): {value}")
BACK: Final = Sentence("Back to the menu")

LANGUAGE_Q: Final = Sentence("Which language?")
ICONS_Q: Final = Sentence("How are the suits drawn?")
COLOURS_Q: Final = Sentence("Are there colours?")
THEME_Q: Final = Sentence("On which background are the colours?")
BELL_Q: Final = Sentence("What does the bell ring for?")
SPEED_Q: Final = Sentence("How fast are cards turned up?")
EDITION_Q: Final = Sentence("Which edition do you play?")
ANNOUNCE_Q: Final = Sentence("Is your table shown to others on your network?")
ROUTER_Q: Final = Sentence("Shall the router be asked to let guests in?")

STUN_Q: Final = Sentence("STUN server:")
STUN_HOW: Final = Sentence(
    "A server of your choice tells your address on the internet. The server learns the "
    "address; invites and answer codes hold it. Give stun.example.org or "
    "stun.example.org:3478, or nothing."
)
SOCKS_Q: Final = Sentence("SOCKS proxy:")
SOCKS_HOW: Final = Sentence(
    "A proxy, such as Tor at 127.0.0.1:9050, dials in your place. When you join, watch, call "
    "or go on, other players do not see your address. Give the proxy's host and port, or "
    "nothing."
)
NO_SERVER: Final = Sentence("{text!r} is not the name of a server.")
NO_STUN: Final = Sentence("nobody")
NO_SOCKS: Final = Sentence("none")

ICON_NAMES: Final = {
    "symbol": Sentence("symbols and letters"),
    "plain": Sentence("letters alone"),
    "kanji": Sentence("kanji"),
}
COLOUR_NAMES: Final = {
    "auto": Sentence("as in the terminal"),
    "always": Sentence("always"),
    "never": Sentence("never"),
}
THEME_NAMES: Final = {
    "dark": Sentence("dark"),
    "light": Sentence("light"),
    "contrast": Sentence("high contrast"),
}
BELL_NAMES: Final = {
    "turn": Sentence("your move"),
    "all": Sentence("your move, and talk or offers"),
    "none": Sentence("nothing"),
}
SPEED_NAMES: Final = {
    "normal": Sentence("one after another"),
    "fast": Sentence("quickly"),
    "slow": Sentence("slowly"),
    "off": Sentence("at once"),
}
ROUTER_NAMES: Final = {
    "on": Sentence("asked to let guests in"),
    "off": Sentence("left alone"),
}
REMEMBER_Q: Final = Sentence("Shall players whom you have met recognise you, and you them?")
BANTER_Q: Final = Sentence("May a bot say something now and then in practice?")
HOLD_Q: Final = Sentence("Shall the time for a bomb in Tichu end by itself?")
PASSES_Q: Final = Sentence("Shall the program pass for you in Tichu, if no card of yours fits?")
YES_OR_NO: Final = {"on": Sentence("yes"), "off": Sentence("no")}
WATCH_Q: Final = Sentence("If every player agrees, how many may watch your table?")
NOBODY: Final = Sentence("nobody")
UP_TO: Final = Counted("{count} person", "up to {count} people")
_CHOICES: Final = {
    "lang": (LANGUAGE, LANGUAGE_Q),
    "icons": (ICONS, ICONS_Q),
    "color": (COLOURS, COLOURS_Q),
    "theme": (THEME, THEME_Q),
    "speed": (SPEED, SPEED_Q),
    "bell": (BELL, BELL_Q),
    "edition": (EDITION, EDITION_Q),
    "announce": (ANNOUNCE, ANNOUNCE_Q),
    "router": (ROUTER, ROUTER_Q),
    "remember": (REMEMBER, REMEMBER_Q),
    "banter": (BANTER, BANTER_Q),
    "hold": (HOLD, HOLD_Q),
    "passes": (PASSES, PASSES_Q),
    "watch": (WATCH, WATCH_Q),
}
"""For each setting, the sentence with the value, and the question for a new value."""

_VALUES: Final = {
    "icons": ICON_NAMES,
    "color": COLOUR_NAMES,
    "theme": THEME_NAMES,
    "speed": SPEED_NAMES,
    "bell": BELL_NAMES,
    "router": ROUTER_NAMES,
    **dict.fromkeys(("announce", "remember", "banter", "hold", "passes"), YES_OR_NO),
}

_SERVERS: Final = {
    "stun": (STUN, STUN_Q, STUN_HOW, NO_STUN, stun_server),
    "socks": (SOCKS, SOCKS_Q, SOCKS_HOW, NO_SOCKS, socks_proxy),
}
"""For each server: the entry, the question, a hint, the word for no server, and the reader."""

_LOOKS: Final = ("icons", "color", "theme")


async def change_settings(asker: Asker, user: MenuUser) -> bool:
    """Let the person change settings; return whether the screen has to be made anew."""
    said: tuple[str, ...] = ()
    at = 0
    while True:
        keys, entries = _entries(user)
        answer = await asker.ask(Menu(TITLE(), said, (*entries, BACK()), at))
        match answer:
            case Chosen(at) if at < len(keys):
                before = user.settings
                said = await _change(asker, user, keys[at])
                if any(getattr(before, key) != getattr(user.settings, key) for key in _LOOKS):
                    return True
            case _:
                return False


def _entries(user: MenuUser) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of the settings, and the menu's entries, each with the value."""
    entries = {"name": NAME(value=user.name)}
    for key, (sentence, _) in _CHOICES.items():
        entries[key] = sentence(value=_labels(key)[_standing(user, key)])
    for key, (sentence, _, _, none, _) in _SERVERS.items():
        entries[key] = sentence(value=user.settings.options().get(key) or none())
    return tuple(entries), tuple(entries.values())


async def _change(asker: Asker, user: MenuUser, key: str) -> tuple[str, ...]:
    """Let the person change a setting; return why the change could not be stored, or ()."""
    value: str | None
    if key in _SERVERS:
        return await _change_server(asker, user, key)
    if key == "name":
        value = await ask_name(asker, TITLE(), (), user.name)
    else:
        value = await _pick(asker, user, key)
    return () if value is None else user.change_settings(replace(user.settings, **{key: value}))


async def _change_server(asker: Asker, user: MenuUser, key: str) -> tuple[str, ...]:
    """Let the person name a server or none; return why it could not be stored, or ()."""
    _, question, how, _, read = _SERVERS[key]
    now = user.settings.options().get(key, "")
    wrong: tuple[str, ...] = ()
    while True:
        match await asker.ask(TextField(TITLE(), (*wrong, how()), question(), draft=now)):
            case Written(text):
                try:
                    if text:
                        read(text)
                except ValueError:
                    wrong = ((NO_SERVER if text.isascii() else NOT_ASCII)(text=text),)
                else:
                    return user.change_settings(replace(user.settings, **{key: text or None}))
            case _:
                return ()


async def _pick(asker: Asker, user: MenuUser, key: str) -> str | None:
    _, question = _CHOICES[key]
    if key == "edition":
        return await ask_variant(asker, USUAL, question(), user.edition)
    labels = _labels(key)
    values = tuple(labels)
    at = values.index(_standing(user, key))
    match await asker.ask(Menu(question(), (), tuple(labels.values()), at)):
        case Chosen(at):
            return values[at]
        case _:
            return None


def _labels(key: str) -> dict[str, str]:
    """Return the values of a setting, each with a label."""
    match key:
        case "lang":
            return LANGUAGES
        case "watch":
            return {value: UP_TO(int(value)) if int(value) else NOBODY() for value in WATCHERS}
        case "edition":
            return {edition: edition for edition in game_of(USUAL).variants}
        case _:
            return {value: sentence() for value, sentence in _VALUES[key].items()}


def _standing(user: MenuUser, key: str) -> str:
    """Return the value of a setting, or the default: of most settings, the first value."""
    usual = {
        "lang": spoken(),
        "icons": usual_icons(),
        "edition": user.edition,
        "passes": "off",
    }
    return user.settings.options().get(key) or usual.get(key) or next(iter(_labels(key)))
