"""Programs as bots, game by game: the written exchanges, the pipe, and lies at either end."""

import json
import random
import shlex
import sys
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from matcha_p2p.app.bots.opponents import opponent, see_it_start
from matcha_p2p.errors import BotError
from matcha_p2p.games import game_of
from matcha_p2p.games.bots.engine import Engine
from matcha_p2p.games.bots.serve import serve
from matcha_p2p.games.json_values import LINE_LIMIT
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.bots.roster import BOTS as KASHI_BOTS
from matcha_p2p.games.kashi.rules.game import new_game
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import Ended
from matcha_p2p.games.kashi.table.written import text_of
from matcha_p2p.games.tichu.bots.arena import OpenRound, deal
from matcha_p2p.games.tichu.bots.club import unseen
from matcha_p2p.games.tichu.bots.roster import BOTS as TICHU_BOTS
from matcha_p2p.games.tichu.rules.cards import MAH_JONG, TEXTS
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Variant
from tests.games.kashi.players import step
from tests.schemas import faults

BOTS_PAGE = Path(__file__).parents[2] / "protocol" / "bots.md"
GAMES = ("tichu", "kashi")


def tichu_views(seed, bot="uniform"):
    """Yield what the asked seat sees in a round, and the answer of the bot."""
    table = OpenRound(Variant(), SEATS[seed % 4], deal(random.Random(seed)))
    rng = random.Random(seed)
    while (seat := table.state.speaker) is not None:
        seen = table.seen(seat)
        move = TICHU_BOTS[bot].choose(seen, rng)
        yield seen, move
        table.take(seat, move)


def kashi_views(seed, bot="beginner"):
    """Yield what the seat due sees in a game on a nameless board, and the move of the bot."""
    rng, seats = random.Random(seed), 3 + seed % 2
    game = new_game(replace(shipped_board(), name=""), seats, idle=1)
    while game.turns < 200 and not isinstance(game.phase, Ended):
        if game.due is not None:
            seen = Outlook(game, game.due)
            yield seen, KASHI_BOTS[bot].choose(seen, random.Random(seed))
        _, game = step(game, [KASHI_BOTS[bot], KASHI_BOTS["club"]] * 2, rng)


@cache
def views(game):
    found = {"tichu": tichu_views, "kashi": kashi_views}[game]
    return [each for seed in range(3) for each in found(seed)]


def asked(game, seen, number=1):
    observation = game_of(game).exchange.described(seen)
    return {"do": "choose", "id": number, "limit_ms": 1, "seed": 1, "observation": observation}


def exchanges():
    """Yield the values of each exchange in the page, with the game and the bot's name."""
    decoder = json.JSONDecoder()
    for block in BOTS_PAGE.read_text(encoding="utf-8").split("```json\n")[1:]:
        text, values = block.split("```")[0], []
        while text.strip():
            value, end = decoder.raw_decode(text := text.lstrip())
            values.append(value)
            text = text[end:]
        edition = values[1]["editions"][0]
        yield (edition if edition in GAMES else "matcha"), values[1]["name"], values


@pytest.mark.parametrize(
    ("game", "name", "values"), [*exchanges()], ids=lambda it: it if isinstance(it, str) else ""
)
def test_written_exchange_is_what_our_bot_answers(game, name, values):
    if game == "kashi":
        values[2]["observation"]["game"]["board"] = json.loads(text_of(shipped_board()))
    said = []
    lines = [json.dumps(value) for value in values if "do" in value]
    serve(
        game_of(game).exchange,
        game_of(game).roster[name],
        lines,
        said.append,
    )
    assert [*map(json.loads, said)] == [value for value in values if "do" not in value]
    assert not [fault for value in values for fault in faults(value)]


def test_page_has_an_exchange_for_each_game():
    assert [game for game, _, _ in exchanges()] == ["matcha", *GAMES]


