"""The library: the examples of its functions, its contract, and games of one's own."""

import doctest
import json
import random
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

import pytest

import matcha_p2p
from matcha_p2p import api
from matcha_p2p.errors import CheckError
from matcha_p2p.games.kashi.rules.moves import StartAt
from matcha_p2p.games.matcha.rules.moves import Play


class Last:
    name = "last"

    def choose(self, seen, _):
        return seen.legal_moves()[-1]


@cache
def transcript() -> bytes:
    """Return the game of the example of ``play``."""
    seats = [api.bot("matcha", "greedy"), Last()]
    dice = random.Random(7)
    return api.play("matcha", seats, open_books=True, random_bytes=dice.randbytes)


def party() -> dict[str, object]:
    """Return the names of the examples of a deck."""
    named = "whist", b"table 5"
    ann, ben = (api.deck.take_part(*named, at, api.new_secrets()) for at in range(2))
    said = [api.deck.greeting(each, *named) for each in (ann, ben)]
    laid = mixed = api.deck.lay(*named, said, 52)
    for each in (ann, ben):
        mixed = api.deck.with_shuffle(mixed, api.deck.shuffled(each, mixed))
    return {"ann": ann, "ben": ben, "said": said, "laid": laid, "mixed": mixed}


@dataclass(frozen=True)
class Guess(api.NewGame):
    """Seat 0 guesses whether its hidden card of nine is high; then the card is turned up."""

    name = "guess"
    seats = 2
    faces = dict.fromkeys(range(9), 1)
    forms = MappingProxyType({"high": (api.moves.Number(0, 1),)})
    stage: str = "toss"
    high: int = 0
    winner: int = 0

    def next(self, _):
        match self.stage:
            case "toss":
                return api.steps.Coin(self.order)
            case "mix":
                return api.steps.Shuffle("deck", self.order, "mix")
            case "deal":
                return api.steps.Share((api.steps.Read("deck", 0, 0),), self.order, "deal")
            case "guess":
                return api.steps.Decide(0)
            case "show":
                return api.steps.Share((api.steps.Read("deck", 0, None),), self.order, "show")
            case _:
                return api.steps.Over(self.order)

    def done(self, outcome, piles):
        match outcome:
            case api.steps.Tossed():
                return replace(self, stage="mix"), {"deck": [*self.faces]}
            case api.steps.Mixed():
                return replace(self, stage="deal"), piles
            case api.steps.Shared(()):
                return replace(self, stage="guess"), piles
            case api.steps.Moved((_, high)):
                return replace(self, stage="show", high=high), piles
            case api.steps.Shared((face,)):
                return replace(self, stage="over", winner=int((face > 4) != self.high)), piles

    def moves(self, *_):
        return [("high", 0), ("high", 1)]

    def result(self):
        return (self.winner,) if self.stage == "over" else None


class Knowing:
    """Knows its own card, and so guesses right."""

    name = "knowing"

    def choose(self, seen, _):
        (face, *_) = seen.faces("deck")
        assert seen.game.stage == "guess"
        return ("high", int(face > 4))


@dataclass
class Choosing:
    """Makes the same choice at every question."""

    choice: object
    name = "choosing"

    def choose(self, *_):
        return self.choice


@pytest.mark.parametrize("of", [api, api.deck], ids=["api", "deck"])
def test_examples_of_all_public_functions_run(of):
    known = {"api": api, "transcript": transcript(), "random": random, **party()}
    found = doctest.DocTestFinder().find(of, extraglobs=known)
    runner = doctest.DocTestRunner()
    for example in found:
        runner.run(example)
    assert runner.summarize(verbose=False).failed == 0
    tried = {example.name.rsplit(".", 1)[-1] for example in found if example.examples}
    public = {
        name
        for name in of.__all__
        if callable(getattr(of, name)) and not isinstance(getattr(of, name), type)
    }
    assert public <= tried | {"verify_many"}


