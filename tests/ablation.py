"""Judge the vectors with one check switched off: ``python -m tests.ablation E_COIN``.

Every check of matcha_p2p is made by a statement ``raise SomeError(check, ..)``, where the error
is one of ERRORS. Before the package is imported here, each such statement is rewritten to

    if check.value != "E_COIN":
        raise SomeError(check, ..)

so that exactly the sites of this check do nothing, even where the check is passed down as an
argument (as to ``sigma.verify``), and execution goes on after the site. All other code stays;
``python -m tests.ablation --sites`` lists the statements by check.

Execution may then meet a value that the check had excluded (a point that is None). The crash is
reported as a crash and is weak evidence. A check counts as needed if a vector with its name is
accepted without the check, or refused by another check.

TranscriptError, for a foreign or cut file, is reported as E_ENCODING and stays on.
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.rewriting import PACKAGE, import_changed

ERRORS = {"CheckError", "EncodingError", "ProofError", "ProtocolViolationError"}
RULE = ast.parse("Check.RULE", mode="eval").body


class SwitchOff(ast.NodeTransformer):
    """Make every ``raise`` of one check conditional."""

    def __init__(self, code: str) -> None:
        self.code = code

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        check = checked(node)
        if check is None:
            return node
        if check is RULE:  # which the module need not know
            return ast.Pass() if self.code == "E_RULE" else node
        value = ast.Attribute(check, "value", ast.Load())
        test = ast.Compare(value, [ast.NotEq()], [ast.Constant(self.code)])
        return ast.If(test, [node], [])


def checked(node: ast.Raise) -> ast.expr | None:
    """Return the check of a ``raise`` statement as written; None for other statements."""
    match node.exc:
        case ast.Call(ast.Name(name), [check, *_]) if name in ERRORS:
            return check
        case ast.Call(ast.Name("IllegalMoveError")):  # it has the number of a rule instead
            return RULE
        case _:
            return None


def without(code: str, module: Path) -> ast.Module:
    """Return the syntax tree of a module with the check switched off."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    SwitchOff(code).visit(tree)
    return tree


def sites() -> Iterator[tuple[str, str]]:
    """Yield each check as written, and the place that raises the check."""
    for module in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and (check := checked(node)) is not None:
                place = f"{module.relative_to(PACKAGE)}:{node.lineno}"
                yield ast.unparse(check), place


def outcomes(code: str) -> Iterator[tuple[str, str]]:
    """Yield the result of each vector that names the switched-off check."""
    from tests.judges import ours
    from tests.vectors import refused

    for bad in refused():
        if bad.expected.check == code:
            yield bad.name, _outcome(lambda bad=bad: ours(bad.data).check)
    if code == "E_CARD":
        yield from _cards()


def _outcome(judge: Any) -> str:
    try:
        return judge() or "accepted"
    except Exception as error:  # noqa: BLE001 -- whatever the missing check had excluded
        return f"crash: {type(error).__name__}"


def _cards() -> Iterator[tuple[str, str]]:
    """Open cards without a face: no transcript has one, since a false proof would be needed."""
    from matcha_p2p.crypto.elgamal import Ciphertext
    from matcha_p2p.crypto.ristretto255 import GENERATOR, Point
    from matcha_p2p.games.matcha.rules.edition import EDITION_2015
    from matcha_p2p.games.matcha.steps import begin
    from matcha_p2p.table.piles import DeckParameters
    from matcha_p2p.wire.names import GameId
    from tests.vectors import cases

    game = begin(EDITION_2015)
    deck = DeckParameters(
        "matcha",
        tuple(sorted(game.faces.items())),
        GameId(bytes(32)),
        GENERATOR,
        2,
    )

    def judge(case: Any) -> None:
        card = Ciphertext.decode(bytes.fromhex(case["masked"]))
        deck.face_of(card, [Point.decode(bytes.fromhex(share)) for share in case["D"]])

    for case in cases("cards"):
        if case.get("check") == "E_CARD":
            yield case["name"], _outcome(lambda case=case: judge(case))


def main() -> None:
    """Print a JSON object of the outcomes, or all sites."""
    if sys.argv[1] == "--sites":
        for check, place in sorted(sites()):
            print(f"{check:24}{place}")
        return
    import_changed(lambda module: without(sys.argv[1], module))
    print(json.dumps(dict(outcomes(sys.argv[1]))))


if __name__ == "__main__":
    main()
