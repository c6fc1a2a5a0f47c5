"""Fuzz one target: ``python -m tests.fuzz NAME --seconds N``, guided by atheris if installed.

Without atheris (pip install atheris) the mutations are blind. A finding ends the run.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

try:
    import atheris
except ImportError:
    atheris = None


def guided(name: str, seconds: int) -> None:
    """Run a target under atheris, which ends the process."""
    with atheris.instrument_imports(include=["matcha_p2p"]):
        from tests.fuzz.seeds import seeds
        from tests.fuzz.targets import TARGETS
    corpus = Path(tempfile.mkdtemp(prefix=f"matcha-fuzz-{name}-"))
    for number, seed in enumerate(seeds(name)):
        (corpus / str(number)).write_bytes(seed)
    limits = ("-timeout=5", "-rss_limit_mb=1024", "-max_len=65536", "-print_final_stats=1")
    atheris.Setup(
        [name, f"-max_total_time={seconds}", *limits, str(corpus)],
        TARGETS[name],
    )
    atheris.Fuzz()


def blind(name: str, seconds: int) -> None:
    """Run a target on random damage to the target's seeds."""
    from tests.fuzz.mutations import mutations
    from tests.fuzz.seeds import seeds
    from tests.fuzz.targets import TARGETS

    until = time.monotonic() + seconds
    runs = 0
    for data in mutations(seeds(name), random.Random()):
        if time.monotonic() > until:
            break
        runs += 1
        try:
            TARGETS[name](data)
        except BaseException:
            print(f"{name} fails on: {data.hex()}", file=sys.stderr)
            raise
    print(f"{name}: {runs} runs in {seconds} s, no finding")


def main() -> None:
    """Fuzz as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--seconds", type=int, default=60)
    wanted = parser.parse_args()
    (blind if atheris is None else guided)(wanted.name, wanted.seconds)


if __name__ == "__main__":
    main()
