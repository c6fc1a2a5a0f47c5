"""The layout is kept by machines: import direction, names, top level."""

import ast
import re
import subprocess
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path, PurePath

import pytest
from hypothesis import settings
from importlinter.cli import lint_imports

from matcha_p2p import games
from tests.text.tree import parsed

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "matcha_p2p"
MODULES = sorted(PACKAGE.rglob("*.py"))

FOLDERS = {"matcha_p2p", "protocol", "tests"}
FILES = {"pyproject.toml", "README.md", "SPEC.md", "LICENSE", "CHANGELOG.md"}
PURE = (
    *(f"games/{game}/{folder}" for game in games.FOLDERS for folder in ("rules", "table")),
    *("games/kashi/board", "chain", "table", "wire", "crypto"),
)
EMPTY_WORDS = {"manager", "helper", "util", "handler", "service", "data", "info", "context"}


def tracked() -> list[PurePath]:
    """Return the files of the repository, or skip where there is only a copy of them."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [PurePath(name) for name in listed.stdout.split("\0") if name]


def imported(module: Path) -> set[str]:
    """Return the names of the packages that a module imports, wherever it does."""
    names: set[str] = set()
    for node in ast.walk(parsed(module)):
        match node:
            case ast.Import(aliases):
                names |= {alias.name for alias in aliases}
            case ast.ImportFrom(name, _, 0) if name:
                names.add(name)
            case ast.ImportFrom():
                names.add(".")
            case _:
                pass
    return names


def types_of(module: Path) -> Iterator[tuple[str, ast.ClassDef | ast.expr]]:
    """Yield the public classes and type aliases of a module by their names."""
    for node in parsed(module).body:
        match node:
            case ast.ClassDef(name):
                found: ast.ClassDef | ast.expr = node
            case ast.AnnAssign(ast.Name(name), ast.Name("TypeAlias"), ast.expr() as found):
                pass
            case ast.Assign(_, ast.Call(ast.Name("TypeVar"))):
                continue
            case ast.Assign([ast.Name(name)], found) if not name.isupper():
                pass
            case _:
                continue
        if name[0].isupper():
            yield name, found


def game_of(module: PurePath) -> str | None:
    """Return the folder of the game that a module is of, None for a shared one."""
    return module.parts[1] if module.parts[0] == "games" and len(module.parts) > 2 else None


def members(kind: ast.ClassDef) -> set[str]:
    """Return the names of the methods and fields of a class."""
    names: set[str] = set()
    for node in kind.body:
        match node:
            case (
                ast.FunctionDef(name)
                | ast.AsyncFunctionDef(name)
                | ast.AnnAssign(ast.Name(name))
            ):
                names.add(name)
            case _:
                pass
    return names


def names_in(*nodes: ast.AST) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def fulfils(own: ast.ClassDef | ast.expr, shared: ast.ClassDef | ast.expr) -> bool:
    """Tell whether a game's own type is what the shared type of that name leaves to a game."""
    match own, shared:
        case ast.ClassDef(), ast.ClassDef(bases=bases):
            return "Protocol" in names_in(*bases) and members(shared) <= members(own)
        case _, ast.expr():
            return "Any" in names_in(shared)
        case _:
            return False


def test_the_import_contracts_hold(capsys: pytest.CaptureFixture[str]):
    failed = lint_imports(str(ROOT / "pyproject.toml"), no_cache=True, no_logo=True)
    assert not failed, capsys.readouterr().out


def test_each_layer_has_its_place_in_a_contract():
    """A package or module added later must be put somewhere, or no contract knows of it."""
    parts = {path.stem if path.suffix else path.name for path in PACKAGE.iterdir()}
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    layers = contracts.split("layers = [", 1)[1].split("]", 1)[0]
    named = {name.strip(' ",') for line in layers.splitlines() for name in line.split("|")}
    assert parts - {"__init__", "__main__", "__pycache__", "py", "locale", "games"} <= named


def test_contracts_name_each_game_and_the_modules_beside_the_games():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}
    shared = contracts["shared rooms know no game: they find it by name"]
    found = {game_of(path.relative_to(PACKAGE)) for path in MODULES} - {None}
    beside = {path.stem for path in (PACKAGE / "games").glob("[a-z]*.py")}
    own = {*games.FOLDERS.values()}
    assert {*shared["forbidden_modules"]} == own
    assert {*contracts["a game knows no other game"]["modules"]} == own
    parts = {f"matcha_p2p.games.{part}" for part in found | beside}
    assert parts - own <= {*shared["source_modules"]}


@pytest.mark.parametrize("layer", PURE)
def test_the_protocol_knows_no_event_loop_clock_or_socket(layer: str):
    """Read from the source as well: an import inside a function counts too."""
    forbidden = {
        "trio",
        "asyncio",
        "socket",
        "time",
        "datetime",
        "random",
        "secrets",
        "threading",
    }
    modules = [*(PACKAGE / layer).rglob("*.py")]
    assert modules
    for module in modules:
        assert not {name.split(".")[0] for name in imported(module)} & forbidden, module


def test_imports_are_absolute():
    assert not [module for module in MODULES if "." in imported(module)]


