"""What happens where the package is built."""

import ast
import json
import runpy
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import matcha_p2p
from matcha_p2p.cli import commands
from matcha_p2p.cli.topics import EXITS, TOPICS
from tests.processes import environment

ROOT = Path(__file__).parents[1]
HOOK = ROOT / ".build" / "hook.py"
MADE_NOTHING: dict[str, object] = {"compile_all": lambda _: [], "write_all": lambda _: {}}


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
        lambda _, name: ran.append(name) or MADE_NOTHING,
    )
    made = {}
    hook.initialize("standard", made)
    assert (ran, made) == (["catalogues", "manual"], {"shared_data": {}})


@pytest.fixture(scope="module")
def manual():
    """Return the pages for man, as the build makes them in a process of its own."""
    code = (
        "import json, pathlib, runpy, sys; "
        "made = runpy.run_path(sys.argv[1])['pages'](pathlib.Path(sys.argv[2])); "
        "print(json.dumps(made))"
    )
    words = [sys.executable, "-P", "-c", code, str(ROOT / ".build" / "manual.py"), str(ROOT)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment())
    return json.loads(done.stdout)


def test_man_has_a_page_of_each_command_with_its_options(manual):
    shown = {name: each for name, each in commands.commands.items() if not each.hidden}
    assert {*manual} == {"matcha.1", *(f"matcha-{name}.1" for name in shown)}
    for name, command in shown.items():
        page = manual[f"matcha-{name}.1"]
        assert rf"matcha\-{name}(1)" in manual["matcha.1"]
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                assert param.opts[-1].replace("-", r"\-") in page


def test_page_of_the_program_has_every_topic_and_exit_code(manual):
    for name, (title, *_) in TOPICS.items():
        assert f".SH\n{name.upper().replace('-', ' ')}\n" in manual["matcha.1"]
        assert title.english.replace("-", r"\-") in manual["matcha.1"]
    for code in EXITS:
        assert f".TP\n\\fB{code.value}\\fP\n" in manual["matcha.1"]


def test_roff_finds_nothing_wrong_with_the_pages(manual):
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("groff is not installed")
    for page in manual.values():
        done = subprocess.run(
            [groff, "-man", "-Tutf8", "-Kutf8", "-ww", "-z"],
            input=page,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""


@pytest.mark.parametrize(
    ("text", "fit"),
    [(".so /etc/passwd", r"\&.so /etc/passwd"), ("'a", r"\&'a"), ("\\-", r"\e\-")],
)
def test_text_is_no_request_to_roff(text, fit):
    assert runpy.run_path(str(ROOT / ".build" / "manual.py"))["_fit"](text) == fit


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