def test_all_names_are_there_and_sorted_as_their_kinds():
    assert all(hasattr(api, name) for name in api.__all__)
    assert len(set(api.__all__)) == len(api.__all__)
    assert matcha_p2p.__version__.count(".") == 2


@pytest.mark.parametrize(
    ("game", "variant", "count"),
    [("matcha", "2015", 2), ("kashi", "", 3), ("kashi", "", 4)],
)
def test_game_in_memory_is_valid_and_can_be_read(game, variant, count):
    seats = [api.bot(game, "club")] * count
    played = api.play(game, seats, variant=variant, random_bytes=random.Random(count).randbytes)
    report = api.verify(played)
    assert report.verdict is api.Verdict.COMPLETE
    assert api.replay(report).steps
    assert json.loads(json.dumps(api.export(report)))["format"] == f"{game}-game"
    cards = [card for part in api.hands(report) for hand in part for card in hand]
    assert not cards or None in cards


def test_same_bytes_of_chance_give_the_same_game():
    again = api.play("matcha", [api.bot("matcha", "greedy"), Last()], open_books=True)
    assert again != transcript()
    assert api.verify(again).failure is None


def test_number_of_seats_that_no_variant_has_is_refused():
    with pytest.raises(ValueError, match="'2015' for 3 seats"):
        api.play("matcha", [Last()] * 3)
    with pytest.raises(ValueError, match="for 3 seats"):
        api.play(Guess(), [Last()] * 3)
    with pytest.raises(ValueError, match="'1999'"):
        api.play("matcha", [Last()] * 2, variant="1999")


@pytest.mark.parametrize("seed", range(4))
def test_new_game_is_played_and_verified(seed):
    played = api.play(Guess(), [Knowing(), Last()], random_bytes=random.Random(seed).randbytes)
    report = api.verify(played, Guess())
    assert (report.verdict, report.result.winners) == (api.Verdict.COMPLETE, (0,))
    assert report.result.points == ()


def test_new_game_is_unknown_to_the_registry():
    played = api.play(Guess(), [Last(), Last()])
    assert api.verify(played).failure.check is api.Check.GAME
    assert api.verify(transcript(), Guess()).failure.check is api.Check.GAME
    report = api.verify(played, Guess())
    for read in (api.replay, api.export, api.hands):
        with pytest.raises(ValueError, match="guess is not installed"):
            read(report)


def test_illegal_move_of_a_new_game_is_refused():
    with pytest.raises(CheckError, match="no legal move of seat 0"):
        api.play(Guess(), [Choosing(("high", 2)), Last()])


@pytest.mark.parametrize(
    ("game", "count", "choice", "why"),
    [
        ("matcha", 2, None, "None is no move of matcha; legal moves are for example Play"),
        ("matcha", 2, Play(0, None), "slot=None. is no move"),
        ("matcha", 2, "x" * 999, "moves: 'x{79} is no move"),
        ("kashi", 3, StartAt(None), "square=None. is no move of kashi; .* StartAt"),
        ("tichu", 4, "pass", "'pass' is no move of tichu; .* AnswerGrand.called=False"),
        (Guess(), 2, None, "None is no legal move of seat 0"),
    ],
)
def test_choice_that_is_no_move_is_refused_beside_legal_moves(game, count, choice, why):
    with pytest.raises(CheckError, match=why) as refused:
        api.play(game, [Choosing(choice)] * count)
    assert refused.value.check is api.Check.RULE


def test_new_game_with_the_name_of_a_known_game_is_refused():
    """Otherwise the proofs of one game would hold in the other."""

    class Other(Guess):
        name = "matcha"

    with pytest.raises(ValueError, match="is a game of this package"):
        api.play(Other(), [Last(), Last()])
    with pytest.raises(ValueError, match="is a game of this package"):
        api.verify(transcript(), Other())


