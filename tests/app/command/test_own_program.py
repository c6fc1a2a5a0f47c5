"""Each process is started by a full path: Python by one function, other programs by another."""

import ast
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from matcha_p2p.app.command.own_program import own_program

PACKAGE = Path(__file__).parents[3] / "matcha_p2p"
STARTS = re.compile(
    r"sys\._?(base_)?executable|(multiprocessing|_posixsubprocess|pty|runpy)\b.*|asyncio\.create_subprocess\w+"
    r"|concurrent\.futures\.(process\b.*|ProcessPoolExecutor)"
    r"|(os|posix|nt)\.(system|popen|startfile|(exec|spawn|posix_spawn|fork)\w*)"
    r"|subprocess\.(Popen|run|call|check_\w+|get\w+)|click\.(launch|edit|echo_via_pager)|webbrowser\.(open|get)\w*"
    r"|trio\.(run_process|lowlevel\.open_process)"
    r"|(.*[/\\])?pyw?(thon)?[\d.]*(\.exe)?"  # the name of a program
)
KNOWN = {
    ("app/command/own_program.py", "sys.executable"),
    ("app/workers.py", "subprocess.Popen"),
    ("app/bots/demo.py", "trio.run_process"),
    ("games/bots/engine.py", "subprocess.Popen"),
    ("transport/local/programs.py", "trio.run_process"),
    ("app/rules/rules.py", "click.echo_via_pager"),  # not on Windows
    ("app/library/page.py", "webbrowser.open"),
    ("app/library/page.py", "webbrowser.get"),  # on Windows
}
FULL_PATHS = {"own_program", "programs.of_system", "programs.of_user"}
"""The functions whose results may be started."""
EVERY_WAY = """
import multiprocessing.pool
import os as system, trio
from concurrent.futures import ProcessPoolExecutor
from os import execv
from subprocess import check_output as output
system.spawnlp(0, "x")
trio.lowlevel.open_process(["x"])
def later():
    import sys
    return sys.executable, ["python3", "-m", "x"]
"""


def ways_to_start(source: str) -> set[str]:
    """Return the full names in ``source`` that start a process or an interpreter."""
    tree, named = ast.parse(source), set[str]()
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(aliases):
                named |= {alias.name for alias in aliases}
                known |= {alias.asname: alias.name for alias in aliases if alias.asname}
            case ast.ImportFrom(str(module), aliases):
                full = {
                    alias.asname or alias.name: f"{module}.{alias.name}" for alias in aliases
                }
                named |= {*full.values()}
                known |= full
    for node in ast.walk(tree):
        match node:
            case ast.Attribute():
                first, _, rest = ast.unparse(node).partition(".")
                named.add(f"{known.get(first, first)}.{rest}")
            case ast.Constant(str(text)):
                named.add(text)
    return {name for name in named if STARTS.fullmatch(name)}


@pytest.mark.slow
def test_only_known_places_start_a_process():
    found = {
        (path.relative_to(PACKAGE).as_posix(), way)
        for path in PACKAGE.rglob("*.py")
        for way in ways_to_start(path.read_text(encoding="utf-8"))
    }
    assert found == KNOWN


def started_by(source: str) -> set[str]:
    """Return the function, or the expression, that gives the program of each start."""
    tree = ast.parse(source)
    values = {
        ast.unparse(node.targets[0]): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
    }
    found = set[str]()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        words = [node.func, *node.args]  # the start itself, or partial and the start
        for start, command in pairwise(words):
            if re.fullmatch(
                r"subprocess\.\w+|trio\.(run|lowlevel\.open)_process", ast.unparse(start)
            ):
                whole = values.get(ast.unparse(command), command)
                first = whole.elts[0] if isinstance(whole, ast.List | ast.Tuple) else whole
                found.add(ast.unparse(first.func if isinstance(first, ast.Call) else first))
    return found


def test_every_started_program_has_a_full_path():
    """Windows starts a program of the current folder if only a name is given."""
    given = {
        (path, start): started_by((PACKAGE / path).read_text(encoding="utf-8"))
        for path, start in KNOWN
        if not start.startswith(("sys.", "click.", "webbrowser."))
    }
    assert all(given.values())
    assert set[str]().union(*given.values()) <= FULL_PATHS


@pytest.mark.parametrize(
    ("source", "given"),
    [
        ("subprocess.run(['netsh', 'x'])", "'netsh'"),
        ("subprocess.Popen(command)", "command"),
        ("command = ('route',)\nrun = partial(trio.run_process, command)", "'route'"),
        ("subprocess.run([programs.of_system('route'), *words])", "programs.of_system"),
    ],
)
def test_program_of_each_start_is_found(source, given):
    assert started_by(source) == {given}


def test_every_way_to_start_a_process_is_found():
    assert {*ways_to_start(EVERY_WAY)} == {
        "multiprocessing.pool",
        "concurrent.futures.ProcessPoolExecutor",
        "os.execv",
        "os.spawnlp",
        "subprocess.check_output",
        "trio.lowlevel.open_process",
        "sys.executable",
        "python3",
    }


def test_process_takes_modules_from_where_this_one_does(tmp_path, monkeypatch):
    """As in a zipapp, the package lies in a folder that Python does not search by default."""
    (tmp_path / "matcha_p2p").mkdir()
    (tmp_path / "matcha_p2p" / "cli.py").write_text(
        "import sys\ndef main(): print(sys.path, sys.argv[1:])\n"
    )
    places = [str(tmp_path), "", ".", "lib", str(tmp_path / "caf\udce9")]
    monkeypatch.setattr(sys, "path", places)
    monkeypatch.chdir(tmp_path)
    done = subprocess.run(own_program("verify", "--json"), capture_output=True, check=True)
    assert done.stdout.decode().split() == [
        f"[{places[0]!r},",
        f"{places[-1]!r}]",
        "['verify',",
        "'--json']",
    ]


def test_bundle_starts_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/matcha")
    assert own_program("engine", "club") == ["/opt/matcha", "engine", "club"]
