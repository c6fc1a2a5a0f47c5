"""Watching a table of three or four: processes of people, bots of the host, and a watcher."""

from contextlib import ExitStack

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from tests.processes import Matcha, host, join

pytestmark = pytest.mark.slow

TICHU = ("--game", "tichu", "--variant", "round", "--seats", "4", "--play", "club")
KASHI = ("--game", "kashi", "--seats", "3", "--play", "club")
AT_ONCE = ("--watchers-see", "moves")


class Table:
    """A host with bots of its own, who lets one person watch. Guests and the watcher come."""

    def __init__(self, running: ExitStack, folder, *words: str) -> None:
        self._running = running
        self._folder = folder
        hosting = host(folder / "host", *words, "--watch", "1", *AT_ONCE)
        self.people = [running.enter_context(hosting)]
        self._invite = hosting.until("invite")["invite"]
        watch = hosting.until("watch-invite")
        assert watch["most"] == 1
        words = ("watch", "-", "--json", "--name", "Olga")
        self.watcher = running.enter_context(
            Matcha(folder / "watcher", *words, stdin=watch["invite"])
        )
        self.watcher.until("sight")

    def seat_bot(self, level: str) -> None:
        self.people[0].type(f"bot {level}\n")

    def seat_guest(self, bot: str, *words: str) -> None:
        home = self._folder / f"guest {len(self.people)}"
        guest = join(home, self._invite, "--play", bot, *words, name=home.name)
        self.people.append(self._running.enter_context(guest))

    def transcripts(self) -> set[bytes]:
        return {
            path.read_bytes()
            for each in (*self.people, self.watcher)
            for path in each.home.glob("games/*.matcha")
        }


def test_one_guest_of_tichu_narrows_what_the_watcher_sees(tmp_path):
    with ExitStack() as running:
        table = Table(running, tmp_path, *TICHU)
        table.seat_bot("club")
        table.seat_bot("club")
        table.seat_guest("club", "--watchers-see", "rounds")
        ends = [each.end() for each in (*table.people, table.watcher)]
    assert ends == [0, 0, 0]
    (transcript,) = table.transcripts()
    assert verify_transcript(transcript).verdict is Verdict.COMPLETE
    watcher, (hosting, guest) = table.watcher, table.people
    (seats,) = watcher.facts("lobby")
    assert (seats["game"], seats["variant"]) == ("tichu", "round")
    assert [seat["bot"] for seat in seats["seats"]] == [False, True, True, False]
    assert [fact["sight"] for fact in watcher.facts("sight")] == ["nothing", "later"]
    for person in (hosting, guest):
        known = next(fact for fact in person.facts("watching") if None not in fact["seats"])
        said = [seat["sight"] for seat in known["seats"]]
        assert said == ["at_once", "at_once", "at_once", "later"]
        assert (known["sight"], known["most"]) == ("later", 1)
        assert ["Olga"] in [fact["seats"][0]["names"] for fact in person.facts("watching")]
    assert not watcher.facts("hand-seen")
    assert watcher.facts("round-counted") == hosting.facts("round-counted")


def test_kashi_of_three_is_watched_from_the_first_move_to_the_end(tmp_path):
    with ExitStack() as running:
        table = Table(running, tmp_path, *KASHI)
        table.seat_guest("club", *AT_ONCE)
        table.seat_guest("club", *AT_ONCE)
        ends = [each.end() for each in (*table.people, table.watcher)]
    assert ends == [0, 0, 0, 0]
    (transcript,) = table.transcripts()
    assert verify_transcript(transcript).verdict is Verdict.COMPLETE
    watcher, hosting = table.watcher, table.people[0]
    assert [fact["sight"] for fact in watcher.facts("sight")] == ["nothing", "at_once"]
    assert len(watcher.facts("turn-taken")) == len(hosting.facts("turn-taken")) > 0


def test_one_guest_of_three_that_says_no_closes_the_door(tmp_path):
    with ExitStack() as running:
        table = Table(running, tmp_path, *KASHI)
        table.seat_guest("club", *AT_ONCE)
        table.seat_guest("club", "--watchers-see", "nothing")
        ends = [each.end() for each in (*table.people, table.watcher)]
    assert ends == [0, 0, 0, 7]
    assert table.watcher.facts("error")[0]["code"] == "watch-closed"
    assert not table.watcher.facts("lobby")
    for person in table.people:
        assert person.facts("watching")[-1]["sight"] == "nothing"