def test_longest_hand_of_tichu_fits_a_line():
    hand = [54, 52, *(13 * (number % 2) + number for number in range(12))]
    seen = next(seen for seen, _ in tichu_views(0) if seen.asked is Ask.TURN)
    seen = seen._replace(hand=tuple(hand))
    question = asked("tichu", seen)
    assert len(question["observation"]["legal"]) > 400
    assert len(json.dumps(question, separators=(",", ":"))) < LINE_LIMIT / 4


@pytest.mark.parametrize("seed", range(3))
def test_observation_of_tichu_names_no_card_that_the_seat_cannot_know(seed):
    for seen, _ in tichu_views(seed):
        plain = dict(game_of("tichu").exchange.described(seen))
        own = {*plain.pop("hand"), *plain.pop("given"), *plain.pop("received")}
        laid = {card for laid in plain.pop("laid") for card in laid["cards"]}
        state = plain["state"]
        open_cards = {*state.pop("pile"), *(card for won in state.pop("won") for card in won)}
        assert open_cards == laid
        legal = {word for move in plain.pop("legal") for word in move.split()}
        assert {word for word in legal if word[0] in "RGBKMHD" and word.isupper()} <= own
        assert not {*json.dumps(plain).split('"')} & {*TEXTS}


def test_hidden_hands_do_not_reach_an_engine():
    """Other hands, same observation: the question is the same line."""
    table = OpenRound(Variant(), SEATS[0], deal(random.Random(3)))
    rng = random.Random(3)
    while (seat := table.state.speaker) is not None:
        before = asked("tichu", table.seen(seat))
        hands = [list(hand) for hand in table.hands]
        places = [(each, at) for each in SEATS if each != seat for at in table.state.held[each]]
        drawn = [hands[other][at] for other, at in places]
        rng.shuffle(drawn)
        for (other, at), face in zip(places, drawn, strict=True):
            table.hands[other][at] = face
        assert asked("tichu", table.seen(seat)) == before
        table.hands = hands
        table.take(seat, TICHU_BOTS["club"].choose(table.seen(seat), rng))


