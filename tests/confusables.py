"""Makes the table of characters that look alike: ``python -m tests.confusables FILE``.

FILE is confusables.txt of Unicode: https://www.unicode.org/Public/security/16.0.0/, or in the
source of ICU 76 (Debian: ``apt-get source icu``; icu/source/data/unidata). What no name can
have is left out, so the table is shorter.
"""

import sys
import unicodedata
from pathlib import Path
from typing import Final

from matcha_p2p.narration.names import TABLE
from matcha_p2p.wire.text import is_admitted

_HEAD: Final = "Date:", "©", "Version:"


def table_of(source: str) -> str:
    """Return the lines of the table: a prototype, a tab, the characters that look like it."""
    head: list[str] = []
    alike: dict[str, str] = {}
    for line in source.splitlines():
        text, _, comment = line.partition("#")
        if comment.strip().startswith(_HEAD) and not alike:
            head.append(f"# {comment.strip()}")
        if not text.strip("\ufeff "):
            continue
        written, prototype, _ = (_characters(field) for field in text.split(";"))
        decomposed = unicodedata.normalize("NFD", written)
        if is_admitted(written) and written == decomposed:
            alike[prototype] = alike.get(prototype, "") + written
    return "\n".join(
        [
            "# Unicode's table of confusable characters (UTS 39), for characters of names.",
            "# Made by python -m tests.confusables; licence: https://www.unicode.org/license.txt",
            *head,
            *(
                f"{prototype}\t{''.join(sorted(alike[prototype]))}"
                for prototype in sorted(alike)
            ),
            "",
        ]
    )


def _characters(field: str) -> str:
    """Return the characters of a field such as ``0072 006E``; of a word, what is no matter."""
    codes = field.split()
    return "".join(chr(int(code, 16)) for code in codes) if codes != ["MA"] else ""


if __name__ == "__main__":
    TABLE.write_text(table_of(Path(sys.argv[1]).read_text(encoding="utf-8-sig")), "utf-8")
