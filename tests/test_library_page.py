"""The examples of "Use it as a library" in protocol/README.md run as they stand on the page."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "protocol" / "README.md"
MOST_LINES = 25

TOLD = {
    "Verify a game": r"COMPLETE winners: \([01]?,?\)\nHands of the first set: \[\['.*wins: ",
    "A deck for three": r"Ann holds \[(\d+, ){12}\d+\]\nThe last card is \d+\n",
    "A bot in another language": r"node bot.js against greedy: 4 games, \d won",
    "Read an archive": r"Games won by seat: \{[012]: ",
    "A new game": r"NewEnd\(winners=\([01],\), how='decided', points=\(\)\)",
}


def examples() -> dict[str, list[tuple[str, str]]]:
    """Return the blocks of each example, with their languages, by the example's name."""
    page = PAGE.read_text(encoding="utf-8")
    chapter = page.split("## Use it as a library\n")[1].split("\n## ")[0]
    found: dict[str, list[tuple[str, str]]] = {}
    for part in re.split(r"^\*\*(?=[A-Z])", chapter, flags=re.MULTILINE)[1:]:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
        found[part.split(".**")[0]] = blocks
    return found


def run(command: list[str], folder: Path) -> str:
    """Run a command of the page in ``folder``, without this checkout in the search path."""
    names = (
        [sys.executable, "-P", "-m", "matcha_p2p"] if command[0] == "matcha" else command[:1]
    )
    there = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    home = {"MATCHA_HOME": str(folder / "home"), "MATCHA_LANG": "en"}
    done = subprocess.run(
        [*names, *command[1:]],
        check=False,
        cwd=folder,
        env={**there, **home},
        capture_output=True,
        encoding="utf-8",
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_page_has_the_five_examples():
    assert examples().keys() == TOLD.keys()


@pytest.mark.parametrize("name", TOLD)
def test_example_has_at_most_25_lines(name):
    for _, block in examples()[name]:
        assert len([line for line in block.splitlines() if line.strip()]) <= MOST_LINES


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_example_runs_in_an_empty_folder(name, tmp_path):
    said = ""
    for language, block in examples()[name]:
        match language:
            case "js":
                if shutil.which("node") is None:
                    pytest.skip("Node is not installed")
                (tmp_path / "bot.js").write_text(block, encoding="utf-8")
            case "sh":
                said += run(shlex.split(block), tmp_path)
            case _:
                (tmp_path / "example.py").write_text(block, encoding="utf-8")
                said += run([sys.executable, "example.py"], tmp_path)
    assert re.search(TOLD[name], said, re.DOTALL), said
