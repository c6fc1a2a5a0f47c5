"""The possible values of settings, in a small module that the command line loads fast."""

from typing import Final

ICONS: Final = ("plain", "symbol", "kanji")
COLOURS: Final = ("auto", "always", "never")
THEMES: Final = ("dark", "light", "contrast")
ROUTERS: Final = ("on", "off")
SPEEDS: Final = ("slow", "normal", "fast", "off")
BELLS: Final = ("turn", "all", "none")
ANNOUNCE: Final = ("on", "off")
REMEMBER: Final = ("on", "off")
WATCH: Final = ("0", "1", "3", "8", "32")
BANTER: Final = ("on", "off")
HOLD: Final = ("on", "off")
PASSES: Final = ("off", "on")
