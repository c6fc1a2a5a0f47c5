"""The list of the user's games, and the lines for files that hold no game."""

import json
import os
import re
import subprocess
import sys
import time

import pytest

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library import games as listing
from matcha_p2p.app.menu import past_games
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.table.events import GameEnded
from matcha_p2p.store.game_list import scores, stored_games, unfinished_games
from matcha_p2p.store.home import Home, Note
from matcha_p2p.wire.names import GameId
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Claim, Resign
from tests.cheats.scene import played
from tests.games.tichu.party import course
from tests.harness import pair, talk
from tests.processes import clean_run, environment

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path):
    return Home.find(tmp_path)


def transcript(game: str, end: int | None = None, loser: Seat | None = None) -> bytes:
    scene = played(game)
    entries = scene.log[:end]
    records = []
    if loser is not None:
        secrets = scene.players[loser].secrets
        record = sign_record(scene.table.gid, loser, entries[-1].id, Resign(), secrets.session)
        records.append(record.encoded)
    return encode_archive([entry.encoded for entry in entries], records, scene.state.roster)


def keep(home: Home, data: bytes, seat: Seat | None, how: str | None = None):
    path = home.store_transcript(GameId(data[100:132]), data)
    if seat is not None:
        home.note_game(path, seat, how)
    return path


def ended(game: str) -> GameEnded:
    result = verify_transcript(transcript(game)).result
    assert isinstance(result, GameEnded)
    return result


def said(home: Home, capsys, *, facts: bool = False):
    assert listing.run(Output(facts=facts), home) == 0
    stdout = capsys.readouterr().out
    return [json.loads(line) for line in stdout.splitlines()] if facts else stdout


def test_empty_home_is_told(home, capsys):
    assert said(home, capsys) == f"There are no games in {home.games}.\n"
    assert said(home, capsys, facts=True) == []
    assert not home.games.exists()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_is_told_with_opponent_edition_result_and_file(home, capsys, seat):
    end = ended("short").ended
    path = keep(home, transcript("short"), seat, end.how.value)
    text = said(home, capsys)
    opponent = ("Mina", "Taro")[1 - seat]
    won = end.winner == seat
    what = f"you won against {opponent}" if won else f"you lost to {opponent}"
    assert re.search(
        rf"{path.name[:10]} \d\d:\d\d, Matcha 2020: {what}, after the last set\.\n  {path}\n",
        text,
    )
    assert f"Against {opponent}: {int(won)} won, {int(not won)} lost, 0 drawn." in text


def test_the_facts_of_games_and_scores(home, capsys):
    end = ended("short").ended
    path = keep(home, transcript("short"), 1, end.how.value)
    kept, score = said(home, capsys, facts=True)
    assert kept == {
        "v": 1,
        "event": "stored",
        "file": str(path),
        "game": "matcha",
        "date": path.name[:10],
        "names": ["Mina", "Taro"],
        "edition": "2020",
        "seat": 1,
        "over": True,
        "winners": [end.winner],
        "points": [],
        "how": end.how.value,
        "disputed": False,
    }
    won = int(end.winner == 1)
    assert score == {
        "v": 1,
        "event": "score-against",
        "opponent": "Mina",
        "won": won,
        "lost": 1 - won,
        "drawn": 0,
    }


def test_a_game_of_two_teams_is_told_with_all_names_and_points(home, capsys):
    party = course(1).party
    winners = party.table.game.result()
    losers = [seat for seat in range(4) if seat not in winners]
    path = home.store_transcript(GameId(bytes(32)), party.file())
    home.note_game(path, Seat(winners[0]), "points", points=(90, 10))
    text, facts = said(home, capsys), said(home, capsys, facts=True)
    first, second = (", ".join(f"seat {seat}" for seat in team) for team in (winners, losers))
    assert f"Tichu, one round: {first} won against {second}, by points. Points: 90, 10." in text
    assert f"Against {second}: 1 won, 0 lost, 0 drawn." in text
    (stored,) = (fact for fact in facts if fact["event"] == "stored")
    assert (stored["winners"], stored["points"]) == (list(winners), [90, 10])
    assert past_games.finished_label(next(stored_games(home))).endswith(f"against {second}")


@pytest.mark.parametrize("loser", [1, 2])
def test_partners_of_a_seat_that_resigns_lose_with_it(home, capsys, loser):
    data = course(1).party.resigned(100, loser)
    home.store_transcript(GameId(bytes(32)), data)
    winners = [seat for seat in range(4) if seat % 2 != loser % 2]
    names = ", ".join(f"seat {seat}" for seat in winners)
    assert f"{names} won against" in said(home, capsys)
    assert list(verify_transcript(data).result.winners) == winners


