"""Exported games of Tichu: JSON, and logs that the rules judge alike."""

import json
from itertools import chain

import pytest

from matcha_p2p.chain.verify import Report, verify_transcript
from matcha_p2p.games import game_of
from matcha_p2p.games.tichu.review.export import EXPORT
from matcha_p2p.games.tichu.review.rounds import played_rounds
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.games.tichu.rules.log import play_log
from matcha_p2p.review.export import exported
from matcha_p2p.seats import Seat
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Expose
from tests.app.library.test_verify_and_export import run
from tests.games.tichu.party import Course, course

pytestmark = pytest.mark.slow


def transcript(played: Course, end: int | None = None, opened: tuple[int, ...] = ()) -> bytes:
    party = played.party
    last = party.entries[:end][-1]
    records = [
        sign_record(
            party.table.gid,
            Seat(seat),
            last.id,
            Expose(party.players[seat].x),
            party.players[seat].secrets.session,
        ).encoded
        for seat in opened
    ]
    return party.file(end, records)


def report(played: Course, end: int | None = None, opened: tuple[int, ...] = ()) -> Report:
    found = verify_transcript(transcript(played, end, opened))
    assert found.failure is None
    return found


def kept(tmp_path, data: bytes):
    file = tmp_path / "game.matcha"
    file.write_bytes(data)
    return file


@pytest.mark.parametrize("opened", [(), (0, 2), (0, 1, 2, 3)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_rules_judge_an_exported_round_without_refusal(tmp_path, seed, opened):
    file = kept(tmp_path, transcript(course(seed), opened=opened))
    text = run("export", "--format", "text", file).stdout
    log = kept(tmp_path, text.encode())
    told = [
        json.loads(line)
        for line in run("rules", "--game", "tichu", "--log", log).stdout.splitlines()
    ]
    assert not [line for line in told if "refused" in line]
    scores = [tuple(line["score"]) for line in told if "score" in line]
    assert scores == [played.counted for played in played_rounds(report(course(seed)))]
    assert ("gifts" in json.loads(text.splitlines()[0])) == (len(opened) < 4)


def test_each_round_of_a_long_game_has_a_log(tmp_path):
    text = run(
        "export", "--format", "text", kept(tmp_path, transcript(course(1, "300")))
    ).stdout
    told = list(play_log(text.splitlines()))
    rounds = played_rounds(report(course(1, "300")))
    assert len(rounds) > 1
    assert [line["score"] for line in told if "score" in line] == [it.counted for it in rounds]
    assert not [line for line in told if "refused" in line]


def test_open_books_show_what_was_dealt_and_given():
    """What each seat saw in the game is the judge."""
    played = course(1)
    (game,) = exported(game_of("tichu"), report(played, opened=(0, 1, 2, 3)))["rounds"]
    for seen, move in played.decided:
        if hasattr(move, "places") and len(seen.held) == 14 and seen.asked.value == "push":
            assert game["dealt"][seen.seat] == [TEXTS[face] for face in seen.hand]
            given = [TEXTS[seen.hand[place]] for place in move.places]
            assert game["gifts"][seen.seat] == given


def test_closed_books_show_all_hands_and_no_gifts():
    played = course(1)
    (game,) = exported(game_of("tichu"), report(played))["rounds"]
    assert game["dealt"] == [None] * 4
    assert game["gifts"] is None
    assert sorted(chain(*game["hands"])) == sorted(TEXTS)
    views = {seen.seat: seen for seen, _ in played.decided if seen.asked.value == "turn"}
    for seat, seen in views.items():
        assert set(game["hands"][seat]) == {TEXTS[face] for face in seen.hand}


def test_a_round_in_play_shows_only_what_was_laid(tmp_path):
    found = report(course(1), 200)
    (game,) = exported(game_of("tichu"), found)["rounds"]
    assert (game["hands"], game["points"]) == (None, None)
    laid = [action for action in game["actions"] if action[1] == "play"]
    assert laid
    assert None not in chain(*(action[2] for action in laid))
    file = kept(tmp_path, transcript(course(1), 200))
    assert run("export", "--format", "text", file).stdout == ""


def test_a_game_without_greetings_of_all_has_no_round():
    assert exported(game_of("tichu"), report(course(1), 2))["rounds"] == []


def test_nothing_stays_unopened():
    assert [*EXPORT.unopened_cards(report(course(1)))] == []
