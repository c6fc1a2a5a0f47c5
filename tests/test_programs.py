"""A program that is started by its name is never a program of the current folder."""

import os
import sys
from pathlib import Path

import pytest
import trio

from matcha_p2p import programs
from matcha_p2p.transport.local.firewall import find_firewall
from matcha_p2p.transport.router.gateway import find_gateways

SYSTEMS = ["linux", "darwin", "win32"]


def planted(folder: Path, *names: str) -> None:
    """Put programs into a folder, each with and without Windows' ending."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for ending in ("", ".exe"):
            program = folder / f"{name}{ending}"
            program.write_text("#!/bin/sh\nexit 1\n")
            program.chmod(0o755)


@pytest.fixture
def downloads(tmp_path, monkeypatch):
    """Be in a folder with programs of strangers, first on PATH by each relative name."""
    planted(tmp_path / "downloads", "route", "netsh", "systemctl", "bot")
    monkeypatch.chdir(tmp_path / "downloads")
    monkeypatch.setenv(
        "PATH",
        os.pathsep.join(["", ".", "../downloads", "/" + "x" * 300, str(tmp_path / "own")]),
    )
    monkeypatch.setenv("SYSTEMROOT", str(tmp_path / "windows"))
    monkeypatch.setattr(
        os, "confstr", lambda _: f".{os.pathsep}{tmp_path / 'usr'}", raising=False
    )
    return tmp_path


@pytest.mark.parametrize("system", SYSTEMS)
def test_missing_program_is_not_taken_from_the_current_folder(downloads, monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    for find in (programs.of_system, programs.of_user):
        with pytest.raises(FileNotFoundError, match="'route'"):
            find("route")


@pytest.mark.parametrize("system", SYSTEMS)
def test_program_of_the_system_has_its_full_path(downloads, monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    windows = system == "win32"
    folder = downloads / ("windows/System32" if windows else "usr")
    planted(folder, "route")
    assert programs.of_system("route") == str(folder / ("route.exe" if windows else "route"))


def test_program_of_a_person_is_taken_from_path_or_where_the_person_says(downloads):
    planted(downloads / "own", "bot")
    assert Path(programs.of_user("bot")).parent == downloads / "own"
    named = os.path.join(".", "bot")  # noqa: PTH118 -- a Path forgets "./"
    assert programs.of_user(named) == named


@pytest.mark.parametrize("system", SYSTEMS)
async def test_questions_to_the_system_start_programs_of_the_system_alone(
    downloads, monkeypatch, system
):
    started = []

    async def run(command, **_):
        started.append(command[0])
        raise FileNotFoundError

    for folder in ("usr", "windows/System32"):
        planted(downloads / folder, "route", "netsh", "systemctl")
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(trio, "run_process", run)
    await find_firewall()
    await find_gateways()
    assert len(started) >= (system != "darwin") + (system != "linux")
    assert all(Path(program).is_absolute() for program in started)
    assert not [program for program in started if "downloads" in program]


async def test_child_is_apart_from_the_terminal_on_each_system(monkeypatch):
    assert programs.apart() != {}
    monkeypatch.setattr(sys, "platform", "win32")
    assert programs.apart() == {"creationflags": 0x200}
