"""The plain values of a game, as the format ``matcha-game`` has them."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.errors import TranscriptError
from matcha_p2p.games.matcha.review.sets import end_of
from matcha_p2p.games.matcha.rules.cards import DECK
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.steps import hand_of
from matcha_p2p.games.matcha.view import own_faces
from matcha_p2p.table.table import Table
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Expose, Resign
from tests.cheats.scene import Scene, at, played, says
from tests.games.toy.seated import Won
from tests.review.exporting import export_game

GAMES = ("hoarding", "racing", "long", "short")
WHOLE_DECK = Counter(face.name for face in DECK)


def file_of(scene: Scene, end: int | None = None, records: Sequence[bytes] = ()) -> bytes:
    """Return the file of the first entries of ``scene``."""
    entries = [entry.encoded for entry in scene.log[:end]]
    return encode_archive(entries, records, scene.state.roster)


@cache
def exported(game: str, seats: tuple[Seat, ...] = SEATS, end: int | None = None):
    """Export the first entries of a game whose ``seats`` have exposed their keys."""
    scene = played(game)
    records = [
        sign_record(
            scene.table.gid,
            seat,
            scene.log[1].id,
            Expose(scene.players[seat].x),
            scene.players[seat].secrets.session,
        ).encoded
        for seat in seats
    ]
    return export_game(file_of(scene, end, records))


def moves(played_set) -> list:
    return [move for played_round in played_set["rounds"] for move in played_round["moves"]]


def mats(played_set) -> list:
    return [mat for played_round in played_set["rounds"] for mat in played_round["mats"]]


def test_a_game_has_this_form():
    game = exported("short")
    assert list(game) == [
        "format", "v", "edition", "verdict", "first_dealer", "open", "sets", "result",
    ]  # fmt: skip
    assert (game["format"], game["v"], game["edition"]) == ("matcha-game", 1, "2020")
    assert (game["verdict"], game["open"]) == ("COMPLETE", [True, True])
    first = game["sets"][0]
    assert list(first) == [
        "dealer", "table", "hands", "aside", "zeros_met", "kept", "rounds",
    ]  # fmt: skip
    assert list(first["rounds"][0]) == ["moves", "mats", "tokens"]
    assert list(first["rounds"][0]["tokens"][0]) == ["T", "B", "W", "S", "K"]
    assert json.loads(json.dumps(game)) == game


@pytest.mark.parametrize("game", GAMES)
def test_an_open_book_shows_every_card_of_every_set(game):
    for played_set in exported(game)["sets"]:
        hands = played_set["hands"]
        cards = [*played_set["table"], *hands[0], *hands[1], *played_set["aside"]]
        assert Counter(cards) == WHOLE_DECK


@pytest.mark.parametrize("game", GAMES)
def test_kept_cards_come_first_in_the_next_hand(game):
    sets = exported(game)["sets"]
    for before, after in pairwise(sets):
        for seat in (0, 1):
            kept = before["kept"][seat]
            assert after["hands"][seat][: len(kept)] == kept
    assert sets[-1]["kept"] == [[], []]


def test_cards_were_kept_by_both_and_a_zero_was_met_on_the_way():
    first, second = exported("hoarding")["sets"]
    assert all(first["kept"])
    assert (first["zeros_met"], second["zeros_met"]) == (0, 1)


@pytest.mark.parametrize("game", GAMES)
def test_laid_and_kept_cards_were_dealt(game):
    for played_set in exported(game)["sets"]:
        for seat in (0, 1):
            laid = [move.get("card") for move in moves(played_set) if move["seat"] == seat]
            used = Counter(card for card in laid if card) + Counter(played_set["kept"][seat])
            assert used <= Counter(played_set["hands"][seat])


def dealt(table: Table) -> bool:
    """Tell whether both hands can be read."""
    return all(
        table.piles.get(hand_of(seat)) and table.piles[hand_of(seat)][0].reader == seat
        for seat in SEATS
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_players_saw_the_cards_that_they_laid(game):
    scene = played(game)
    last = {state.game.state.number: state for state in scene.states[2:] if dealt(state)}
    last = {n: state for n, state in last.items() if state.game.state.rounds[0].turns}
    for number, played_set in enumerate(exported(game)["sets"], start=1):
        shown = [own_faces(player, last[number]) for player in scene.players]
        turns = [turn for done in last[number].game.state.rounds for turn in done.turns]
        for turn, move in zip(turns, moves(played_set), strict=False):
            if move["move"] == "play":
                assert move["card"] == shown[turn.seat][turn.move.slot].name


@pytest.mark.parametrize("game", GAMES)
def test_mats_hold_the_cards_that_were_laid_there(game):
    for played_set in exported(game)["sets"]:
        laid = {(m["mat"], m["seat"]): m["card"] for m in moves(played_set) if "card" in m}
        for mat in mats(played_set):
            cards = [laid.get((mat["mat"], seat)) for seat in (0, 1)]
            assert mat["cards"] == cards
            assert mat["revealed"] == (None not in cards)


@pytest.mark.parametrize("game", GAMES)
def test_tokens_are_the_sum_of_gains(game):
    counts = [Counter(), Counter()]
    for played_set in exported(game)["sets"]:
        for played_round in played_set["rounds"]:
            for mat in played_round["mats"]:
                for seat in (0, 1):
                    counts[seat].update(filter(None, [mat["gain"][seat]]))
            for seat in (0, 1):
                assert played_round["tokens"][seat] == {k: counts[seat][k] for k in "TBWSK"}
    assert exported(game)["result"]["tokens"] == [{k: c[k] for k in "TBWSK"} for c in counts]


@pytest.mark.parametrize("game", GAMES)
def test_the_deal_passes_on(game):
    whole = exported(game)
    dealers = [played_set["dealer"] for played_set in whole["sets"]]
    assert dealers[0] == whole["first_dealer"]
    assert all(a != b for a, b in pairwise(dealers))


# --- closed books --------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_closed_books_show_only_cards_turned_up(game):
    whole, closed = exported(game), exported(game, ())
    assert closed["open"] == [False, False]
    for full, shown in zip(whole["sets"], closed["sets"], strict=True):
        assert shown["hands"] == [[None] * 5] * 2
        assert shown["aside"] == [None] * 2
        assert shown["kept"] == [[None] * len(kept) for kept in full["kept"]]
        for same, mat in zip(mats(full), mats(shown), strict=True):
            assert mat == (same if same["revealed"] else same | {"cards": [None, None]})
        turned_up = {mat["mat"] for mat in mats(shown) if mat["revealed"]}
        for same, move in zip(moves(full), moves(shown), strict=True):
            hidden = move["move"] == "play" and move["mat"] not in turned_up
            assert move == (same | {"card": None} if hidden else same)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_one_open_book_shows_the_cards_of_its_seat(game, seat):
    whole, half = exported(game), exported(game, (seat,))
    assert half["open"] == [seat == 0, seat == 1]
    for full, shown in zip(whole["sets"], half["sets"], strict=True):
        assert shown["hands"][1 - seat] == [None] * 5
        assert shown["aside"] == [None] * 2
        assert shown["kept"][seat] == full["kept"][seat]
        assert Counter(shown["hands"][seat]) == Counter(full["hands"][seat])
        for same, move in zip(moves(full), moves(shown), strict=True):
            if move["seat"] == seat:
                assert move == same


@pytest.mark.parametrize("seat", [0, 1])
def test_one_open_book_hides_the_order_of_new_and_kept_cards(seat):
    first, second = exported("hoarding", (seat,))["sets"]
    whole = exported("hoarding")["sets"]
    assert first["hands"][seat] == whole[0]["hands"][seat]
    kept = len(first["kept"][seat])
    order = [face.name for face in DECK]
    new = second["hands"][seat][kept:]
    assert second["hands"][seat][:kept] == first["kept"][seat]
    assert new == sorted(whole[1]["hands"][seat][kept:], key=order.index)


# --- games that are not over ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", [(0, 1), (0,), ()])
def test_every_beginning_of_a_game_shows_a_part_of_the_whole(seats):
    whole = exported("hoarding", seats)
    for end in range(2, len(played("hoarding").log)):
        part = exported("hoarding", seats, end)
        assert part["verdict"] in ("UNFINISHED", "DECIDED")
        for shown, full in zip(part["sets"], whole["sets"], strict=False):
            assert (shown["table"], shown["dealer"]) == (full["table"], full["dealer"])
            for seat in (0, 1):
                dealt = zip(shown["hands"][seat], full["hands"][seat], strict=True)
                assert all(card in (None, same) for card, same in dealt)
                assert shown["kept"][seat] in (full["kept"][seat], [])
            assert shown["aside"] in (full["aside"], [None] * 2)
            assert len(moves(shown)) <= len(moves(full))
            for mat, same in zip(mats(shown), mats(full), strict=False):
                assert mat == same


def test_before_the_first_table_there_is_little_to_tell():
    nothing = export_game(file_of(played("short"), 0))
    assert (nothing["edition"], nothing["first_dealer"]) == (None, None)
    assert (nothing["verdict"], nothing["sets"], nothing["result"]) == ("UNFINISHED", [], None)
    hello = export_game(file_of(played("short"), 1))
    assert (hello["edition"], hello["sets"]) == ("2020", [])
    both = export_game(file_of(played("short"), 2))
    assert (both["edition"], both["sets"], both["first_dealer"]) == ("2020", [], None)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_is_a_result(seat):
    scene = at(says("MOVE"))()
    seed = scene.players[seat].secrets.session
    record = sign_record(scene.table.gid, seat, scene.log[-1].id, Resign(), seed)
    game = export_game(file_of(scene, records=[record.encoded]))
    none = dict.fromkeys("TBWSK", 0)
    assert game["verdict"] == "RESIGNED"
    assert game["result"] == {"winner": 1 - seat, "how": "resigned", "tokens": [none, none]}


def test_a_draw_has_no_winner():
    game = exported("passing", ())
    assert (game["result"]["winner"], game["result"]["how"]) == (None, "draw")
    assert all(move["move"] == "pass" for one in game["sets"] for move in moves(one))


def test_the_end_of_another_game_is_no_end_of_matcha():
    report = verify_transcript(file_of(played("short")))
    assert end_of(report) == report.result
    with pytest.raises(TypeError, match="no end of Matcha"):
        end_of(replace(report, result=Won(SEATS, "highest card")))


def test_automatic_passes_are_told_apart():
    passes = [
        m for one in exported("racing")["sets"] for m in moves(one) if m["move"] == "pass"
    ]
    assert {move["auto"] for move in passes} == {True, False}


def test_an_invalid_game_is_not_exported():
    with pytest.raises(
        TranscriptError, match="not valid from entry 0 on: This is not a matcha"
    ):
        export_game(b"")
    scene = played("short")
    log = scene.log[:5] + scene.log[6:]
    with pytest.raises(TranscriptError, match="not valid from entry 5 on"):
        export_game(file_of(replace(scene, log=log)))