def test_transcript_that_is_not_valid_has_nothing_to_read():
    report = api.verify(transcript()[:-1])
    for read in (api.replay, api.export, api.hands):
        with pytest.raises(ValueError, match="not valid"):
            read(report)


def test_bot_serves_standard_input_and_output(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", iter(['{"do": "hello", "v": 1}']))
    api.serve("kashi", api.bot("kashi", "club"))
    assert json.loads(capsys.readouterr().out)["name"] == "club"


def test_bot_without_a_name_is_unknown():
    with pytest.raises(KeyError):
        api.bot("matcha", "nobody")
    with pytest.raises(KeyError):
        api.bot("poker", "greedy")


def test_arena_plays_by_any_executor_and_ranks_the_bots():
    bots = ["uniform", "greedy"]
    with ThreadPoolExecutor(2) as threads:
        ranked = api.arena("matcha", bots, 20, variant="2015", seed=3, executor=threads)
    assert ranked == api.arena("matcha", bots, 20, variant="2015", seed=3)
    assert [each.name for each in ranked] == ["greedy", "uniform"]
    best, last = ranked
    assert best.value == pytest.approx(-last.value)
    assert best.low < best.value < best.high


def test_arena_prints_nothing_and_warns_of_programs_that_fail(capfd, tmp_path):
    program = tmp_path / "bot.py"
    program.write_text(
        "import sys\n"
        "sys.stdin.readline()\n"
        'print(\'{"v": 1, "name": "mute", "editions": ["2020"]}\', flush=True)\n'
        "sys.stdin.readline()\n"
    )
    command = shlex.join(["cmd:" + sys.executable, str(program)])
    with ThreadPoolExecutor(1) as alone, pytest.warns(RuntimeWarning, match="seat concedes"):
        ranked = api.arena("matcha", ["uniform", command], 2, seed=1, executor=alone)
    assert ranked[0].name == "uniform"
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_bot_of_the_caller_plays_in_the_arena_by_serve(tmp_path):
    program = tmp_path / "mine.py"
    program.write_text(
        "from matcha_p2p import api\n"
        "class Mine:\n"
        "    name = 'mine'\n"
        "    def choose(self, seen, rng):\n"
        "        return seen.legal_moves()[-1]\n"
        "api.serve('matcha', Mine())\n"
    )
    command = "cmd:" + shlex.join([sys.executable, str(program)])
    with ThreadPoolExecutor(1) as alone:  # a program that fails warns, and the test then fails
        ranked = api.arena("matcha", [command, "greedy"], 2, seed=1, executor=alone)
    assert {each.name for each in ranked} == {command, "greedy"}


@pytest.mark.parametrize(
    ("bots", "count", "options", "error"),
    [
        (["greedy"], 2, {}, "two bots"),
        (["greedy"] * 2, 0, {}, "one game"),
        (["greedy"] * 2, 2, {"variant": "1999"}, "'1999'"),
        (["greedy", "nobody"], 2, {}, "nobody"),
    ],
)
def test_arena_that_cannot_be_played_is_refused(bots, count, options, error):
    with pytest.raises((ValueError, KeyError), match=error):
        api.arena("matcha", bots, count, **options)


def test_arena_that_ctrl_c_stops_raises_it(monkeypatch):
    monkeypatch.setattr("matcha_p2p.app.bots.arena._play_match", lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        api.arena("matcha", ["uniform", "greedy"], 2)


def test_files_are_verified_in_order(tmp_path):
    good, bad, gone = (tmp_path / name for name in ("good", "bad", "gone"))
    good.write_bytes(transcript())
    bad.write_bytes(transcript()[:-1])
    (_, first), (_, second), (_, third) = api.verify_many([good, bad, gone])
    assert (first.verdict, first.names) == (api.Verdict.COMPLETE, ("greedy", "last"))
    assert second.verdict is api.Verdict.INVALID
    assert isinstance(third, api.TranscriptError)