def test_a_game_of_four_that_is_not_over_is_told(home, capsys):
    data = course(1).party.file(50)
    home.store_transcript(GameId(bytes(32)), data)
    assert "seat 0, seat 1, seat 2, seat 3, unfinished." in said(home, capsys)


def test_a_resignation_is_read_from_the_file(home):
    keep(home, transcript("long", 30, loser=1), 0)
    (game,) = stored_games(home)
    assert (game.summary.winners, game.summary.conceded) == ((0,), True)
    assert scores([game])["Taro"].won == 1


@pytest.mark.parametrize(
    "index",
    [
        None,
        b"",
        b"\x00\xff" * 1000,
        b"[" * 100_000,
        b"null\n3\n[]\n{}\n",
        b'{"file": 3, "seat": 0, "how": null}\n',
        b'{"file": "FILE", "seat": 7, "how": null}\n',
        b'{"file": "FILE", "seat": 0, "how": 5}\n',
        b'{"file": "FILE", "se',
    ],
)
def test_without_a_sound_index_games_are_listed_without_a_score(home, capsys, index):
    path = keep(home, transcript("short"), None)
    if index is not None:
        home.index.write_bytes(index.replace(b"FILE", path.name.encode()))
    text = said(home, capsys)
    assert " won against " in text
    assert "Against" not in text


def test_a_torn_line_spoils_no_other(home):
    home.games.mkdir(parents=True)
    home.index.write_bytes(b'{"file": "a.matcha", "se')
    home.note_game(home.games / "b.matcha", 1, "alike")
    home.note_game(home.games / "c.matcha", 0, None)
    assert home.notes() == {"b.matcha": Note(1, "alike"), "c.matcha": Note(0, None)}


def test_unknown_reason_of_an_end_is_not_shown(home, capsys):
    keep(home, transcript("short"), 0, "\x1b[2J")
    assert "\x1b" not in said(home, capsys)
    assert said(home, capsys, facts=True)[0]["how"] is None


def test_two_players_of_one_home_have_no_score_between_them(home, capsys):
    path = keep(home, transcript("short"), 0)
    home.note_game(path, 1, None)
    assert home.notes()[path.name].seat is None
    assert "Against" not in said(home, capsys)


def test_one_of_several_files_of_a_game_is_listed_and_counted(home):
    keep(home, transcript("short", 20), 0)
    whole = keep(home, transcript("short"), 0)
    keep(home, transcript("short", 30), 0)
    (game,) = stored_games(home)
    assert game.file == whole
    score = scores([game])["Taro"]
    assert score.won + score.lost + score.drawn == 1


def test_a_dispute_is_marked_and_does_not_count(home, capsys):
    path = home.store_evidence(b"g" * 32, transcript("short"))
    home.note_game(path, 0, None)
    text = said(home, capsys)
    assert "DISPUTED" in text
    assert f"matcha verify {path}" in text
    assert "Against" not in text


