"""What happens where the package is built."""

import ast
import json
import re
import runpy
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from platform import machine
from types import SimpleNamespace

import click
import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import matcha_p2p
from matcha_p2p.cli import commands
from matcha_p2p.cli.topics import EXITS, TOPICS
from matcha_p2p.crypto.fast import FastEngine
from tests.compiled import quickest_path
from tests.processes import environment

ROOT = Path(__file__).parents[1]
HOOK = ROOT / ".build" / "hook.py"
LIBRARIES = ROOT / ".build" / "libraries.py"


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


@pytest.fixture
def made(hook, monkeypatch):
    """Return a function that runs the hook for a platform, and returns hatch's data."""
    made_nothing = {"compile_all": lambda _: [], "write_all": lambda _: {}}
    run = hook.initialize.__globals__["_run"]

    def make(platform: str) -> dict[str, object]:
        monkeypatch.setenv("MATCHA_PLATFORM", platform)
        monkeypatch.setitem(
            hook.initialize.__globals__,
            "_run",
            lambda _, name: run(ROOT, name) if name == "libraries" else made_nothing,
        )
        data: dict[str, object] = {}
        hook.initialize("standard", data)
        return data

    return make


@pytest.fixture
def zig(monkeypatch, tmp_path):
    """Put a compiler in the place of zig that notes its words; return the file of its notes."""
    package = tmp_path / "path" / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()  # else an installed zig would come first
    (package / "__main__.py").write_text(
        "import json, pathlib, sys\n"
        "words = sys.argv[1:]\n"
        "pathlib.Path(words[words.index('-o') + 1]).write_text('library')\n"
        f"print(json.dumps(words), file=open({str(tmp_path / 'notes')!r}, 'a'))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    return tmp_path / "notes"


def sources(root: Path) -> None:
    """Put the C of the package below ``root``, as in a checkout."""
    for name in runpy.run_path(str(LIBRARIES))["SOURCES"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)


def test_wheel_for_every_platform_has_no_library(made):
    assert made("any") == {"shared_data": {}}


def test_wheel_of_a_platform_has_what_zig_compiles_for_it(made, zig, tmp_path):
    sources(tmp_path)
    data = made("win_amd64")
    assert (data["tag"], data["pure_python"]) == ("py3-none-win_amd64", False)
    places = data["force_include"]
    assert sorted(places.values()) == [
        "matcha_p2p/crypto/libfast.so",
        "matcha_p2p/games/matcha/bots/solving/libround2.so",
        "matcha_p2p/games/matcha/bots/solving/libsearch.so",
        "matcha_p2p/games/tichu/bots/solving/libcore.so",
    ]
    assert all(Path(library).read_text() == "library" for library in places)
    assert not list((tmp_path / "matcha_p2p").rglob("*.so"))  # those of this machine stay
    for line in zig.read_text().splitlines():
        words = json.loads(line)
        assert words[:3] == ["cc", "-target", "x86_64-windows-gnu"]
        source = Path(next(word for word in words if word.endswith(".c")))
        digest = int.from_bytes(sha256(source.read_bytes()).digest()[:4]) >> 1
        assert f"-DSOURCE={digest}" in words


def test_wheel_of_a_platform_is_not_built_without_its_libraries(made, zig, tmp_path):
    sources(tmp_path)
    zig.mkdir()  # so that the compiler ends with an error
    with pytest.raises(subprocess.CalledProcessError):
        made("musllinux_1_2_aarch64")


def test_platform_without_a_wheel_is_refused_with_the_known_ones(made):
    with pytest.raises(ValueError, match="'amiga'; it may be one of any, manylinux"):
        made("amiga")


def test_build_for_another_platform_alone_asks_for_zig(hook, monkeypatch):
    hook.root = str(ROOT)
    assert hook.dependencies() == []
    monkeypatch.setenv("MATCHA_PLATFORM", "any")
    assert hook.dependencies() == []
    monkeypatch.setenv("MATCHA_PLATFORM", "win_arm64")
    (zig,) = map(Requirement, hook.dependencies())
    assert zig.name == "ziglang"


def test_release_builds_a_wheel_of_each_platform():
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    listed = release.split("platform:\n")[1].split("runs-on")[0].split("- ")[1:]
    assert [each.strip() for each in listed] == [*runpy.run_path(str(LIBRARIES))["TARGETS"]]


@pytest.fixture
def libraries(tmp_path):
    """Return the compiling functions, with zig installed and the sources in an empty folder."""
    pytest.importorskip("ziglang", reason="zig is not installed")
    sources(tmp_path)
    return runpy.run_path(str(LIBRARIES))


@pytest.mark.slow
@pytest.mark.skipif(machine() != "x86_64", reason="the library is for x86-64")
def test_library_by_zig_takes_the_quickest_path_of_the_processor(libraries, tmp_path):
    made = libraries["compile_for"](tmp_path, "manylinux_2_17_x86_64")
    for library, place in made.items():
        if place == "matcha_p2p/crypto/libfast.so":
            assert FastEngine(Path(library)).path == quickest_path()


@pytest.mark.slow
def test_zig_compiles_all_c_for_every_platform(libraries, tmp_path):
    beginnings = {"linux": b"\x7fELF", "macos": b"\xcf\xfa\xed\xfe", "win": b"MZ"}
    for platform in libraries["TARGETS"]:
        (kind,) = (kind for kind in beginnings if kind in platform.split("_")[0])
        for library in libraries["compile_for"](tmp_path, platform):
            assert Path(library).read_bytes().startswith(beginnings[kind])


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


def test_gate_runs_each_stage_that_has_a_file():
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    stages = {f".ci/{path.name}" for path in (ROOT / ".ci").iterdir() if not path.suffix}
    stages.remove(".ci/run")
    assert {".ci/lowest", ".ci/wheel"} <= stages
    assert not [stage for stage in stages if not re.search(rf"(?m)^(time )?{stage}\b", gate)]


def test_actions_are_pinned_and_checkouts_keep_no_credentials():
    """A tag can be moved; and a step after the checkout needs no right to push."""
    for path in (ROOT / ".github" / "workflows").iterdir():
        steps = re.split(r"(?m)^ {6}- ", path.read_text(encoding="utf-8"))
        used = [step for step in steps if "uses:" in step]
        assert used
        for step in used:
            assert re.match(r"uses: [\w/.-]+@[0-9a-f]{40} # v[\d.]+\n", step), step
            assert ("/checkout@" in step) == ("persist-credentials: false" in step), step


def test_quick_tests_run_on_each_system_and_the_gate_once():
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in workflow
    assert workflow.count("- run: python -m pytest -n 2\n") == 1
    assert workflow.count("- run: .ci/run\n") == 1


def test_citation_names_the_version_of_the_program():
    citation = (ROOT / ".github" / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {matcha_p2p.__version__}" in citation.splitlines()


def test_old_python_can_read_the_hook():
    ast.parse(HOOK.read_text(encoding="utf-8"), feature_version=(3, 8))
