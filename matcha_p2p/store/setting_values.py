"""What can be settled by name. Commands offer it before anything heavy is imported."""

from typing import Final

ICONS: Final = ("plain", "symbol", "kanji")
COLOURS: Final = ("auto", "always", "never")
THEMES: Final = ("dark", "light", "contrast")
SPEEDS: Final = ("normal", "fast", "off")
