"""The settings of a player: config.toml, which may hold any bytes, and is written whole.

Options and environment variables override the file; the file overrides the defaults.
"""

import getpass
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

from matcha_p2p.games import FOLDERS, USUAL, offer
from matcha_p2p.language import LANGUAGES, Sentence, reason_of
from matcha_p2p.narration.names import can_be_a_name
from matcha_p2p.session.storage.files import read_file
from matcha_p2p.store import setting_values
from matcha_p2p.store.home import Home
from matcha_p2p.transport.servers import socks_proxy, stun_server
from matcha_p2p.wire.text import NAME_LIMIT

_CHOICES: Final = {
    "game": FOLDERS,
    "lang": LANGUAGES,
    "icons": setting_values.ICONS,
    "color": setting_values.COLOURS,
    "theme": setting_values.THEMES,
    "speed": setting_values.SPEEDS,
    "bell": setting_values.BELLS,
    "announce": setting_values.ANNOUNCE,
    "router": setting_values.ROUTERS,
    "remember": setting_values.REMEMBER,
    "banter": setting_values.BANTER,
    "hold": setting_values.HOLD,
    "watch": setting_values.WATCH,
}
_CHECKS: Final[dict[str, Callable[[str], object]]] = {
    "stun": stun_server,
    "socks": socks_proxy,
}
_NAMELESS: Final = "player"
_MOST: Final = 65_536
"""Bytes of the file; a larger file is not ours."""

_LONGEST: Final = 40
"""Characters of a key in a message; the rest is cut."""

NO_NAME: Final = Sentence(
    "This cannot be a name. A name has 1 to {limit} characters that can be shown safely, "
    "with single spaces between words. Quotation marks, dates and words that this program "
    "says about players are refused."
)
BROKEN: Final = Sentence(
    "{file} cannot be used: {why}. The defaults apply. If you change a setting in the menu, "
    "a new file is written."
)
BAD_VALUE: Final = Sentence("{file}: the value of {key} is not valid and is ignored.")
BAD_KEY: Final = Sentence("{file}: {key!r} is no setting and is ignored.")
NO_FILE: Final = Sentence("the file does not hold settings")
NO_TOML: Final = Sentence("the file is not written in TOML")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings by the names of the options; None if not set."""

    name: str | None = None
    """The name that the other player reads; valid by ``can_be_a_name``."""
    lang: str | None = None
    """The language of all texts: one of LANGUAGES."""
    icons: str | None = None
    """The drawing of tokens: one of ICONS."""
    color: str | None = None
    """Whether to use colours: one of COLOURS."""
    theme: str | None = None
    """Which colours: one of THEMES."""
    speed: str | None = None
    """The speed of the screen: one of SPEEDS."""
    bell: str | None = None
    """When the terminal rings: one of BELLS."""
    game: str | None = None
    """The game that was practised last: one of FOLDERS."""
    edition: str | None = None
    """The edition of the rules of Matcha."""
    announce: str | None = None
    """Whether a waiting host answers on the local network: one of ANNOUNCE."""
    router: str | None = None
    """Whether routers may be asked to let guests in: one of ROUTERS."""
    remember: str | None = None
    """Whether players are remembered, and our identity shown: one of REMEMBER."""
    banter: str | None = None
    """Whether a bot sometimes says a phrase: one of BANTER."""
    hold: str | None = None
    """Whether the program lays no bomb by itself, once time is up: one of HOLD."""
    watch: str | None = None
    """The most watchers at a table of ours: one of WATCH."""
    stun: str | None = None
    """A STUN server that tells our outside address: HOST or HOST:PORT."""
    socks: str | None = None
    """A SOCKS proxy that dials in our place: HOST:PORT."""

    def options(self) -> dict[str, str]:
        """Return all settings with a value, by the names of the options."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def read_settings(file: Path) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings in ``file``, and the faults; a missing file has no settings."""
    try:
        table = _parsed(file)
    except (FileNotFoundError, NotADirectoryError):
        return Settings(), ()
    except OSError as error:
        return Settings(), (BROKEN(file=file, why=reason_of(error)),)
    except _BadFileError as error:
        return Settings(), (BROKEN(file=file, why=error),)
    known: dict[str, str] = {}
    wrong: list[str] = []
    for field in fields(Settings):
        value = table.get(field.name)
        if isinstance(value, str) and _fits(field.name, value):
            known[field.name] = value
        elif value is not None:
            wrong.append(BAD_VALUE(file=file, key=field.name))
    unknown = [key for key in table if key not in Settings.__dataclass_fields__]
    if unknown:
        wrong.append(BAD_KEY(file=file, key=unknown[0][:_LONGEST]))
    return Settings(**known), tuple(wrong)


def write_settings(home: Home, settings: Settings) -> None:
    """Replace the stored settings by ``settings``.

    Raises:
        HomeError: the system refuses.
    """
    # Valid values are printable, so their JSON strings are TOML strings too.
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n"
        for key, value in settings.options().items()
    ]
    home.store_settings("".join(lines))


class _BadFileError(Exception):
    """The file cannot be used; the text is the reason."""


def _parsed(file: Path) -> dict[str, object]:
    import tomllib

    content = read_file(file, _MOST + 1)
    if len(content) > _MOST:
        raise _BadFileError(NO_FILE())
    try:
        return tomllib.loads(content.decode())
    except (
        ValueError,
        RecursionError,
    ):  # of no TOML, no UTF-8, or a number too long for Python
        raise _BadFileError(NO_TOML()) from None


def _fits(key: str, value: str) -> bool:
    if key == "edition":
        return value in offer(USUAL).variants
    if key in _CHOICES:
        return value in _CHOICES[key]
    if key in _CHECKS:
        try:
            _CHECKS[key](value)
        except ValueError:
            return False
        return True
    return can_be_a_name(value)


def login_name() -> str:
    """Return the login name, cut to the length of a name; if invalid, a default."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _NAMELESS
    name = login[:NAME_LIMIT].strip()
    return name if can_be_a_name(name) else _NAMELESS
