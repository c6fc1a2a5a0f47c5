"""Mutants in any number: ``python -m tests.mutants --count 10000 [--all] [--matrix]``.

Exit code 1 if one of them is not refused as it has to be, or if the two implementations differ.
"""

import argparse
import sys
from collections import Counter

from tests.judges import JUDGES, ours, theirs
from tests.mutants.catalogue import OPERATORS, make
from tests.vectors import base


def main() -> int:
    """Judge what the flags ask for, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many mutants")
    parser.add_argument("--seed", default="mutants", help="where the choices come from")
    parser.add_argument("--all", action="store_true", help="each by the verifier as well")
    parser.add_argument("--matrix", action="store_true", help="print operators x checks")
    parser.add_argument("--bytes", action="store_true", help="every byte of a game, all bits")
    options = parser.parse_args()
    wrong, matrix = judge(options.count, options.seed, 1 if options.all else 13)
    if options.bytes:
        wrong += changed_bytes()
    if options.matrix:
        show(matrix)
    print(f"{matrix.total()} mutants of {len(OPERATORS)} operators, {wrong} wrong")
    return int(wrong > 0)


def judge(count: int, seed: str, every: int) -> tuple[int, Counter[tuple[str, str]]]:
    """Return how many mutants are not refused as intended, and what refused the others."""
    wrong = 0
    matrix = Counter[tuple[str, str]]()
    for number, made in enumerate(make(count, seed)):
        found = ours(made.data)
        matrix[made.operator, str(found.check)] += 1
        agreed = number % every > 0 or theirs(made.data) == found
        if not agreed or not made.is_refused_as(found):
            wrong += 1
            print(f"{made.operator}: {found}, {'as' if agreed else 'not as'} the verifier")
    return wrong, matrix


def changed_bytes() -> int:
    """Return how many changes of one byte go unnoticed, or are judged differently."""
    data = base("resigned.matcha")
    wrong = 0
    for place in range(len(data)):
        for bits in (1, 0x80, 0xFF):
            changed = bytearray(data)
            changed[place] ^= bits
            findings = {judge(bytes(changed)) for judge in JUDGES.values()}
            wrong += len(findings) > 1 or findings.pop().check is None
    print(f"{3 * len(data)} changes of one byte, {wrong} wrong")
    return wrong


def show(matrix: Counter[tuple[str, str]]) -> None:
    """Print how often each check refused the mutants of each operator."""
    for operator in OPERATORS:
        checks = {check: n for (name, check), n in sorted(matrix.items()) if name == operator}
        counts = "  ".join(f"{check} {n}" for check, n in checks.items())
        print(f"{operator:32}{counts}")


if __name__ == "__main__":
    sys.exit(main())
