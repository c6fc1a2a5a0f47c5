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
from matcha_p2p.games.matcha.review.export import EXPORT, parts
from matcha_p2p.games.matcha.rules.cards import DECK
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table.steps import hand_of
from matcha_p2p.games.matcha.table.view import own_faces
from matcha_p2p.table.table import Table
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Expose, Resign
from tests.cheats.scene import Scene, at, played, says
from tests.review.exporting import export_game

GAMES = ("hoarding", "racing", "long", "short")
WHOLE_DECK = Counter(face.name for face in DECK)


def file_of(scene: Scene, end: int | None = None, records: Sequence[bytes] = ()) -> bytes:
    """Return the file of the first entries of ``scene``."""
    entries = [entry.encoded for entry in scene.log[:end]]
    return encode_archive(entries, records, scene.state.roster)


def file_with_books(game: str, seats: Sequence[int], end: int | None = None) -> bytes:
    """Return the file of the first entries of a game whose ``seats`` exposed their keys."""
    scene = played(game)
    records = [
        sign_record(
            scene.table.gid,
            Seat(seat),
            scene.log[1].id,
            Expose(scene.players[seat].x),
            scene.players[seat].secrets.session,
        ).encoded
        for seat in seats
    ]
    return file_of(scene, end, records)


@cache
def exported(game: str, seats: tuple[int, ...] = SEATS, end: int | None = None):
    return export_game(file_with_books(game, seats, end))


def turns(played_set) -> list:
    return [turn for played_round in played_set["rounds"] for turn in played_round["turns"]]


def resolutions(played_set) -> list:
    return [it for played_round in played_set["rounds"] for it in played_round["resolutions"]]


def test_a_game_has_this_form():
    game = exported("short")
    assert list(game) == ["format", "v", "variant", "verdict", "open", "sets", "result"]
    assert (game["format"], game["v"], game["variant"]) == ("matcha-game", 1, "2020")
    assert (game["verdict"], game["open"]) == ("COMPLETE", [True, True])
    assert list(game["sets"][0]) == ["laid", "hands", "aside", "kept", "rounds"]
    assert json.loads(json.dumps(game)) == game


@pytest.mark.parametrize("seats", [(), (0,), SEATS])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_reads_back(game, seats):
    report = verify_transcript(file_with_books(game, seats))
    form = EXPORT.game
    assert form.read(json.loads(json.dumps(form.write(parts(report))))) == parts(report)


@pytest.mark.parametrize("game", GAMES)
def test_an_open_book_shows_every_card_of_every_set(game):
    for played_set in exported(game)["sets"]:
        hands = played_set["hands"]
        cards = [*played_set["laid"]["table"], *hands[0], *hands[1], *played_set["aside"]]
        assert Counter(cards) == WHOLE_DECK


def test_cards_were_kept_by_both_and_a_zero_was_met_on_the_way():
    first, second = exported("hoarding")["sets"]
    assert all(first["kept"])
    assert second["kept"] == [[], []]
    assert (first["laid"]["zeros_met"], second["laid"]["zeros_met"]) == (0, 1)
    for seat in SEATS:
        kept = Counter(first["kept"][seat])
        assert kept <= Counter(first["hands"][seat])
        assert kept <= Counter(second["hands"][seat])


def dealt(table: Table) -> bool:
    """Tell whether both hands can be read."""
    return all(
        table.piles.get(hand_of(seat)) and table.piles[hand_of(seat)][0].reader == seat
        for seat in SEATS
    )


@pytest.mark.parametrize("game", GAMES)
def test_hands_are_those_that_the_players_saw(game):
    scene = played(game)
    last = {state.game.state.number: state for state in scene.states[2:] if dealt(state)}
    for number, played_set in enumerate(exported(game)["sets"], start=1):
        for seat, player in enumerate(scene.players):
            shown = [face.name for face in own_faces(player, last[number])]
            assert played_set["hands"][seat] == shown


@pytest.mark.parametrize("game", GAMES)
def test_mats_hold_the_cards_that_were_laid_there(game):
    for played_set in exported(game)["sets"]:
        for mat in resolutions(played_set):
            cards = [
                None if slot is None else hand[slot]
                for hand, slot in zip(played_set["hands"], mat["slots"], strict=True)
            ]
            assert mat["cards"] == ([None, None] if None in cards else cards)