def paths(value, path=()):
    """Yield the path to each value within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from paths(inner, (*path, key))


def lie_about(plain, rng):
    """Return the observation with one value changed."""
    lie = deepcopy(plain)
    *path, last = rng.choice([*paths(lie)])
    inner = lie
    for key in path:
        inner = inner[key]
    inner[last] = rng.choice([None, -1, 0, 3, 99, 2**70, "", "R2", "3,5", [], {}, True])
    return lie


def test_gifts_that_no_seat_can_give_or_get_are_refused():
    protocol = game_of("tichu").exchange
    seen = next(seen for seen, _ in tichu_views(0) if seen.asked is Ask.TURN)
    plain = json.loads(json.dumps(protocol.described(seen)))
    assert protocol.observed(plain) == seen
    given, received, held = (plain[key] for key in ("given", "received", "hand"))
    lies = [
        ([], received),
        (given[:2], received),
        ([*given, "M"], received),
        (given[:1] * 3, received),
        ([*given[:2], held[0]], received),
        (given, []),
        (given, received[:1]),
        (given, [*received[:2], given[0]]),
    ]
    for lie in lies:
        with pytest.raises(BotError, match="three cards"):
            protocol.observed({**plain, "given": lie[0], "received": lie[1]})


def test_gift_is_laid_before_its_receiver_is_out():
    protocol = game_of("tichu").exchange
    seen = next(
        seen for seen, _ in tichu_views(0) if seen.state.out and seen.seat not in seen.state.out
    )
    plain = json.loads(json.dumps(protocol.described(seen)))
    assert protocol.observed(plain) == seen
    plain["given"][(seen.state.out[0] - seen.seat) % 4 - 1] = TEXTS[unseen(seen)[0]]
    with pytest.raises(BotError, match="receiver"):
        protocol.observed(plain)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["first", "last"])
def test_bot_of_ours_answers_each_lie_with_a_line(game, name):
    """Most lies are refused; a lie that cannot be seen gets some answer."""
    rng, found = random.Random(1), views(game)
    bot = game_of(game).roster[game_of(game).bots.levels[0 if name == "first" else -1]]
    lines, said = [], []
    for seen, _ in rng.sample(found, 60):
        question = json.loads(json.dumps(asked(game, seen)))
        question["observation"] = lie_about(question["observation"], rng)
        lines.append(json.dumps(question))
    serve(game_of(game).exchange, bot, lines, said.append)
    assert len(said) == len(lines)
    assert sum("error" in json.loads(line) for line in said) > 20


class Faulty:
    """A bot that raises or returns ``choice``."""

    name = "faulty"

    def __init__(self, choice):
        self.choice = choice

    def choose(self, *_):
        if isinstance(self.choice, Exception):
            raise self.choice
        return self.choice


@pytest.mark.parametrize(
    "fault",
    [ZeroDivisionError("division by zero"), KeyError("R2"), BotError("A part is missing.")],
    ids=lambda fault: type(fault).__name__,
)
@pytest.mark.parametrize("game", GAMES)
def test_fault_of_a_bot_is_told_as_the_bots_and_its_author_gets_the_traceback(
    game, fault, capsys
):
    seen, _ = views(game)[0]
    said = []
    lines = [json.dumps(asked(game, seen, number)) for number in (1, 2)]
    serve(game_of(game).exchange, Faulty(fault), lines, said.append)
    told = [json.loads(line)["error"] for line in said]
    errors = capsys.readouterr().err
    if isinstance(fault, BotError):
        assert (told, errors) == (["A part is missing."] * 2, "")
    else:
        assert all(f"own code failed: {fault!r}. " in text for text in told)
        assert errors.count(f"\n{type(fault).__name__}: ") == 2
        assert "raise self.choice" in errors


@pytest.mark.parametrize("game", GAMES)
def test_choice_that_is_no_move_is_told_as_the_bots(game):
    seen, _ = views(game)[0]
    said = []
    serve(
        game_of(game).exchange,
        Faulty("1a"),
        [json.dumps(asked(game, seen))],
        said.append,
    )
    assert [*map(json.loads, said)] == [{"error": "The bot chose '1a', which is no move."}]


class WordlessError(Exception):
    """An exception, or a choice, that cannot be shown."""

    def __repr__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "fault",
    [WordlessError(), ValueError("x" * LINE_LIMIT), [WordlessError()], "x" * LINE_LIMIT],
    ids=["wordless error", "long error", "wordless choice", "long choice"],
)
def test_fault_is_told_in_few_words_whatever_the_bot_raises_or_chooses(fault):
    seen, _ = views("kashi")[0]
    lines, said = [json.dumps(asked("kashi", seen))] * 2, []
    serve(game_of("kashi").exchange, Faulty(fault), lines, said.append)
    told = [json.loads(line)["error"] for line in said]
    assert all(text.startswith("The bot") and len(text) < 300 for text in told)
    assert len(told) == len(lines)


def test_seed_that_is_no_text_is_a_seed_all_the_same():
    seen, _ = views("kashi")[0]
    lines = [json.dumps(asked("kashi", seen) | {"seed": seed}) for seed in ("\ud800", "1", 1)]
    said = []
    serve(
        game_of("kashi").exchange,
        KASHI_BOTS["beginner"],
        lines,
        said.append,
    )
    assert ["move" in json.loads(line) for line in said] == [True] * 3
    assert said[1] == said[2]


def answering(game, *answers):
    """Return an engine that greets, and answers the questions with ``answers`` in turn."""
    hello = json.dumps({"v": 1, "name": "x", "editions": game_of(game).exchange.editions})
    answered = f"for line, said in zip(sys.stdin, {[hello, *answers]}): print(said, flush=True)"
    command = [sys.executable, "-c", f"import sys\n{answered}"]
    return Engine(game_of(game).exchange, "odd", command, 5.0)


@pytest.mark.parametrize(
    ("game", "answer", "why"),
    [
        ("tichu", '{"id": 1, "move": "grandiose"}', "'grandiose', which is no legal move"),
        ("tichu", '{"id": 1, "move": "R2  R2"}', "no legal move"),
        ("tichu", '{"id": 1, "move": ["no"]}', "no legal move"),
        ("tichu", '{"id": 1, "move": "pass"}', "'pass', which rule T4 forbids"),
        ("tichu", '{"id": 1, "move": "tichu hold"}', "rule T10 forbids"),
        ("tichu", "none", "no message of the bot protocol: 'none'"),
        ("kashi", '{"id": 1, "move": "end"}', "'end', which rule K50 forbids"),
        ("kashi", '{"id": 1, "move": "start 1,1"}', "rule K11 forbids"),
        ("kashi", '{"id": 1, "move": "start x"}', "rule K2 forbids"),
        ("kashi", '{"id": 1, "move": "START 3,5"}', "no legal move"),
        ("kashi", '{"id": 1, "move": "pay \\u0663"}', "no legal move"),
    ],
)
def test_wrong_answer_is_an_error_that_says_why(game, answer, why):
    seen, _ = views(game)[0]
    with pytest.raises(BotError, match=why):
        answering(game, answer).choose(seen, random.Random(1))


@pytest.mark.parametrize("number", range(2, 15))
def test_number_in_a_move_has_one_name(number):
    """An observation counts to 14; a move names the number as a card does."""
    protocol = game_of("tichu").exchange
    seen = next(
        seen
        for seen, _ in tichu_views(0)
        if seen.asked is Ask.TURN and MAH_JONG in seen.held.values()
    )
    name = "23456789TJQKA"[number - 2]
    move = protocol.notation.read(seen, f"M wish {name}")
    assert (move.wish, protocol.notation.text_of(seen, move)) == (number, f"M wish {name}")
    if number > 9:
        with pytest.raises(ValueError, match="hold these cards"):
            protocol.notation.read(seen, f"M wish {number}")


@pytest.mark.parametrize("game", GAMES)
def test_program_that_ends_is_an_error(game):
    seen, _ = views(game)[0]
    with pytest.raises(BotError, match="ended without an answer"):
        answering(game).choose(seen, random.Random(1))


def test_card_that_is_not_held_is_no_move():
    seen, _ = next(each for each in tichu_views(1) if each[0].asked is Ask.TURN)
    held = asked("tichu", seen)["observation"]["hand"]
    foreign = next(card for card in ("R2", "G2", "B2") if card not in held)
    for text in (foreign, "P1", "P7 P8", "wish 8", "give R2 R2 R2", "R2  R2", ""):
        with pytest.raises(ValueError, match=r".+"):
            game_of("tichu").exchange.notation.read(seen, text)


def test_program_of_another_game_is_refused_before_the_game():
    hello = json.dumps({"v": 1, "name": "x", "editions": ["2015"]})
    words = [sys.executable, "-c", f"print({hello!r}, flush=True); input()"]
    with pytest.raises(BotError, match="does not play edition tichu"):
        see_it_start("tichu", f"cmd:{shlex.join(words)}")


@pytest.mark.parametrize("game", GAMES)
def test_bot_of_ours_plays_the_same_through_the_pipe(game):
    own = "from matcha_p2p.cli import main; main()"
    name = game_of(game).bots.levels[1]
    engine = opponent(game, f"cmd:{sys.executable} -P -c '{own}' engine {name} --game {game}")
    for seen, _ in views(game)[::40]:
        here = game_of(game).roster[name]
        seed = str(random.Random(1).getrandbits(32))
        assert engine.choose(seen, random.Random(1)) == here.choose(seen, random.Random(seed))
    engine.close()