def test_files_that_are_no_games_have_a_line_each_and_games_come_first(home, capsys):
    keep(home, transcript("short"), 0)
    whole = transcript("long")
    (home.games / "cut.matcha").write_bytes(whole[: len(whole) // 2])
    (home.games / "foreign.matcha").write_bytes(b"\x89PNG\r\n" * 100)
    (home.games / "empty.matcha").write_bytes(b"")
    (home.games / "folder.matcha").mkdir()
    (home.games / "gone.matcha").symlink_to(home.games / "nowhere")
    (home.games / "evil\x1b[2J\n.matcha").write_bytes(b"x")
    (home.games / "notes.txt").write_text("mine")
    os.mkfifo(home.games / "pipe.matcha")
    text = said(home, capsys)
    lines = text.splitlines()
    assert "you " in lines[0]
    assert sum("cannot be listed" in line for line in lines) == 7
    assert "\x1b" not in text
    assert "notes.txt" not in text


def test_a_file_too_large_for_a_transcript_is_not_read(home, capsys):
    home.games.mkdir(parents=True)
    with (home.games / "huge.matcha").open("wb") as huge:
        huge.truncate(2**40)
    assert "huge.matcha cannot be listed" in said(home, capsys)


def test_latest_day_comes_first_despite_the_time_in_the_file(home):
    home.games.mkdir(parents=True)
    days = {"2026-01-02": "short", "2026-03-04": "long", "2025-12-31": "racing"}
    for day, game in days.items():
        (home.games / f"{day}-0000.matcha").write_bytes(transcript(game))
    assert [game.date for game in stored_games(home)] == sorted(days, reverse=True)


def test_file_in_place_of_a_home_counts_as_no_home(tmp_path):
    (tmp_path / "file").touch()
    code, _, stderr = clean_run(tmp_path / "file", "games")
    assert (code, "is a file" in stderr) == (2, True)


def test_the_command_to_type_finds_the_home_that_was_given(tmp_path, capsys):
    home = Home.find(tmp_path / "two words")
    talk(*pair(home.unfinished), 5)
    lines = said(home, capsys).splitlines()
    assert lines[1] == f"  To go on: matcha resume 1 --home '{tmp_path}/two words'"
    assert Home.find(None).option == ""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such names")
def test_home_and_unfinished_game_with_hostile_names_are_shown_clean(tmp_path, capsys):
    """A stranger may have packed the home."""
    home = Home.find(tmp_path / "\x1b[2J\udcff")
    talk(*pair(home.unfinished), 5)
    (home.unfinished / "1").rename(home.unfinished / "a\nb\udcff")
    text = said(home, capsys)
    assert rf"matcha resume 'a\nb\udcff' --home '{tmp_path}/\x1b[2J\udcff'" in text
    assert all(line.isprintable() for line in text.splitlines())


def test_unfinished_games_come_first_with_the_seat_to_move(tmp_path, home, capsys):
    keep(home, transcript("short"), 0)
    talk(*pair(tmp_path / "unfinished"), 5)
    lines = said(home, capsys).splitlines()
    assert lines[0].startswith("Unfinished, Matcha 2015 with Mina: it is ")
    assert lines[1] == f"  To go on: matcha resume 1 --home {tmp_path}"
    assert lines[2].startswith("Unfinished, Matcha 2015 with Taro")
    turns = {lines[number].rpartition("it is ")[2] for number in (0, 2)}
    assert turns in ({"your turn.", f"{name}'s turn."} for name in ("Mina", "Taro"))
    facts = said(home, capsys, facts=True)
    assert [fact["event"] for fact in facts[:2]] == ["unfinished", "unfinished"]
    assert facts[0]["name"] == "1"
    assert len({fact["due"] for fact in facts[:2]}) == 1


def test_a_journal_that_cannot_be_read_has_its_line(home):
    folder = home.unfinished / "broken"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "journal").write_bytes(b"nothing")
    (folder / "journal").chmod(0o600)
    (game,) = unfinished_games(home)
    assert "is not a journal" in game.why


def test_a_claimed_game_did_not_finish(home, capsys):
    scene = played("long")
    claim = sign_record(
        scene.table.gid,
        0,
        scene.log[29].id,
        Claim(5, 0),
        scene.players[0].secrets.session,
    )
    begun = [entry.encoded for entry in scene.log[:30]]
    data = encode_archive(begun, [claim.encoded], scene.state.roster)
    keep(home, data, 0)
    text = said(home, capsys)
    assert "Mina, Taro, unfinished." in text
    assert "Against" not in text


def test_hundreds_of_games_are_listed_at_once(home):
    home.games.mkdir(parents=True)
    whole = transcript("long")
    for number in range(400):
        (home.games / f"2026-01-01-{number:08}.matcha").write_bytes(whole)
    start = time.process_time()
    assert len(list(stored_games(home))) == 1
    assert time.process_time() - start < 8  # a verification of each would take minutes


def test_the_list_imports_neither_trio_nor_prompt_toolkit(home):
    keep(home, transcript("short"), 0)
    code = (
        "import sys\n"
        "from matcha_p2p.cli import commands\n"
        f"try: commands(['games', '--home', {str(home.games.parent)!r}])\n"
        "except SystemExit: print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert "you " in done.stdout
    assert not {"trio", "prompt_toolkit"} & set(done.stdout.split())


def test_a_practice_game_is_noted_and_listed_with_the_bot(tmp_path):
    with_moves = "\n".join(["concede", "y"] * 3)
    code, _, stderr = clean_run(
        tmp_path, "practice", "--ui", "line", "--name", "Taro", stdin=with_moves + "\n"
    )
    assert code == 0, stderr
    code, stdout, _ = clean_run(tmp_path, "games")
    assert code == 0
    assert "you lost to Nori, by conceding." in stdout
    assert "Against Nori: 0 won, 1 lost, 0 drawn." in stdout
