"""The JavaScript verifier, module by module and file by file, against protocol/vectors."""

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.wire.encoding import Value, pack, unpack
from tests.chain import test_many_records as many_records
from tests.cheats.scene import sign_body
from tests.forge import Forger
from tests.games.passing.steps import Passing
from tests.games.tichu.party import course
from tests.games.tichu.test_rounds import passing_over
from tests.games.toy.steps import Toy
from tests.judges import ours, ours_of_a_toy
from tests.mutants.catalogue import make
from tests.table.party import Party, begun
from tests.vectors import FOLDER as VECTORS
from tests.vectors import accepted, cases, of_kashi, of_many_items, of_tichu, refused

FOLDER = Path(__file__).parent
SOURCES = FOLDER.parents[2] / "matcha_p2p" / "review" / "page"
MODULES = (
    "encoding", "hash", "drawing", "group", "elements", "names", "keys", "cards", "pop",
    "shares", "shuffle", "rules", "state", "entries", "records",
)  # fmt: skip
TOLD = [f"{path.parent.name}/{path.stem}" for path in sorted(VECTORS.glob("[tp][rl]a*/*.json"))]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_every_case_of_a_vector_file_gets_its_value_or_its_check(name, node):
    done = subprocess.run(
        [node, FOLDER / "vectors.js", name], capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout) == ("", f"{len(cases(name))}\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_states_of_a_trace_or_play_are_found(name, node):
    done = subprocess.run(
        [node, FOLDER / "told.js", name], capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout) == ("", f"{len(cases(name))}\n")


@pytest.mark.slow
@pytest.mark.parametrize("golden", accepted(), ids=str)
def test_a_golden_transcript_is_accepted(golden, page_verifier):
    assert page_verifier(golden.data) == golden.expected


@pytest.mark.slow
@pytest.mark.parametrize("bad", refused(), ids=str)
def test_bad_transcript_is_refused_at_its_place_with_its_check(bad, page_verifier):
    assert page_verifier(bad.data) == bad.expected


@pytest.mark.slow
def test_item_65537_is_refused(page_verifier):
    file, *_ = of_many_items()
    assert page_verifier(file.data) == file.expected


@pytest.mark.slow
@pytest.mark.parametrize("file", of_tichu(), ids=str)
def test_a_transcript_of_tichu_is_judged_as_it_says(file, page_verifier):
    assert page_verifier(file.data) == file.expected


@pytest.mark.slow
def test_end_of_a_game_of_teams_is_found_as_the_package_finds_it(page_verifier):
    verdicts = set()
    for entries, records, _ in many_records.games(40):
        file = encode_archive(
            [entry.encoded for entry in entries],
            [record.encoded for record in records],
            many_records.party().state.roster,
        )
        found = page_verifier(file)
        assert found == ours(file)
        verdicts.add(found.verdict)
    assert verdicts == {"UNFINISHED", "RESIGNED"}


@pytest.mark.slow
def test_mutants_are_refused_as_the_package_refuses_them(page_verifier):
    """Two thousand: tests/test_mutants.py holds the package against each one's intention."""
    made = list(make(2000))
    differing = {each.operator for each in made if page_verifier(each.data) != ours(each.data)}
    assert len(made) == 2000
    assert differing == set()


@cache
def three_seats() -> Party:
    """Return a toy game at its end."""
    party = begun("toy", Toy())
    while party.goes_on(lambda _: 1):
        pass
    return party


def changed(value: Value) -> Iterator[Value]:
    """Yield ``value`` with one part changed, for each part."""
    match value:
        case int():
            yield value + 1
        case str():
            yield value + "x"
        case bytes():
            yield value[:-1] + bytes([value[-1] ^ 1]) if value else b"x"
        case list():
            for place, item in enumerate(value):
                for other in changed(item):
                    yield [*value[:place], other, *value[place + 1 :]]


@pytest.mark.slow
def test_each_part_of_a_game_of_three_seats_waits_for_the_seat_that_is_due(page_verifier):
    party = three_seats()
    for length in range(len(party.entries) + 1):
        part = party.file(length)
        found = page_verifier(part)
        assert (found, found.check) == (ours_of_a_toy(part), None)
    assert found.verdict == "COMPLETE"


@pytest.mark.slow
def test_a_changed_entry_of_three_seats_is_refused_as_the_package_refuses_it(page_verifier):
    party = three_seats()
    entries = [entry.encoded for entry in party.entries]
    for number, entry in enumerate(party.entries[1:], start=1):
        seed = party.players[entry.seat].secrets.session
        for body in changed(unpack(entry.signed.body)):
            encoded = sign_body(pack(body), seed)
            data = encode_archive([*entries[:number], encoded], [], party.state.roster)
            assert page_verifier(data) == ours_of_a_toy(data)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_gifts_and_moves_that_nobody_chooses_are_accepted(page_verifier, seats):
    party = begun(f"passing {seats}", Passing(seats))
    while party.goes_on(lambda _: (3, *range(seats - 1))):
        pass
    found = page_verifier(party.file())
    assert (found.verdict, found.check) == ("COMPLETE", None)


@pytest.mark.slow
@pytest.mark.parametrize("play", [0, 2, "round plays early", "a foul"])
def test_a_game_of_tichu_is_accepted(page_verifier, play):
    variant = play if play == "round plays early" else "round"
    whole = course(play if isinstance(play, int) else 1, variant)
    played = passing_over(0) if play == "a foul" else whole
    found = page_verifier(played.party.file())
    assert (found.verdict, found.check) == ("COMPLETE", None)


@pytest.mark.slow
def test_a_changed_move_of_tichu_is_refused_as_the_package_refuses_it(page_verifier):
    party = course(0).party
    entries = [entry.encoded for entry in party.entries]
    moves = {
        entry.fields[0][1]: entry for entry in party.entries if entry.fields[0][0] == "MOVE"
    }
    for entry in moves.values():
        seed = party.players[entry.seat].secrets.session
        for body in changed(unpack(entry.signed.body)):
            encoded = sign_body(pack(body), seed)
            data = encode_archive([*entries[: entry.seq], encoded], [], party.state.roster)
            assert page_verifier(data) == ours(data)


@pytest.mark.slow
@pytest.mark.parametrize("file", of_kashi(), ids=str)
def test_a_transcript_of_kashi_is_judged_as_it_says(file, page_verifier):
    assert page_verifier(file.data) == file.expected


@pytest.mark.slow
@pytest.mark.parametrize("game", ["matcha", "tichu", "kashi"])
def test_a_forged_file_is_judged_as_the_package_judges_it(game, page_verifier):
    files = [*Forger(game, 20).all_files()][::3]
    assert [file for file in files if page_verifier(file) != ours(file)] == []


@pytest.mark.parametrize(
    "path", sorted(SOURCES.rglob("*.js")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_module_imports_its_neighbours_and_nothing_else(path):
    imported = re.findall(r"""(?:from|import)\s*\(?["']([^"']+)""", path.read_text("utf-8"))
    for name in imported:
        assert name.startswith(("./", "../verifier/", "../view/"))
        assert (path.parent / name).is_file()
