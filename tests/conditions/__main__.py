"""Switch off each condition of the independent verifier: some vector must notice.

    python -m tests.conditions                   # All changes, a few minutes.
    python -m tests.conditions --sample 40       # A sample, chosen by --seed.
    python -m tests.conditions --only tichu.py   # Changes with this text in the name.
    python -m tests.conditions --write           # Write the counts into protocol/README.md.

Suppose a second implementation forgets a condition, or turns a condition round. Then a vector
fails. survivors.toml lists the changes without a failing vector, each with a reason. A new
survivor is a fault. A listed change that no longer survives or exists is a fault too.
"""

import argparse
import sys

from tests.conditions.running import run, write_claim


def main() -> int:
    """Judge the changes chosen by the flags; return the exit code."""
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
