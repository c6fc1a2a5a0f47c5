"""Closed, full and abandoned streams: one exit code, no traceback."""

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from matcha_p2p.app.command import streams
from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.chain.archive import encode_archive
from tests.cheats.scene import played
from tests.processes import PATIENCE, environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="needs a shell"),
]
SAID = (
    ("--help",),
    ("--version",),
    ("verify", "--help"),
    ("verify", "good"),
    ("verify", "good", "--json"),
    ("verify", "bad"),
    ("verify", "bad", "--json"),
    ("export", "good", "--format", "json"),
    ("replay", "good", "--ui", "line"),
    ("games",),
    ("rules",),
    ("arena", "greedy", "greedy", "--games", "1"),
    (),
)
COMPLAINED = {
    ("verify",): Exit.USAGE,
    ("nonsense",): Exit.USAGE,
    ("verify", "nowhere"): Exit.UNREADABLE,
    ("join", "matcha1"): Exit.USAGE,
    ("replay", "bad"): Exit.INVALID,
    ("export", "bad", "--format", "json"): Exit.INVALID,
    ("verify", "bad", "--json"): Exit.INVALID,
    ("verify", "good", "--json"): Exit.DONE,
}
READ_BY_NOBODY = 128 + 13


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    scene = played("short")
    good = encode_archive([entry.encoded for entry in scene.log], [], scene.state.roster)
    (folder / "good").write_bytes(good)
    (folder / "bad").write_bytes(good[:5000])
    return folder


def run(folder: Path, words: tuple[str, ...], redirected: str) -> tuple[int, str]:
    """Return the exit code and the output left to read."""
    command = [sys.executable, "-m", "matcha_p2p", *words]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirected}', "sh", *command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        env=environment(MATCHA_HOME=str(folder / "home")),
    )
    told = done.stdout + done.stderr
    assert "Traceback" not in told
    assert "Exception ignored" not in told
    return done.returncode, told


@pytest.mark.parametrize("words", SAID, ids=" ".join)
@pytest.mark.parametrize("redirected", [">/dev/full", ">&-"])
def test_failed_writing_is_told_and_has_its_own_exit_code(folder, words, redirected):
    if "full" in redirected and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    code, told = run(folder, words, redirected)
    assert code == Exit.OUTPUT
    assert len(told.splitlines()) == 1
    assert "cannot be written" in told


@pytest.mark.parametrize("words", SAID, ids=" ".join)
def test_reader_of_the_output_may_leave(folder, words):
    """The exit code is the shell's for SIGPIPE, and no traceback appears."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        done = subprocess.run(
            [sys.executable, "-m", "matcha_p2p", *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=nobody,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
            env=environment(MATCHA_HOME=str(folder / "home")),
        )
    assert done.returncode == READ_BY_NOBODY
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize(("words", "code"), COMPLAINED.items())
@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-"])
def test_complaints_that_nobody_can_read_change_no_verdict(folder, words, code, redirected):
    if "full" in redirected and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    assert run(folder, words, redirected)[0] == code


@pytest.mark.parametrize("words", [("verify", "good"), ("--help",), ("verify", "nowhere")])
def test_exit_code_survives_the_lack_of_every_stream(folder, words):
    """A file opened meanwhile must not take a stream's number and receive the output."""
    code = Exit.UNREADABLE if words[-1] == "nowhere" else Exit.OUTPUT
    assert run(folder, words, "<&- >&- 2>&-")[0] == code
    assert run(folder, words, ">/dev/full 2>/dev/full")[0] == code


def test_piped_output_of_windows_is_utf_8(monkeypatch):
    """By default Windows writes to a pipe in an old code page, without most letters."""
    written = io.BytesIO()
    stdout = io.TextIOWrapper(written, encoding="cp1252")
    system = SimpleNamespace(platform="win32", stdin=sys.stdin, stdout=stdout, stderr=stdout)
    monkeypatch.setattr(streams, "sys", system)
    streams.open_streams()
    stdout.write("茶碗")
    stdout.flush()
    assert written.getvalue().decode() == "茶碗"
