"""Trio in a venv, as a distribution of its own: no line of matcha_p2p knows the game."""

import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.processes import Matcha, environment

pytestmark = pytest.mark.slow

TRIO = Path(__file__).with_name("trio")
HERE = "".join(f"import site; site.addsitedir({path!r})\n" for path in sys.path if path)
"""The packages of these tests, for the venv, which cannot download any."""


def wheel(folder: Path) -> Path:
    """Return what ``pip wheel`` makes of Trio, without the tools that pip would download."""
    project = tomllib.loads((TRIO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    info = f"{name}-{version}.dist-info"
    entries = "".join(
        f"[{group}]\n" + "".join(f"{key} = {place}\n" for key, place in points.items())
        for group, points in project["entry-points"].items()
    )
    made = {
        "METADATA": f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": entries,
        "RECORD": "",
    }
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        for file in (TRIO / name).glob("*.py"):
            archive.write(file, f"{name}/{file.name}")
        for file, text in made.items():
            archive.writestr(f"{info}/{file}", text)
    return path


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> str:
    """Return the Python of a venv with Trio."""
    folder = tmp_path_factory.mktemp("trio")
    venv.create(folder / "venv", with_pip=True)
    base = {"base": str(folder / "venv"), "platbase": str(folder / "venv")}
    Path(sysconfig.get_path("purelib", "venv", base), "here.pth").write_text(HERE)
    python = str(Path(sysconfig.get_path("scripts", "venv", base), "python"))
    words = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel(folder))]
    subprocess.run([python, *words], check=True)
    return python


def run(python: str, home: Path, *words: str) -> str:
    """Return what a command prints."""
    command, env = [python, "-m", "matcha_p2p", *words], environment(MATCHA_HOME=str(home))
    return subprocess.check_output(command, text=True, env=env)


def test_installed_game_is_listed(python, tmp_path):
    *_, last = run(python, tmp_path, "games", "--installed").splitlines()
    assert last == "Trio (--game trio), of matcha-trio 1.0."


def test_person_plays_in_line_mode_and_the_file_is_valid(python, tmp_path):
    class Here(Matcha):
        program = (python, "-m", "matcha_p2p")

    with Here(tmp_path, "practice", "--game", "trio", "--json", "--seed", "3") as matcha:
        moves = 0
        while (fact := matcha.until("due", "settled"))["event"] == "due":
            moves += 1
            matcha.type(f"{fact['moves'][-1]}\n")
        matcha.type("leave\n")
        file = matcha.until("transcript")["path"]
    assert moves == 7  # the last card is laid by the program
    laid = [each for each in matcha.seen if each["event"] == "laid"]
    assert len({each["card"] for each in laid}) == 24
    assert "COMPLETE" in run(python, tmp_path, "verify", file)


def test_three_programs_play_and_a_fourth_verifies(python, tmp_path):
    said = run(python, tmp_path, "demo", "--game", "trio", "--seed", "3")
    assert said.count("COMPLETE, valid.") == 3
