"""Our shuffle beside others', on this machine: ``python -m peers [--clones DIR]``.

Each peer is fetched and built in a folder of its own (--work keeps it), and measured after ours
in the same run; a missing peer is named, with the failed step. noble-curves
needs npm; kyber git and Go; LibTMCG git, a C++ compiler, autotools, GMP and libgcrypt;
Verificatum git, a C compiler, autotools, GMP and a JDK.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
SIZES = ("12", "18", "56")
REPOSITORIES = {
    "kyber": "https://github.com/dedis/kyber",
    "fixbuf": "https://github.com/dedis/fixbuf",
    "crypto": "https://github.com/golang/crypto",
    "sys": "https://github.com/golang/sys",
    "libtmcg": "https://github.com/HeikoStamer/libtmcg",
    **{
        f"verificatum-{part}": f"https://github.com/verificatum/verificatum-{part}"
        for part in ("gmpmee", "vmgj", "vec", "vecj", "vcr", "vmn")
    },
}

Row = tuple[int, float, float, int]
"""N, ms of CPU to prove, ms to verify, bytes of the proof (0: not one proof)."""


class AbsentError(Exception):
    """A peer cannot be had here."""


class Workshop:
    """Where peers are built. clones: a folder with a clone of each repository, or None."""

    def __init__(self, folder: Path, clones: Path | None) -> None:
        self.folder = folder
        self._clones = clones

    def run(self, *command: str, at: Path, **environment: str) -> str:
        """Run one step; return the output."""
        print(f"  {' '.join(command)}", file=sys.stderr)
        try:
            done = subprocess.run(
                command,
                cwd=at,
                env=os.environ | environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=1800,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AbsentError(f"{command[0]}: {error}") from error
        if done.returncode != 0:
            last = (done.stderr.strip() or done.stdout.strip() or "failed").splitlines()[-1]
            raise AbsentError(f"{command[0]}: {last}")
        return done.stdout

    def clone(self, name: str, target: Path) -> Path:
        """Fetch a repository into ``target``, unless an earlier run has."""
        source = REPOSITORIES[name] if self._clones is None else str(self._clones / name)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            self.run("git", "clone", "--quiet", "--depth", "1", source, str(target), at=HERE)
        return target

    def room(self, name: str) -> Path:
        """Return the folder of a peer."""
        room = self.folder / name
        room.mkdir(parents=True, exist_ok=True)
        return room


def ours(workshop: Workshop) -> str:
    """Measure the shuffle of this checkout, with the fast engine."""
    part = (sys.executable, "-m", "bench", "--part", "proofs")
    figures = json.loads(workshop.run(*part, at=HERE.parent.parent, MATCHA_ENGINE="fast"))
    return "\n".join(
        "{0} {prove_ms} {verify_ms} {proof_bytes}".format(n, **figures[n]) for n in SIZES
    )


def kyber(workshop: Workshop) -> str:
    """Measure kyber's pair shuffle on edwards25519. Source: Neff, CCS 2001."""
    room = workshop.room("kyber")
    source = room / "src"
    workshop.clone("kyber", source / "go.dedis.ch/kyber/v4")
    workshop.clone("fixbuf", source / "go.dedis.ch/fixbuf")
    for name in ("crypto", "sys"):
        workshop.clone(name, source / "golang.org/x" / name)
    shutil.copy(HERE / "kyber.go", room / "main.go")
    offline = {"GO111MODULE": "off", "GOPATH": str(room), "GOTOOLCHAIN": "local"}
    workshop.run("go", "build", "-o", "bench", "main.go", at=room, **offline)
    return workshop.run(str(room / "bench"), *SIZES, at=room)


def libtmcg(workshop: Workshop) -> str:
    """Measure LibTMCG's proof. Source: Groth, J. Cryptology 23 (2010)."""
    room = workshop.room("libtmcg")
    clone = workshop.clone("libtmcg", room / "clone")
    library = clone / "src/.libs/libTMCG.a"
    if not library.exists():
        workshop.run("autoreconf", "--force", "--install", at=clone)
        workshop.run("./configure", "--disable-shared", at=clone)
        workshop.run("make", "-C", "src", at=clone)
    compile_ = ("g++", "-O2", f"-I{clone / 'src'}", str(HERE / "libtmcg.cc"), str(library))
    workshop.run(*compile_, "-lgcrypt", "-lgpg-error", "-lgmp", "-o", "bench", at=room)
    return workshop.run(str(room / "bench"), *SIZES, at=room)


