"""Switch off each condition of the independent verifier: some transcript vector must notice.

    python -m tests.conditions                   # all of them; a few minutes
    python -m tests.conditions --sample 40       # some, chosen by --seed
    python -m tests.conditions --only "R2"       # those whose name has this
    python -m tests.conditions --write           # and say in protocol/README.md what came out

Whoever writes a second implementation and forgets one condition, or turns it round, then fails
a vector. What none can show stands in survivors.toml, with the reason. A new survivor is a
fault, and so is one that is listed and does not survive, or is gone.
"""

import argparse
import sys

from tests.conditions.running import run, write_claim


def main() -> int:
    """Judge what the flags ask for, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sample", type=int, help="how many changes, not all")
    parser.add_argument("--seed", default="conditions", help="where the choice comes from")
    parser.add_argument("--only", default="", help="changes whose name has this text")
    parser.add_argument("--write", action="store_true", help="the claim in the README")
    parser.add_argument("--verbose", action="store_true", help="which vector shows each")
    options = parser.parse_args()
    found = run(options.only, options.sample, options.seed)
    if options.verbose:
        for name, vector in found.shown.items():
            print(f"{name}\n    {vector}")
    if options.write:
        write_claim()
    for fault in found.faults:
        print(fault)
    print(found)
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
