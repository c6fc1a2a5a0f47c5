"""What happens where the package is built."""

import ast
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.specifiers import SpecifierSet

HOOK = Path(__file__).parents[1] / ".build" / "hook.py"


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


def test_old_python_can_read_the_hook():
    ast.parse(HOOK.read_text(encoding="utf-8"), feature_version=(3, 8))
