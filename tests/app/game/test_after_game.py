"""Two people at pipes act after a game, over the same connection."""

import json

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from tests.processes import Matcha, clean_run, host

pytestmark = pytest.mark.slow


def deal_of(person: Matcha) -> int:
    """Return the seat that deals the current game, once the cards are there."""
    return person.until("table-laid")["dealer"]


def test_two_people_play_twice_and_the_other_deals_first(tmp_path):
    with (
        host(tmp_path / "a", "--edition", "2020") as first,
        Matcha(
            tmp_path / "b", "join", first.until("invite")["invite"], "--json", "--name", "Taro"
        ) as second,
    ):
        people = {"Mina": first, "Taro": second}
        dealers = []
        for again in (True, False):
            names = [person.until("met")["names"] for person in people.values()]
            assert names[0] == names[1]
            dealers.append(names[0][deal_of(first)])
            first.until("hands-dealt")
            second.until("hands-dealt")
            first.type("concede\ny\n")
            for person in people.values():
                person.until("settled")
                assert person.until("checked")["failure"] is None
            if again:
                first.type("open\nagain\n")
                assert second.until("wishes")["wished"] == ["Mina"]
                second.type("phrase 8\nagain\n")
                assert first.until("phrase")["number"] == 8
                scores = [person.until("next-game")["score"] for person in (first, second)]
                assert scores == [[0, 1], [1, 0]]
        second.type("leave\n")
        assert (first.end(), second.end()) == (0, 0)
    assert sorted(dealers) == ["Mina", "Taro"]
    for person in (first, second):
        paths = sorted(person.home.glob("games/*.matcha"))
        assert len(paths) == 2
        for path in paths:
            assert verify_transcript(path.read_bytes()).verdict is Verdict.RESIGNED
        assert list((person.home / "unfinished").iterdir()) == []
        assert not person.facts("exposed")
        assert "Checked: every move" in person.stderr


def test_the_hidden_cards_are_shown_when_both_want_it(tmp_path):
    """In practice the bot agrees to every offer. A passing player leaves it all mats."""
    with Matcha(tmp_path, "practice", "--edition", "2020", "--seed", "3", "--json") as person:
        while person.until("due", "settled")["event"] == "due":
            person.type("p\ny\n")
        person.until_said("All players are still here")
        person.type("open\n")
        cards: list[dict[str, object]] = []
        while {fact["seat"] for fact in person.facts("exposed")} != {0, 1}:
            person.until("exposed")
        person.until("uncovered")
        person.type("leave\n")
        assert person.end() == 0
        for fact in person.facts("uncovered"):
            cards += fact["cards"]
    (path,) = tmp_path.glob("games/*.matcha")
    _, stdout, _ = clean_run(tmp_path, "export", str(path), "--format", "json")
    assert cards
    assert sorted(map(str, cards)) == sorted(map(str, unopened(json.loads(stdout))))


def unopened(game: dict) -> list[dict[str, object]]:
    return [
        {
            "number": number,
            "round": round_["number"],
            "seat": seat,
            "mat": mat["mat"],
            "card": played["hands"][seat][mat["slots"][seat]],
        }
        for number, played in enumerate(game["sets"], start=1)
        for round_ in played["rounds"]
        for mat in round_["resolutions"]
        for seat in (0, 1)
        if mat["slots"][seat] is not None and mat["cards"][seat] is None
    ]


def test_declined_rematch_is_told_and_is_no_failure(tmp_path):
    with host(tmp_path / "a", "--edition", "2020") as first:
        invite = first.until("invite")["invite"]
        with Matcha(tmp_path / "b", "join", invite, "--json", "--name", "Taro") as second:
            for person in (first, second):
                person.until("hands-dealt")
            first.type("concede\ny\n")
            for person in (first, second):
                person.until("settled")
                person.until_said("All players are still here")
            first.type("again\n")
            second.until_said("Mina would like to play")
            second.type("leave\n")
            first.until_said("No other game follows: Taro left the table.")
            first.type("leave\n")
            assert (first.end(), second.end()) == (0, 0)
    (path,) = first.home.glob("games/*.matcha")
    assert verify_transcript(path.read_bytes()).valid