@pytest.mark.parametrize("game", GAMES)
def test_tokens_are_the_sum_of_gains(game):
    counts = [Counter(), Counter()]
    for played_set in exported(game)["sets"]:
        for played_round in played_set["rounds"]:
            for mat in played_round["resolutions"]:
                for seat in (0, 1):
                    counts[seat].update(filter(None, [mat["gain"][seat]]))
            for seat in (0, 1):
                assert played_round["tokens"][seat] == [counts[seat][k] for k in "TBWSK"]
    assert exported(game)["result"]["tokens"] == [[c[k] for k in "TBWSK"] for c in counts]


@pytest.mark.parametrize("game", GAMES)
def test_the_deal_passes_on(game):
    dealers = [played_set["laid"]["dealer"] for played_set in exported(game)["sets"]]
    assert all(a != b for a, b in pairwise(dealers))


# --- closed books --------------------------------------------------------------------------


def turned_up(played_set, seat: int) -> set[int]:
    """Return the slots of the cards of ``seat`` that were turned up."""
    return {it["slots"][seat] for it in resolutions(played_set) if it["cards"][seat]}


@pytest.mark.parametrize("seats", [(), (0,), (1,)])
@pytest.mark.parametrize("game", GAMES)
def test_closed_books_show_only_cards_turned_up(game, seats):
    whole, shown = exported(game), exported(game, seats)
    assert shown["open"] == [seat in seats for seat in SEATS]
    for full, part in zip(whole["sets"], shown["sets"], strict=True):
        assert (part["laid"], part["rounds"]) == (full["laid"], full["rounds"])
        assert part["aside"] == [None] * 2
        for seat in SEATS:
            hand = full["hands"][seat]
            known = range(len(hand)) if seat in seats else turned_up(full, seat)
            assert part["hands"][seat] == [
                card if slot in known else None for slot, card in enumerate(hand)
            ]
            kept = full["kept"][seat]
            assert part["kept"][seat] == (kept if seat in seats else [None] * len(kept))


# --- games that are not over ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", [(0, 1), (0,), ()])
def test_every_beginning_of_a_game_shows_a_part_of_the_whole(seats):
    whole = exported("hoarding", seats)
    for end in range(2, len(played("hoarding").log)):
        part = exported("hoarding", seats, end)
        assert part["verdict"] in ("UNFINISHED", "DECIDED")
        for shown, full in zip(part["sets"], whole["sets"], strict=False):
            assert shown["laid"] == full["laid"]
            for seat in (0, 1):
                known = Counter(filter(None, shown["hands"][seat]))
                assert known <= Counter(full["hands"][seat])  # places change until all is dealt
                assert shown["kept"][seat] in (full["kept"][seat], [])
            assert shown["aside"] in (full["aside"], [None] * 2)
            assert turns(shown) == turns(full)[: len(turns(shown))]
            for mat, same in zip(resolutions(shown), resolutions(full), strict=False):
                assert mat == same


def test_before_the_first_table_there_is_little_to_tell():
    nothing = export_game(file_of(played("short"), 0))
    assert nothing["variant"] is None
    assert (nothing["verdict"], nothing["sets"], nothing["result"]) == ("UNFINISHED", [], None)
    hello = export_game(file_of(played("short"), 1))
    assert (hello["variant"], hello["sets"]) == ("2020", [])
    both = export_game(file_of(played("short"), 2))
    assert (both["variant"], both["sets"]) == ("2020", [])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_is_a_result(seat):
    scene = at(says("MOVE"))()
    seed = scene.players[seat].secrets.session
    record = sign_record(scene.table.gid, seat, scene.log[-1].id, Resign(), seed)
    game = export_game(file_of(scene, records=[record.encoded]))
    none = [0] * 5
    assert game["verdict"] == "RESIGNED"
    assert game["result"] == {"winners": [1 - seat], "how": "resigned", "tokens": [none, none]}


def test_a_draw_has_no_winner():
    game = exported("passing", ())
    assert (game["result"]["winners"], game["result"]["how"]) == ([], "draw")
    assert all(turn["move"] == "p" for one in game["sets"] for turn in turns(one))


def test_automatic_passes_are_told_apart():
    passes = [
        it for one in exported("racing")["sets"] for it in turns(one) if it["move"] == "p"
    ]
    assert {it["auto"] for it in passes} == {True, False}


def test_an_invalid_game_is_not_exported():
    with pytest.raises(
        TranscriptError, match="not valid from entry 0 on: This is not a matcha"
    ):
        export_game(b"")
    scene = played("short")
    log = scene.log[:5] + scene.log[6:]
    with pytest.raises(TranscriptError, match="not valid from entry 5 on"):
        export_game(file_of(replace(scene, log=log)))
