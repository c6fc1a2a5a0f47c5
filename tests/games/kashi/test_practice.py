"""Practice of Kashi-ichi at a pipe: whole games, for three and four, and on other boards."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from matcha_p2p.chain.verify import Report, Verdict, verify_transcript
from matcha_p2p.games.kashi.table.view import game_of, kashi_of
from tests.processes import Matcha

pytestmark = pytest.mark.slow

SHIPPED = files("matcha_p2p.games.kashi.board").joinpath("board.toml").read_text()
ADVICE = "A good player would type: "
ASKED = re.compile("Your turn|Put your person|Upkeep: you owe|Type on to go on")


def played(home: Path, *words: str) -> Report:
    """Play a game by the hints alone; return the report on its transcript."""
    words = ("practice", "--game", "kashi", "--name", "Mina", "--ui", "line", *words)
    with Matcha(home, *words) as game:
        while (line := game.line()) is not None:
            if ASKED.search(line):
                game.type("hint\n")
            elif ADVICE in line:
                game.type(f"{line.partition(ADVICE)[2].strip()}\n")
            elif "y: yes" in line:
                game.type("y\n")
            elif line.startswith("Checked:"):
                game.type("leave\n")
        assert game.end() == 0, game.stderr
    (file,) = (home / "games").glob("*.matcha")
    return verify_transcript(file.read_bytes())


@pytest.mark.parametrize("players", [3, 4])
def test_person_plays_a_game_by_hints(tmp_path, players):
    report = played(tmp_path, "--players", str(players))
    assert report.verdict is Verdict.COMPLETE
    assert len(report.accepted[-1].state.hellos) == players


def test_person_plays_on_the_board_of_a_file(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text(SHIPPED.replace("m = [6, 3, 1]", "m = [9, 5, 2]"))
    report = played(tmp_path, "--board", str(file))
    table = report.accepted[-1].state
    assert report.verdict is Verdict.COMPLETE
    assert kashi_of(table).variant.startswith("ichi [")
    assert game_of(table).board.areas[-1].values == (9, 5, 2)
