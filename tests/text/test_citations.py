"""Citations lead to their anchors, and the protocol lists the names that the code uses."""

import re
from pathlib import Path, PurePath

import pytest

from tests import citations
from tests.test_spec import ROOT, SPEC, table


def sources(root: Path, *folders: str) -> dict[PurePath, str]:
    """Return the modules in ``folders`` by where they are in the checkout at ``root``."""
    return {
        PurePath(path.relative_to(root)): path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted((root / folder).rglob("*.py"))
    }


PACKAGE = sources(ROOT, "matcha_p2p")
SOURCES = PACKAGE | sources(ROOT, "tests")


def test_module_is_known_wherever_the_checkout_lies(tmp_path):
    """Also in a folder called like one of ours."""
    root = tmp_path / "tests" / "crypto" / "checkout"
    (root / "matcha_p2p" / "wire").mkdir(parents=True)
    (root / "matcha_p2p" / "wire" / "text.py").write_text("SPEC#names")
    found = sources(root, "matcha_p2p", "tests")
    assert found == {PurePath("matcha_p2p/wire/text.py"): "SPEC#names"}


def test_every_citation_leads_to_its_anchor():
    assert list(citations.main([])) == []


CITED = (("SPEC", "words"), ("SPEC", "names"), ("TOY", "nowhere"))


def test_moved_anchor_and_unknown_anchor_are_found():
    places = {"names": "SPEC", "words": "PEER"}
    moved, right, unknown = (f"{name}#{anchor}" for name, anchor in CITED)
    text = f"{moved} {right} {unknown} [a](#words) [b](other.md#words) [c](../SPEC.md#names)"
    better, wrong = citations.mended(Path("protocol/PEER.md"), text, places)
    assert better == text.replace(moved, "PEER" + moved.removeprefix("SPEC"))
    assert [(each.cited, each.right is None) for each in wrong] == [
        (moved, False),
        (unknown, True),
    ]
    better, _ = citations.mended(Path("SPEC.md"), "[a](#words)", places)
    assert better == "[a](protocol/PEER.md#words)"


def test_anchor_stands_in_one_place():
    with pytest.raises(ValueError, match="names stands in SPEC and in PEER"):
        citations.anchors(dict.fromkeys(("SPEC", "PEER"), '<a id="names"></a>'))


def test_every_way_to_write_a_number_in_bytes_is_defined():
    used = set(re.findall(r"\b([BL]E\d)\(", SPEC))
    assert used == set(re.findall(r"[BL]E\d", "".join(map("".join, table("conventions")))))


def test_every_standard_that_is_named_is_among_the_sources():
    named = r"\b(?:RFC|BIP|UAX) \d+|\bFIPS [\d-]+|\bdraft-[a-z-]+[a-z](?:-\d+)?|\bCPace|\bHMAC"
    body, sources = SPEC.split('<a id="sources"></a>', 1)
    assert set(re.findall(named, body)) <= set(re.findall(named, sources))


def test_every_assumption_that_a_claim_rests_on_is_stated():
    stated = {row[0] for row in table("assumptions")}
    assert stated == {f"A{number}" for number in range(1, len(stated) + 1)}
    assert set(re.findall(r"\bA\d+\b", SPEC)) <= stated
    assert f"A1 to A{len(stated)} assumptions" in SPEC


def test_every_rule_that_the_code_cites_is_stated():
    rules = (ROOT / "protocol/matcha.md").read_text(encoding="utf-8")
    stated = set(re.findall(r"\*\*(R\d+)\*\*", rules))
    assert stated == {f"R{number}" for number in range(1, 26)}
    cited = {
        rule
        for path, source in PACKAGE.items()
        if "crypto" not in path.parts  # there R_1 and the like are symbols
        for rule in re.findall(r"\bR[1-9]\d?\b", source)
    }
    assert cited <= stated


def test_the_labels_of_the_hash_are_all_that_are_used():
    listed = re.search(r"labels of H in use are (.*?)\n\n", SPEC, re.DOTALL)
    assert listed is not None
    used = {
        label for text in PACKAGE.values() for label in re.findall(r'\bH\("([a-z ]+)"', text)
    }
    assert set(re.findall(r"`([a-z ]+)`", listed[1])) == used - {"matcha"}


def test_signed_statements_use_the_listed_domains():
    domains = re.compile(r'"(matcha/v1/[a-z]+)\\0')
    used = {domain for text in PACKAGE.values() for domain in domains.findall(text)}
    words = {
        f"matcha/v1/{word.lower()}" for word in re.findall(r"\[([A-Z]+)\]", str(table("words")))
    }
    listed = [*table("signatures"), *table("own-records")]
    assert words.union(domains.findall("".join(map("".join, listed)))) == used