def test_the_top_level_holds_nothing_else():
    top = {path.parts[0] for path in tracked()}
    assert {name for name in top if not name.startswith(".")} <= FOLDERS | FILES


def test_picture_of_the_house_has_the_layers_in_their_order():
    text = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.split("```text\n")[1].split("```")[0].splitlines()
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = contracts["tool"]["importlinter"]["contracts"][0]["layers"]
    assert [re.split(" {2,}", row)[0] for row in rows] == layers
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES}
    named = set(re.findall(r"\w+", " ".join(layers))) | {"games"}
    assert rooms - {"__init__", "__main__"} == named


def test_contributing_names_the_folders_of_games_and_screens():
    text = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(PACKAGE) for path in MODULES}
    games = {f"`games/{path.name}/`" for path in folders if path.parent.name == "games"}
    screens = {f"{path.name}/" for path in folders if path.parent.name == "console"}
    assert not {name for name in games | screens if name not in text}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "GAMES.md", "TOOLS.md"])
def test_files_that_a_page_for_developers_names_are_there(page):
    text = (ROOT / ".github" / page).read_text(encoding="utf-8")
    named = re.findall(r"`(?:\.\./)?([\w.*-]+/[\w./*-]*)`", text)
    assert named
    for game in games.FOLDERS:
        folders = (ROOT, PACKAGE, PACKAGE / "games" / game, PACKAGE / "games" / "matcha")
        paths = [path.replace("NAME", game).replace("CODE", "ja") for path in named]
        assert not [path for path in paths if not any([*at.glob(path)] for at in folders)]


LINK = re.compile(r"\]\(([^)#]*)[^)]*\)")


def test_links_and_pictures_of_readme_lead_to_files_beside_it():
    """So they work in a clone and in a fork."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    inside = [link for link in LINK.findall(readme) if link and not link.startswith("https:")]
    assert {".github/images/game.svg", "SPEC.md"} <= {*inside}
    assert not [link for link in inside if not (ROOT / link).exists()]
    assert not re.findall(r"https://[^ )]*matcha-p2p/matcha_p2p/(?:blob|main)", readme)
    assert len(readme.encode()) <= 9000


def test_page_of_an_index_has_whole_addresses():
    """The index shows README.md without the files beside it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook = project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    for change in hook["substitutions"]:
        page = re.sub(change["pattern"], change["replacement"], page)
    own = "https://{}/matcha-p2p/matcha_p2p/{}"
    assert own.format("raw.githubusercontent.com", "main/.github/images/game.svg") in page
    assert own.format("github.com", "blob/main/protocol/README.md#use-it-as-a-library") in page
    assert not [link for link in LINK.findall(page) if link and not link.startswith("https:")]


def test_module_names_are_telling():
    words = {
        word
        for path in [*MODULES, *PACKAGE.rglob("*/")]
        for word in path.relative_to(PACKAGE).with_suffix("").name.split("_")
    }
    assert not {word for word in words if word.removesuffix("s") in EMPTY_WORDS}


def test_each_public_type_has_its_own_name():
    """What a protocol or an alias of Any leaves to a game has the same name in its folder."""
    places = defaultdict[str, list[tuple[PurePath, ast.ClassDef | ast.expr]]](list)
    for module in MODULES:
        for name, found in types_of(module):
            places[name].append((module.relative_to(PACKAGE), found))
    twice: list[str] = []
    for name, all_of_it in places.items():
        for (first, one), (second, other) in combinations(all_of_it, 2):
            games = [game_of(first), game_of(second)]
            if None not in games and games[0] != games[1]:
                continue  # no room imports two games
            shared, own = (one, other) if games[0] is None else (other, one)
            if games[0] == games[1] or not fulfils(own, shared):
                twice.append(f"{name}: {first}, {second}")
    assert not twice


def test_the_independent_verifier_imports_nothing_of_the_package():
    for module in sorted((ROOT / "protocol").rglob("*.py")):
        if "verifier" in module.relative_to(ROOT).parts:
            assert not {n for n in imported(module) if n.startswith("matcha_p2p")}, module


def test_no_property_fails_because_the_machine_is_busy():
    assert settings.default.deadline is None


TELLING = {
    "app/library/made_pages.py",  # looks at this package alone
    "app/library/page.py",
    "app/bots/match_record.py",
    "session/storage/files.py",
    "session/storage/journal.py",
    "store/home.py",
}
"""Modules that expect an OSError where they look at a path."""


def test_paths_are_looked_at_by_functions_that_do_not_raise():
    """Before Python 3.14, methods of Path raise for a path that the system refuses."""
    looking = {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if re.search(r"\.(exists|is_dir|is_file|r?glob|iterdir)\(", path.read_text("utf-8"))
    }
    assert looking == TELLING


def test_modules_are_imported_instead_of_many_names():
    """Of a module that gives a file more than five names, the file says the module's name."""
    lists: list[str] = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "matcha_p2p"
            ):
                room = PACKAGE.parent.joinpath(*str(node.module).split("."))
                names = [name.name for name in node.names if not is_module(room / name.name)]
                if len(names) > 5:
                    lists.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert lists == []


def is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()
