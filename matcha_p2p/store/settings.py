"""The settings of a player: config.toml, which may hold any bytes, and is written whole.

Options and environment variables override the file; the file overrides the defaults.
"""

import getpass
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

from matcha_p2p.edited_text import text_in, toml_in
from matcha_p2p.errors import HomeError, MatchaError, SettingsError
from matcha_p2p.games import USUAL, game_of, names
from matcha_p2p.language import LANGUAGES, reason_of
from matcha_p2p.narration.names import can_be_a_name, refusal_of
from matcha_p2p.session.storage.files import read_file
from matcha_p2p.store import setting_values
from matcha_p2p.store.home import Home
from matcha_p2p.transport.servers import socks_proxy, stun_server
from matcha_p2p.wire.text import NAME_LIMIT

_CHOICES: Final = {
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
    "passes": setting_values.PASSES,
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
    """The game that the menu played last. The menu puts the cursor there."""
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
    passes: str | None = None
    """A value of PASSES: whether the program passes for a hand without another answer."""
    watch: str | None = None
    """The most watchers at a table of ours: one of WATCH."""
    stun: str | None = None
    """A STUN server that tells our outside address: HOST or HOST:PORT."""
    socks: str | None = None
    """A SOCKS proxy that dials in our place: HOST:PORT."""

    @property
    def asks_routers(self) -> bool:
        """Whether routers may be asked to let guests in, as they are unless it is set off."""
        return self.router != "off"

    def options(self) -> dict[str, str]:
        """Return all settings with a value, by the names of the options."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def read_settings(file: Path) -> tuple[Settings, tuple[SettingsError, ...]]:
    """Return the settings in ``file``, and the faults; a missing file has no settings."""
    try:
        table = _table(file)
    except MatchaError as why:
        fault = SettingsError(
            "{file} is not used. {why} The defaults apply. Until the file is corrected or "
            "removed, no setting is stored.",
            file=file,
            why=why,
        )
        return Settings(), (fault,)
    known: dict[str, str] = {}
    wrong: list[SettingsError] = []
    for field in fields(Settings):
        value = table.get(field.name)
        if isinstance(value, str) and _fits(field.name, value):
            known[field.name] = value
        elif field.name == "name" and isinstance(value, str):
            fault = SettingsError(
                "{file}: the value of {key} is not valid and is ignored. {why}",
                file=file,
                key=field.name,
                why=refusal_of(value),
            )
            wrong.append(fault)
        elif value is not None:
            fault = SettingsError(
                "{file}: the value of {key} is not valid and is ignored.",
                file=file,
                key=field.name,
            )
            wrong.append(fault)
    unknown = [key for key in table if key not in Settings.__dataclass_fields__]
    if unknown:
        fault = SettingsError(
            "{file}: {key!r} is no setting and is ignored.",
            file=file,
            key=unknown[0][:_LONGEST],
        )
        wrong.append(fault)
    return Settings(**known), tuple(wrong)


def write_settings(home: Home, settings: Settings) -> None:
    """Replace the stored settings by ``settings``.

    A file that cannot be read stays: a person may have written the file.

    Raises:
        HomeError: the system refuses, or the stored settings cannot be read.
    """
    try:
        _table(home.config)
    except MatchaError as why:
        raise HomeError(
            "{file} stays as it is, so your change ends with this program. {why}",
            code="home-settings",
            file=home.config,
            why=why,
        ) from why
    # Valid values are printable, so their JSON strings are TOML strings too.
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n"
        for key, value in settings.options().items()
    ]
    home.store_settings("".join(lines))


def _table(file: Path) -> dict[str, object]:
    """Return the table in ``file``; a missing file has an empty table.

    Raises:
        SettingsError, FaultyLineError: the file cannot be read.
    """
    try:
        content = read_file(file, _MOST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        reason = reason_of(error)
        raise SettingsError("The file cannot be read: {reason}.", reason=reason) from error
    if len(content) > _MOST:
        raise SettingsError("The file is longer than {most} bytes.", most=_MOST)
    return toml_in(text_in(content))


def _fits(key: str, value: str) -> bool:
    if key == "edition":
        return value in game_of(USUAL).variants
    if key == "game":
        return value in names()
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
