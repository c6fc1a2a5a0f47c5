"""Try every way to reach each other in homes made of namespaces: python -m tests.reach --all.

Needs Linux, root, ip, nft, /dev/net/tun, and miniupnpd for routers that can be asked.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.reach.cases import rows
from tests.reach.machine import lacking


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="every row of the table")
    parser.add_argument("--only", metavar="WORDS", help="the rows whose names begin so")
    asked = parser.parse_args()
    missing = lacking("/dev/net/tun")
    if missing is not None:
        print(f"{missing} is needed.")
        return 2
    for name, run in rows():
        if asked.all or (asked.only is not None and name.startswith(asked.only)):
            began = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                shown = run(Path(folder))
            result = f"{shown:.2f}" if isinstance(shown, float) else shown
            print(f"{name:55} {result:>30} {time.monotonic() - began:6.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
