"""What happens where the package is built."""

import ast
import runpy
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import matcha_p2p

ROOT = Path(__file__).parents[1]
HOOK = ROOT / ".build" / "hook.py"


@pytest.fixture
def hook(monkeypatch, tmp_path):
    """Return the hook in an empty checkout; hatch, which runs it, is not installed here."""
    interface = SimpleNamespace(BuildHookInterface=object)
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", interface)
    made = runpy.run_path(str(HOOK))["Hook"]()
    made.root = str(tmp_path)
    made.metadata = SimpleNamespace(
        core=SimpleNamespace(python_constraint=SpecifierSet(">=3.11"))
    )
    return made


@pytest.mark.parametrize("version", [(3, 8, 20), (3, 10, 14)])
def test_old_python_builds_nothing_and_is_refused_by_pip(hook, monkeypatch, version):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version_info", version)
        hook.initialize("standard", {})
    with pytest.raises(FileNotFoundError, match="catalogues"):
        hook.initialize("standard", {})  # this Python is new enough


def test_wheel_for_every_platform_has_no_library(hook, monkeypatch):
    ran = []
    monkeypatch.setenv("MATCHA_WITHOUT_C", "1")
    monkeypatch.setitem(
        hook.initialize.__globals__,
        "_run",
        lambda _, name: ran.append(name) or {"compile_all": lambda _: []},
    )
    made = {}
    hook.initialize("standard", made)
    assert (ran, made) == (["catalogues"], {})


def test_oldest_prompt_toolkit_allowed_is_the_oldest_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (screen,) = (
        Requirement(each)
        for each in project["dependencies"]
        if each.startswith("prompt_toolkit")
    )
    oldest = next(each.version for each in screen.specifier if each.operator == ">=")
    tested = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert f"prompt_toolkit=={oldest}" in tested.split()
    assert screen.specifier.contains(version("prompt_toolkit"))


def test_citation_names_the_version_of_the_program():
    citation = (ROOT / ".github" / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {matcha_p2p.__version__}" in citation.splitlines()


def test_old_python_can_read_the_hook():
    ast.parse(HOOK.read_text(encoding="utf-8"), feature_version=(3, 8))