def verificatum(workshop: Workshop) -> str:
    """Measure its proof on P-256. Source: Terelius, Wikström, AFRICACRYPT 2010; its own too."""
    room = workshop.room("verificatum")
    prefix = room / "prefix"
    library = str(prefix / "lib")
    paths = {
        "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}",
        "C_INCLUDE_PATH": str(prefix / "include"),
        "LIBRARY_PATH": library,
        "LD_LIBRARY_PATH": library,
    }
    for part, *options in (
        ["gmpmee"],
        ["vmgj"],
        ["vec"],
        ["vecj"],
        ["vcr", "--enable-vmgj", "--enable-vecj"],
        ["vmn"],
    ):
        clone = workshop.clone(f"verificatum-{part}", room / part)
        if not (clone / "installed").exists():
            workshop.run("make", "-f", "Makefile.build", at=clone, **paths)
            workshop.run("./configure", f"--prefix={prefix}", *options, at=clone, **paths)
            workshop.run("make", "install", at=clone, **paths)
            (clone / "installed").touch()
    jars = ":".join(map(str, sorted((prefix / "share/java").glob("*.jar"))))
    java = ("java", f"-Djava.library.path={library}", "-cp", f"{room}:{jars}")
    workshop.run(
        *("javac", "-cp", jars, "-d", str(room), str(HERE / "Verificatum.java")), at=room
    )
    return workshop.run(*java, "Verificatum", *SIZES, at=room, **paths)


def noble(workshop: Workshop) -> str:
    """Measure the multiplications of a shuffle alone: noble-curves has no shuffle."""
    room = workshop.room("noble")
    workshop.run("npm", "install", "--prefix", str(room), "@noble/curves", at=room)
    shutil.copy(HERE / "noble.mjs", room)
    return workshop.run("node", "noble.mjs", *SIZES, at=room)


PEERS: dict[str, Callable[[Workshop], str]] = {
    "kyber": kyber,
    "LibTMCG": libtmcg,
    "Verificatum": verificatum,
    "noble-curves": noble,
}


def rows(printed: str) -> list[Row]:
    """Read the printed lines of each program."""
    split = (line.split() for line in printed.splitlines())
    return [
        (int(n), float(prove), float(verify), int(size)) for n, prove, verify, size in split
    ]


def table(name: str, measured: Sequence[Row], reference: Sequence[Row]) -> list[str]:
    """Return the lines of one peer; in brackets, how many times as long as ours it takes."""
    lines = list[str]()
    for (n, *costs, size), (_, *own, _) in zip(measured, reference, strict=True):
        times = (f"{ms:10.2f} ({ms / base:5.1f})" for ms, base in zip(costs, own, strict=True))
        lines.append(f"{name:13}{n:4}{''.join(times)}{size or '-':>9}")
    return lines


def figures(measured: Sequence[Row], reference: Sequence[Row]) -> dict[str, object]:
    """Return the same for programs, by N."""
    return {
        str(n): {
            "prove_ms": prove,
            "verify_ms": verify,
            "proof_bytes": size,
            "prove_to_ours": round(prove / own_prove, 2),
            "verify_to_ours": round(verify / own_verify, 2),
        }
        for (n, prove, verify, size), (_, own_prove, own_verify, _) in zip(
            measured, reference, strict=True
        )
    }


def main() -> None:
    """Measure ours, then every peer that can be had; print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clones", type=Path, help="clones of the repositories, by name")
    parser.add_argument("--work", type=Path, help="keep what is built here for the next run")
    parser.add_argument("--json", action="store_true", help="one object in place of the table")
    options = parser.parse_args()
    show = (lambda _: None) if options.json else partial(print, flush=True)
    found = dict[str, object]()
    with tempfile.TemporaryDirectory() as passing:
        clones = options.clones and options.clones.resolve()
        workshop = Workshop((options.work or Path(passing)).resolve(), clones)
        reference = rows(ours(workshop))
        show(f"{'':13}{'N':>4}{'prove ms':>18}{'verify ms':>18}{'bytes':>9}")
        for name, measure in {"ours": None, **PEERS}.items():
            try:
                measured = reference if measure is None else rows(measure(workshop))
            except AbsentError as absent:
                found[name] = {"absent": str(absent)}
                show(f"{name:13}absent: {absent}")
            else:
                found[name] = figures(measured, reference)
                show("\n".join(table(name, measured, reference)))
    if options.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
